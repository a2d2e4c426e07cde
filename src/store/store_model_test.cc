// Random programs of batches, reads, scans and drops on every store and on a plain map, which must agree.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "store/contract_fixture.h"

namespace sheaf::store {
namespace {

using Kind = Outcome::Kind;

class StoreModel : public StoreContract {};
SHEAF_FOR_ALL_STORES(StoreModel);

class Program {
 public:
  Program(Store* store, uint64_t seed) : store_(store), random_(seed) {}

  // One step that leaves the store open.
  void step() {
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return run_batch();
      case 4:
      case 5:
        return run_reads();
      case 6:
      case 7:
      case 8:
        return run_scan();
      case 9:
        if (below(8) == 0) return run_drop();
        return remember_versions();
    }
  }

  void reopened(Store* store) { store_ = store; }

  // Everything, in every space.
  void check_all() {
    for (uint8_t space = kSpaceMin; space <= kSpaceMax; ++space) {
      Rows expected;
      for (const auto& [key, value] : rows_) {
        if (key.front() == static_cast<char>(space)) expected.emplace_back(key, value);
      }
      EXPECT_EQ(normal(scan_all(*store_, all_of(Space{space}))), expected);
    }
  }

  int guards_failed_for_nothing() const { return failed_for_nothing_; }

 private:
  struct Remembered {
    std::string key;
    Version version;
    uint64_t at;  // the change count of the key when it was read
  };

  size_t below(size_t bound) { return random_() % bound; }

  // Few keys, so that programs meet: with and without whole partition prefixes, with all kinds of bytes.
  std::string random_key(Space space) {
    static const std::string kBytes(
        "\x00\x01"
        "az\x7f\x80\xfe\xff",
        8);
    std::string rest;
    if (below(3) != 0) rest.assign(11, 'p').push_back(kBytes[below(3)]);
    for (size_t length = below(4); length > 0; --length) rest.push_back(kBytes[below(kBytes.size())]);
    return in_space(space, rest);
  }

  Space random_space() {
    static constexpr Space kSpaces[] = {Space::kCatalog, Space::kItems, Space::kItems,
                                        Space::kIndexes, Space::kJobs,  Space::kTokens};
    return kSpaces[below(std::size(kSpaces))];
  }

  std::string random_value() {
    return std::string(below(6) == 0 ? below(9000) : below(40), static_cast<char>('a' + below(26)));
  }

  void run_batch() {
    Batch batch;
    std::map<std::string, std::string> after = rows_;
    std::vector<std::string> changed;
    std::vector<std::pair<std::string, std::string>> appended;
    bool must_fail = false;
    for (size_t entries = below(8); entries > 0; --entries) {
      const std::string key = random_key(random_space());
      switch (below(6)) {
        case 0:
        case 1: {
          const std::string value = random_value();
          batch.put(key, value);
          after[key] = value;
          changed.push_back(key);
          break;
        }
        case 2:
          batch.erase(key);
          after.erase(key);
          changed.push_back(key);
          break;
        case 3: {
          const std::string counter = random_key(Space::kCounters);
          std::vector<int64_t> deltas(1 + below(kSumsMax));
          for (int64_t& delta : deltas) delta = static_cast<int64_t>(below(2000)) - 1000;
          batch.add(counter, deltas);
          fold_sums(after[counter], encode_sums(deltas));
          break;
        }
        case 4: {
          const std::string prefix = log_key(std::string(1, static_cast<char>('a' + below(3))));
          appended.emplace_back(prefix, random_value());
          batch.append(prefix, appended.back().second);
          break;
        }
        case 5: {
          if (remembered_.empty() || below(2) == 0) {
            batch.guard(key, version_of(*store_, key));
            break;
          }
          const Remembered& old = remembered_[below(remembered_.size())];
          batch.guard(old.key, old.version);
          must_fail |= changes_[old.key] != old.at;
          break;
        }
      }
    }
    const Outcome outcome = commit(*store_, std::move(batch));
    if (outcome.kind == Kind::kGuardFailed) {
      failed_for_nothing_ += !must_fail;
      return;
    }
    ASSERT_EQ(outcome.kind, Kind::kApplied) << outcome.reason;
    ASSERT_FALSE(must_fail) << "a guard held over a change";
    ASSERT_GT(outcome.stamp, last_stamp_);
    last_stamp_ = outcome.stamp;
    uint16_t position = 0;
    for (auto& [key, value] : appended) {
      append_u64(key, outcome.stamp);
      append_u16(key, position++);
      after[key] = value;
    }
    for (const std::string& key : changed) ++changes_[key];
    rows_ = std::move(after);
  }

  void run_reads() {
    std::vector<std::string> keys;
    for (size_t count = below(6); count > 0; --count)
      keys.push_back(random_key(below(5) == 0 ? Space::kCounters : random_space()));
    const std::unique_ptr<View> view = store_->view({.snapshot = below(2) == 0});
    const auto reads = view->read_many(keys);
    ASSERT_TRUE(reads.ok());
    for (size_t i = 0; i < keys.size(); ++i) {
      check_read(keys[i], (*reads)[i]);
      check_read(keys[i], *view->read(keys[i]));
    }
  }

  void check_read(const std::string& key, const Read& read) {
    const auto found = rows_.find(key);
    if (key.front() == static_cast<char>(Space::kCounters)) {
      const std::string sums = found == rows_.end() ? "" : found->second;
      EXPECT_EQ(padded(read.value.value_or("")), padded(sums)) << testing::PrintToString(key);
    } else if (found == rows_.end()) {
      EXPECT_EQ(read.value, std::nullopt) << testing::PrintToString(key);
    } else {
      EXPECT_EQ(read.value, found->second) << testing::PrintToString(key);
    }
  }

  static std::string padded(std::string sums) {
    sums.resize(kSumsMax * sizeof(int64_t), '\0');
    return sums;
  }

  // Counters at zero may be there or not.
  Rows normal(Rows rows) const {
    std::erase_if(rows, [&](const auto& row) {
      return row.first.front() == static_cast<char>(Space::kCounters) && !rows_.contains(row.first) &&
             padded(row.second) == padded("");
    });
    return rows;
  }

  void run_scan() {
    const Space space = below(4) == 0 ? (below(2) == 0 ? Space::kCounters : Space::kLog) : random_space();
    Range range = {random_key(space), below(4) == 0 ? all_of(space).end : random_key(space)};
    if (below(3) != 0 && range.begin > range.end) std::swap(range.begin, range.end);
    if (range.begin.front() != static_cast<char>(space)) return;
    const ScanOptions options = {.direction = below(2) == 0 ? Direction::kForward : Direction::kBackward,
                                 .rows_max = static_cast<uint32_t>(1 + below(30)),
                                 .bytes_max = static_cast<uint32_t>(below(20000))};
    Rows expected;
    for (auto at = rows_.lower_bound(range.begin); at != rows_.end() && at->first < range.end; ++at) {
      if (at->first.front() == static_cast<char>(space)) expected.push_back(*at);
    }
    if (options.direction == Direction::kBackward) std::reverse(expected.begin(), expected.end());

    const std::unique_ptr<View> view = store_->view({.snapshot = below(2) == 0});
    Rows scanned;
    for (size_t slices = 0;; ++slices) {
      ASSERT_LE(slices, expected.size() + 1);
      size_t stop_after = below(3) == 0 ? 1 + below(5) : SIZE_MAX;
      size_t rows = 0, bytes = 0;
      const Result<ScanEnd> end =
          view->scan(range, options, [&](std::string_view key, std::string_view value) {
            scanned.emplace_back(key, value);
            bytes += key.size() + value.size();
            return ++rows < stop_after;
          });
      ASSERT_TRUE(end.ok());
      EXPECT_LE(rows, options.rows_max);
      EXPECT_TRUE(rows <= 1 || bytes <= options.bytes_max);
      if (!end->more) break;
      (options.direction == Direction::kForward ? range.begin : range.end) = end->resume;
    }
    EXPECT_EQ(scanned, expected);
  }

  void remember_versions() {
    const std::unique_ptr<View> view = store_->view({.snapshot = below(2) == 0});
    for (int i = 0; i < 3; ++i) {
      const std::string key = random_key(random_space());
      remembered_.push_back({key, view->read(key)->version, changes_[key]});
    }
    if (remembered_.size() > 40) remembered_.erase(remembered_.begin(), remembered_.begin() + 10);
  }

  // Of log rows, which nobody writes again: their stamps are past.
  void run_drop() {
    std::string end = log_key("b");
    append_u64(end, last_stamp_ - std::min<Stamp>(last_stamp_, below(20)));
    const Range range = {log_key(below(2) == 0 ? "b" : ""), end};
    ASSERT_TRUE(store_->drop(range).ok());
    rows_.erase(rows_.lower_bound(range.begin), rows_.lower_bound(range.end));
  }

  Store* store_;
  std::mt19937_64 random_;
  std::map<std::string, std::string> rows_;
  std::map<std::string, uint64_t> changes_;
  std::vector<Remembered> remembered_;
  Stamp last_stamp_ = 0;
  int failed_for_nothing_ = 0;
};

TEST_P(StoreModel, RandomProgramsAgreeWithAPlainMap) {
  const int programs = syncs() ? 3 : 12, steps = syncs() ? 200 : 600;
  for (int run = 0; run < programs; ++run) {
    const uint64_t seed = 4200 + static_cast<uint64_t>(run);
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (uint8_t space = kSpaceMin; space <= kSpaceMax; ++space)
      ASSERT_TRUE(store().drop(all_of(Space{space})).ok());
    Program program(&store(), seed);
    for (int i = 0; i < steps && !HasFailure(); ++i) {
      program.step();
      clock().advance_us(i % 3 == 0 ? -50 : 7);
      if (i % 150 == 149) {
        settle();
        program.reopened(&store());
        program.check_all();
      }
    }
    program.check_all();
    EXPECT_LE(program.guards_failed_for_nothing(), steps / 20);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace sheaf::store
