// Reading indexes: what each projection holds, Select, and what a global index refuses to fetch.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

class QueryIndexTest : public DatabaseTest {
 protected:
  QueryIndexTest() {
    CreateTable table = table_of("Things", "pk", "sk");
    table.local_indexes = {index_of("l_keys", "pk", "l", ProjectionKind::kKeysOnly),
                           index_of("l_all", "pk", "l")};
    table.global_indexes = {index_of("g_all", "g"), index_of("g_keys", "g", "", ProjectionKind::kKeysOnly),
                            index_of("g_some", "g", "", ProjectionKind::kInclude, {"x", "y"})};
    create(table);
    put("Things", whole_);
  }
  Query of(const std::string& index) {
    const bool local = index[0] == 'l';
    return {.table = "Things",
            .index = index,
            .key_condition = local ? "pk = :v" : "g = :v",
            .values = {{":v", local ? "a" : "G"}}};
  }
  Item one(const Query& request) {
    const Page page = must(db_->query(request));
    EXPECT_EQ(page.count, 1u);
    return page.items.empty() ? Item() : Item(page.items[0]);
  }
  Error refused(const Query& request) { return refusal(db_->query(request)); }

  const Item whole_{{"pk", "a"}, {"sk", "1"}, {"g", "G"}, {"l", "L"}, {"x", 1}, {"z", Item{{"deep", 1}}}};
};

TEST_F(QueryIndexTest, HoldsWhatItProjects) {
  EXPECT_EQ(one(of("g_all")), whole_);
  EXPECT_EQ(one(of("g_keys")), (Item{{"pk", "a"}, {"sk", "1"}, {"g", "G"}}));
  EXPECT_EQ(one(of("g_some")), (Item{{"pk", "a"}, {"sk", "1"}, {"g", "G"}, {"x", 1}}));
  EXPECT_EQ(one(of("l_all")), whole_);
  EXPECT_EQ(one(of("l_keys")), (Item{{"pk", "a"}, {"sk", "1"}, {"l", "L"}}));
}

TEST_F(QueryIndexTest, ALocalIndexFetchesWhatItDoesNotHold) {
  Query request = of("l_keys");
  request.select = Select::kAllAttributes;
  EXPECT_EQ(one(request), whole_);
  request.select.reset();
  request.projection = "sk, z.deep";
  EXPECT_EQ(one(request), (Item{{"sk", "1"}, {"z", Item{{"deep", 1}}}}));
}

TEST_F(QueryIndexTest, AGlobalIndexDoesNot) {
  Query request = of("g_keys");
  request.select = Select::kAllAttributes;
  EXPECT_EQ(refused(request),
            invalid_parameter("Select type ALL_ATTRIBUTES is not supported for global "
                              "secondary index g_keys because its projection type is not ALL"));
  request = of("g_some");
  request.projection = "z.deep, x, other1";
  EXPECT_EQ(refused(request),
            invalid_parameter("Global secondary index g_some does not project [other1, z]"));
  request.projection = "x, y, pk, g";
  EXPECT_EQ(one(request), (Item{{"pk", "a"}, {"g", "G"}, {"x", 1}}));
  request = of("g_all");
  request.select = Select::kAllAttributes;
  EXPECT_EQ(one(request), whole_);
}

TEST_F(QueryIndexTest, AFilterMustBeAnsweredByTheIndex) {
  for (const char* index : {"g_keys", "l_keys"}) {
    Query request = of(index);
    request.filter = "z.deep = :one OR x = :one";
    request.values.set(":one", Value(1));
    EXPECT_EQ(refused(request), invalid_parameter("Secondary index " + std::string(index) +
                                                  " does not project one or more filter attributes: [x, z]"));
  }
  Query request = of("g_some");
  request.filter = "x = :one";
  request.values.set(":one", Value(1));
  EXPECT_EQ(must(db_->query(request)).count, 1u);
  // In a Scan such an attribute is simply not there.
  EXPECT_EQ(must(db_->scan({.table = "Things", .index = "g_keys", .filter = "attribute_exists(x)"})).count,
            0u);
}

TEST_F(QueryIndexTest, SelectSaysWhatComesBack) {
  Query request = of("g_some");
  request.select = Select::kAllProjected;
  EXPECT_EQ(one(request), (Item{{"pk", "a"}, {"sk", "1"}, {"g", "G"}, {"x", 1}}));
  request.select = Select::kCount;
  const Page counted = must(db_->query(request));
  EXPECT_EQ(counted.count, 1u);
  EXPECT_TRUE(counted.items.empty());
  request.select = Select::kSpecificAttributes;
  request.projection = "x";
  EXPECT_EQ(one(request), (Item{{"x", 1}}));
}

TEST_F(QueryIndexTest, SelectAndProjectionMustFit) {
  Query request{.table = "Things", .key_condition = "pk = :v", .values = {{":v", "a"}}};
  request.select = Select::kAllProjected;
  EXPECT_EQ(refused(request),
            invalid("1 validation error detected: ALL_PROJECTED_ATTRIBUTES can be used only when Querying "
                    "using an IndexName"));
  request.projection = "x";
  EXPECT_EQ(refused(request),
            invalid("1 validation error detected: Cannot specify the ProjectionExpression when choosing to "
                    "get ALL_PROJECTED_ATTRIBUTES"));
  request.select = Select::kAllAttributes;
  EXPECT_EQ(refused(request),
            invalid("1 validation error detected: Cannot specify the ProjectionExpression when choosing to "
                    "get ALL_ATTRIBUTES"));
  request.select = Select::kCount;
  EXPECT_EQ(refused(request),
            invalid("1 validation error detected: Cannot specify the ProjectionExpression when choosing to "
                    "get only the Count"));
  request.projection.reset();
  request.select = Select::kSpecificAttributes;
  EXPECT_EQ(refused(request), invalid("1 validation error detected: Must specify the AttributesToGet or "
                                      "ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"));
  EXPECT_EQ(refusal(db_->scan({.table = "Things", .select = Select::kSpecificAttributes})),
            invalid("Must specify the AttributesToGet or ProjectionExpression when choosing to get "
                    "SPECIFIC_ATTRIBUTES"));
}

TEST_F(QueryIndexTest, EqualIndexKeysComeInAStableOrder) {
  for (int i = 0; i < 30; ++i)
    put("Things", {{"pk", "p" + std::to_string(i)}, {"sk", "1"}, {"g", "same"}, {"x", i}});
  Query request{.table = "Things", .index = "g_some", .key_condition = "g = :g", .values = {{":g", "same"}}};
  const Texts whole = column(must(db_->query(request)).items, "pk");
  EXPECT_EQ(whole.size(), 30u);
  request.limit = 7;
  Texts paged;
  do {
    const Page page = must(db_->query(request));
    for (const std::string& key : column(page.items, "pk")) paged.push_back(key);
    request.start_key = page.last_key;
  } while (request.start_key);
  EXPECT_EQ(paged, whole);
}

TEST_F(QueryIndexTest, AnIndexMustExist) {
  EXPECT_EQ(
      refused({.table = "Things", .index = "ghost", .key_condition = "g = :v", .values = {{":v", "G"}}}),
      invalid("The table does not have the specified index: ghost"));
}

}  // namespace
}  // namespace sheaf
