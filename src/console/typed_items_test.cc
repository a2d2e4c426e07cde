#include "console/typed_items.h"

#include <gtest/gtest.h>

namespace sheaf::console {
namespace {

std::string read_again(std::string_view text, JsonForm form = JsonForm::kPlain) {
  const Result<std::vector<ReadItem>> items = items_of(text, form);
  if (!items.ok()) return "wrong: " + items.error().message;
  std::string out;
  for (const ReadItem& each : *items) out += std::to_string(each.line) + text_of(each.item, form) + "\n";
  return out;
}

TEST(TypedItems, StandOneALineOrOverSeveral) {
  EXPECT_EQ(read_again("{\"a\":1}\n\n  {\"a\":2}\r\n"), "1{\"a\":1}\n3{\"a\":2}\n");
  EXPECT_EQ(read_again("{\n  \"a\": 1\n}\n"), "1{\"a\":1}\n");
  EXPECT_EQ(read_again("[{\"a\":1},\n{\"a\":2}]"), "1{\"a\":1}\n1{\"a\":2}\n");
  EXPECT_EQ(read_again("{\"a\":{\"N\":\"1\"}}", JsonForm::kDynamo), "1{\"a\":{\"N\":\"1\"}}\n");
  EXPECT_EQ(read_again("[{\"a\":{\"SS\":[\"x\"]}}]", JsonForm::kDynamo), "1{\"a\":{\"SS\":[\"x\"]}}\n");
  EXPECT_EQ(read_again(""), "");
}

TEST(TypedItems, KeepAllDigits) {
  EXPECT_EQ(read_again("{\"a\":12345678901234567890.123456789012345678}"),
            "1{\"a\":12345678901234567890.123456789012345678}\n");
}

TEST(TypedItems, ErrorsNameTheLine) {
  EXPECT_TRUE(read_again("{\"a\":1}\n{\"a\":}\n").starts_with("wrong: line 2: "));
  EXPECT_EQ(read_again("{\"a\":1}\n7\n"), "wrong: line 2: an item is a JSON object: {\"name\": value, ...}");
  EXPECT_EQ(read_again("{\"a\":1}", JsonForm::kDynamo),
            "wrong: line 1: a: in DynamoDB's JSON each value has its type: {\"S\": \"text\"}");
  EXPECT_TRUE(read_again("[1]").starts_with("wrong: "));
}

TEST(TypedItems, MustHaveTheKey) {
  const KeySchema key{.partition = {{.name = "PK"}}, .sort = {{.name = "n", .type = Type::kNumber}}};
  EXPECT_TRUE(check_key(key, Item{{"PK", "a"}, {"n", 1}}).ok());
  EXPECT_EQ(check_key(key, Item{{"PK", "a"}}).error().message,
            "the item has no n, which is of the table's key");
  EXPECT_EQ(check_key(key, Item{{"PK", "a"}, {"n", "1"}}).error().message,
            "n is of the table's key and of type N, and not S");
  EXPECT_EQ(check_key(key, *item_of(R"({"PK":{"S":"a"},"n":{"N":"1"}})", JsonForm::kPlain)).error().message,
            "PK is of the table's key and of type S, and not M; if this is DynamoDB's JSON, add "
            "--dynamodb-json");
}

}  // namespace
}  // namespace sheaf::console
