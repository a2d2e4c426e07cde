// Query: what a key condition may say, filters, paging, and the order of checks.
#include <algorithm>

#include "api/database_fixture.h"

namespace sheaf {
namespace {

class QueryTest : public DatabaseTest {
 protected:
  QueryTest() {
    CreateTable table = table_of("Things", "pk", "sk");
    table.global_indexes = {index_of("gsi", "g", "", ProjectionKind::kKeysOnly)};
    create(table);
    create(table_of("Simple", "pk"));
    for (int i = 0; i < 10; ++i)
      put("Things", {{"pk", "a"}, {"sk", std::to_string(i)}, {"v", i}, {"m", Item{{"x", i}}}});
  }
  static Query of(std::string condition, Item values) {
    return {.table = "Things", .key_condition = std::move(condition), .values = std::move(values)};
  }
  Error refused(const Query& request) { return refusal(db_->query(request)); }
  Error refused(std::string condition, Item values) {
    return refused(of(std::move(condition), std::move(values)));
  }
  Page page(const Query& request) { return must(db_->query(request)); }
};

// A3: a Query on an attribute that is no key is refused.
TEST_F(QueryTest, OnANonKeyAttributeIsRefused) {
  EXPECT_EQ(refused("v = :v", {{":v", 1}}), invalid("Query condition missed key schema element: pk"));
  EXPECT_EQ(refused("pk = :p AND v = :v", {{":p", "a"}, {":v", 1}}),
            invalid("Query condition missed key schema element: sk"));
  EXPECT_EQ(refused("sk = :s", {{":s", "1"}}), invalid("Query condition missed key schema element: pk"));
  Query index = of("pk = :p", {{":p", "a"}});
  index.index = "gsi";
  EXPECT_EQ(refused(index), invalid("Query condition missed key schema element: g"));
}

// A2: a key condition cannot reach into a list or a map.
TEST_F(QueryTest, OnAValueInsideAnAttributeIsRefused) {
  const Error nested = invalid(
      "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes");
  EXPECT_EQ(refused("pk = :p AND m.x = :v", {{":p", "a"}, {":v", 1}}), nested);
  EXPECT_EQ(refused("pk[0] = :p", {{":p", "a"}}), nested);
  EXPECT_EQ(refused("pk = :p", {{":p", Value::list({"a"})}}),
            invalid_parameter("Condition parameter type does not match schema type"));
  EXPECT_EQ(refused("pk = :p", {{":p", Item{{"x", "a"}}}}),
            invalid_parameter("Condition parameter type does not match schema type"));
}

TEST_F(QueryTest, KeyConditionsAreEqualityAndAtMostOneRange) {
  const Item both{{":p", "a"}, {":s", "1"}};
  EXPECT_EQ(refused("pk > :p", {{":p", "a"}}), invalid("Query key condition not supported"));
  EXPECT_EQ(refused("begins_with(pk, :p)", {{":p", "a"}}), invalid("Query key condition not supported"));
  EXPECT_EQ(refused("pk = :p AND sk <> :s", both).message.substr(0, 32), "Invalid KeyConditionExpression: ");
  EXPECT_EQ(refused("pk = :p OR sk = :s", both),
            invalid("Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: OR"));
  EXPECT_EQ(refused("pk = :p AND sk > :s AND sk < :s", both),
            invalid("Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition "
                    "per key"));
  EXPECT_EQ(refused("pk = :p AND sk BETWEEN :b AND :a", {{":p", "a"}, {":a", "a"}, {":b", "b"}}),
            invalid("Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater "
                    "than or equal to lower bound; lower bound operand: AttributeValue: {S:b}, upper bound "
                    "operand: AttributeValue: {S:a}"));
  EXPECT_EQ(page(of(":p = pk AND :s < sk", {{":p", "a"}, {":s", "7"}})).count, 2u);  // sides may be swapped
}

TEST_F(QueryTest, KeyConditionValuesMustBeValuesOfKeys) {
  const auto empty = [](const std::string& key) {
    return invalid(
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
        "contain an empty string value. Key: " +
        key);
  };
  EXPECT_EQ(refused("pk = :p", {{":p", 1}}),
            invalid_parameter("Condition parameter type does not match schema type"));
  EXPECT_EQ(refused("pk = :p AND sk > :s", {{":p", "a"}, {":s", 1}}),
            invalid_parameter("Condition parameter type does not match schema type"));
  EXPECT_EQ(refused("pk = :p", {{":p", ""}}), empty("pk"));
  EXPECT_EQ(refused("pk = :p AND begins_with(sk, :s)", {{":p", "a"}, {":s", ""}}), empty("sk"));
}

TEST_F(QueryTest, FiltersAfterReading) {
  Query request = of("pk = :p AND sk >= :s", {{":p", "a"}, {":s", "2"}, {":v", 5}});
  request.filter = "v > :v AND m.x < :nine";
  request.values.set(":nine", Value(9));
  const Page found = page(request);
  EXPECT_EQ(column(found.items, "v"), (Texts{"6", "7", "8"}));
  EXPECT_EQ(found.count, 3u);
  EXPECT_EQ(found.scanned_count, 8u);
}

TEST_F(QueryTest, FiltersMayNotNameKeys) {
  Query request = of("pk = :p", {{":p", "a"}, {":s", "2"}});
  request.filter = "sk = :s";
  EXPECT_EQ(
      refused(request),
      invalid("Filter Expression can only contain non-primary key attributes: Primary key attribute: sk"));
  // On an index, the keys of the table that are not the index's may be named.
  put("Things", {{"pk", "b"}, {"sk", "1"}, {"g", "x"}});
  Query index{.table = "Things",
              .index = "gsi",
              .key_condition = "g = :g",
              .filter = "sk = :s",
              .values = {{":g", "x"}, {":s", "1"}}};
  EXPECT_EQ(page(index).count, 1u);
  index.filter = "g = :s";
  EXPECT_EQ(
      refused(index),
      invalid("Filter Expression can only contain non-primary key attributes: Primary key attribute: g"));
}

TEST_F(QueryTest, ReturnsTheProjectedParts) {
  Query request = of("pk = :p AND sk = :s", {{":p", "a"}, {":s", "3"}});
  request.projection = "m.x, #v";
  request.names = {{"#v", "v"}};
  EXPECT_EQ(items_of(page(request).items), (std::vector<Item>{{{"m", Item{{"x", 3}}}, {"v", 3}}}));
  request.projection = "m.x, pk.y";
  request.names = {};
  EXPECT_EQ(refused(request),
            invalid("Key attributes must be scalars; list random access '[]' and map lookup "
                    "'.' are not allowed: Key: pk"));
}

TEST_F(QueryTest, LimitIsOnWhatIsReadAndTheLastKeyIsWhereItStopped) {
  Query request = of("pk = :p", {{":p", "a"}});
  request.limit = 3;
  Page first = page(request);
  EXPECT_EQ(column(first.items, "sk"), (Texts{"0", "1", "2"}));
  EXPECT_EQ(first.last_key, (Item{{"pk", "a"}, {"sk", "2"}}));
  request.filter = "v > :v";
  request.values.set(":v", Value(100));
  first = page(request);
  EXPECT_EQ(first.count, 0u);
  EXPECT_EQ(first.scanned_count, 3u);
  EXPECT_EQ(first.last_key, (Item{{"pk", "a"}, {"sk", "2"}}));
  request.filter.reset();
  request.values.remove(":v");
  request.limit = 10;  // exactly as many as there are
  EXPECT_EQ(page(request).last_key, (Item{{"pk", "a"}, {"sk", "9"}}));
  request.limit = 11;
  EXPECT_EQ(page(request).last_key, std::nullopt);
  request.limit = 0;
  EXPECT_EQ(refused(request), invalid("1 validation error detected: Value at 'Limit' failed to satisfy "
                                      "constraint: Member must have value greater than or equal to 1"));
}

// A17: thousands of children, page by page, in both directions, each once and in order.
TEST_F(QueryTest, PagesThroughThousandsOfChildren) {
  constexpr int kChildren = 5000;
  for (int i = 0; i < kChildren; i += 25) {
    std::vector<BatchWriteItems::Write> writes;
    for (int j = i; j < i + 25; ++j) {
      writes.push_back({.item = {{"pk", "parent"},
                                 {"sk", "CHILD#" + std::to_string(10'000 + j)},
                                 {"text", std::string(700, 'x')}}});
    }
    must(db_->batch_write_items({.tables = {{"Things", writes}}}));
  }
  for (const bool descending : {false, true}) {
    for (const std::optional<uint32_t> limit : {std::optional<uint32_t>(), std::optional<uint32_t>(333)}) {
      Query request = of("pk = :p AND begins_with(sk, :c)", {{":p", "parent"}, {":c", "CHILD#"}});
      request.descending = descending;
      request.limit = limit;
      request.projection = "sk";
      Texts seen;
      int pages = 0;
      do {
        const Page next = page(request);
        for (const std::string& key : column(next.items, "sk")) seen.push_back(key);
        request.start_key = next.last_key;
        ++pages;
      } while (request.start_key);
      ASSERT_EQ(seen.size(), static_cast<size_t>(kChildren));
      EXPECT_EQ(pages, limit ? 16 : 4);  // 3.6 MB in pages of one
      if (descending) std::reverse(seen.begin(), seen.end());
      EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
      EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
    }
  }
}

TEST_F(QueryTest, APageEndsWithTheItemThatReachesAMegabyte) {
  for (int i = 0; i < 5; ++i)
    put("Things", {{"pk", "big"}, {"sk", std::to_string(i)}, {"x", std::string(300'000, 'x')}});
  Query request = of("pk = :p", {{":p", "big"}});
  request.select = Select::kCount;
  const Page first = page(request);
  EXPECT_EQ(first.count, 4u);  // the fourth is the one that goes over
  EXPECT_TRUE(first.items.empty());
  ASSERT_TRUE(first.last_key);
  request.start_key = first.last_key;
  EXPECT_EQ(page(request).count, 1u);
}

TEST_F(QueryTest, ChecksComeInDynamoDBsOrder) {
  Query request{.table = "Nothing",
                .index = "ghost",
                .key_condition = "nonsense =",
                .values = {{":p", "a"}},
                .select = Select::kSpecificAttributes,
                .start_key = Item{{"pk", "a"}},
                .consistent = true};
  EXPECT_EQ(refused(request), invalid("1 validation error detected: Must specify the AttributesToGet or "
                                      "ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"));
  request.select.reset();
  EXPECT_EQ(refused(request).message.substr(0, 32), "Invalid KeyConditionExpression: ");
  request.key_condition = "pk = :p";
  request.names = {{"#u", "u"}};
  EXPECT_EQ(refused(request),
            invalid("Value provided in ExpressionAttributeNames unused in expressions: keys: {#u}"));
  request.names = {};
  EXPECT_EQ(refused(request), no_table());
  request.table = "Things";
  EXPECT_EQ(refused(request), invalid("The table does not have the specified index: ghost"));
  request.index = "gsi";
  EXPECT_EQ(refused(request), invalid("Consistent reads are not supported on global secondary indexes"));
  request.consistent = false;
  EXPECT_EQ(refused(request), invalid("The provided starting key is invalid"));
  request.start_key = Item{{"pk", "a"}, {"sk", "1"}, {"g", "other"}};
  EXPECT_EQ(refused(request), invalid("Query condition missed key schema element: g"));
  request.key_condition = "g = :p";
  request.projection = "pk.x, unprojected";
  EXPECT_EQ(refused(request),
            invalid("The provided starting key is outside query boundaries based on provided conditions"));
  request.start_key.reset();
  EXPECT_EQ(refused(request),
            invalid("Key attributes must be scalars; list random access '[]' and map lookup "
                    "'.' are not allowed: Key: pk"));
  request.projection = "unprojected";
  request.filter = "g = :p";
  EXPECT_EQ(
      refused(request),
      invalid("Filter Expression can only contain non-primary key attributes: Primary key attribute: g"));
  request.filter.reset();
  EXPECT_EQ(refused(request), invalid_parameter("Global secondary index gsi does not project [unprojected]"));
}

}  // namespace
}  // namespace sheaf
