#include "console/key_words.h"

#include <gtest/gtest.h>

namespace sheaf::console {
namespace {

const KeySchema kPlain{.partition = {{.name = "PK"}}, .sort = {{.name = "SK"}}};
const KeySchema kAlone{.partition = {{.name = "id", .type = Type::kNumber}}, .sort = {}};
const KeySchema kSeveral{.partition = {{.name = "country"}, {.name = "city"}},
                         .sort = {{.name = "year", .type = Type::kNumber}, {.name = "title"}}};

std::string condition(const KeySchema& key, const std::vector<std::string>& words,
                      const SortRange& range = {}) {
  WrittenExpressions written;
  const Result<std::string> condition = key_condition_of(key, words, range, written);
  if (!condition.ok()) return "wrong: " + condition.error().message;
  std::string out = *condition;
  // For the reader, names and values in their places.
  for (size_t i = written.names().size(); i-- > 0;) {
    const auto& [placeholder, name] = written.names()[i];
    for (size_t at; (at = out.find(placeholder)) != std::string::npos;)
      out.replace(at, placeholder.size(), name);
  }
  for (const Attribute& each : written.values().view())
    out.replace(out.find(each.name), each.name.size(), each.value.to_json());
  return out;
}

TEST(KeyWords, AreOfTheTypeOfTheKey) {
  EXPECT_EQ(key_value({.name = "a"}, "5")->to_json(), R"({"S":"5"})");
  EXPECT_EQ(key_value({.name = "a", .type = Type::kNumber}, "5.0")->to_json(), R"({"N":"5"})");
  EXPECT_EQ(key_value({.name = "a", .type = Type::kBinary}, "AP8=")->to_json(), R"({"B":"AP8="})");
  EXPECT_EQ(key_value({.name = "a", .type = Type::kNumber}, "x").error().message, "a is a number, and not x");
  EXPECT_EQ(key_value({.name = "a", .type = Type::kBinary}, "x").error().message,
            "a is binary, which is typed as base64");
  EXPECT_FALSE(key_value({.name = "a"}, "\xff").ok());
}

TEST(KeyWords, MakeTheKeyOfAnItem) {
  EXPECT_EQ(item_key("t", kPlain, std::vector<std::string>{"a", "b"})->to_json(),
            R"({"PK":{"S":"a"},"SK":{"S":"b"}})");
  EXPECT_EQ(item_key("t", kPlain, std::vector<std::string>{"a"}).error().message,
            "the key of t is PK and SK: two values, and not 1");
  EXPECT_EQ(item_key("t", kAlone, std::vector<std::string>{"1", "2"}).error().message,
            "the key of t is id: one value, and not 2");
}

TEST(KeyWords, MakeConditions) {
  EXPECT_EQ(condition(kPlain, {"a"}), R"(PK = {"S":"a"})");
  EXPECT_EQ(condition(kPlain, {"a", "b"}), R"(PK = {"S":"a"} AND SK = {"S":"b"})");
  EXPECT_EQ(condition(kPlain, {"a"}, {.begins = "b"}), R"(PK = {"S":"a"} AND begins_with(SK, {"S":"b"}))");
  EXPECT_EQ(condition(kPlain, {"a"}, {.from = "b", .to = "c"}),
            R"(PK = {"S":"a"} AND SK BETWEEN {"S":"b"} AND {"S":"c"})");
  EXPECT_EQ(condition(kPlain, {"a"}, {.from = "b"}), R"(PK = {"S":"a"} AND SK >= {"S":"b"})");
  EXPECT_EQ(condition(kPlain, {"a"}, {.to = "b"}), R"(PK = {"S":"a"} AND SK <= {"S":"b"})");
  EXPECT_EQ(condition(kPlain, {"a"}, {.after = "b"}), R"(PK = {"S":"a"} AND SK > {"S":"b"})");
  EXPECT_EQ(condition(kPlain, {"a"}, {.before = "b"}), R"(PK = {"S":"a"} AND SK < {"S":"b"})");
  EXPECT_EQ(
      condition(kSeveral, {"ch", "Bern", "2020"}, {.begins = "S"}),
      R"(country = {"S":"ch"} AND city = {"S":"Bern"} AND year = {"N":"2020"} AND begins_with(title, {"S":"S"}))");
}

TEST(KeyWords, RefuseWhatDynamoDbHasNot) {
  EXPECT_EQ(condition(kSeveral, {"ch"}),
            "wrong: the key is country, city, year and title: country and city must be given");
  EXPECT_EQ(condition(kPlain, {"a", "b", "c"}), "wrong: the key is PK and SK: there are 3 values");
  EXPECT_EQ(condition(kPlain, {"a", "b"}, {.begins = "c"}),
            "wrong: the whole key is given, and a range of it as well");
  EXPECT_EQ(condition(kAlone, {"1"}, {.from = "c"}), "wrong: there is no sort key, and so no range of it");
  EXPECT_EQ(condition(kSeveral, {"ch", "Bern"}, {.begins = "20"}),
            "wrong: year is a number, which does not begin with anything: --from and --to do");
  EXPECT_TRUE(condition(kPlain, {"a"}, {.begins = "b", .to = "c"}).starts_with("wrong: one of --begins"));
  EXPECT_TRUE(condition(kPlain, {"a"}, {.after = "b", .before = "c"}).starts_with("wrong: one of --begins"));
}

TEST(KeyWords, NameTheIndexesThatThereAre) {
  const TableDescription table{
      .name = "t", .key = kPlain, .indexes = {{.name = "x", .key = kAlone}, {.name = "y"}}};
  EXPECT_EQ(*key_of_view(table, std::nullopt), kPlain);
  EXPECT_EQ(*key_of_view(table, "x"), kAlone);
  EXPECT_EQ(key_of_view(table, "z").error().message, "table t has no index z; it has x, y");
}

}  // namespace
}  // namespace sheaf::console
