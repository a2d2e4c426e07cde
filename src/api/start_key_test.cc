// The key from which a Query or Scan goes on: what it must hold, and in which words it is refused.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

const Error kInvalidStart = invalid("The provided starting key is invalid");
const Error kMismatch = invalid("The provided key element does not match the schema");
const Error kInvalidMismatch =
    invalid("The provided starting key is invalid: The provided key element does not match the schema");

class StartKeyTest : public DatabaseTest {
 protected:
  StartKeyTest() {
    create(table_of("Simple", "pk"));
    CreateTable table = table_of("Things", "pk", "sk");
    table.local_indexes = {index_of("lsi", "pk", "l")};
    table.global_indexes = {index_of("gsi", "g", "h")};
    create(table);
    for (int i = 0; i < 5; ++i) {
      put("Things", {{"pk", "a"}, {"sk", std::to_string(i)}, {"l", "l"}, {"g", "g"}, {"h", "h"}});
      put("Simple", {{"pk", std::to_string(i)}});
    }
  }
  Result<Page> query(std::optional<std::string> index, const std::string& condition, Item values,
                     Item start) {
    return db_->query({.table = "Things",
                       .index = std::move(index),
                       .key_condition = condition,
                       .values = std::move(values),
                       .start_key = std::move(start)});
  }
  Result<Page> query(Item start) { return query({}, "pk = :p", {{":p", "a"}}, std::move(start)); }
  Result<Page> scan(Item start, std::optional<std::string> index = {}) {
    return db_->scan({.table = "Things", .index = std::move(index), .start_key = std::move(start)});
  }
};

TEST_F(StartKeyTest, ReadingGoesOnBehindIt) {
  EXPECT_EQ(column(must(query({{"pk", "a"}, {"sk", "2"}})).items, "sk"), (Texts{"3", "4"}));
  // The item itself need not be there.
  EXPECT_EQ(column(must(query({{"pk", "a"}, {"sk", "25"}})).items, "sk"), (Texts{"3", "4"}));
  EXPECT_EQ(column(must(db_->query({.table = "Things",
                                    .key_condition = "pk = :p",
                                    .values = {{":p", "a"}},
                                    .descending = true,
                                    .start_key = Item{{"pk", "a"}, {"sk", "25"}}}))
                       .items,
                   "sk"),
            (Texts{"2", "1", "0"}));
}

TEST_F(StartKeyTest, OfAnIndexHoldsBothKeys) {
  const Page first = must(db_->query(
      {.table = "Things", .index = "gsi", .key_condition = "g = :g", .values = {{":g", "g"}}, .limit = 2}));
  EXPECT_EQ(first.last_key, (Item{{"pk", "a"}, {"sk", "1"}, {"g", "g"}, {"h", "h"}}));
  EXPECT_EQ(column(must(query("gsi", "g = :g", {{":g", "g"}}, *first.last_key)).items, "sk"),
            (Texts{"2", "3", "4"}));
  EXPECT_EQ(must(db_->query({.table = "Things",
                             .index = "lsi",
                             .key_condition = "pk = :p",
                             .values = {{":p", "a"}},
                             .limit = 1}))
                .last_key,
            (Item{{"pk", "a"}, {"sk", "0"}, {"l", "l"}}));
}

TEST_F(StartKeyTest, OfAQueryHasTheAttributesOfTheKeyAndNoOthers) {
  for (const Item& wrong : {Item{}, Item{{"pk", "a"}}, Item{{"pk", "a"}, {"xk", "1"}},
                            Item{{"pk", "a"}, {"sk", "1"}, {"v", "1"}}}) {
    EXPECT_EQ(refusal(query(wrong)), kInvalidStart) << wrong.to_json();
  }
  const Item g{{":g", "g"}};
  EXPECT_EQ(refusal(query("gsi", "g = :g", g, {{"g", "g"}, {"h", "h"}})), kInvalidStart);
  EXPECT_EQ(refusal(query("gsi", "g = :g", g, {{"pk", "a"}, {"sk", "1"}, {"g", "g"}, {"x", "h"}})),
            kInvalidStart);
}

TEST_F(StartKeyTest, OfAQueryHasTheTypesOfTheKey) {
  EXPECT_EQ(refusal(query({{"pk", "a"}, {"sk", 1}})), kMismatch);
  const Item g{{":g", "g"}};
  EXPECT_EQ(refusal(query("gsi", "g = :g", g, {{"pk", "a"}, {"sk", "1"}, {"g", "g"}, {"h", 1}})), kMismatch);
  EXPECT_EQ(refusal(query("gsi", "g = :g", g, {{"pk", "a"}, {"sk", 1}, {"g", "g"}, {"h", "h"}})),
            kInvalidMismatch);
  const std::string empty = refusal(query({{"pk", "a"}, {"sk", ""}})).message;
  EXPECT_TRUE(
      empty.starts_with("The provided starting key is invalid: One or more parameter values are not "))
      << empty;
}

TEST_F(StartKeyTest, OfAQueryLiesWithinTheQuery) {
  EXPECT_EQ(refusal(query({{"pk", "b"}, {"sk", "1"}})),
            invalid("The provided starting key is outside query boundaries based on provided conditions"));
  const Item values{{":p", "a"}, {":s", "2"}};
  EXPECT_EQ(refusal(query({}, "pk = :p AND sk > :s", values, {{"pk", "a"}, {"sk", "2"}})),
            invalid("The provided starting key does not match the range key predicate"));
  EXPECT_EQ(refusal(query({}, "pk = :p AND sk > :s", values, {{"pk", "b"}, {"sk", "2"}})),
            invalid("The provided starting key does not match the range key predicate"));
  EXPECT_EQ(refusal(query({}, "pk = :p AND sk > :s", values, {{"pk", "b"}, {"sk", "3"}})),
            invalid("The query can return at most one row and cannot be restarted"));
  EXPECT_EQ(column(must(query({}, "pk = :p AND sk > :s", values, {{"pk", "a"}, {"sk", "3"}})).items, "sk"),
            (Texts{"4"}));
}

TEST_F(StartKeyTest, MatchesEveryKindOfRange) {
  const auto within = [&](const std::string& range, const char* start) {
    Item values{{":p", "a"}, {":s", "2"}};
    if (range.find(":t") != std::string::npos) values.set(":t", Value("3"));
    return query({}, "pk = :p AND " + range, values, {{"pk", "a"}, {"sk", start}}).ok();
  };
  EXPECT_TRUE(within("sk = :s", "2"));
  EXPECT_FALSE(within("sk = :s", "3"));
  EXPECT_TRUE(within("sk < :s", "1"));
  EXPECT_FALSE(within("sk < :s", "2"));
  EXPECT_TRUE(within("sk <= :s", "2"));
  EXPECT_FALSE(within("sk <= :s", "21"));
  EXPECT_TRUE(within("sk >= :s", "2"));
  EXPECT_FALSE(within("sk >= :s", "1"));
  EXPECT_TRUE(within("sk BETWEEN :s AND :t", "3"));
  EXPECT_FALSE(within("sk BETWEEN :s AND :t", "31"));
  EXPECT_TRUE(within("begins_with(sk, :s)", "2x"));
  EXPECT_FALSE(within("begins_with(sk, :s)", "3"));
}

TEST_F(StartKeyTest, OfATableWithoutSortKeyIsThePartitionItself) {
  const auto start_at = [&](const char* key) {
    return db_->query({.table = "Simple",
                       .key_condition = "pk = :p",
                       .values = {{":p", "1"}},
                       .limit = 1,
                       .start_key = Item{{"pk", key}}});
  };
  EXPECT_EQ(must(start_at("1")).count, 0u);
  EXPECT_EQ(
      refusal(start_at("X")),
      invalid("The provided exclusive start key is invalid: ExclusiveStartKey: {pk=AttributeValue: {S:X}}"));
}

TEST_F(StartKeyTest, OfAScanHasTheKeyOfWhatIsScanned) {
  EXPECT_EQ(refusal(scan({})), kInvalidMismatch);
  EXPECT_EQ(refusal(scan({{"pk", "a"}})), kInvalidMismatch);
  EXPECT_EQ(refusal(scan({{"pk", "a"}, {"sk", 1}})), kInvalidMismatch);
  EXPECT_EQ(refusal(scan({{"pk", "a"}, {"sk", "1"}}, "gsi")), kInvalidStart);
  EXPECT_EQ(refusal(scan({{"pk", "a"}, {"sk", "1"}, {"g", "g"}, {"x", "h"}}, "gsi")), kInvalidStart);
  EXPECT_EQ(refusal(scan({{"pk", "a"}, {"sk", "1"}, {"g", 1}, {"h", "h"}}, "gsi")), kMismatch);
  EXPECT_EQ(refusal(scan({{"pk", 1}, {"sk", "1"}, {"g", "g"}, {"h", "h"}}, "gsi")), kInvalidMismatch);
  EXPECT_EQ(must(scan({{"pk", "a"}, {"sk", "1"}, {"g", "g"}, {"h", "h"}}, "gsi")).count, 3u);
}

TEST_F(StartKeyTest, OfASegmentLiesInTheSegment) {
  int refused = 0;
  for (uint32_t segment = 0; segment < 2; ++segment) {
    const Result<Page> page = db_->scan({.table = "Things",
                                         .start_key = Item{{"pk", "a"}, {"sk", "1"}},
                                         .segment = segment,
                                         .segment_count = 2});
    if (page.ok()) continue;
    ++refused;
    EXPECT_EQ(page.error(),
              invalid("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
                      "ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: " +
                      std::to_string(segment)));
  }
  EXPECT_EQ(refused, 1);
}

}  // namespace
}  // namespace sheaf
