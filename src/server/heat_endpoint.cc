#include "server/heat_endpoint.h"

#include <array>
#include <charconv>
#include <cstdio>

#include "base/try.h"
#include "server/watch.h"
#include "service/route.h"
#include "wire/json_object.h"

namespace sheaf::server {
namespace {

using service::Reply;
using wire::JsonObject;

struct Asked {
  AskHeat heat;
  bool of_one = false;  // table or index; else of all of them
};

Error bad(std::string message) { return {Code::kInvalid, std::move(message)}; }

template <typename Number>
Result<void> read_number(const std::string& name, const std::string& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return bad(name + " must be a whole number, not '" + text + "'");
  return {};
}

Result<Asked> read_query(std::string_view target) {
  const std::optional<service::Query> query = service::query_of(target);
  if (!query) return bad("the query is not properly escaped");
  Asked asked;
  for (const auto& [name, value] : *query) {
    if (name == "table") {
      asked.heat.table = value;
      asked.of_one = true;
    } else if (name == "index") {
      asked.heat.index = value;
    } else if (name == "seconds") {
      TRY(read_number(name, value, asked.heat.seconds));
    } else if (name == "keys") {
      TRY(read_number(name, value, asked.heat.keys_max));
    } else {
      return bad("there is no parameter " + name + ": there are table, index, seconds and keys");
    }
  }
  if (!asked.heat.index.empty() && !asked.of_one) return bad("an index is asked for with its table");
  return asked;
}

void append_number(std::string& out, double value) {
  std::array<char, 32> text;
  const int length = std::snprintf(text.data(), text.size(), "%.6g", value);
  out.append(text.data(), static_cast<size_t>(length));
}

void number(JsonObject& object, std::string_view name, double value) {
  append_number(object.member(name), value);
}

// How keys of one table or index are told: by name if a model explains them.
class KeyWriter {
 public:
  KeyWriter(Database& database, const watch::KeyNames& names, const AskHeat& of)
      : database_(database), names_(names), of_(of) {}

  // Partition keys; with how large their collections are, if they are of a table that has such.
  void append_partitions(std::string& out, const std::vector<HotKey>& keys, bool with_sizes) const {
    wire::append_json_list(out, keys, [&](const HotKey& key) {
      JsonObject object(out);
      append_key(object, key, names_.partition(of_.table, of_.index, key.key));
      if (!with_sizes || !of_.index.empty()) return;
      const Result<CollectionSize> size = database_.collection_size(of_.table, key.key);
      if (!size.ok()) return;
      object.integer("items", size->item_count);
      object.integer("bytes", size->size_bytes);
    });
  }
  void append_items(std::string& out, const std::vector<HotKey>& keys) const {
    wire::append_json_list(out, keys, [&](const HotKey& key) {
      JsonObject object(out);
      append_key(object, key, names_.item(of_.table, of_.index, key.key));
    });
  }
  void append_sample(std::string& out, const std::vector<SampledKey>& keys) const {
    wire::append_json_list(out, keys, [&](const SampledKey& key) {
      JsonObject object(out);
      append_name(object, key.key, names_.item(of_.table, of_.index, key.key));
      number(object, "share", key.share);
    });
  }

 private:
  static void append_name(JsonObject& object, const Item& key, const watch::KeyName& name) {
    object.member("key") += key.to_json();
    if (name.kind.empty()) return;
    object.text("kind", name.kind);
    object.text("name", name.text);
  }
  static void append_key(JsonObject& object, const HotKey& key, const watch::KeyName& name) {
    append_name(object, key.key, name);
    number(object, "units_per_second", key.units_per_second);
    number(object, "times_per_second", key.times_per_second);
    number(object, "share", key.share);
  }

  Database& database_;
  const watch::KeyNames& names_;
  const AskHeat& of_;
};

void append_rates(JsonObject& object, const HeatOf& heat) {
  number(object, "units_per_second", heat.units_per_second);
  number(object, "requests_per_second", heat.requests_per_second);
  number(object, "throttled_per_second", heat.throttled_per_second);
  number(object, "partition_keys", heat.partition_keys);
}

void append_whole(std::string& out, const HeatOf& heat, const KeyWriter& keys) {
  JsonObject object(out);
  append_rates(object, heat);
  wire::append_json_list(object.member("quarters"), heat.quarters,
                         [&](double units) { append_number(out, units); });
  keys.append_partitions(object.member("partitions"), heat.partitions, true);
  keys.append_items(object.member("items"), heat.items);
  keys.append_partitions(object.member("throttled_partitions"), heat.throttled_partitions, false);
  keys.append_sample(object.member("sample"), heat.sample);
}

void append_summary(std::string& out, const HeatOf& heat) {
  JsonObject object(out);
  append_rates(object, heat);
  number(object, "hottest_share", heat.partitions.empty() ? 0 : heat.partitions.front().share);
}

void append_findings(std::string& out, const std::vector<HeatFinding>& findings) {
  wire::append_json_list(out, findings, [&](const HeatFinding& finding) {
    JsonObject object(out);
    object.text("kind", name_of(finding.kind));
    object.text("of", finding.of_writes ? "writes" : "reads");
    object.text("text", finding.text);
  });
}

template <typename AppendHeat>
void append_report(std::string& out, const AskHeat& request, const HeatReport& report,
                   AppendHeat append_heat) {
  JsonObject object(out);
  object.text("table", request.table);
  if (!request.index.empty()) object.text("index", request.index);
  number(object, "seconds", report.seconds);
  if (report.partitions > 0) object.integer("partition_count", report.partitions);
  append_heat(object.member("reads"), report.reads);
  append_heat(object.member("writes"), report.writes);
  append_findings(object.member("findings"), report.findings);
}

Result<std::string> one_report(Database& database, const watch::KeyNames& names, const AskHeat& request) {
  const HeatReport report = TRY(database.heat(request));
  const KeyWriter keys(database, names, request);
  std::string out;
  append_report(out, request, report,
                [&](std::string& to, const HeatOf& heat) { append_whole(to, heat, keys); });
  return out;
}

Result<std::string> all_reports(Database& database, AskHeat request) {
  std::string out = "{\"resources\":[";
  for (const auto& [table, index] : TRY(tables_and_indexes(database))) {
    request.table = table;
    request.index = index;
    const Result<HeatReport> report = database.heat(request);
    if (!report.ok() && report.error().code == Code::kNotFound) continue;  // gone meanwhile
    if (!report.ok()) return report.error();
    if (out.back() != '[') out += ',';
    append_report(out, request, *report, append_summary);
  }
  return out + "]}";
}

}  // namespace

bool is_heat(std::string_view target) { return target.substr(0, target.find('?')) == "/heat"; }

Reply HeatEndpoint::answer(std::string_view target) {
  Result<Asked> asked = read_query(target);
  if (!asked.ok()) return service::problem(asked.error());
  const std::shared_ptr<const watch::KeyNames> names = names_();
  Result<std::string> body =
      asked->of_one ? one_report(database_, *names, asked->heat) : all_reports(database_, asked->heat);
  if (!body.ok()) return service::problem(body.error());
  return {.body = std::move(*body)};
}

}  // namespace sheaf::server
