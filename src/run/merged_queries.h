// Queries of several partitions as one list, in the order of their sort keys. Of equal ones those of an
// earlier query come first, so that a position in the list is a key of one of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "model/layout.h"
#include "plan/plan.h"
#include "run/figures.h"

namespace sheaf::run {

class MergedQueries {
 public:
  // Borrows all but the queries. Counts what it takes.
  MergedQueries(Database& database, const model::Layout& layout, const plan::Request& request,
                std::vector<Query> queries, Figures& figures);

  // The list begins behind an item of the query `at`, whose key this is. The others begin with its sort key.
  void begin_behind(size_t at, const Item& key);

  // What comes next, until the next call; nothing at the end. `wanted` is how many are asked for from here.
  Result<std::optional<ItemView>> next(uint64_t wanted);
  // Whether there may be more.
  bool has_more() const;

 private:
  struct Stream {
    Query query;
    ItemList items;
    size_t next = 0;
    bool has_ended = false;

    bool is_empty() const { return next == items.size(); }
  };
  Result<void> fill(size_t at, uint64_t wanted);
  bool is_before(const Stream& a, const Stream& b) const;

  Database& database_;
  Figures& figures_;
  const std::string& sort_;
  std::vector<Stream> streams_;
  size_t begun_ = 0;             // the query in which a page ended
  std::optional<Value> behind_;  // with this sort key
};

}  // namespace sheaf::run
