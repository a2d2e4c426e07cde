// What a part of a table's items tells of the whole: how they lie in partitions, and what their sort keys are
// like. Pure: somebody else reads the items.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/item_shapes.h"

namespace sheaf::lint {

// One item, as far as it matters here.
struct ItemFigures {
  std::string partition;                // its partition key, as people read it
  std::optional<std::string> sort;      // its sort key, if that is a text
  std::vector<std::string> attributes;  // names of the others, sorted
  std::string type;                     // what it says itself that it is; may be empty
  int64_t bytes = 0;
};

struct PartitionFigures {
  std::string key;
  int64_t items = 0;
  int64_t bytes = 0;
  bool is_counted = false;  // the database told: with what was not read of it
};

// All of a table's, as a database counts them.
struct PartitionTotals {
  int64_t partitions = 0;
  int64_t items = 0;
  int64_t bytes = 0;
};

// Of many partitions those with the most bytes, and those with the most items.
class LargestPartitions {
 public:
  // Whether one of this size would stay: keys need be made of no other.
  bool has_room_for(int64_t items, int64_t bytes) const;
  void add(const PartitionFigures& partition);
  // By bytes, largest first, and then those that have many items. Each once; of equal ones as they were
  // added.
  std::vector<PartitionFigures> all() const;

 private:
  std::vector<PartitionFigures> by_bytes_;
  std::vector<PartitionFigures> by_items_;
};

// Items that say that they are of one type, or else have mostly the same attributes.
struct KindFigures {
  std::string name;
  int64_t items = 0;
  int64_t unprefixed = 0;  // whose sort key does not begin with a type and a separator
  int64_t beside = 0;      // in partitions that have items of other kinds, too
  std::string example;     // a sort key of those without prefix
};

struct TableStatistics {
  std::string table;
  int64_t items_of_table = 0;  // as the table tells: on AWS some hours old
  int64_t items = 0;           // that were read
  int64_t bytes = 0;
  bool is_whole = false;  // all were
  int64_t partitions = 0;
  std::vector<PartitionFigures> largest;   // by bytes, largest first, and those with the most items
  std::optional<PartitionTotals> counted;  // of the whole table, the largest among them
  std::vector<KindFigures> kinds;
  bool tells_heat = false;        // the traffic of late is known
  std::vector<std::string> heat;  // what it does not bode well for
  ShapeFigures shapes;

  // How much of the table was read, of 100.
  double percent_read() const;
};

// Takes items one by one.
class TableSample {
 public:
  void add(const ItemFigures& item);
  // Without what the table itself tells.
  TableStatistics statistics() const;

 private:
  struct Kind {
    KindFigures figures;
    std::string type;
    std::vector<std::string> attributes;  // of the first one
  };
  struct Partition {
    int64_t items = 0;
    int64_t bytes = 0;
    std::map<size_t, int64_t> kinds;  // items of each
  };

  size_t kind_of(const ItemFigures& item);

  int64_t items_ = 0;
  int64_t bytes_ = 0;
  std::map<std::string, Partition, std::less<>> partitions_;
  std::vector<Kind> kinds_;
};

// USER#ann, order:17, METADATA: a type in letters, and a separator or the end.
bool has_type_prefix(std::string_view sort_key);

}  // namespace sheaf::lint
