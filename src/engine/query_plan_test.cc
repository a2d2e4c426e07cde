#include "engine/query_plan.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/query_fixture.h"
#include "value/key_codec.h"

namespace sheaf::engine {
namespace {

// Two collections, the first with these sort keys.
class QueryPlan : public QueryTest {
 protected:
  QueryPlan() {
    create(collection_table("t"));
    for (const char* sort : {"a", "b", "b#1", "b#2", "c", "d"}) put("t", Item{{"PK", "p"}, {"SK", sort}});
    for (const char* sort : {"a", "b", "z"}) put("t", Item{{"PK", "other"}, {"SK", sort}});
  }

  // The sort keys that a query of the first collection finds, forwards; backwards must find the same.
  std::string sorts(const std::string& condition, Values values) {
    std::string text = "PK = :p" + (condition.empty() ? "" : " AND " + condition);
    const std::string forward = column(run(text, values, false), "SK");
    std::vector<Item> backward = run(text, values, true);
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(column(backward, "SK"), forward);
    return forward;
  }

  std::vector<Item> run(const std::string& text, Values values, bool descending) {
    return query(text, values, {.descending = descending}).items;
  }

  std::string refusal(std::string_view text, Values values, const Asked& asked) {
    return outcome_of(plan(text, values, asked));
  }
};

// A4: a collection in sort-key order from one Query.
TEST_F(QueryPlan, APartitionKeyAloneReadsItsCollectionInOrder) {
  EXPECT_EQ(sorts("", {{":p", "p"}}), "a,b,b#1,b#2,c,d");
  EXPECT_EQ(sorts("", {{":p", "other"}}), "a,b,z");
  EXPECT_EQ(sorts("", {{":p", "nobody"}}), "");
}

// A6: `=`, begins_with, ranges.
TEST_F(QueryPlan, EveryKeyConditionReadsItsRangeInBothDirections) {
  EXPECT_EQ(sorts("SK = :v", {{":p", "p"}, {":v", "b"}}), "b");
  EXPECT_EQ(sorts("SK = :v", {{":p", "p"}, {":v", "b#"}}), "");
  EXPECT_EQ(sorts("SK < :v", {{":p", "p"}, {":v", "b#1"}}), "a,b");
  EXPECT_EQ(sorts("SK <= :v", {{":p", "p"}, {":v", "b#1"}}), "a,b,b#1");
  EXPECT_EQ(sorts("SK > :v", {{":p", "p"}, {":v", "b"}}), "b#1,b#2,c,d");
  EXPECT_EQ(sorts("SK >= :v", {{":p", "p"}, {":v", "b"}}), "b,b#1,b#2,c,d");
  EXPECT_EQ(sorts("SK BETWEEN :v AND :w", {{":p", "p"}, {":v", "b"}, {":w", "c"}}), "b,b#1,b#2,c");
  EXPECT_EQ(sorts("SK BETWEEN :v AND :w", {{":p", "p"}, {":v", "b"}, {":w", "b"}}), "b");
  EXPECT_EQ(sorts("begins_with(SK, :v)", {{":p", "p"}, {":v", "b"}}), "b,b#1,b#2");
  EXPECT_EQ(sorts("begins_with(SK, :v)", {{":p", "p"}, {":v", "b#"}}), "b#1,b#2");
  EXPECT_EQ(sorts("begins_with(SK, :v)", {{":p", "p"}, {":v", "x"}}), "");
}

TEST_F(QueryPlan, NumbersAreComparedAsNumbers) {
  create(table_settings("n", {.partition = {text_key("PK")}, .sort = {number_key("SK")}}));
  for (const char* number : {"-20", "-3", "0", "0.5", "2", "10", "1e10"})
    put("n", Item{{"PK", "p"}, {"SK", *Number::parse(number)}});
  const auto numbers = [&](const std::string& condition, Values values) {
    return column(query("PK = :p AND " + condition, values, {.table = "n"}).items, "SK");
  };
  EXPECT_EQ(numbers("SK < :v", {{":p", "p"}, {":v", 2}}), "-20,-3,0,0.5");
  EXPECT_EQ(numbers("SK >= :v", {{":p", "p"}, {":v", 2}}), "2,10,10000000000");
  EXPECT_EQ(numbers("SK BETWEEN :v AND :w", {{":p", "p"}, {":v", -3}, {":w", 0}}), "-3,0");
  EXPECT_EQ(numbers("SK = :v", {{":p", "p"}, {":v", *Number::parse("10.0")}}), "10");
}

TEST_F(QueryPlan, PrefixesWithTheLowestAndHighestBytesAreExact) {
  create(table_settings("b", {.partition = {text_key("PK")}, .sort = {binary_key("SK")}}));
  const std::vector<std::string> sorts = {
      std::string(1, '\0'), std::string(2, '\0'), std::string("\0\xff", 2), "\xfe\xff", "\xff",
      "\xff\xff",           "\xff\xff\x01",       std::string("\xff\0", 2), "a"};
  for (const std::string& sort : sorts) put("b", Item{{"PK", "p"}, {"SK", Value::binary(sort)}});
  for (const std::string& prefix : sorts) {
    std::set<std::string> expected, found;
    for (const std::string& sort : sorts) {
      if (sort.starts_with(prefix)) expected.insert(sort);
    }
    for (const Item& item : query("PK = :p AND begins_with(SK, :v)",
                                  {{":p", "p"}, {":v", Value::binary(prefix)}}, {.table = "b"})
                                .items) {
      found.emplace(item.find("SK")->bytes());
    }
    EXPECT_EQ(found, expected) << testing::PrintToString(prefix);
  }
}

TEST_F(QueryPlan, BoundsTheWrongWayRoundReadNothing) {
  expr::KeyCondition condition{
      .partition = {Value("p")},
      .range = expr::KeyCondition::Range{
          .op = expr::KeyOperator::kBetween, .value = Value("c"), .upper = Value("b")}};
  const Result<KeyRange> keys = plan_query(table("t"), nullptr, {.condition = condition});
  ASSERT_TRUE(keys.ok()) << outcome_of(keys);
  EXPECT_TRUE(keys->empty());
  EXPECT_TRUE(read(*keys, {}).items.empty());
}

TEST_F(QueryPlan, AStartKeyIsLeftOutInBothDirections) {
  const Item start{{"PK", "p"}, {"SK", "b#1"}};
  EXPECT_EQ(column(query("PK = :p", {{":p", "p"}}, {.start = start}).items, "SK"), "b#2,c,d");
  EXPECT_EQ(column(query("PK = :p", {{":p", "p"}}, {.descending = true, .start = start}).items, "SK"), "b,a");
}

TEST_F(QueryPlan, AStartKeyNeedNotExist) {
  const Item start{{"PK", "p"}, {"SK", "bb"}};
  EXPECT_EQ(column(query("PK = :p", {{":p", "p"}}, {.start = start}).items, "SK"), "c,d");
  EXPECT_EQ(column(query("PK = :p", {{":p", "p"}}, {.descending = true, .start = start}).items, "SK"),
            "b#2,b#1,b,a");
}

TEST_F(QueryPlan, AStartKeyAtTheLastItemLeavesNothing) {
  EXPECT_TRUE(query("PK = :p", {{":p", "p"}}, {.start = Item{{"PK", "p"}, {"SK", "d"}}}).items.empty());
  EXPECT_TRUE(query("PK = :p", {{":p", "p"}}, {.descending = true, .start = Item{{"PK", "p"}, {"SK", "a"}}})
                  .items.empty());
}

TEST_F(QueryPlan, AStartKeyMustLieWhereTheQueryReads) {
  const std::string outside =
      "The provided starting key is outside query boundaries based on provided conditions";
  EXPECT_EQ(refusal("PK = :p", {{":p", "p"}}, {.start = Item{{"PK", "other"}, {"SK", "b"}}}), outside);
  EXPECT_EQ(
      refusal("PK = :p AND SK < :v", {{":p", "p"}, {":v", "c"}}, {.start = Item{{"PK", "p"}, {"SK", "c"}}}),
      outside);
  EXPECT_EQ(
      refusal("PK = :p AND SK < :v", {{":p", "p"}, {":v", "c"}}, {.start = Item{{"PK", "p"}, {"SK", "b"}}}),
      "ok");
}

TEST_F(QueryPlan, AStartKeyHasTheKeyAttributesAndNoOthers) {
  const std::string invalid = "The provided starting key is invalid";
  for (const Item& start :
       {Item{{"PK", "p"}}, Item{{"PK", "p"}, {"SK", "a"}, {"more", 1}}, Item{},
        Item{{"PK", "p"}, {"other", "a"}}, Item{{"PK", "p"}, {"SK", 1}}, Item{{"PK", "p"}, {"SK", ""}}}) {
    EXPECT_EQ(refusal("PK = :p", {{":p", "p"}}, {.start = start}), invalid) << start.to_json();
  }
}

class IndexPlan : public QueryPlan {
 protected:
  IndexPlan() {
    TableSettings settings = collection_table("indexed");
    settings.indexes = {local_index("local", number_key("grade")),
                        global_index("global", {.partition = {text_key("g")}, .sort = {number_key("grade")}}),
                        global_index("inverted", {.partition = {text_key("SK")}, .sort = {text_key("PK")}}),
                        global_index("multi", {.partition = {text_key("g"), number_key("h")},
                                               .sort = {text_key("x"), number_key("grade"), text_key("y")}})};
    create(settings);
  }
  std::string found(const std::string& index, std::string_view text, Values values, bool descending = false) {
    return column(query(text, values, {.table = "indexed", .index = index, .descending = descending}).items,
                  "SK");
  }
};

// A7
TEST_F(IndexPlan, AnIndexIsReadInItsOwnOrder) {
  put("indexed", Item{{"PK", "p"}, {"SK", "1"}, {"g", "x"}, {"grade", 30}});
  put("indexed", Item{{"PK", "p"}, {"SK", "2"}, {"g", "x"}, {"grade", 4}});
  put("indexed", Item{{"PK", "q"}, {"SK", "3"}, {"g", "x"}, {"grade", 20}});
  put("indexed", Item{{"PK", "q"}, {"SK", "4"}, {"g", "y"}, {"grade", 1}});
  EXPECT_EQ(found("local", "PK = :p", {{":p", "p"}}), "2,1");
  EXPECT_EQ(found("global", "g = :g", {{":g", "x"}}), "2,3,1");
  EXPECT_EQ(found("global", "g = :g", {{":g", "x"}}, true), "1,3,2");
  EXPECT_EQ(found("global", "g = :g AND grade > :r", {{":g", "x"}, {":r", 4}}), "3,1");
}

// A8: the other direction of a relationship.
TEST_F(IndexPlan, AnInvertedIndexFindsTheParents) {
  for (const char* pk : {"movie#2", "movie#1", "movie#3"})
    put("indexed", Item{{"PK", pk}, {"SK", "actor#7"}});
  put("indexed", Item{{"PK", "movie#1"}, {"SK", "actor#8"}});
  EXPECT_EQ(
      column(query("SK = :s", {{":s", "actor#7"}}, {.table = "indexed", .index = "inverted"}).items, "PK"),
      "movie#1,movie#2,movie#3");
}

TEST_F(IndexPlan, SeveralAttributesAreReadOneAfterTheOther) {
  int id = 0;
  for (const char* x : {"a", "b"}) {
    for (const int rank : {10, 2}) {
      for (const char* y : {"v", "u"}) {
        put("indexed", Item{{"PK", "p"},
                            {"SK", std::to_string(id++)},
                            {"g", "k"},
                            {"h", 1},
                            {"x", x},
                            {"grade", rank},
                            {"y", y}});
      }
    }
  }
  put("indexed",
      Item{{"PK", "p"}, {"SK", "elsewhere"}, {"g", "k"}, {"h", 2}, {"x", "a"}, {"grade", 2}, {"y", "u"}});
  EXPECT_EQ(found("multi", "g = :g AND h = :h", {{":g", "k"}, {":h", 1}}), "3,2,1,0,7,6,5,4");
  EXPECT_EQ(found("multi", "g = :g AND h = :h AND x = :x", {{":g", "k"}, {":h", 1}, {":x", "b"}}), "7,6,5,4");
  EXPECT_EQ(found("multi", "g = :g AND h = :h AND x = :x AND grade < :r",
                  {{":g", "k"}, {":h", 1}, {":x", "a"}, {":r", 10}}),
            "3,2");
  EXPECT_EQ(found("multi", "g = :g AND h = :h AND x = :x AND grade = :r AND begins_with(y, :y)",
                  {{":g", "k"}, {":h", 1}, {":x", "a"}, {":r", 2}, {":y", "u"}}),
            "3");
  EXPECT_EQ(found("multi", "g = :g AND h = :h", {{":g", "k"}, {":h", 2}}), "elsewhere");
}

TEST_F(IndexPlan, TheStartKeyOfAnIndexHasBothKeys) {
  const std::vector<std::string_view> expected = {"PK", "SK", "g", "grade"};
  const TableRef indexed = table("indexed");
  EXPECT_EQ(key_names(*indexed, indexed->find_index("global")), expected);
  EXPECT_EQ(key_names(*indexed, indexed->find_index("inverted")),
            (std::vector<std::string_view>{"PK", "SK"}));
  EXPECT_EQ(key_names(*indexed, nullptr), (std::vector<std::string_view>{"PK", "SK"}));
  const Item whole{{"PK", "p"}, {"SK", "s"}, {"g", "x"}, {"grade", 1}, {"more", 2}};
  EXPECT_EQ(key_attributes(*indexed, indexed->find_index("global"), whole),
            (Item{{"PK", "p"}, {"SK", "s"}, {"g", "x"}, {"grade", 1}}));
}

TEST_F(IndexPlan, AStartKeyOfAnIndexMustNameAnEntry) {
  const Asked asked{.table = "indexed", .index = "global"};
  const auto refused = [&](const Item& start) {
    Asked with = asked;
    with.start = start;
    return refusal("g = :g", {{":g", "x"}}, with);
  };
  EXPECT_EQ(refused(Item{{"PK", "p"}, {"SK", "s"}, {"g", "x"}, {"grade", 1}}), "ok");
  EXPECT_EQ(refused(Item{{"PK", "p"}, {"SK", "s"}, {"g", "x"}}), "The provided starting key is invalid");
  EXPECT_EQ(refused(Item{{"PK", "p"}, {"SK", "s"}, {"g", "x"}, {"grade", "1"}}),
            "The provided starting key is invalid");
  EXPECT_EQ(refused(Item{{"PK", "p"}, {"SK", "s"}, {"g", "y"}, {"grade", 1}}),
            "The provided starting key is outside query boundaries based on provided conditions");
}

// The segment of a hash, worked out the other way round.
uint64_t segment_of(uint64_t hash, uint32_t count) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(hash) * count) >> 64);
}

TEST_F(QueryPlan, SegmentsCutTheHashSpaceWithoutGapOrOverlap) {
  for (const uint32_t count : {1u, 2u, 3u, 7u, 100u, 999'983u, kSegmentsMax}) {
    for (uint32_t segment = 0; segment < count; segment += std::max(1u, count / 97)) {
      const KeyRange range = *plan_scan(table("t"), nullptr, {.segment = segment, .segment_count = count});
      if (segment == 0) {
        EXPECT_LE(range.range.begin, table("t")->item_prefix + std::string(8, '\0'));
      }
      if (segment + 1 < count) {
        const KeyRange next =
            *plan_scan(table("t"), nullptr, {.segment = segment + 1, .segment_count = count});
        EXPECT_EQ(range.range.end, next.range.begin);
      } else {
        EXPECT_EQ(range.range.end, prefix_end(table("t")->item_prefix));
      }
      EXPECT_LT(range.range.begin, range.range.end);
    }
  }
}

TEST_F(QueryPlan, EveryItemIsInExactlyOneSegment) {
  for (int i = 0; i < 300; ++i) put("t", Item{{"PK", "many" + std::to_string(i)}, {"SK", "s"}});
  const std::vector<Item> whole = scan({}).items;
  EXPECT_EQ(whole.size(), 309u);
  for (const uint32_t count : {2u, 3u, 16u, 1000u}) {
    std::vector<Item> together;
    for (uint32_t segment = 0; segment < count; ++segment) {
      for (Item& item : scan({}, segment, count).items) {
        EXPECT_EQ(segment_of(place_of_stored(*table("t"), item).hash, count), segment);
        together.push_back(std::move(item));
      }
    }
    EXPECT_EQ(together, whole) << "one after the other they are the whole scan";
  }
}

TEST_F(QueryPlan, AScanGoesOnBehindItsStartKey) {
  const std::vector<Item> whole = scan({}).items;
  for (size_t i = 0; i < whole.size(); ++i) {
    const std::vector<Item> rest = scan({.start = whole[i]}).items;
    EXPECT_EQ(rest, std::vector<Item>(whole.begin() + static_cast<ptrdiff_t>(i) + 1, whole.end()));
  }
}

TEST_F(QueryPlan, AStartKeyMustLieInItsSegment) {
  const Item start{{"PK", "p"}, {"SK", "a"}};
  const uint64_t segment = segment_of(place_of_stored(*table("t"), start).hash, 4);
  for (uint32_t each = 0; each < 4; ++each) {
    const Result<KeyRange> range =
        plan_scan(table("t"), nullptr, {.segment = each, .segment_count = 4, .start_after = start});
    EXPECT_EQ(range.ok(), each == segment) << each;
    if (!range.ok()) {
      EXPECT_TRUE(
          range.error().message.starts_with("The provided starting key is invalid: Invalid "
                                            "ExclusiveStartKey. Please use ExclusiveStartKey with correct "
                                            "Segment."))
          << range.error().message;
    }
  }
}

}  // namespace
}  // namespace sheaf::engine
