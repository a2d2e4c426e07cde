// What rows were before they changed lately, for readers that may be late. A reader is at one moment: of each
// row it sees what was there before the first change that is not to be seen yet, or else what the store has.
// A change is put in before it is committed, so that nobody sees it early.
//
// A change is of one item. Its base rows (the item and its entries in local indexes) are seen together, and
// so are its entries in global indexes; changes of one item are seen in their order.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/lags.h"
#include "store/store.h"

namespace sheaf::engine {

// A row as it was; without a value: it was not there.
struct PastRow {
  std::string key;
  std::optional<std::string> value;
};

// The rows that a change of one item overwrites, as they are before it.
struct Overwritten {
  const TableLags* lags;
  std::vector<PastRow> base_rows;  // the item first
  std::vector<PastRow> index_rows;
};

// Thread-safe. All times are the clock's.
class Past {
  struct Change;

 public:
  // Beyond `bytes_max` the oldest changes are seen before their time.
  struct Options {
    std::vector<Lag> index_lags;
    std::vector<Lag> read_lags;
    uint64_t seed = 1;
    size_t bytes_max = size_t{32} << 20;
  };
  Past(const Clock& clock, const Options& options);

  const Lags& lags() const { return lags_; }

  // Changes that are committed together, on their way.
  using Pending = std::vector<std::unique_ptr<Change>>;

  // Before the commit: from now on nobody who may be late sees the changes. Of one item there is one at a
  // time.
  Pending begin(std::vector<Overwritten> changes);
  // After it. Changes that were made, or may have been, are seen when their lag is over.
  void end(Pending pending, store::Outcome::Kind outcome);

  // A reader at the moment of its making. It must be made before the store is looked at, and asked about a
  // row after the store was. For one thread, for as short a time as a view.
  class Reader {
   public:
    explicit Reader(Past& past);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    // The row as it was, if that is not what the store has.
    std::optional<PastRow> find(std::string_view key) const;
    // The first and the last of such rows, from `begin` to before `end`.
    std::optional<PastRow> first(std::string_view begin, std::string_view end) const;
    std::optional<PastRow> last(std::string_view begin, std::string_view end) const;

   private:
    Past& past_;
    int64_t moment_us_;
  };

  // How much it holds.
  size_t bytes() const;

 private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  // A row before one of its changes.
  struct Version {
    const Change* change;
    bool is_base;
    std::optional<std::string> before;

    int64_t seen_us() const { return is_base ? change->base_us : change->index_us; }
  };
  // Oldest first.
  using Rows = std::map<std::string, std::vector<Version>, std::less<>>;
  struct Change {
    const TableLags* lags;
    std::vector<Rows::iterator> rows;  // the item first
    int64_t base_us = kNever;          // when its rows are seen
    int64_t index_us = kNever;
  };

  static std::optional<PastRow> row_at(const Rows::value_type& row, int64_t moment_us);
  void add(Change& change, PastRow row, bool is_base);
  void schedule(std::unique_ptr<Change> change);
  void remove(const Change& change);
  void prune();
  int64_t draw(const std::optional<LagRange>& range);

  const Clock& clock_;
  const Lags lags_;
  const uint64_t seed_;
  const size_t bytes_max_;

  mutable std::mutex mutex_;
  Rows rows_;
  std::multimap<int64_t, std::unique_ptr<Change>> scheduled_;  // by when all of the change is seen
  std::multiset<int64_t> moments_;                             // of the readers that there are
  uint64_t drawn_ = 0;
  size_t bytes_ = 0;
  int64_t forced_us_ = 0;  // no new reader is at an earlier moment
};

}  // namespace sheaf::engine
