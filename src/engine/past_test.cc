#include "engine/past.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::engine {
namespace {

using OutcomeKind = store::Outcome::Kind;
using std::chrono::milliseconds;

constexpr int64_t kStartUs = 1'000'000'000;
constexpr int64_t kPastMsUs = 1000;

TableLags fixed_ms(int64_t reads_ms, int64_t indexes_ms) {
  return {.of_global_indexes = LagRange{.min_us = indexes_ms * kPastMsUs, .max_us = indexes_ms * kPastMsUs},
          .of_reads = LagRange{.min_us = reads_ms * kPastMsUs, .max_us = reads_ms * kPastMsUs}};
}

class PastTest : public ::testing::Test {
 protected:
  // An item "a" has rows "a", "a.local" and "a.global".
  Past::Pending begin(const TableLags& lags, const std::string& item, const std::string& before) {
    return begin_in(past_, lags, item, before);
  }
  static Past::Pending begin_in(Past& past, const TableLags& lags, const std::string& item,
                                const std::string& before) {
    const auto row = [&](const char* ending) { return PastRow{.key = item + ending, .value = before}; };
    return past.begin(
        {{.lags = &lags, .base_rows = {row(""), row(".local")}, .index_rows = {row(".global")}}});
  }
  void change(const TableLags& lags, const std::string& item, const std::string& before) {
    past_.end(begin(lags, item, before), OutcomeKind::kApplied);
  }

  // What a reader of now gets from the past; "-": what the store has.
  std::string seen(const std::string& key) { return seen_by(Past::Reader(past_), key); }
  static std::string seen_by(const Past::Reader& reader, const std::string& key) {
    const std::optional<PastRow> row = reader.find(key);
    if (!row) return "-";
    EXPECT_EQ(row->key, key);
    return row->value.value_or("nothing");
  }
  void advance_ms(int64_t ms) { clock_.advance_us(ms * kPastMsUs); }

  ManualClock clock_{kStartUs};
  Past past_{clock_, {}};
};

TEST_F(PastTest, AChangeIsSeenWhenItsLagIsOver) {
  const TableLags lags = fixed_ms(10, 20);
  change(lags, "a", "old");
  clock_.advance_us(10 * kPastMsUs - 1);
  EXPECT_EQ(seen("a"), "old");
  EXPECT_EQ(seen("a.local"), "old");
  EXPECT_EQ(seen("a.global"), "old");
  clock_.advance_us(1);
  EXPECT_EQ(seen("a"), "-");
  EXPECT_EQ(seen("a.local"), "-");
  EXPECT_EQ(seen("a.global"), "old");
  clock_.advance_us(10 * kPastMsUs - 1);
  EXPECT_EQ(seen("a.global"), "old");
  clock_.advance_us(1);
  EXPECT_EQ(seen("a.global"), "-");
  EXPECT_EQ(past_.bytes(), 0u);
}

TEST_F(PastTest, AChangeOnItsWayIsNotSeenHoweverLongItTakes) {
  const TableLags lags = fixed_ms(0, 0);
  Past::Pending pending = begin(lags, "a", "old");
  advance_ms(1'000'000);
  EXPECT_EQ(seen("a"), "old");
  EXPECT_EQ(seen("a.global"), "old");
  past_.end(std::move(pending), OutcomeKind::kApplied);
  EXPECT_EQ(seen("a"), "-");
  EXPECT_EQ(seen("a.global"), "-");
}

TEST_F(PastTest, AChangeThatWasNotMadeIsForgotten) {
  const TableLags lags = fixed_ms(10, 10);
  for (const OutcomeKind outcome : {OutcomeKind::kGuardFailed, OutcomeKind::kRefused}) {
    past_.end(begin(lags, "a", "old"), outcome);
    EXPECT_EQ(seen("a"), "-");
    EXPECT_EQ(seen("a.global"), "-");
    EXPECT_EQ(past_.bytes(), 0u);
  }
}

TEST_F(PastTest, AChangeThatMayHaveBeenMadeIsSeenWhenItsLagIsOver) {
  const TableLags lags = fixed_ms(10, 10);
  past_.end(begin(lags, "a", "old"), OutcomeKind::kUnknown);
  EXPECT_EQ(seen("a"), "old");
  advance_ms(10);
  EXPECT_EQ(seen("a"), "-");
}

TEST_F(PastTest, ChangesOfOneItemAreSeenInTheirOrder) {
  const TableLags slow = fixed_ms(10, 30), fast = fixed_ms(0, 5);
  change(slow, "a", "first");
  advance_ms(1);
  change(fast, "a", "second");
  change(fast, "b", "first");
  EXPECT_EQ(seen("a"), "first");
  EXPECT_EQ(seen("b"), "-") << "another item does not wait";
  advance_ms(9);
  EXPECT_EQ(seen("a"), "-");
  EXPECT_EQ(seen("a.global"), "first");
  EXPECT_EQ(seen("b.global"), "-");
  advance_ms(19);
  EXPECT_EQ(seen("a.global"), "first");
  advance_ms(1);
  EXPECT_EQ(seen("a.global"), "-");
}

TEST_F(PastTest, OneChangeAfterTheOtherIsSeen) {
  const TableLags lags = fixed_ms(10, 10);
  change(lags, "a", "first");
  advance_ms(5);
  change(lags, "a", "second");
  EXPECT_EQ(seen("a"), "first");
  advance_ms(5);
  EXPECT_EQ(seen("a"), "second");
  advance_ms(5);
  EXPECT_EQ(seen("a"), "-");
}

// Entries that an item left, and those that it came to, must not be shown at different moments.
TEST_F(PastTest, RowsThatLaterChangesTouchWaitForThoseOfEarlierOnes) {
  const TableLags slow = fixed_ms(0, 10), fast = fixed_ms(0, 1);
  past_.end(past_.begin({{.lags = &slow,
                          .base_rows = {{.key = "a", .value = "1"}},
                          .index_rows = {{.key = "x", .value = "1"}, {.key = "y"}}}}),
            OutcomeKind::kApplied);
  past_.end(past_.begin({{.lags = &fast,
                          .base_rows = {{.key = "a", .value = "2"}},
                          .index_rows = {{.key = "y", .value = "2"}, {.key = "z"}}}}),
            OutcomeKind::kApplied);
  advance_ms(5);
  EXPECT_EQ(seen("x"), "1");
  EXPECT_EQ(seen("y"), "nothing");
  EXPECT_EQ(seen("z"), "nothing");
  advance_ms(5);
  for (const char* key : {"x", "y", "z"}) EXPECT_EQ(seen(key), "-");
}

TEST_F(PastTest, AReaderStaysAtItsMoment) {
  const TableLags lags = fixed_ms(10, 10), none = fixed_ms(0, 0);
  change(lags, "a", "old");
  {
    const Past::Reader reader(past_);
    change(none, "b", "old");
    EXPECT_EQ(seen_by(reader, "b"), "old") << "it was here before the change was made";
    advance_ms(20);
    change(none, "c", "old");
    EXPECT_EQ(seen_by(reader, "a"), "old");
    EXPECT_EQ(seen_by(reader, "b"), "old");
    EXPECT_EQ(seen_by(reader, "c"), "old");
    for (const char* key : {"a", "b", "c"}) EXPECT_EQ(seen(key), "-");
    EXPECT_EQ(seen_by(reader, "a"), "old") << "what others see is kept as long as one does not";
  }
  EXPECT_EQ(past_.bytes(), 0u);
}

TEST_F(PastTest, RowsAreFoundInBothDirections) {
  const TableLags lags = fixed_ms(10, 10), none = fixed_ms(0, 0);
  change(lags, "b", "old");
  change(none, "c", "old");
  change(lags, "d", "old");
  const Past::Reader reader(past_);
  const auto key_of = [](const std::optional<PastRow>& row) { return row ? row->key : "-"; };
  EXPECT_EQ(key_of(reader.first("a", "z")), "b");
  EXPECT_EQ(key_of(reader.first("b", "z")), "b");
  EXPECT_EQ(key_of(reader.first("b.local!", "z")), "d");
  EXPECT_EQ(key_of(reader.first("a", "b")), "-");
  EXPECT_EQ(key_of(reader.last("a", "z")), "d.local");
  EXPECT_EQ(key_of(reader.last("a", "d")), "b.local");
  EXPECT_EQ(key_of(reader.last("b", "b.")), "b");
  EXPECT_EQ(key_of(reader.last("b", "b")), "-");
  EXPECT_EQ(key_of(reader.last("c", "d")), "-");
}

// How many of a hundred changes are seen after each millisecond.
std::vector<int> seen_by_ms(uint64_t seed, int64_t ms_max) {
  ManualClock clock(kStartUs);
  Past past(clock,
            {.read_lags = {{.table = "t", .min = milliseconds(3), .max = milliseconds(8)}}, .seed = seed});
  const TableLags& lags = *past.lags().of("t");
  for (int i = 0; i < 100; ++i) {
    std::vector<Overwritten> change;
    change.push_back({.lags = &lags, .base_rows = {{.key = std::to_string(i), .value = "old"}}});
    past.end(past.begin(std::move(change)), OutcomeKind::kApplied);
  }
  std::vector<int> counts;
  for (int64_t ms = 0; ms <= ms_max; ++ms) {
    const Past::Reader reader(past);
    int& count = counts.emplace_back();
    for (int i = 0; i < 100; ++i) count += reader.find(std::to_string(i)) ? 0 : 1;
    clock.advance_us(kPastMsUs);
  }
  return counts;
}

TEST(PastLags, AreDrawnFromTheSeed) {
  const std::vector<int> counts = seen_by_ms(1, 8);
  EXPECT_EQ(counts[2], 0);
  for (size_t ms = 4; ms <= 8; ++ms)
    EXPECT_GT(counts[ms], counts[ms - 1]) << "no millisecond in which none of a hundred comes";
  EXPECT_EQ(counts[8], 100);
  EXPECT_EQ(seen_by_ms(1, 8), counts);
  EXPECT_NE(seen_by_ms(2, 8), counts);
}

TEST(PastBytes, BeyondTheirMaximumChangesAreSeenBeforeTheirTime) {
  ManualClock clock(kStartUs);
  constexpr size_t kBytesMax = 10'000;
  Past past(clock, {.index_lags = {}, .read_lags = {}, .bytes_max = kBytesMax});
  const TableLags lags = fixed_ms(60'000, 60'000);
  const auto change = [&](const std::string& item) {
    std::vector<Overwritten> rows;
    rows.push_back({.lags = &lags, .base_rows = {{.key = item, .value = std::string(1000, 'x')}}});
    past.end(past.begin(std::move(rows)), OutcomeKind::kApplied);
    clock.advance_us(1);
  };
  change("a");
  const size_t each = past.bytes();
  EXPECT_GT(each, 1000u);
  const size_t fit = kBytesMax / each;
  for (size_t i = 1; i < fit; ++i) change("b" + std::to_string(i));
  EXPECT_GT(past.bytes(), kBytesMax - each - fit);
  EXPECT_TRUE(Past::Reader(past).find("a")) << "they fit";
  {
    const Past::Reader reader(past);
    change("c");
    EXPECT_GT(past.bytes(), kBytesMax) << "but what a reader needs is kept";
    EXPECT_TRUE(reader.find("a"));
    EXPECT_FALSE(Past::Reader(past).find("a"));
    EXPECT_TRUE(Past::Reader(past).find("b1"));
  }
  EXPECT_LE(past.bytes(), kBytesMax);
  EXPECT_FALSE(Past::Reader(past).find("a"));
  EXPECT_TRUE(Past::Reader(past).find("c"));
}

}  // namespace
}  // namespace sheaf::engine
