#include "cmd/table_figures.h"

#include <algorithm>
#include <unordered_map>

#include "base/try.h"
#include "cmd/counted_collections.h"
#include "cmd/key_text.h"

namespace sheaf::cmd {
namespace {

// Where items say what they are.
constexpr std::string_view kTypeNames[] = {"Type",   "type",   "TYPE",       "_type",
                                           "entity", "Entity", "entityType", "EntityType",
                                           "kind",   "_et",    "__edb_e__",  "__type"};

class Figures {
 public:
  Figures(Database& database, Database& counting, TableDescription description)
      : database_(database), counting_(counting), description_(std::move(description)) {}

  Result<lint::TableStatistics> run(const SampleOptions& options) {
    const Sampled sampled =
        TRY(sample_items(database_, description_, options, [this](ItemView item) { add(item); }));
    lint::TableStatistics statistics = sample_.statistics();
    statistics.table = description_.name;
    statistics.items_of_table = description_.item_count;
    statistics.is_whole = sampled.is_whole;
    if (!sampled.is_whole) TRY(complete(statistics));
    add_heat(statistics);
    return statistics;
  }

 private:
  void add(ItemView item) {
    const std::string& partition_name = description_.key.partition.front().name;
    const std::string sort_name = description_.key.sort.empty() ? "" : description_.key.sort.front().name;
    lint::ItemFigures figures{.bytes = item.size_bytes()};
    for (const Attribute& attribute : item) {
      if (attribute.name == partition_name) {
        figures.partition = key_text(attribute.value);
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

  // The largest of all, or else of those that were met, with what was not read of them.
  Result<void> complete(lint::TableStatistics& statistics) {
    if (description_.key.sort.empty()) return {};
    std::optional<CountedCollections> counted = TRY(counted_collections(counting_, description_.name));
    if (counted) {
      statistics.largest = std::move(counted->largest);
      statistics.counted = counted->totals;
      return {};
    }
    for (lint::PartitionFigures& each : statistics.largest) {
      const Result<CollectionSize> size = database_.collection_size(description_.name, keys_.at(each.key));
      if (!size.ok()) return {};
      each.items = std::max(each.items, size->item_count);
      each.bytes = std::max(each.bytes, size->size_bytes);
      each.is_counted = true;
    }
    return {};
  }

  void add_heat(lint::TableStatistics& statistics) {
    const Result<HeatReport> heat = database_.heat({.table = description_.name, .seconds = 3600});
    if (!heat.ok()) return;
    for (const HeatFinding& finding : heat->findings) {
      const HeatOf& of = finding.of_writes ? heat->writes : heat->reads;
      std::string text = finding.text;
      if (!of.partitions.empty()) text += ": " + of.partitions.front().key.to_json();
      statistics.heat.push_back(std::move(text));
    }
  }

  Database& database_;
  Database& counting_;
  const TableDescription description_;
  lint::TableSample sample_;
  std::unordered_map<std::string, Item> keys_;
};

}  // namespace

Result<lint::TableStatistics> table_figures(Database& database, const std::string& table,
                                            const SampleOptions& options, Database* counting) {
  TableDescription description = TRY(database.describe_table(table));
  Database& counts = counting == nullptr ? database : *counting;
  return Figures(database, counts, std::move(description)).run(options);
}

}  // namespace sheaf::cmd
