#include "engine/lagged_view.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <thread>

#include "engine/engine_fixture.h"
#include "store/faulty_store.h"
#include "value/random_value.h"

namespace sheaf::engine {
namespace {

using OutcomeKind = store::Outcome::Kind;
using store::Direction;

const std::string kItemRows(1, static_cast<char>(store::Space::kItems));
const std::string kIndexes(1, static_cast<char>(store::Space::kIndexes));
const std::string kLog(1, static_cast<char>(store::Space::kLog));

TableLags fixed(int64_t reads_us, int64_t indexes_us) {
  return {.of_global_indexes = LagRange{.min_us = indexes_us, .max_us = indexes_us},
          .of_reads = LagRange{.min_us = reads_us, .max_us = reads_us}};
}

// A few items that change, as a list of all that they ever were; and the same in a store, with its past.
// An item is a row, an entry in a local index and one in a global index; which entries, its text says.
class Histories {
 public:
  Histories(Engine& engine, const ManualClock& clock) : engine_(engine), clock_(clock) {}

  struct Version {
    std::optional<std::string> text;
    int64_t base_us, index_us;  // when it is seen
  };

  // From now on the item is `text`, or nothing; seen after these lags.
  void change(int item, std::optional<std::string> text, int64_t base_lag_us, int64_t index_lag_us,
              OutcomeKind outcome) {
    std::vector<Version>& versions = versions_[item];
    const std::optional<std::string> before = versions.empty() ? std::nullopt : versions.back().text;
    store::Batch batch;
    Overwritten overwritten{.lags = &lags_.emplace_back(fixed(base_lag_us, index_lag_us))};
    const auto add = [&](const Rows& old_rows, const Rows& new_rows, std::vector<PastRow>& rows) {
      for (const auto& [key, value] : old_rows) {
        rows.push_back({.key = key, .value = value});
        if (!new_rows.contains(key)) batch.erase(key);
      }
      for (const auto& [key, value] : new_rows) {
        if (!old_rows.contains(key)) rows.push_back({.key = key});
        batch.put(key, value);
      }
    };
    add(base_rows(item, before), base_rows(item, text), overwritten.base_rows);
    add(index_rows(item, before), index_rows(item, text), overwritten.index_rows);
    if (overwritten.base_rows.empty()) return;
    ASSERT_EQ(overwritten.base_rows.front().key, item_key(item));
    std::vector<Overwritten> changes;
    changes.push_back(std::move(overwritten));
    Past::Pending pending = engine_.past->begin(std::move(changes));
    check_reads();  // of a change on its way, not committed
    if (outcome == OutcomeKind::kApplied) {
      ASSERT_EQ(commit(engine_.store, std::move(batch)).kind, OutcomeKind::kApplied);
    }
    check_reads();  // and committed
    engine_.past->end(std::move(pending), outcome);
    if (outcome != OutcomeKind::kApplied) return;
    const int64_t now_us = clock_.now_us();
    Version version{
        .text = std::move(text), .base_us = now_us + base_lag_us, .index_us = now_us + index_lag_us};
    if (!versions.empty()) {
      version.base_us = std::max(version.base_us, versions.back().base_us);
      version.index_us = std::max(version.index_us, versions.back().index_us);
    }
    versions.push_back(std::move(version));
  }

  // All that a reader of now sees.
  Rows seen() const {
    Rows rows;
    for (const auto& [item, versions] : versions_) {
      std::optional<std::string> base, index;
      for (const Version& version : versions) {
        if (version.base_us <= clock_.now_us()) base = version.text;
        if (version.index_us <= clock_.now_us()) index = version.text;
      }
      rows.merge(base_rows(item, base));
      rows.merge(index_rows(item, index));
    }
    return rows;
  }

  void check_reads() const {
    const Rows expected = seen();
    const auto value_of = [&](const std::string& key) {
      const auto found = expected.find(key);
      return found == expected.end() ? std::nullopt : std::optional(found->second);
    };
    std::vector<std::string> keys;
    for (const auto& [key, value] : expected) keys.push_back(key);
    for (const auto& [item, versions] : versions_) keys.push_back(item_key(item));
    const auto many = open_lagged_view(engine_, {})->read_many(keys);
    ASSERT_TRUE(many.ok());
    for (size_t i = 0; i < keys.size(); ++i) {
      EXPECT_EQ((*many)[i].value, value_of(keys[i]));
      EXPECT_EQ(open_lagged_view(engine_, {})->read(keys[i])->value, value_of(keys[i]));
    }
  }

  // The fifth comes right behind the first: nothing fits in between.
  static std::string item_key(int item) {
    return item == 5 ? item_key(1) + '\0' : kItemRows + "item" + std::to_string(item);
  }

 private:
  static Rows base_rows(int item, const std::optional<std::string>& text) {
    if (!text) return {};
    return {{item_key(item), *text}, {kIndexes + "local" + text->substr(0, 1) + std::to_string(item), *text}};
  }
  static Rows index_rows(int item, const std::optional<std::string>& text) {
    if (!text || text->size() < 2) return {};
    return {{kIndexes + "index" + text->substr(1, 1) + std::to_string(item), *text}};
  }

  Engine& engine_;
  const ManualClock& clock_;
  std::map<int, std::vector<Version>> versions_;
  std::deque<TableLags> lags_;
};

class LaggedView : public ::testing::Test {
 protected:
  LaggedView() { open({}); }

  void open(const store::FaultyOptions& faults) {
    store_ = std::make_unique<store::FaultyStore>(store::open_memory_store(clock_), faults);
    engine_.emplace(*store_, clock_, EngineOptions{.index_lags = {{.table = "*"}}});
    histories_.emplace(*engine_, clock_);
  }

  // What is seen of a range, in slices that end as they like.
  std::vector<std::pair<std::string, std::string>> scanned(store::Range range, Direction direction,
                                                           Random& random) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (int slices = 0; slices < 10'000; ++slices) {
      store::ScanOptions options{.direction = direction};
      if (random.one_in(2)) options.rows_max = static_cast<uint32_t>(random.between(1, 5));
      if (random.one_in(2)) options.bytes_max = static_cast<uint32_t>(random.between(1, 100));
      size_t count = 0, bytes = 0;
      const auto row = [&](std::string_view key, std::string_view value) {
        rows.emplace_back(key, value);
        bytes += key.size() + value.size();
        ++count;
        return !random.one_in(5);
      };
      const auto end = open_lagged_view(*engine_, {.snapshot = random.one_in(2)})->scan(range, options, row);
      EXPECT_TRUE(end.ok()) << outcome_of(end);
      EXPECT_LE(count, options.rows_max);
      EXPECT_TRUE(count <= 1 || bytes <= options.bytes_max);
      if (!end.ok() || !end->more) return rows;
      (direction == Direction::kForward ? range.begin : range.end) = end->resume;
    }
    ADD_FAILURE() << "slices without end";
    return rows;
  }

  static std::vector<std::pair<std::string, std::string>> within(const Rows& all, const store::Range& range,
                                                                 Direction direction) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const auto& [key, value] : all) {
      if (key >= range.begin && key < range.end && key.front() == range.begin.front())
        rows.emplace_back(key, value);
    }
    if (direction == Direction::kBackward) std::reverse(rows.begin(), rows.end());
    return rows;
  }

  void check_scans(Random& random) {
    const Rows all = histories_->seen();
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      for (const std::string& space : {kItemRows, kIndexes}) {
        const auto place = [&] {
          return space + random.pick<std::string>({"i", "index", "item", "l"}) +
                 random.pick<std::string>({"", "1", "a", "b", "item3", "b2"});
        };
        std::vector<store::Range> ranges{{.begin = space, .end = kLog}, {.begin = place(), .end = place()}};
        for (const store::Range& range : ranges)
          EXPECT_EQ(scanned(range, direction, random), within(all, range, direction));
      }
    }
  }

  ManualClock clock_{kTestStartUs};
  std::unique_ptr<store::Store> store_;
  std::optional<Engine> engine_;
  std::optional<Histories> histories_;
};

TEST_F(LaggedView, ShowsWhatWasBefore) {
  Random random;
  histories_->change(1, "aa", 0, 0, OutcomeKind::kApplied);
  histories_->change(2, "bb", 0, 0, OutcomeKind::kApplied);
  histories_->change(1, std::nullopt, 10, 20, OutcomeKind::kApplied);
  histories_->change(2, "cc", 10, 20, OutcomeKind::kApplied);
  histories_->change(3, "dd", 10, 20, OutcomeKind::kApplied);
  for (const int64_t us : {9, 1, 9, 1}) {
    check_scans(random);
    histories_->check_reads();
    clock_.advance_us(us);
  }
  EXPECT_EQ(histories_->seen().size(), 6u);
  check_scans(random);
  EXPECT_EQ(engine_->past->bytes(), 0u);
}

// Against the list of all versions: whatever changes, and however slices are cut.
TEST_F(LaggedView, IsWhatTheVersionsSay) {
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(test_seed()));
  Random random;
  for (int round = 0; round < 20 && !HasFailure(); ++round) {
    open({.seed = static_cast<uint64_t>(round), .scan_short = 0.3, .scan_rest_empty = 0.3});
    const int64_t lag_max_us = random.pick<int64_t>({0, 5, 50});
    for (int step = 0; step < 60 && !HasFailure(); ++step) {
      const auto item = static_cast<int>(random.between(1, 5));
      std::optional<std::string> text;
      if (!random.one_in(3)) {
        text = random.pick<std::string>({"a", "b", "c"}) + random.pick<std::string>({"", "a", "b", "c"});
        if (text->size() == 2) *text += std::string(static_cast<size_t>(random.between(0, 60)), 'x');
      }
      histories_->change(item, std::move(text), random.between(0, lag_max_us), random.between(0, lag_max_us),
                         random.pick<OutcomeKind>(
                             {OutcomeKind::kApplied, OutcomeKind::kApplied, OutcomeKind::kGuardFailed}));
      clock_.advance_us(random.between(0, 4));
      histories_->check_reads();
      check_scans(random);
    }
    clock_.advance_us(lag_max_us);
    check_scans(random);
    EXPECT_EQ(engine_->past->bytes(), 0u);
    EXPECT_EQ(histories_->seen().size(),
              rows_of(*store_, store::Space::kItems).size() + rows_of(*store_, store::Space::kIndexes).size())
        << "in the end all is seen";
  }
}

// The reader that comes while rows change shows them as they were, and does not lose what it has begun.
TEST_F(LaggedView, StaysAtTheMomentOfItsOpening) {
  histories_->change(1, "aa", 0, 0, OutcomeKind::kApplied);
  const auto view = open_lagged_view(*engine_, {});
  std::thread([&] {
    histories_->change(1, "bb", 0, 0, OutcomeKind::kApplied);
    clock_.advance_us(1);
    histories_->change(2, "cc", 0, 0, OutcomeKind::kApplied);
    clock_.advance_us(1);
  }).join();
  EXPECT_EQ(view->read(Histories::item_key(1))->value, "aa");
  EXPECT_EQ(view->read(Histories::item_key(2))->value, std::nullopt);
  std::vector<std::string> values;
  const auto end =
      view->scan({.begin = kIndexes, .end = kLog}, {}, [&](std::string_view, std::string_view value) {
        values.emplace_back(value);
        return true;
      });
  EXPECT_TRUE(end.ok());
  EXPECT_EQ(values, (std::vector<std::string>{"aa", "aa"}));
}

TEST_F(LaggedView, AnEmptyRangeHasNothing) {
  histories_->change(1, "aa", 5, 5, OutcomeKind::kApplied);
  const auto end = open_lagged_view(*engine_, {})
                       ->scan({.begin = kItemRows + "b", .end = kItemRows + "a"}, {},
                              [](std::string_view, std::string_view) { return true; });
  ASSERT_TRUE(end.ok());
  EXPECT_FALSE(end->more);
}

}  // namespace
}  // namespace sheaf::engine
