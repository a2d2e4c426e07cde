#include "sheaf/value.h"

#include <gtest/gtest.h>

#include "value/hex_text.h"

namespace sheaf {
namespace {

std::string bytes_of(const Value& value) { return hex(value.view().encoded()); }

// The worked examples of doc/item-format.md.
TEST(Value, EncodesAsDocumented) {
  EXPECT_EQ(bytes_of(Value()), "01");
  EXPECT_EQ(bytes_of(Value(false)), "02 00");
  EXPECT_EQ(bytes_of(Value(true)), "02 01");
  EXPECT_EQ(bytes_of(Value(42)), "03 03 C1 2B 00");
  EXPECT_EQ(bytes_of(Value("hi")), "04 02 68 69");
  EXPECT_EQ(bytes_of(Value::binary(std::string_view("\0\xff", 2))), "05 02 00 FF");
  EXPECT_EQ(bytes_of(Value(Item{{"b", true}, {"a", 1}})),
            "06 0C 00 00 00 02 01 61 03 03 C1 02 00 01 62 02 01");
  EXPECT_EQ(bytes_of(Value::list({"x", Value()})), "07 05 00 00 00 02 04 01 78 01");
  EXPECT_EQ(bytes_of(Value::string_set({"b", "a"})), "08 05 00 00 00 02 01 61 01 62");
  EXPECT_EQ(bytes_of(Value::number_set({1, -1})), "09 09 00 00 00 02 03 3E FD FF 03 C1 02 00");
  EXPECT_EQ(bytes_of(Value::binary_set({"\xff"})), "0A 03 00 00 00 01 01 FF");
}

TEST(Item, EncodesAsDocumented) {
  EXPECT_EQ(hex(Item().encoded()), "00");
  EXPECT_EQ(hex(Item{{"seats", 40}, {"PK", "ORG#a"}}.encoded()),
            "02 02 50 4B 04 05 4F 52 47 23 61 05 73 65 61 74 73 03 03 C1 29 00");
}

TEST(Value, EveryTypeReadsBack) {
  EXPECT_EQ(Value().type(), Type::kNull);
  EXPECT_TRUE(Value(true).view().boolean());
  EXPECT_FALSE(Value(false).view().boolean());
  EXPECT_EQ(Value(-7).view().number().to_string(), "-7");
  EXPECT_EQ(Value(*Number::parse("1.5")).view().number().to_string(), "1.5");
  EXPECT_EQ(Value("text").view().bytes(), "text");
  EXPECT_EQ(Value(std::string("text")).type(), Type::kString);
  EXPECT_EQ(Value(std::string_view()).view().bytes(), "");
  EXPECT_EQ(Value::binary("bytes").type(), Type::kBinary);
  EXPECT_EQ(Value::binary("bytes").view().bytes(), "bytes");
}

TEST(Value, LongStringsReadBack) {
  for (const size_t length : {127u, 128u, 16383u, 16384u, 400000u}) {
    const std::string text(length, 'x');
    EXPECT_EQ(Value(text).view().bytes(), text);
  }
}

TEST(Value, TypeNamesAreThoseOfDynamoDB) {
  const std::vector<std::string_view> names = {"NULL", "BOOL", "N", "S", "B", "M", "L", "SS", "NS", "BS"};
  for (size_t i = 0; i < names.size(); ++i) EXPECT_EQ(type_name(static_cast<Type>(i + 1)), names[i]);
}

TEST(ListView, GivesElementsInOrder) {
  const Value list = Value::list({1, "two", Value::list({3})});
  EXPECT_EQ(list.view().list().size(), 3u);
  std::string json;
  for (const auto element : list.view().list()) json += element.to_json();
  EXPECT_EQ(json, R"({"N":"1"}{"S":"two"}{"L":[{"N":"3"}]})");
  EXPECT_EQ(list.view().list().at(1), Value("two").view());
  EXPECT_EQ(list.view().list().at(2), Value::list({3}).view());
  EXPECT_EQ(list.view().list().at(3), std::nullopt);
  EXPECT_TRUE(Value::list({}).view().list().empty());
  EXPECT_EQ(Value::list({}).view().list().at(0), std::nullopt);
  EXPECT_EQ(Value::list(std::vector<Value>{1, 2}), Value::list({1, 2}));
}

TEST(SetView, HoldsElementsAscending) {
  const Value set = Value::string_set({"pear", "apple", "fig", ""});
  std::vector<std::string_view> elements;
  for (const auto element : set.view().set()) elements.push_back(element);
  EXPECT_EQ(elements, (std::vector<std::string_view>{"", "apple", "fig", "pear"}));
  for (const auto* present : {"", "apple", "fig", "pear"}) EXPECT_TRUE(set.view().set().contains(present));
  for (const auto* absent : {"a", "apples", "figs", "zebra"}) EXPECT_FALSE(set.view().set().contains(absent));
}

TEST(SetView, NumbersAreOrderedByValue) {
  const Value set = Value::number_set({10, 9, -1, 0, 100});
  std::string text;
  for (const auto element : set.view().set()) text += NumberView(element).to_string() + " ";
  EXPECT_EQ(text, "-1 0 9 10 100 ");
  EXPECT_TRUE(set.view().set().contains(Number(9).encoded()));
  EXPECT_FALSE(set.view().set().contains(Number(8).encoded()));
}

TEST(Value, EqualityIgnoresTheOrderOfMapsAndSetsButNotOfLists) {
  EXPECT_EQ(Value(Item{{"a", 1}, {"b", 2}}), Value(Item{{"b", 2}, {"a", 1}}));
  EXPECT_EQ(Value::string_set({"a", "b"}), Value::string_set({"b", "a"}));
  EXPECT_EQ(Value(*Number::parse("1.0")), Value(1));
  EXPECT_FALSE(Value::list({1, 2}) == Value::list({2, 1}));
  EXPECT_FALSE(Value("a") == Value::binary("a"));
}

TEST(Value, OnlyNumbersStringsAndBinariesOfOneTypeAreOrdered) {
  EXPECT_EQ(compare(Value(9), Value(10)), std::strong_ordering::less);
  EXPECT_EQ(compare(Value("10"), Value("9")), std::strong_ordering::less);
  EXPECT_EQ(compare(Value("a"), Value("a")), std::strong_ordering::equal);
  EXPECT_EQ(compare(Value::binary("\xff"), Value::binary("\x01")), std::strong_ordering::greater);
  EXPECT_EQ(compare(Value("b"), Value("aa")), std::strong_ordering::greater);
  EXPECT_EQ(compare(Value("1"), Value(1)), std::nullopt);
  EXPECT_EQ(compare(Value("a"), Value::binary("a")), std::nullopt);
  EXPECT_EQ(compare(Value(true), Value(true)), std::nullopt);
  EXPECT_EQ(compare(Value::list({1}), Value::list({1})), std::nullopt);
}

TEST(Value, DepthCountsLevelsOfValues) {
  EXPECT_EQ(Value(1).view().depth(), 1);
  EXPECT_EQ(Value::string_set({"a"}).view().depth(), 1);
  EXPECT_EQ(Value::list({}).view().depth(), 1);
  EXPECT_EQ(Value::list({1}).view().depth(), 2);
  EXPECT_EQ(Value(Item{{"a", Value::list({1, Value(Item{{"b", 1}})})}, {"c", 1}}).view().depth(), 4);
}

TEST(Value, SizesAreThoseOfDynamoDB) {
  const auto size = [](const Value& value) { return value.view().size_bytes(); };
  EXPECT_EQ(size(Value()), 1u);
  EXPECT_EQ(size(Value(true)), 1u);
  EXPECT_EQ(size(Value(1234)), 3u);
  EXPECT_EQ(size(Value("")), 0u);
  EXPECT_EQ(size(Value("h\xc3\xa9")), 3u);
  EXPECT_EQ(size(Value::binary(std::string(300, 'x'))), 300u);
  EXPECT_EQ(size(Value::list({})), 3u);
  EXPECT_EQ(size(Value::list({1, "abc"})), 3u + (1 + 2) + (1 + 3));
  EXPECT_EQ(size(Value(Item())), 3u);
  EXPECT_EQ(size(Value(Item{{"name", "abc"}, {"n", -1}})), 3u + (1 + 4 + 3) + (1 + 1 + 3));
  EXPECT_EQ(size(Value::list({Value::list({Value()})})), 3u + 1 + 3 + 1 + 1);
  EXPECT_EQ(size(Value::string_set({"a", "bcd"})), 4u);
  EXPECT_EQ(size(Value::binary_set({"", "bcd"})), 3u);
  EXPECT_EQ(size(Value::number_set({0, -12, 1234})), 1u + 3 + 3);
}

TEST(Item, SizeCountsNamesAndValues) {
  EXPECT_EQ(Item().view().size_bytes(), 0u);
  EXPECT_EQ((Item{{"PK", "ORG#acme"}, {"seats", 40}}.view().size_bytes()), (2u + 8) + (5 + 2));
  EXPECT_EQ((Item{{"\xc3\xa9", Value(Item{{"a", true}})}}.view().size_bytes()), 2u + 3 + (1 + 1 + 1));
}

TEST(Item, FindsEveryAttributeAndNoOther) {
  const Item item{{"b", 1}, {"bb", 2}, {"d", Value::list({1, 2})}, {"", "empty"}};
  EXPECT_EQ(item.find("")->to_json(), R"({"S":"empty"})");
  EXPECT_EQ(item.find("b")->to_json(), R"({"N":"1"})");
  EXPECT_EQ(item.find("bb")->to_json(), R"({"N":"2"})");
  EXPECT_EQ(item.find("d")->list().size(), 2u);
  for (const auto* absent : {"a", "ba", "bbb", "c", "dd", "z"})
    EXPECT_EQ(item.find(absent), std::nullopt) << absent;
  EXPECT_EQ(Item().find("a"), std::nullopt);
  EXPECT_TRUE(item.view().contains("d"));
  EXPECT_FALSE(item.view().contains("c"));
}

TEST(Item, ComesInTheOrderOfItsNamesBytes) {
  const Item item{{"b", 1}, {"B", 2}, {"\xc3\xa9", 3}, {"a", 4}};
  std::string names;
  for (const auto attribute : item.view()) names += std::string(attribute.name) + " ";
  EXPECT_EQ(names, "B a b \xc3\xa9 ");
  EXPECT_EQ(item.view().size(), 4u);
}

TEST(Item, OfANameGivenTwiceTheLastValueStays) {
  EXPECT_EQ((Item{{"a", 1}, {"b", 2}, {"a", 3}}), (Item{{"a", 3}, {"b", 2}}));
}

TEST(Item, ReplacesAddsAndRemovesAttributes) {
  Item item;
  item.set("m", Value("middle"));
  item.set("z", Value("last"));
  item.set("a", Value("first"));
  EXPECT_EQ(item, (Item{{"a", "first"}, {"m", "middle"}, {"z", "last"}}));
  item.set("m", Value(std::string(1000, 'm')));
  item.set("z", Value(26));
  EXPECT_EQ(item, (Item{{"a", "first"}, {"m", std::string(1000, 'm')}, {"z", 26}}));
  item.remove("none");
  item.remove("m");
  EXPECT_EQ(item, (Item{{"a", "first"}, {"z", 26}}));
  item.remove("z");
  item.remove("a");
  EXPECT_EQ(item, Item());
  EXPECT_TRUE(item.empty());
}

TEST(Item, CanBeSetFromItself) {
  Item item{{"a", "value"}};
  item.set("b", *item.find("a"));
  item.set((*item.view().begin()).name, Value(1));
  EXPECT_EQ(item, (Item{{"a", 1}, {"b", "value"}}));
}

TEST(Item, HoldsMoreThan127Attributes) {
  Item item;
  for (int i = 0; i < 300; ++i) item.set("a" + std::to_string(i), Value(i));
  EXPECT_EQ(item.view().size(), 300u);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(*item.find("a" + std::to_string(i))->number().to_int64(), i);
  for (int i = 0; i < 200; ++i) item.remove("a" + std::to_string(i));
  EXPECT_EQ(item.view().size(), 100u);
  EXPECT_TRUE(Item::decode(std::string(item.encoded())).ok());
}

}  // namespace
}  // namespace sheaf
