// Item collections as programs use them: several entity types under one partition key, read by one Query.
#include <algorithm>
#include <set>

#include "api/database_fixture.h"

namespace sheaf {
namespace {

// One table with generic keys and one overloaded global index, and one inverted.
class ItemCollectionTest : public DatabaseTest {
 protected:
  ItemCollectionTest() {
    CreateTable table = table_of("App", "PK", "SK");
    table.global_indexes = {index_of("GSI1", "GSI1PK", "GSI1SK"), index_of("Inverted", "SK", "PK")};
    create(table);
    put("App", {{"PK", "ORG#acme"}, {"SK", "ORG#acme"}, {"type", "Org"}, {"plan", "pro"}});
    for (const char* name : {"bob", "alice", "carol"}) {
      put("App", {{"PK", "ORG#acme"},
                  {"SK", std::string("USER#") + name},
                  {"type", "User"},
                  {"GSI1PK", std::string("USER#") + name},
                  {"GSI1SK", "ORG#acme"}});
    }
    for (int i = 1; i <= 12; ++i) {
      const std::string number = (i < 10 ? "0" : "") + std::to_string(i);
      put("App", {{"PK", "ORG#acme"},
                  {"SK", "TICKET#2024-" + number},
                  {"type", "Ticket"},
                  {"GSI1PK", i % 3 == 0 ? "USER#alice" : "USER#bob"},
                  {"GSI1SK", "TICKET#2024-" + number}});
    }
    put("App", {{"PK", "ORG#other"}, {"SK", "ORG#other"}, {"type", "Org"}});
    put("App", {{"PK", "ORG#other"}, {"SK", "USER#alice"}, {"type", "User"}});
  }

  Page query(Query request) {
    request.table = "App";
    return must(db_->query(request));
  }
  Texts sort_keys(const std::string& condition, Item values, bool descending = false) {
    return column(
        query({.key_condition = condition, .values = std::move(values), .descending = descending}).items,
        "SK");
  }
};

// A4: all items of a partition key, in the order of their sort keys, from one Query.
TEST_F(ItemCollectionTest, ComesWholeAndInOrderFromOneQuery) {
  const Page page = query({.key_condition = "PK = :p", .values = {{":p", "ORG#acme"}}});
  EXPECT_EQ(page.count, 16u);
  EXPECT_EQ(page.last_key, std::nullopt);
  const Texts keys = column(page.items, "SK");
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  EXPECT_EQ(keys.front(), "ORG#acme");
  EXPECT_EQ(keys.back(), "USER#carol");
  const Page backwards =
      query({.key_condition = "PK = :p", .values = {{":p", "ORG#acme"}}, .descending = true});
  EXPECT_EQ(column(backwards.items, "SK"), Texts(keys.rbegin(), keys.rend()));
}

// A4: numbers sort as numbers, and binaries as unsigned bytes.
TEST_F(ItemCollectionTest, SortsBySortKeyOfEveryType) {
  CreateTable numbers = table_of("Numbers", "pk", "n");
  numbers.key.sort[0].type = Type::kNumber;
  create(numbers);
  for (const char* text : {"10", "9", "-1", "0", "1e20", "-1e20", "0.5", "-0.25"})
    put("Numbers", {{"pk", "a"}, {"n", must(Number::parse(text))}});
  const Page ascending =
      must(db_->query({.table = "Numbers", .key_condition = "pk = :p", .values = {{":p", "a"}}}));
  EXPECT_EQ(column(ascending.items, "n"),
            (Texts{"-100000000000000000000", "-1", "-0.25", "0", "0.5", "9", "10", "100000000000000000000"}));

  CreateTable binaries = table_of("Binaries", "pk", "b");
  binaries.key.sort[0].type = Type::kBinary;
  create(binaries);
  for (const std::string& bytes :
       {std::string("\xff"), std::string("\0", 1), std::string("\0\1", 2), std::string("a")})
    put("Binaries", {{"pk", "a"}, {"b", Value::binary(bytes)}});
  const Page page =
      must(db_->query({.table = "Binaries", .key_condition = "pk = :p", .values = {{":p", "a"}}}));
  EXPECT_EQ(column(page.items, "b"), (Texts{std::string("\0", 1), std::string("\0\1", 2), "a", "\xff"}));
}

// A5: generic keys hold several entity types; a prefix picks one.
TEST_F(ItemCollectionTest, HoldsSeveralEntityTypes) {
  const Page all = query({.key_condition = "PK = :p", .values = {{":p", "ORG#acme"}}});
  const Texts types = column(all.items, "type");
  EXPECT_EQ(std::set<std::string>(types.begin(), types.end()),
            (std::set<std::string>{"Org", "Ticket", "User"}));
  const Page users = query(
      {.key_condition = "PK = :p AND begins_with(SK, :u)", .values = {{":p", "ORG#acme"}, {":u", "USER#"}}});
  EXPECT_EQ(column(users.items, "type"), (Texts{"User", "User", "User"}));
}

// A6: GetItem and Query with =, begins_with and ranges.
TEST_F(ItemCollectionTest, IsReadByExactKeyPrefixAndRange) {
  EXPECT_TRUE(get("App", {{"PK", "ORG#acme"}, {"SK", "USER#bob"}}));
  const Item p{{":p", "ORG#acme"}};
  const auto with = [&](std::initializer_list<std::pair<std::string_view, Value>> more) {
    Item values = p;
    for (const auto& [name, value] : more) values.set(name, value);
    return values;
  };
  EXPECT_EQ(sort_keys("PK = :p AND SK = :s", with({{":s", "USER#bob"}})), (Texts{"USER#bob"}));
  EXPECT_EQ(sort_keys("PK = :p AND begins_with(SK, :s)", with({{":s", "USER#"}})),
            (Texts{"USER#alice", "USER#bob", "USER#carol"}));
  EXPECT_EQ(sort_keys("PK = :p AND SK BETWEEN :a AND :b",
                      with({{":a", "TICKET#2024-03"}, {":b", "TICKET#2024-05"}})),
            (Texts{"TICKET#2024-03", "TICKET#2024-04", "TICKET#2024-05"}));
  EXPECT_EQ(sort_keys("PK = :p AND SK > :s", with({{":s", "USER#alice"}})),
            (Texts{"USER#bob", "USER#carol"}));
  EXPECT_EQ(sort_keys("PK = :p AND SK >= :s", with({{":s", "USER#bob"}})), (Texts{"USER#bob", "USER#carol"}));
  EXPECT_EQ(sort_keys("PK = :p AND SK < :s", with({{":s", "TICKET#2024-02"}})),
            (Texts{"ORG#acme", "TICKET#2024-01"}));
  EXPECT_EQ(sort_keys("PK = :p AND SK <= :s", with({{":s", "TICKET#2024-01"}}), true),
            (Texts{"TICKET#2024-01", "ORG#acme"}));
  EXPECT_EQ(sort_keys("PK = :p AND SK = :s", with({{":s", "USER#nobody"}})), Texts{});
}

// A6: a prefix without its closing delimiter matches more than was meant, exactly as in DynamoDB.
TEST_F(ItemCollectionTest, PrefixesAreOfBytesNotOfSegments) {
  EXPECT_EQ(sort_keys("PK = :p AND begins_with(SK, :s)", {{":p", "ORG#acme"}, {":s", "TICKET#2024-1"}}),
            (Texts{"TICKET#2024-10", "TICKET#2024-11", "TICKET#2024-12"}));
}

// A7: computed index keys answer what the primary key cannot.
TEST_F(ItemCollectionTest, AGlobalIndexOnComputedKeysIsAnotherCollection) {
  const Page page =
      query({.index = "GSI1", .key_condition = "GSI1PK = :u", .values = {{":u", "USER#alice"}}});
  EXPECT_EQ(column(page.items, "SK"),
            (Texts{"USER#alice", "TICKET#2024-03", "TICKET#2024-06", "TICKET#2024-09", "TICKET#2024-12"}));
  const Page newest = query({.index = "GSI1",
                             .key_condition = "GSI1PK = :u AND begins_with(GSI1SK, :t)",
                             .values = {{":u", "USER#alice"}, {":t", "TICKET#"}},
                             .descending = true,
                             .limit = 2});
  EXPECT_EQ(column(newest.items, "SK"), (Texts{"TICKET#2024-12", "TICKET#2024-09"}));
}

// A7: and follow an update of the item.
TEST_F(ItemCollectionTest, AnIndexFollowsItsItems) {
  must(db_->update_item({.table = "App",
                         .key = {{"PK", "ORG#acme"}, {"SK", "TICKET#2024-03"}},
                         .update = "SET GSI1PK = :c",
                         .values = {{":c", "USER#carol"}}}));
  must(db_->delete_item({.table = "App", .key = {{"PK", "ORG#acme"}, {"SK", "TICKET#2024-06"}}}));
  EXPECT_EQ(query({.index = "GSI1", .key_condition = "GSI1PK = :u", .values = {{":u", "USER#alice"}}}).count,
            3u);
  EXPECT_EQ(query({.index = "GSI1", .key_condition = "GSI1PK = :u", .values = {{":u", "USER#carol"}}}).count,
            2u);
}

// A8: an index whose partition key is the table's sort key shows the relation from its other end.
TEST_F(ItemCollectionTest, AnInvertedIndexTurnsTheRelationAround) {
  const Page page =
      query({.index = "Inverted", .key_condition = "SK = :u", .values = {{":u", "USER#alice"}}});
  EXPECT_EQ(column(page.items, "PK"), (Texts{"ORG#acme", "ORG#other"}));
}

// A9: items without the index's keys are not in the index.
TEST_F(ItemCollectionTest, AnIndexIsSparse) {
  const Page page = must(db_->scan({.table = "App", .index = "GSI1"}));
  EXPECT_EQ(page.count, 15u);  // neither the organisations nor the user without GSI1 keys
  must(db_->update_item(
      {.table = "App", .key = {{"PK", "ORG#acme"}, {"SK", "USER#bob"}}, .update = "REMOVE GSI1SK"}));
  EXPECT_EQ(must(db_->scan({.table = "App", .index = "GSI1"})).count, 14u);
  EXPECT_EQ(must(db_->describe_table("App")).indexes[0].item_count, 14);
  EXPECT_EQ(must(db_->describe_table("App")).item_count, 18);
}

// A10: base table and index show the same items, each in its own order.
TEST_F(ItemCollectionTest, BaseAndIndexShowTheSameItems) {
  const auto sorted = [](const Page& page) {
    std::vector<std::string> items;
    for (const Item& item : items_of(page.items)) items.push_back(item.to_json());
    std::sort(items.begin(), items.end());
    return items;
  };
  const Page base = must(db_->scan({.table = "App"}));
  const Page index = must(db_->scan({.table = "App", .index = "Inverted"}));
  EXPECT_EQ(base.count, 18u);
  EXPECT_EQ(sorted(base), sorted(index));
}

// A11: a read of a global index is eventually consistent by contract; asking for more is refused.
TEST_F(ItemCollectionTest, ConsistentReadsOfAGlobalIndexAreRefused) {
  const Error expected = invalid("Consistent reads are not supported on global secondary indexes");
  EXPECT_EQ(refusal(db_->query({.table = "App",
                                .index = "GSI1",
                                .key_condition = "GSI1PK = :u",
                                .values = {{":u", "USER#bob"}},
                                .consistent = true})),
            expected);
  EXPECT_EQ(refusal(db_->scan({.table = "App", .index = "GSI1", .consistent = true})), expected);
}

// A15: a strong read of a collection sees every acknowledged write, and a local index can be read strongly.
TEST_F(ItemCollectionTest, CanBeReadStrongly) {
  CreateTable table = table_of("Local", "PK", "SK");
  table.local_indexes = {index_of("LSI1", "PK", "when")};
  create(table);
  for (int i = 0; i < 50; ++i) {
    const std::string number = std::to_string(100 + i);
    put("Local", {{"PK", "a"}, {"SK", number}, {"when", std::to_string(999 - i)}});
    for (const std::optional<std::string>& index :
         {std::optional<std::string>(), std::optional<std::string>("LSI1")}) {
      const Page page = must(db_->query({.table = "Local",
                                         .index = index,
                                         .key_condition = "PK = :p",
                                         .values = {{":p", "a"}},
                                         .consistent = true}));
      ASSERT_EQ(page.count, static_cast<uint32_t>(i + 1));
      EXPECT_EQ(column(page.items, "SK")[index ? 0 : static_cast<size_t>(i)], number);
    }
  }
}

// A22: reading one partition touches that partition alone, however many there are.
TEST_F(ItemCollectionTest, OnePartitionIsReadWithoutTouchingOthers) {
  const auto read = [&] {
    return query({.key_condition = "PK = :p", .values = {{":p", "ORG#acme"}}, .consistent = true});
  };
  const Page before = read();
  for (int i = 0; i < 2000; ++i)
    put("App", {{"PK", "ORG#" + std::to_string(i)}, {"SK", "ORG"}, {"filler", std::string(500, 'x')}});
  const Page after = read();
  EXPECT_EQ(after.scanned_count, before.scanned_count);
  EXPECT_EQ(after.capacity.total(), before.capacity.total());
  EXPECT_EQ(items_of(after.items), items_of(before.items));
}

}  // namespace
}  // namespace sheaf
