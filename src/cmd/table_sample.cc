#include "cmd/table_sample.h"

#include <algorithm>
#include <unordered_map>

#include "base/try.h"
#include "run/plain_json.h"

namespace sheaf::cmd {
namespace {

// A Scan goes through a collection from end to end before it comes to the next: several begin at several
// places.
constexpr uint32_t kSegments = 8;
constexpr uint32_t kPageItems = 1000;

// Where items say what they are.
constexpr std::string_view kTypeNames[] = {"Type",   "type",   "TYPE",       "_type",
                                           "entity", "Entity", "entityType", "EntityType",
                                           "kind",   "_et",    "__edb_e__",  "__type"};

std::string text_of(ValueView value) {
  return value.type() == Type::kString ? std::string(value.bytes()) : run::to_plain_json(value);
}

class Sampler {
 public:
  Sampler(Database& database, const SampleOptions& options, TableDescription description)
      : database_(database), options_(options), description_(std::move(description)) {}

  Result<lint::TableStatistics> run() {
    bool is_whole = true;
    for (uint32_t segment = 0; segment < kSegments; ++segment) {
      const int64_t left = options_.items_max - items_;
      is_whole = TRY(read_segment(segment, left / (kSegments - segment))) && is_whole;
    }
    lint::TableStatistics statistics = sample_.statistics();
    statistics.table = options_.table;
    statistics.items_of_table = description_.item_count;
    statistics.is_whole = is_whole;
    if (!is_whole) complete(statistics);
    add_heat(statistics);
    return statistics;
  }

 private:
  // True if there is no more.
  Result<bool> read_segment(uint32_t segment, int64_t items_max) {
    Scan scan{.table = options_.table, .segment = segment, .segment_count = kSegments};
    for (int64_t left = items_max; left > 0;) {
      scan.limit = static_cast<uint32_t>(std::min<int64_t>(left, kPageItems));
      const Page page = TRY(database_.scan(scan));
      for (size_t i = 0; i < page.items.size(); ++i) add(page.items[i]);
      left -= static_cast<int64_t>(page.items.size());
      if (options_.on_progress) options_.on_progress(items_);
      if (!page.last_key) return true;
      scan.start_key = page.last_key;
    }
    return false;
  }

  void add(ItemView item) {
    ++items_;
    const std::string& partition_name = description_.key.partition.front().name;
    const std::string sort_name = description_.key.sort.empty() ? "" : description_.key.sort.front().name;
    lint::ItemFigures figures{.bytes = item.size_bytes()};
    for (const Attribute& attribute : item) {
      if (attribute.name == partition_name) {
        figures.partition = text_of(attribute.value);
        keys_.try_emplace(figures.partition, Item{{partition_name, Value(attribute.value)}});
      } else if (attribute.name == sort_name) {
        if (attribute.value.type() == Type::kString) figures.sort = std::string(attribute.value.bytes());
      } else {
        figures.attributes.emplace_back(attribute.name);
      }
    }
    std::sort(figures.attributes.begin(), figures.attributes.end());
    for (const std::string_view name : kTypeNames) {
      const std::optional<ValueView> type = item.find(name);
      if (!figures.type.empty() || !type || type->type() != Type::kString) continue;
      figures.type = std::string(type->bytes());
    }
    sample_.add(figures);
  }

  // The largest, with what was not read of them.
  void complete(lint::TableStatistics& statistics) {
    if (description_.key.sort.empty()) return;
    for (lint::PartitionFigures& each : statistics.largest) {
      const Result<CollectionSize> size = database_.collection_size(options_.table, keys_.at(each.key));
      if (!size.ok()) return;
      each.items = std::max(each.items, size->item_count);
      each.bytes = std::max(each.bytes, size->size_bytes);
    }
  }

  void add_heat(lint::TableStatistics& statistics) {
    const Result<HeatReport> heat = database_.heat({.table = options_.table, .seconds = 3600});
    if (!heat.ok()) return;
    for (const HeatFinding& finding : heat->findings) {
      const HeatOf& of = finding.of_writes ? heat->writes : heat->reads;
      std::string text = finding.text;
      if (!of.partitions.empty()) text += ": " + of.partitions.front().key.to_json();
      statistics.heat.push_back(std::move(text));
    }
  }

  Database& database_;
  const SampleOptions& options_;
  const TableDescription description_;
  lint::TableSample sample_;
  std::unordered_map<std::string, Item> keys_;
  int64_t items_ = 0;
};

}  // namespace

Result<lint::TableStatistics> sample_table(Database& database, const SampleOptions& options) {
  TableDescription description = TRY(database.describe_table(options.table));
  return Sampler(database, options, std::move(description)).run();
}

}  // namespace sheaf::cmd
