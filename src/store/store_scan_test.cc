// Scans: invariants 1 and 8 of doc/store-contract.md, for every store, before and after the rows went to
// files.
#include <algorithm>

#include "store/contract_fixture.h"
#include "store/rocks_tuning.h"

namespace sheaf::store {
namespace {

class StoreScans : public StoreContract {
 protected:
  // Puts every key with its own text as the value, in one batch.
  void put_all(const std::vector<std::string>& keys) {
    Batch batch;
    for (const std::string& key : keys) batch.put(key, "=" + key);
    ASSERT_EQ(commit(store(), std::move(batch)).kind, Outcome::Kind::kApplied);
  }

  // What a scan of `range` must return, by the definition of a range.
  static Rows expected(std::vector<std::string> keys, const Range& range, Direction direction) {
    std::sort(keys.begin(), keys.end());
    Rows rows;
    for (const std::string& key : keys) {
      if (key >= range.begin && key < range.end && key.front() == range.begin.front())
        rows.emplace_back(key, "=" + key);
    }
    if (direction == Direction::kBackward) std::reverse(rows.begin(), rows.end());
    return rows;
  }

  // Every range between two of `bounds`, both ways, in slices of all sizes.
  void check_all_ranges(const std::vector<std::string>& keys, const std::vector<std::string>& bounds) {
    for (const std::string& begin : bounds) {
      for (const std::string& end : bounds) {
        for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
          const Rows right = expected(keys, {begin, end}, direction);
          for (const uint32_t rows_max : {1u, 2u, 3u, kSliceRowsMax}) {
            ASSERT_EQ(scan_all(store(), {begin, end}, {.direction = direction, .rows_max = rows_max}), right)
                << testing::PrintToString(begin) << " to " << testing::PrintToString(end) << " by "
                << rows_max << (direction == Direction::kForward ? " forward" : " backward");
          }
        }
      }
    }
  }
};
SHEAF_FOR_ALL_STORES(StoreScans);

std::string zeros(size_t count) { return std::string(count, '\0'); }
std::string ones(size_t count) { return std::string(count, '\xff'); }

// Invariant 1: unsigned bytes, and no scan leaves its space.

TEST_P(StoreScans, KeysComeInTheOrderOfTheirUnsignedBytes) {
  std::vector<std::string> keys = {item_key(""),
                                   item_key(zeros(1)),
                                   item_key(zeros(2)),
                                   item_key("\x01"),
                                   item_key("a"),
                                   item_key("a" + zeros(1)),
                                   item_key("a" + ones(1)),
                                   item_key("ab"),
                                   item_key("b"),
                                   item_key("\x7f"),
                                   item_key("\x80"),
                                   item_key("\x80\x01"),
                                   item_key("\xfe"),
                                   item_key(ones(1)),
                                   item_key(ones(1) + zeros(1)),
                                   item_key(ones(2)),
                                   item_key(ones(40))};
  put_all(keys);
  for (const bool settled : {false, true}) {
    if (settled) settle();
    check_all_ranges(keys, keys);
  }
}

TEST_P(StoreScans, BeginBelongsToARangeAndEndDoesNot) {
  put_all({item_key("a"), item_key("b"), item_key("c")});
  const std::unique_ptr<View> view = store().view({});
  EXPECT_EQ(scan_slice(*view, {item_key("a"), item_key("c")}),
            (Rows{{item_key("a"), "=" + item_key("a")}, {item_key("b"), "=" + item_key("b")}}));
  EXPECT_EQ(scan_slice(*view, {item_key("a"), item_key("c")}, {.direction = Direction::kBackward}),
            (Rows{{item_key("b"), "=" + item_key("b")}, {item_key("a"), "=" + item_key("a")}}));
}

TEST_P(StoreScans, AnEmptyOrInvertedRangeHoldsNothing) {
  put_all({item_key("a"), item_key("b"), in_space(Space::kIndexes, "a"), in_space(Space::kCatalog, "z")});
  const std::vector<Range> ranges = {{item_key("b"), item_key("b")},
                                     {item_key("c"), item_key("a")},
                                     {item_key("a"), in_space(Space::kCatalog, "zz")},
                                     {item_key("a"), item_key("")},
                                     {item_key("aa"), item_key("ab")}};
  for (const bool settled : {false, true}) {
    if (settled) settle();
    for (const Range& range : ranges) {
      for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
        ScanEnd end;
        EXPECT_TRUE(scan_slice(*store().view({}), range, {.direction = direction}, &end).empty());
        EXPECT_FALSE(end.more);
      }
    }
  }
}

TEST_P(StoreScans, NeverLeaveTheirSpace) {
  std::vector<std::string> keys;
  for (uint8_t space = kSpaceMin; space <= kSpaceMax; ++space) {
    if (Space{space} == Space::kCounters) continue;
    for (const std::string& rest : {std::string(), std::string("k"), ones(13), ones(300)})
      keys.push_back(in_space(Space{space}, rest));
  }
  put_all(keys);
  for (const bool settled : {false, true}) {
    if (settled) settle();
    for (uint8_t space = kSpaceMin; space <= kSpaceMax; ++space) {
      for (uint8_t to = space + 1; to <= kSpaceMax + 1; ++to) {
        for (const std::string& rest : {std::string(), std::string("k"), std::string(20, 'z')}) {
          const Range range = {in_space(Space{space}, rest), std::string(1, static_cast<char>(to))};
          for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
            EXPECT_EQ(scan_all(store(), range, {.direction = direction}), expected(keys, range, direction))
                << int{space} << " to " << int{to};
            EXPECT_EQ(scan_all(store(), range, {.direction = direction, .rows_max = 1}),
                      expected(keys, range, direction));
          }
        }
      }
    }
  }
}

TEST_P(StoreScans, ErasedRowsDoNotCome) {
  std::vector<std::string> keys;
  for (int i = 0; i < 300; ++i) keys.push_back(item_key(std::to_string(1000 + i)));
  put_all(keys);
  settle();
  Batch batch;
  std::vector<std::string> left;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i % 7 == 3) {
      left.push_back(keys[i]);
    } else {
      batch.erase(keys[i]);
    }
  }
  commit(store(), std::move(batch));
  for (const bool settled : {false, true}) {
    if (settled) settle();
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      EXPECT_EQ(scan_all(store(), all_of(Space::kItems), {.direction = direction, .rows_max = 10}),
                expected(left, all_of(Space::kItems), direction));
    }
  }
}

// Ranges within a partition are found by filters over the first bytes of their keys; others must not be.

TEST_P(StoreScans, RangesWithinAndAcrossPartitionsAreComplete) {
  const std::vector<std::string> partitions = {zeros(kPartitionPrefixBytes), "aaaaaaaaaaaa", "aaaaaaaaaaab",
                                               "aaaaaaaaaab" + zeros(1), ones(kPartitionPrefixBytes)};
  std::vector<std::string> rests, bounds;
  for (const std::string& partition : partitions) {
    ASSERT_EQ(partition.size(), kPartitionPrefixBytes);
    for (const std::string& sort : {std::string(), zeros(1), std::string("m"), "m" + ones(1), ones(3)})
      rests.push_back(partition + sort);
    bounds.insert(bounds.end(), {partition, partition + "m", partition + ones(2), partition + ones(9)});
  }
  // Shorter than a prefix, and a partition that nobody wrote.
  rests.insert(rests.end(), {"", "a", "aaaaaaaaaaa", "b"});
  bounds.insert(bounds.end(), {"", "aaaaaaaaaaa", "bbbbbbbbbbbb", "bbbbbbbbbbbbm", "bbbbbbbbbbbbz"});
  for (const Space space : {Space::kItems, Space::kIndexes, Space::kLog}) {
    std::vector<std::string> keys, edges;
    for (const std::string& rest : rests) keys.push_back(in_space(space, rest));
    for (const std::string& rest : bounds) edges.push_back(in_space(space, rest));
    edges.push_back(all_of(space).end);
    // Half of them goes to files, the rest stays in memory.
    const auto middle = keys.begin() + static_cast<ptrdiff_t>(keys.size() / 2);
    put_all({keys.begin(), middle});
    settle();
    put_all({middle, keys.end()});
    std::erase_if(edges, [&](const std::string& edge) { return edge.empty(); });
    std::vector<std::string> begins = edges;
    begins.pop_back();
    for (const std::string& begin : begins) {
      for (const std::string& end : edges) {
        for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
          for (const uint32_t rows_max : {2u, kSliceRowsMax}) {
            ASSERT_EQ(scan_all(store(), {begin, end}, {.direction = direction, .rows_max = rows_max}),
                      expected(keys, {begin, end}, direction))
                << testing::PrintToString(begin) << " to " << testing::PrintToString(end);
          }
        }
      }
    }
  }
}

// Invariant 8: bounds are upper bounds, and a scan says where to resume.

TEST_P(StoreScans, StopAtTheirRowsAndSayWhereToResume) {
  put_all({item_key("a"), item_key("b"), item_key("c")});
  const Range range = {item_key("a"), item_key("d")};
  ScanEnd end;
  EXPECT_EQ(scan_slice(*store().view({}), range, {.rows_max = 2}, &end).size(), 2u);
  EXPECT_TRUE(end.more);
  EXPECT_GT(end.resume, item_key("b"));
  EXPECT_LE(end.resume, item_key("c"));
  EXPECT_EQ(scan_slice(*store().view({}), {end.resume, range.end}, {}, &end).size(), 1u);
  EXPECT_FALSE(end.more);

  EXPECT_EQ(
      scan_slice(*store().view({}), range, {.direction = Direction::kBackward, .rows_max = 2}, &end).size(),
      2u);
  EXPECT_TRUE(end.more);
  EXPECT_GT(end.resume, item_key("a"));
  EXPECT_LE(end.resume, item_key("b"));
  EXPECT_EQ(
      scan_slice(*store().view({}), {range.begin, end.resume}, {.direction = Direction::kBackward}, &end)
          .size(),
      1u);
  EXPECT_FALSE(end.more);

  EXPECT_EQ(scan_slice(*store().view({}), range, {.rows_max = 3}, &end).size(), 3u);
}

TEST_P(StoreScans, StopBeforeTheirBytesButReturnTheFirstRow) {
  Batch batch;
  for (const char* name : {"a", "b", "c", "d"}) batch.put(item_key(name), std::string(98, 'v'));
  commit(store(), std::move(batch));  // rows of 100 bytes
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    const auto rows_within = [&](uint32_t bytes_max) {
      return scan_slice(*store().view({}), all_of(Space::kItems),
                        {.direction = direction, .bytes_max = bytes_max})
          .size();
    };
    EXPECT_EQ(rows_within(1), 1u);
    EXPECT_EQ(rows_within(100), 1u);
    EXPECT_EQ(rows_within(199), 1u);
    EXPECT_EQ(rows_within(200), 2u);
    EXPECT_EQ(rows_within(400), 4u);
    EXPECT_EQ(scan_all(store(), all_of(Space::kItems), {.direction = direction, .bytes_max = 150}).size(),
              4u);
  }
}

TEST_P(StoreScans, ReturnNoMoreThanASliceWhateverIsAskedFor) {
  Batch small, large;
  for (int i = 0; i < 5000; ++i) small.put(item_key(std::to_string(10000 + i)), "");
  for (int i = 0; i < 30; ++i)
    large.put(in_space(Space::kIndexes, std::to_string(100 + i)), std::string(5000, 'v'));
  commit(store(), std::move(small));
  commit(store(), std::move(large));
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    const ScanOptions endless = {.direction = direction, .rows_max = UINT32_MAX, .bytes_max = UINT32_MAX};
    ScanEnd end;
    EXPECT_LE(scan_slice(*store().view({}), all_of(Space::kItems), endless, &end).size(), kSliceRowsMax);
    EXPECT_TRUE(end.more);
    EXPECT_EQ(scan_all(store(), all_of(Space::kItems), endless).size(), 5000u);
    size_t bytes = 0;
    for (const auto& [key, value] : scan_slice(*store().view({}), all_of(Space::kIndexes), endless, &end))
      bytes += key.size() + value.size();
    EXPECT_LE(bytes, kSliceBytesMax);
    EXPECT_GT(bytes, kSliceBytesMax / 2);
    EXPECT_TRUE(end.more);
    EXPECT_EQ(scan_all(store(), all_of(Space::kIndexes), endless).size(), 30u);
  }
}

TEST_P(StoreScans, ARowLargerThanASliceComesAlone) {
  put(store(), item_key("a"), "small");
  put(store(), item_key("b"), std::string(4 * kSliceBytesMax, 'v'));
  put(store(), item_key("c"), "small");
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    EXPECT_EQ(scan_all(store(), all_of(Space::kItems), {.direction = direction}).size(), 3u);
    EXPECT_EQ(scan_slice(*store().view({}), {item_key("b"), item_key("c") + zeros(1)}, {}).size(), 1u);
  }
}

TEST_P(StoreScans, EndWhenTheCallerHasEnoughAndResumeBehindTheLastRow) {
  put_all({item_key("a"), item_key("b"), item_key("c")});
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    Range rest = all_of(Space::kItems);
    std::string seen;
    for (int calls = 1;; ++calls) {
      const Result<ScanEnd> end = store().view({})->scan(rest, {.direction = direction}, [&](auto key, auto) {
        seen += key.substr(1);
        return false;
      });
      ASSERT_TRUE(end.ok());
      if (!end->more) {
        EXPECT_EQ(calls, 4);
        break;
      }
      (direction == Direction::kForward ? rest.begin : rest.end) = end->resume;
    }
    EXPECT_EQ(seen, direction == Direction::kForward ? "abc" : "cba");
  }
}

TEST_P(StoreScans, SlicesOfOneSnapshotAreOneState) {
  std::vector<std::string> keys;
  for (int i = 0; i < 50; ++i) keys.push_back(item_key(std::to_string(100 + i)));
  put_all(keys);
  std::atomic<bool> started = false;
  std::thread writer;
  {
    const std::unique_ptr<View> snapshot = store().view({.snapshot = true});
    writer = std::thread([&] {
      started = true;
      Batch batch;
      for (int i = 0; i < 50; ++i) batch.erase(keys[static_cast<size_t>(i)]);
      batch.put(item_key("100a"), "");
      commit(store(), std::move(batch));
    });
    while (!started) std::this_thread::yield();
    Rows rows;
    Range rest = all_of(Space::kItems);
    for (;;) {
      ScanEnd end;
      for (auto& row : scan_slice(*snapshot, rest, {.rows_max = 7}, &end)) rows.push_back(std::move(row));
      if (!end.more) break;
      rest.begin = end.resume;
    }
    EXPECT_EQ(rows, expected(keys, all_of(Space::kItems), Direction::kForward));
  }
  writer.join();
  EXPECT_EQ(scan_all(store(), all_of(Space::kItems)).size(), 1u);
}

}  // namespace
}  // namespace sheaf::store
