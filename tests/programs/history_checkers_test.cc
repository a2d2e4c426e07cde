// The checkers of histories find what is planted for them, and nothing where there is nothing.
#include <gtest/gtest.h>

#include "programs/event_chain.h"
#include "programs/linearizability.h"
#include "programs/transaction_order.h"

namespace sheaf::programs {
namespace {

using Kind = ItemOperation::Kind;

ItemOperation put(int64_t value, std::optional<int64_t> before, uint64_t called, uint64_t answered) {
  return {.kind = Kind::kPut, .argument = value, .seen = before, .called = called, .answered = answered};
}
ItemOperation get(std::optional<int64_t> seen, uint64_t called, uint64_t answered) {
  return {.kind = Kind::kGet, .seen = seen, .called = called, .answered = answered};
}
ItemOperation add(int64_t by, int64_t seen, uint64_t called, uint64_t answered) {
  return {.kind = Kind::kAdd, .argument = by, .seen = seen, .called = called, .answered = answered};
}
ItemOperation replace(int64_t expected, int64_t value, bool done, int64_t seen, uint64_t called,
                      uint64_t answered) {
  return {.kind = Kind::kReplace,
          .argument = value,
          .expected = expected,
          .done = done,
          .seen = seen,
          .called = called,
          .answered = answered};
}

TEST(Linearizability, OperationsThatOverlapMayTakeEffectInAnyOrder) {
  EXPECT_FALSE(find_unexplained({put(1, std::nullopt, 1, 10), put(2, 1, 2, 9), get(1, 3, 8), get(2, 4, 20)}));
  EXPECT_FALSE(find_unexplained({put(1, 2, 1, 10), put(2, std::nullopt, 2, 9), get(1, 11, 12)}));
}

TEST(Linearizability, AReadThatReturnsAnOldValueIsFound) {
  EXPECT_TRUE(find_unexplained({put(1, std::nullopt, 1, 2), put(2, 1, 3, 4), get(1, 5, 6)}));
}

TEST(Linearizability, AReadThatGoesBackIsFound) {
  EXPECT_TRUE(find_unexplained({put(1, std::nullopt, 1, 2), put(2, 1, 3, 20), get(2, 4, 5), get(1, 6, 7)}));
}

TEST(Linearizability, ALostAdditionIsFound) {
  EXPECT_FALSE(find_unexplained({put(5, std::nullopt, 1, 2), add(1, 6, 3, 10), add(1, 7, 4, 9)}));
  EXPECT_TRUE(find_unexplained({put(5, std::nullopt, 1, 2), add(1, 6, 3, 10), add(1, 6, 4, 9)}));
}

TEST(Linearizability, TwoConditionsThatCannotBothHoldAreFound) {
  EXPECT_FALSE(find_unexplained(
      {put(1, std::nullopt, 1, 2), replace(1, 2, true, 1, 3, 10), replace(1, 3, false, 2, 4, 9)}));
  EXPECT_TRUE(find_unexplained(
      {put(1, std::nullopt, 1, 2), replace(1, 2, true, 1, 3, 10), replace(1, 3, true, 1, 4, 9)}));
}

TEST(Linearizability, AConditionThatShouldHaveHeldIsFound) {
  EXPECT_TRUE(find_unexplained({put(1, std::nullopt, 1, 2), replace(1, 2, false, 1, 3, 4)}));
}

TEST(Linearizability, ADeleteThatDoesNotLastIsFound) {
  const ItemOperation gone{.kind = Kind::kDelete, .seen = 1, .called = 3, .answered = 4};
  EXPECT_FALSE(find_unexplained({put(1, std::nullopt, 1, 2), gone, get(std::nullopt, 5, 6)}));
  EXPECT_TRUE(find_unexplained({put(1, std::nullopt, 1, 2), gone, get(1, 5, 6)}));
}

TEST(TransactionOrder, TransactionsThatCanBeOrderedAre) {
  EXPECT_FALSE(
      find_cycle({{.read = {{"a", 0}, {"b", 0}}, .written = {{"a", 1}, {"b", 2}}, .called = 1, .answered = 5},
                  {.read = {{"a", 1}, {"b", 2}}, .written = {{"a", 3}}, .called = 2, .answered = 6},
                  {.read = {{"a", 3}, {"b", 2}}, .called = 3, .answered = 7}}));
}

TEST(TransactionOrder, ALostUpdateIsFound) {
  EXPECT_TRUE(find_cycle({{.read = {{"a", 0}}, .written = {{"a", 1}}, .called = 1, .answered = 5},
                          {.read = {{"a", 0}}, .written = {{"a", 2}}, .called = 2, .answered = 6}}));
}

TEST(TransactionOrder, AReadOfHalfATransactionIsFound) {
  EXPECT_TRUE(
      find_cycle({{.read = {{"a", 0}, {"b", 0}}, .written = {{"a", 1}, {"b", 2}}, .called = 1, .answered = 5},
                  {.read = {{"a", 1}, {"b", 0}}, .called = 2, .answered = 6}}));
}

TEST(TransactionOrder, WriteSkewIsFound) {
  EXPECT_TRUE(
      find_cycle({{.read = {{"a", 0}, {"b", 0}}, .written = {{"a", 1}}, .called = 1, .answered = 5},
                  {.read = {{"a", 0}, {"b", 0}}, .written = {{"b", 2}}, .called = 2, .answered = 6}}));
}

TEST(TransactionOrder, AnOrderAgainstTimeIsFound) {
  const TransactionRecord write{.read = {{"a", 0}}, .written = {{"a", 1}}, .called = 1, .answered = 2};
  EXPECT_TRUE(find_cycle({write, {.read = {{"a", 0}}, .called = 3, .answered = 4}}));
  EXPECT_FALSE(find_cycle({write, {.read = {{"a", 0}}, .called = 1, .answered = 4}}));
}

TEST(TransactionOrder, AVersionFromNowhereIsFound) {
  EXPECT_TRUE(find_cycle({{.read = {{"a", 7}}, .called = 1, .answered = 2}}));
}

ChangeEvent event(uint64_t stamp, std::optional<int64_t> before, std::optional<int64_t> after) {
  const Item key{{"pk", "a"}};
  const auto image = [](std::optional<int64_t> n) {
    return n ? std::optional(Item{{"pk", "a"}, {"n", *n}}) : std::nullopt;
  };
  return {.kind = ChangeEvent::Kind::kModify,
          .sequence = {.stamp = stamp},
          .key = key,
          .old_image = image(before),
          .new_image = image(after)};
}

TEST(EventChain, MissingRepeatedAndSwappedEventsAreFound) {
  const std::map<std::string, Item> now = {
      {std::string(Item{{"pk", "a"}}.encoded()), Item{{"pk", "a"}, {"n", 3}}}};
  const ChangeEvent first = event(1, std::nullopt, 1), second = event(2, 1, 2), third = event(3, 2, 3);
  EXPECT_FALSE(find_break({first, second, third}, now));
  EXPECT_TRUE(find_break({first, third}, now));
  EXPECT_TRUE(find_break({first, second}, now));
  EXPECT_TRUE(find_break({first, second, second, third}, now));
  EXPECT_TRUE(find_break({second, first, third}, now));
  EXPECT_TRUE(find_break({first, second, third, event(4, 3, std::nullopt)}, now));
  EXPECT_TRUE(find_break({first, second, event(2, 2, 3)}, now));
}

}  // namespace
}  // namespace sheaf::programs
