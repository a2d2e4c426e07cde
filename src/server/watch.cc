#include "server/watch.h"

#include "base/log.h"
#include "base/try.h"
#include "server/prometheus_text.h"

namespace sheaf::server {
namespace {

std::string line_name(CollectionLine line) {
  switch (line) {
    case CollectionLine::kItems:
      return "items";
    case CollectionLine::kBytes:
      return "bytes";
    case CollectionLine::kLimit:
      break;
  }
  return "limit";
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> tables_and_indexes(Database& database) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const std::string& table : TRY(database.list_tables())) {
    names.emplace_back(table, "");
    const Result<TableDescription> description = database.describe_table(table);
    if (!description.ok()) continue;  // gone meanwhile
    for (const IndexDescription& index : description->indexes) names.emplace_back(table, index.name);
  }
  return names;
}

void Watch::tell_of_collection(const CollectionWarning& warning) {
  const std::string line = line_name(warning.line);
  log(LogLevel::kWarning, "an item collection has grown large",
      {{"table", warning.table},
       {"line", line},
       {"items", std::to_string(warning.size.item_count)},
       {"bytes", std::to_string(warning.size.size_bytes)}});
  std::lock_guard lock(mutex_);
  ++collection_warnings_[{warning.table, line}];
}

void Watch::look(Database& database) {
  const auto names = tables_and_indexes(database);
  if (!names.ok()) return;
  std::set<Finding> findings;
  for (const auto& [table, index] : *names) {
    const Result<HeatReport> report = database.heat({.table = table, .index = index, .keys_max = 1});
    if (!report.ok()) continue;
    for (const HeatFinding& finding : report->findings) {
      const std::string kind(name_of(finding.kind)), access = finding.of_writes ? "writes" : "reads";
      findings.emplace(table, index, kind, access);
      std::lock_guard lock(mutex_);
      if (findings_.count({table, index, kind, access}) > 0) continue;
      log(LogLevel::kWarning, "uneven or throttled traffic",
          {{index.empty() ? "table" : "index", index.empty() ? table : table + "/" + index},
           {"finding", kind},
           {"what", finding.text}});
    }
  }
  std::lock_guard lock(mutex_);
  findings_ = std::move(findings);
}

void Watch::append_text(std::string& out) const {
  std::lock_guard lock(mutex_);
  PrometheusText text(out);
  text.begin("sheaf_collection_warnings_total", "counter", "Item collections that have grown large");
  for (const auto& [where, count] : collection_warnings_)
    text.value({{"table", where.first}, {"line", where.second}}, static_cast<double>(count));
  text.begin("sheaf_heat_finding", "gauge", "What does not bode well in the traffic of the last minute");
  for (const auto& [table, index, kind, access] : findings_)
    text.value({{"table", table}, {"index", index}, {"finding", kind}, {"access", access}}, 1);
}

}  // namespace sheaf::server
