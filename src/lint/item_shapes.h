// What a table's items are like, one by one, and what they have in its indexes. Pure: somebody else reads
// them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::lint {

// A global index, as the table describes it.
struct IndexShape {
  std::string name;
  // Types of its keys, and what it projects: items of two that are alike could lie in one.
  std::string form;
};

struct ItemShape {
  struct List {
    std::string attribute;
    int64_t entries = 0;
  };
  struct IndexKey {
    size_t index = 0;  // of those that the shapes were made for
    std::string partition;
    int64_t sort_bytes = 0;
  };
  std::string key;  // as people read it
  int64_t bytes = 0;
  int64_t sort_bytes = 0;
  std::vector<List> lists;  // sets and maps, too
  std::vector<IndexKey> indexes;
};

// One item that has the most of something.
struct MostOf {
  std::string what;  // attribute, or index; empty: of the table itself
  std::string key;   // of the item
  int64_t amount = 0;
};

struct IndexFigures {
  IndexShape shape;
  int64_t items = 0;
  int64_t partitions = 0;  // kIndexKeysMax stand for more
  std::string example;     // a partition key
  MostOf longest_sort;
  std::set<size_t> beside;  // other indexes that one of its items is in, too
};

struct ShapeFigures {
  std::vector<MostOf> largest_items;  // a few, largest first
  MostOf longest_sort;                // of the table
  std::vector<MostOf> longest_lists;  // of each attribute, longest first
  std::vector<IndexFigures> indexes;  // the global ones
};

inline constexpr int64_t kIndexKeysMax = 1001;

// Takes items one by one.
class ItemShapes {
 public:
  explicit ItemShapes(std::vector<IndexShape> indexes);

  void add(const ItemShape& item);
  ShapeFigures figures() const;

 private:
  struct Index {
    IndexFigures figures;
    std::set<std::string> partitions;
  };

  std::vector<MostOf> largest_;
  MostOf longest_sort_;
  std::map<std::string, MostOf> lists_;
  std::vector<Index> indexes_;
};

}  // namespace sheaf::lint
