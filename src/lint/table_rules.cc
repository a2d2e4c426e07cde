#include "lint/table_rules.h"

#include <algorithm>
#include <cmath>

namespace sheaf::lint {
namespace {

// Of a part of a table nobody knows how many keys the rest has, unless there are hardly any.
constexpr int64_t kHardlyAny = 5;
constexpr size_t kKeysShown = 5;

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
    }
    find_large();
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

  std::string of_all() const {
    return std::to_string(table_.items) + (table_.is_whole ? " items" : " items that were read");
  }

  void find_few_keys() {
    if (table_.partitions == 1) {
      tell("constant-partition", "all " + of_all() + " have one partition key, " + table_.largest.front().key,
           "lead the partition key by an id");
      return;
    }
    const int64_t most = table_.is_whole ? limits_.partition_values : kHardlyAny;
    if (table_.partitions > most || table_.items < kSampleItemsMin * table_.partitions) return;
    tell("few-partitions", of_all() + " have " + std::to_string(table_.partitions) + " partition keys",
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
    if (table_.partitions < 10 || table_.bytes == 0 || table_.largest.empty()) return;
    const PartitionFigures& first = table_.largest.front();
    const double share = 100 * static_cast<double>(first.bytes) / static_cast<double>(table_.bytes);
    const double even = 100 / static_cast<double>(table_.partitions);
    if (share < static_cast<double>(limits_.share_percent) || share < 10 * even) return;
    tell("uneven-partitions",
         first.key + " has " + std::to_string(std::lround(share)) + " % of the bytes of " + of_all() +
             ", with " + std::to_string(table_.partitions) + " partition keys",
         "split it by a bucket of time or a shard in the partition key");
  }

  const TableStatistics& table_;
  const Limits& limits_;
  const Options& options_;
  std::vector<Finding> found_;
};

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
       .why = "What is large is read and written more, and its partition takes no more than any other."},
      {.id = "uneven-throughput",
       .points = "G7 G11",
       .title = "The traffic of late goes to few keys, or was refused.",
       .why = "Partitions bear the same, however much is provisioned."},
  };
}

std::vector<Finding> lint_table(const TableStatistics& statistics, const Options& options) {
  return TableLinter(statistics, options).run();
}

}  // namespace sheaf::lint
