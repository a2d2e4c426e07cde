#include "cmd/table_figures.h"

#include <algorithm>
#include <optional>
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

// As far back as it is known.
constexpr int64_t kHeatSeconds = 3600;

class Figures {
 public:
  Figures(const watch::Source& source, Database& counting, TableDescription description)
      : source_(source), counting_(counting), description_(std::move(description)) {}

  Result<lint::TableStatistics> run(const SampleOptions& options) {
    // Before reading the items is traffic, too.
    std::optional<std::vector<std::string>> heat = told_heat();
    const Sampled sampled =
        TRY(sample_items(source_.database, description_, options, [this](ItemView item) { add(item); }));
    lint::TableStatistics statistics = sample_.statistics();
    statistics.table = description_.name;
    statistics.items_of_table = description_.item_count;
    statistics.is_whole = sampled.is_whole;
    statistics.tells_heat = heat.has_value();
    if (heat) statistics.heat = std::move(*heat);
    if (!sampled.is_whole) TRY(complete(statistics, sampled.cut));
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
  Result<void> complete(lint::TableStatistics& statistics, const std::vector<Item>& cut) {
    if (description_.key.sort.empty()) return {};
    std::optional<CountedCollections> counted = TRY(counted_collections(counting_, description_.name));
    if (counted) {
      statistics.largest = std::move(counted->largest);
      statistics.counted = counted->totals;
      return {};
    }
    std::vector<lint::PartitionFigures> met = statistics.largest;
    // However little was read of it, the rest may be large.
    for (const Item& key : cut) {
      const std::string text = key_text(description_.key.partition, key);
      const auto is_it = [&](const lint::PartitionFigures& each) { return each.key == text; };
      if (std::none_of(met.begin(), met.end(), is_it)) met.push_back({.key = text});
    }
    std::vector<Item> keys;
    for (const lint::PartitionFigures& each : met) keys.push_back(keys_.at(each.key));
    const Result<watch::SizesByKey> sizes = source_.collection_sizes(description_.name, keys);
    if (!sizes.ok()) return {};
    lint::LargestPartitions largest;
    for (size_t i = 0; i < met.size(); ++i) {
      lint::PartitionFigures& each = met[i];
      if (const auto size = sizes->find(keys[i].to_json()); size != sizes->end()) {
        each.items = std::max(each.items, size->second.item_count);
        each.bytes = std::max(each.bytes, size->second.size_bytes);
        each.is_counted = true;
      }
      if (each.items > 0) largest.add(each);
    }
    statistics.largest = largest.all();
    return {};
  }

  // What the heat of the table and its indexes says; nothing where nobody tells it.
  std::optional<std::vector<std::string>> told_heat() const {
    std::vector<std::string> told;
    std::vector<const IndexDescription*> places{nullptr};
    for (const IndexDescription& index : description_.indexes) places.push_back(&index);
    for (const IndexDescription* const index : places) {
      const Result<HeatReport> heat = source_.heat({.table = description_.name,
                                                    .index = index == nullptr ? "" : index->name,
                                                    .seconds = kHeatSeconds,
                                                    .keys_max = 1});
      // Whoever does not tell it of the table does not of its indexes either, and may take long to say so.
      if (!heat.ok() && index == nullptr) return std::nullopt;
      if (!heat.ok()) break;
      const KeySchema& key = index == nullptr ? description_.key : index->key;
      for (const HeatFinding& finding : heat->findings)
        told.push_back((index == nullptr ? "" : "index " + index->name + ": ") +
                       heat_text(*heat, finding, key));
    }
    return told;
  }

  static std::string heat_text(const HeatReport& heat, const HeatFinding& finding, const KeySchema& key) {
    const HeatOf& of = finding.of_writes ? heat.writes : heat.reads;
    const bool is_refused = finding.kind == HeatFinding::Kind::kThrottled;
    const std::vector<HotKey>& keys = is_refused ? of.throttled_partitions : of.partitions;
    if (keys.empty()) return finding.text;
    return finding.text + "; the hottest is " + key_text(key.partition, keys.front().key);
  }

  const watch::Source& source_;
  Database& counting_;
  const TableDescription description_;
  lint::TableSample sample_;
  std::unordered_map<std::string, Item> keys_;
};

}  // namespace

Result<lint::TableStatistics> table_figures(const watch::Source& source, const std::string& table,
                                            const SampleOptions& options, Database* counting) {
  TableDescription description = TRY(source.database.describe_table(table));
  Database& counts = counting == nullptr ? source.database : *counting;
  return Figures(source, counts, std::move(description)).run(options);
}

}  // namespace sheaf::cmd
