#include "lint/table_rules.h"

#include <algorithm>
#include <cmath>

namespace sheaf::lint {
namespace {

// Of a part of a table nobody knows how many keys the rest has, unless there are hardly any.
constexpr int64_t kHardlyAny = 5;
constexpr size_t kKeysShown = 5;
// A partition with fewer items is large because of one of them: no shard splits that.
constexpr int64_t kSeveralItems = 10;

std::string whole_bytes_text(int64_t bytes) {
  if (bytes >= 1 << 20) return std::to_string(bytes >> 20) + " MB";
  return std::to_string(bytes >> 10) + " KB";
}

class TableLinter {
 public:
  TableLinter(const TableStatistics& statistics, const Options& options)
      : table_(statistics), limits_(options.limits), options_(options) {}

  std::vector<Finding> run() {
    if (table_.items >= kSampleItemsMin) {
      find_few_keys();
      find_unprefixed();
      find_uneven();
      find_index_keys();
      find_indexes_apart();
    }
    find_large();
    find_large_items();
    find_long_sort_keys();
    find_long_lists();
    find_many_indexes();
    for (const std::string& each : table_.heat)
      tell("uneven-throughput", each,
           "spread the load: a shard in the partition key, or copies of what is hot");
    return std::move(found_);
  }

 private:
  void tell(std::string_view rule, std::string message, std::string fix) {
    Severity severity = Severity::kWarning;
    const auto chosen = options_.severities.find(rule);
    if (chosen != options_.severities.end()) {
      if (!chosen->second) return;
      severity = *chosen->second;
    }
    found_.push_back({.rule = std::string(rule),
                      .severity = severity,
                      .subject = "table " + table_.table,
                      .message = std::move(message),
                      .fix = std::move(fix)});
  }

  // Whether nothing of its partitions is left to guess.
  bool knows_partitions() const { return table_.is_whole || table_.counted; }
  int64_t partitions() const { return table_.counted ? table_.counted->partitions : table_.partitions; }
  int64_t items() const { return table_.counted ? table_.counted->items : table_.items; }

  std::string of_all() const {
    return std::to_string(items()) + (knows_partitions() ? " items" : " items that were read");
  }

  // Of all that may lie in a partition, as far as is known.
  double bytes_beside(const PartitionFigures& partition) const {
    if (table_.counted) return static_cast<double>(table_.counted->bytes);
    const auto bytes = static_cast<double>(table_.bytes);
    if (!partition.is_counted) return bytes;
    return bytes / static_cast<double>(std::max<int64_t>(table_.items, 1)) *
           static_cast<double>(std::max(table_.items, table_.items_of_table));
  }

  void find_few_keys() {
    if (partitions() == 1) {
      tell("constant-partition", "all " + of_all() + " have one partition key, " + table_.largest.front().key,
           "lead the partition key by an id");
      return;
    }
    const int64_t most = knows_partitions() ? limits_.partition_values : kHardlyAny;
    if (partitions() > most || items() < kSampleItemsMin * partitions()) return;
    tell("few-partitions", of_all() + " have " + std::to_string(partitions()) + " partition keys",
         "lead the partition key by an id, or spread it by a shard of one");
  }

  void find_unprefixed() {
    for (const KindFigures& kind : table_.kinds) {
      // Some may look like it by chance.
      if (kind.beside == 0 || 2 * kind.unprefixed <= kind.items) continue;
      tell("unprefixed-sort-key",
           kind.name +
               " lie in partitions with other kinds of items, and their sort keys do not begin with "
               "their type: " +
               kind.example,
           "begin each sort key with the type of its item: TYPE#" + kind.example);
    }
  }

  void find_large() {
    std::string keys;
    size_t count = 0;
    for (const PartitionFigures& each : table_.largest) {
      if (each.items <= limits_.collection_items && each.bytes <= limits_.collection_bytes) continue;
      if (++count > kKeysShown) continue;
      keys += (keys.empty() ? "" : "; ") + each.key + " has " + std::to_string(each.items) + " items, " +
              whole_bytes_text(each.bytes);
    }
    if (count == 0) return;
    tell("large-collection",
         std::string("item collections have more than ") + std::to_string(limits_.collection_items) +
             " items or " + whole_bytes_text(limits_.collection_bytes) + ": " + keys,
         "split them by a bucket of time or a shard in the partition key; or archive what is old");
  }

  void find_uneven() {
    if (partitions() < 10 || table_.bytes == 0) return;
    const auto first = std::find_if(table_.largest.begin(), table_.largest.end(),
                                    [](const auto& each) { return each.items >= kSeveralItems; });
    if (first == table_.largest.end()) return;
    const double share = 100 * static_cast<double>(first->bytes) / bytes_beside(*first);
    const double even = 100 / static_cast<double>(partitions());
    if (share < static_cast<double>(limits_.share_percent) || share < 10 * even) return;
    tell("uneven-partitions",
         first->key + " has " + std::to_string(std::lround(share)) + " % of the bytes of " + of_all() +
             ", with " + std::to_string(partitions()) + " partition keys",
         "split it by a bucket of time or a shard in the partition key");
  }

  void find_large_items() {
    std::string keys;
    for (const MostOf& each : table_.shapes.largest_items) {
      if (static_cast<double>(each.amount) < limits_.near(limits_.item_bytes)) continue;
      keys += (keys.empty() ? "" : "; ") + each.key + " has " + whole_bytes_text(each.amount);
    }
    if (keys.empty()) return;
    tell("large-item", "items come near " + whole_bytes_text(limits_.item_bytes) + ": " + keys,
         "move what grows in them into items of their own, or elsewhere");
  }

  void find_long_sort_keys() {
    std::vector<MostOf> longest{table_.shapes.longest_sort};
    for (const IndexFigures& index : table_.shapes.indexes) longest.push_back(index.longest_sort);
    for (const MostOf& each : longest) {
      if (static_cast<double>(each.amount) < limits_.near(limits_.sort_key_bytes)) continue;
      tell("long-sort-key",
           "the sort key of " + each.key + (each.what.empty() ? "" : " in the index " + each.what) + " has " +
               std::to_string(each.amount) + " bytes, and " + std::to_string(limits_.sort_key_bytes) +
               " is the limit",
           "use shorter ids, or fewer levels");
    }
  }

  void find_long_lists() {
    std::string lists;
    size_t count = 0;
    for (const MostOf& each : table_.shapes.longest_lists) {
      if (each.amount <= limits_.list_entries || ++count > kKeysShown) break;
      lists +=
          (lists.empty() ? "" : "; ") + each.what + " of " + each.key + " has " + std::to_string(each.amount);
    }
    if (count == 0) return;
    tell("unbounded-field",
         "lists in items have more than " + std::to_string(limits_.list_entries) + " entries: " + lists,
         "give each entry an item of its own in the same partition; or keep no more than the newest");
  }

  void find_many_indexes() {
    const size_t count = table_.shapes.indexes.size();
    if (static_cast<double>(count) < limits_.near(limits_.indexes)) return;
    tell("many-indexes",
         "the table has " + std::to_string(count) + " global indexes, and " +
             std::to_string(limits_.indexes) + " is the limit",
         "let kinds of items share indexes whose keys have general names (GSI1PK, GSI1SK), and drop what "
         "nobody reads");
  }

  void find_index_keys() {
    for (const IndexFigures& index : table_.shapes.indexes) {
      const std::string name = "the index " + index.shape.name;
      if (index.items == 0 && table_.is_whole)
        tell("unused-index", name + " holds nothing: no item has a key in it", "delete it");
      if (index.items < kSampleItemsMin) continue;
      const std::string all =
          "all " + std::to_string(index.items) + " items that were seen in " + name + " have ";
      if (index.partitions == 1) {
        tell("constant-partition", all + "one partition key, " + index.example,
             "lead the partition key by an id, or spread it by a shard of one");
        continue;
      }
      const int64_t most = table_.is_whole ? limits_.partition_values : kHardlyAny;
      if (index.partitions > most || index.items < kSampleItemsMin * index.partitions) continue;
      tell("few-partitions", all + std::to_string(index.partitions) + " partition keys",
           "lead the partition key by an id, or spread it by a shard of one");
    }
  }

  // Of a part of the table, many of both must have been seen.
  void find_indexes_apart() {
    const std::vector<IndexFigures>& indexes = table_.shapes.indexes;
    const int64_t least = table_.is_whole ? 1 : kSampleItemsMin;
    for (size_t first = 0; first < indexes.size(); ++first) {
      for (size_t second = first + 1; second < indexes.size(); ++second) {
        if (indexes[first].items < least || indexes[second].items < least) continue;
        if (indexes[first].beside.contains(second) || indexes[first].shape.form != indexes[second].shape.form)
          continue;
        tell("index-per-view",
             "no item is in both of the indexes " + indexes[first].shape.name + " and " +
                 indexes[second].shape.name + ": one could hold the items of both",
             "give their items keys in one index with attributes of general names: GSI1PK, GSI1SK");
        return;
      }
    }
  }

  const TableStatistics& table_;
  const Limits& limits_;
  const Options& options_;
  std::vector<Finding> found_;
};

}  // namespace

namespace {

// Of rules that no model trips, so that there are no examples, nor a page in doc/lint.
constexpr const char* kUnevenPartitions =
    R"(# uneven-partitions

One partition key has much of the table (G11).

It is told of a key with a tenth of the bytes, ten times its share, and ten items at least, by `sheaf lint-table`.
What is large is read and written more, and its partition takes no more than any other: three thousand reads and a
thousand writes a second, however much is provisioned for the table.

Split it by a bucket of time (`<at:month>`) or a shard (`<id:shard(8)>`) in the partition key, or archive what is
old. Limit: `share-percent` (10).
)";
constexpr const char* kUnevenThroughput =
    R"(# uneven-throughput

The traffic of late goes to few keys, or was refused (G7 G11).

It is told of what the heat of the last hour says of the table and its indexes, where somebody counts it: a Sheaf server
(`--endpoint URL`), or a program that embeds Sheaf. A directory that a command opens has no traffic, and no model
text shows it. Of a server `sheaf top`, `sheaf watch` and `GET /heat` tell it, too. Partitions bear the same, however
much is provisioned: a key that most requests are for is throttled while the rest of the table is idle.

Spread the load: a shard (`<id:shard(8)>`) in the partition key, or copies of what is hot.
)";

}  // namespace

std::vector<RuleText> table_rules() {
  return {
      {.id = "constant-partition",
       .points = "H1 G10",
       .title = "All items have one partition key.",
       .why = "One partition takes a thousand writes a second, however large the table is."},
      {.id = "few-partitions",
       .points = "G10",
       .title = "The partition key has few values.",
       .why = "Load that goes to a few partitions is not spread."},
      {.id = "large-collection",
       .points = "H2 G3 G4",
       .title = "An item collection has more than 10,000 items or 1 GB.",
       .why = "It grows; reads of it take many pages, and all its load goes to one partition."},
      {.id = "unprefixed-sort-key",
       .points = "H7",
       .title = "Several kinds of items share partitions, and sort keys do not begin with their type.",
       .why = "Nothing but a filter picks one kind, and a value can look like the key of another kind."},
      {.id = "uneven-partitions",
       .points = "G11",
       .title = "One partition key has much of the table.",
       .why = "What is large is read and written more, and its partition takes no more than any other.",
       .page = kUnevenPartitions},
      {.id = "large-item",
       .points = "G1",
       .title = "An item comes near 400 KB.",
       .why = "A larger item is refused, and every read and write of one pays for all of it."},
      {.id = "unbounded-field",
       .points = "H6",
       .title = "A list, set or map in an item has many entries.",
       .why = "It grows until a write is refused, and every read pays for all of it."},
      {.id = "long-sort-key",
       .points = "G12",
       .title = "A sort key comes near its limit of bytes.",
       .why = "A write whose sort key has more than 1,024 bytes is refused."},
      {.id = "many-indexes",
       .points = "G5",
       .title = "The table comes near its limit of indexes.",
       .why = "A table has 20 global indexes at most, and every write pays for those that it changes."},
      {.id = "index-per-view",
       .points = "H4",
       .title = "Kinds of items have indexes of their own where they could share one.",
       .why = "A table has 20 at most, and each has its own throughput to pay for and to watch."},
      {.id = "unused-index", .points = "G5", .title = "An index holds nothing.", .why = "It is one of 20."},
      {.id = "uneven-throughput",
       .points = "G7 G11",
       .title = "The traffic of late goes to few keys, or was refused.",
       .why = "Partitions bear the same, however much is provisioned.",
       .page = kUnevenThroughput},
  };
}

std::vector<Finding> lint_table(const TableStatistics& statistics, const Options& options) {
  return TableLinter(statistics, options).run();
}

}  // namespace sheaf::lint
