#include "expr/update.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "expr/limits.h"
#include "expr/test_request.h"

namespace sheaf::expr {
namespace {

Update parsed(std::string_view text, TestRequest::Values values = {}) {
  TestRequest request(values);
  auto update = Update::parse(text, request);
  EXPECT_EQ(outcome_of(update), "ok") << text;
  return update.ok() ? *std::move(update) : Update::of_actions({}, UpdateDialect::kExpression);
}

std::string applied(std::string_view text, const Item& item, TestRequest::Values values = {}) {
  const auto result = parsed(text, values).apply(item);
  return result.ok() ? result->to_json() : result.error().message;
}

constexpr std::string_view kMissing =
    "The provided expression refers to an attribute that does not exist in the item";
constexpr std::string_view kWrongType = "An operand in the update expression has an incorrect data type";
constexpr std::string_view kWrongPath =
    "The document path provided in the update expression is invalid for update";

TEST(Update, SetsAttributesAmongOthers) {
  const Item item{{"b", 1}, {"d", 2}, {"f", 3}};
  EXPECT_EQ(applied("SET a = :v, c = :v, d = :v, g = :v", item, {{":v", "x"}}),
            R"({"a":{"S":"x"},"b":{"N":"1"},"c":{"S":"x"},"d":{"S":"x"},"f":{"N":"3"},"g":{"S":"x"}})");
}

TEST(Update, ReadsTheOldItem) {
  const Item item{{"a", 1}, {"b", 2}};
  EXPECT_EQ(applied("SET a = b, b = a", item), R"({"a":{"N":"2"},"b":{"N":"1"}})");
  EXPECT_EQ(applied("SET c = a REMOVE a", item), R"({"b":{"N":"2"},"c":{"N":"1"}})");
  EXPECT_EQ(applied("SET x = :v, y = x", item, {{":v", 4}}), kMissing);
  EXPECT_EQ(applied("SET a = :v, b = a + :v", item, {{":v", 10}}), R"({"a":{"N":"10"},"b":{"N":"11"}})");
}

TEST(Update, AddsAndSubtracts) {
  const Item item{{"n", 10}, {"s", "text"}};
  EXPECT_EQ(applied("SET n = n + :v", item, {{":v", 5}}), R"({"n":{"N":"15"},"s":{"S":"text"}})");
  EXPECT_EQ(applied("SET n = (:v - n)", item, {{":v", 5}}), R"({"n":{"N":"-5"},"s":{"S":"text"}})");
  EXPECT_EQ(applied("SET n = n + s", item), kWrongType);
  EXPECT_EQ(applied("SET n = s + x", item), kWrongType);
  EXPECT_EQ(applied("SET n = n + x", item), kMissing);
  EXPECT_EQ(applied("SET n = if_not_exists(x, :v) + n", item, {{":v", 1}}),
            R"({"n":{"N":"11"},"s":{"S":"text"}})");
}

TEST(Update, SetsWhatDoesNotExistYet) {
  const Item item{{"a", 1}};
  EXPECT_EQ(applied("SET a = if_not_exists(a, :v)", item, {{":v", 2}}), R"({"a":{"N":"1"}})");
  EXPECT_EQ(applied("SET b = if_not_exists(b, :v)", item, {{":v", 2}}), R"({"a":{"N":"1"},"b":{"N":"2"}})");
  EXPECT_EQ(applied("SET b = if_not_exists(x, if_not_exists(a, :v))", item, {{":v", 2}}),
            R"({"a":{"N":"1"},"b":{"N":"1"}})");
  EXPECT_EQ(applied("SET b = if_not_exists(a, x)", item), R"({"a":{"N":"1"},"b":{"N":"1"}})");
  EXPECT_EQ(applied("SET b = if_not_exists(x, y)", item), kMissing);
}

TEST(Update, AppendsLists) {
  const Item item{{"l", Value::list({1, 2})}, {"n", 1}};
  EXPECT_EQ(applied("SET l = list_append(l, :v)", item, {{":v", Value::list({"x"})}}),
            R"({"l":{"L":[{"N":"1"},{"N":"2"},{"S":"x"}]},"n":{"N":"1"}})");
  EXPECT_EQ(applied("SET l = list_append(:v, l)", item, {{":v", Value::list({"x"})}}),
            R"({"l":{"L":[{"S":"x"},{"N":"1"},{"N":"2"}]},"n":{"N":"1"}})");
  EXPECT_EQ(applied("SET m = list_append(if_not_exists(m, :e), :v)", Item(),
                    {{":e", Value::list({})}, {":v", Value::list({3})}}),
            R"({"m":{"L":[{"N":"3"}]}})");
  EXPECT_EQ(applied("SET l = list_append(l, n)", item), kWrongType);
  EXPECT_EQ(applied("SET l = list_append(x, l)", item), kMissing);
}

TEST(Update, ReachesIntoDocuments) {
  const Item item{
      {"a", Value(Item{{"b", 3}, {"c", Value::list({"hi", Value(Item{{"x", Value::list({3, 5, 7})}})})}})}};
  EXPECT_EQ(
      applied("SET a.c[1].x[1] = :v, a.b = a.c[0], a.plus = :v", item, {{":v", 9}}),
      R"({"a":{"M":{"b":{"S":"hi"},"c":{"L":[{"S":"hi"},{"M":{"x":{"L":[{"N":"3"},{"N":"9"},{"N":"7"}]}}}]},)"
      R"("plus":{"N":"9"}}}})");
  EXPECT_EQ(applied("REMOVE a.c[1].x[0], a.b", item),
            R"({"a":{"M":{"c":{"L":[{"S":"hi"},{"M":{"x":{"L":[{"N":"5"},{"N":"7"}]}}}]}}}})");
}

TEST(Update, LeavesEmptyMapsAndLists) {
  EXPECT_EQ(applied("REMOVE a.b, l[0]", Item{{"a", Value(Item{{"b", 1}})}, {"l", Value::list({1})}}),
            R"({"a":{"M":{}},"l":{"L":[]}})");
}

TEST(Update, NeedsTheMapOrListItWritesInto) {
  const Item item{{"s", "text"}, {"m", Value(Item{{"x", 1}})}, {"l", Value::list({1})}};
  for (const std::string path :
       {"s.x", "s[0]", "m[0]", "l.x", "nil.x", "nil[0]", "m.y.z", "m.x.y", "l[1].x"}) {
    EXPECT_EQ(applied("SET " + path + " = :v", item, {{":v", 1}}), kWrongPath) << path;
    EXPECT_EQ(applied("ADD " + path + " :v", item, {{":v", 1}}), kWrongPath) << path;
    EXPECT_EQ(applied("DELETE " + path + " :v", item, {{":v", Value::string_set({"a"})}}), kWrongPath)
        << path;
    EXPECT_EQ(applied("REMOVE " + path, item), kWrongPath) << path;
  }
  EXPECT_EQ(applied("REMOVE m.y, l[7], nil", item), item.to_json());
}

TEST(Update, ReportsWhatCannotBeReadBeforeWhatCannotBeWritten) {
  EXPECT_EQ(applied("SET x.y = :v, b = nil", Item{{"a", 1}}, {{":v", 1}}), kMissing);
}

TEST(Update, AppendsWhatIsSetBeyondTheEndOfAList) {
  const Item item{{"a", Value::list({"one", "two"})}};
  EXPECT_EQ(applied("SET a[84] = :a, a[37] = :b, a[0] = :c", item, {{":a", 1}, {":b", 2}, {":c", 3}}),
            R"({"a":{"L":[{"N":"3"},{"S":"two"},{"N":"2"},{"N":"1"}]}})");
  EXPECT_EQ(applied("SET a[0] = :a", Item{{"a", Value::list({})}}, {{":a", 1}}),
            R"({"a":{"L":[{"N":"1"}]}})");
}

TEST(Update, CountsListPositionsInTheOldItem) {
  const Item item{{"a", Value::list({2, 3, 4, 5, 6, 7})}};
  const std::string expected = R"({"a":{"L":[{"N":"2"},{"N":"4"},{"N":"17"},{"N":"6"},{"N":"7"}]}})";
  EXPECT_EQ(applied("REMOVE a[1] SET a[3] = :v", item, {{":v", 17}}), expected);
  EXPECT_EQ(applied("SET a[3] = :v REMOVE a[1]", item, {{":v", 17}}), expected);
  EXPECT_EQ(applied("REMOVE a[0], a[1], a[5], a[9]", item), R"({"a":{"L":[{"N":"4"},{"N":"5"},{"N":"6"}]}})");
}

TEST(Update, AddsToNumbersAndSets) {
  const Item item{
      {"n", 3}, {"s", Value::string_set({"b", "d"})}, {"ns", Value::number_set({-5, 20})}, {"t", "text"}};
  EXPECT_EQ(applied("ADD n :v", Item{{"n", 3}}, {{":v", 4}}), R"({"n":{"N":"7"}})");
  EXPECT_EQ(applied("ADD x :v", Item{{"n", 3}}, {{":v", 4}}), R"({"n":{"N":"3"},"x":{"N":"4"}})");
  EXPECT_EQ(applied("ADD s :v", Item{{"s", Value::string_set({"b", "d"})}},
                    {{":v", Value::string_set({"a", "d", "e"})}}),
            R"({"s":{"SS":["a","b","d","e"]}})");
  EXPECT_EQ(
      applied("ADD s :v", Item{{"s", Value::number_set({-5, 20})}}, {{":v", Value::number_set({3, 20})}}),
      R"({"s":{"NS":["-5","3","20"]}})");
  EXPECT_EQ(applied("ADD t :v", item, {{":v", 1}}), kWrongType);
  EXPECT_EQ(applied("ADD s :v", item, {{":v", 1}}), kWrongType);
  EXPECT_EQ(applied("ADD s :v", item, {{":v", Value::number_set({1})}}), kWrongType);
  EXPECT_EQ(applied("ADD n :v", item, {{":v", Value::string_set({"a"})}}), kWrongType);
}

TEST(Update, TakesElementsFromSets) {
  const Item item{{"s", Value::string_set({"", "b", "d"})}, {"t", "text"}};
  EXPECT_EQ(applied("DELETE s :v", item, {{":v", Value::string_set({"b", "x"})}}),
            R"({"s":{"SS":["","d"]},"t":{"S":"text"}})");
  EXPECT_EQ(applied("DELETE s :v", item, {{":v", Value::string_set({"d", "", "b", "x"})}}),
            R"({"t":{"S":"text"}})");
  EXPECT_EQ(applied("DELETE x :v", item, {{":v", Value::string_set({"a"})}}), item.to_json());
  EXPECT_EQ(applied("DELETE t :v", item, {{":v", Value::string_set({"a"})}}), kWrongType);
  EXPECT_EQ(applied("DELETE s :v", item, {{":v", Value::number_set({1})}}), kWrongType);
  EXPECT_EQ(applied("DELETE l[0] :v", Item{{"l", Value::list({Value::string_set({"a"}), 2})}},
                    {{":v", Value::string_set({"a"})}}),
            R"({"l":{"L":[{"N":"2"}]}})");
}

TEST(Update, RefusesNumbersOutOfRange) {
  const Item item{{"n", Value(*Number::parse("9.9E+125"))}};
  const auto result = parsed("SET n = n + n").apply(item);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error(),
            add(Number::parse("9.9E+125")->view(), Number::parse("9.9E+125")->view()).error());
}

TEST(Update, RefusesNestingThatGetsTooDeep) {
  constexpr int kHalf = kNestingMax / 2;
  Value maps(Item{{"leaf", 1}});
  std::string path = "a";
  for (int depth = 1; depth < kHalf; ++depth) {
    maps = Value(Item{{"m", maps}});
    path += ".m";
  }
  Value lists = Value::list({1});
  for (int depth = 1; depth < kHalf - 1; ++depth) lists = Value::list({lists});
  const Item item{{"a", maps}, {"b", lists}};
  EXPECT_EQ(outcome_of(parsed("SET " + path + ".x = b").apply(item)), "ok");
  const auto result = parsed("SET " + path + ".x = :v", {{":v", Value::list({lists})}}).apply(item);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Code::kInvalid);
}

TEST(Update, CreatesAnItemFromItsKey) {
  const Item key{{"pk", "k"}};
  const Update update = parsed("SET a = :v, b = pk REMOVE x.y, z[0]", {{":v", 1}});
  EXPECT_EQ(update.create(key)->to_json(), R"({"a":{"N":"1"},"b":{"S":"k"},"pk":{"S":"k"}})");
  EXPECT_EQ(outcome_of(update.apply(key)), kWrongPath);
  EXPECT_EQ(outcome_of(parsed("SET x.y = :v", {{":v", 1}}).create(key)), kWrongPath);
}

TEST(Update, MakesNoItemByTakingAway) {
  EXPECT_TRUE(parsed("SET a = :v", {{":v", 1}}).creates_item());
  EXPECT_TRUE(parsed("REMOVE a ADD b :v", {{":v", 1}}).creates_item());
  EXPECT_FALSE(parsed("REMOVE a").creates_item());
  EXPECT_FALSE(parsed("REMOVE a DELETE b :v", {{":v", Value::string_set({"a"})}}).creates_item());
  EXPECT_TRUE(Update::of_actions({}, UpdateDialect::kAttributeUpdates).creates_item());
}

TEST(Update, ShowsWhatItTouched) {
  const Item item{{"a", Value(Item{{"b", "dog"}, {"c", Value::list({1, 2, 3})}})}, {"d", "cat"}};
  const auto touched = [&](std::string_view text, TestRequest::Values values) {
    const Update update = parsed(text, values);
    return update.touched().project(item).to_json() + " " +
           update.touched().project(*update.apply(item)).to_json();
  };
  EXPECT_EQ(touched("SET a.c[1] = :v, a.b = :v, e = :v", {{":v", 7}}),
            R"({"a":{"M":{"b":{"S":"dog"},"c":{"L":[{"N":"2"}]}}}} )"
            R"({"a":{"M":{"b":{"N":"7"},"c":{"L":[{"N":"7"}]}}},"e":{"N":"7"}})");
  EXPECT_EQ(touched("REMOVE a.c[1], a.c[3]", {}),
            R"({"a":{"M":{"c":{"L":[{"N":"2"}]}}}} {"a":{"M":{"c":{"L":[{"N":"3"}]}}}})");
  EXPECT_EQ(touched("SET a.c[100] = :v", {{":v", 7}}), "{} {}");
  EXPECT_EQ(parsed("SET a.b = :v REMOVE d", {{":v", 7}}).touched().attributes(),
            (std::vector<std::string_view>{"a", "d"}));
}

TEST(Update, TellsAllItsPaths) {
  const Update update = parsed("SET a.b = if_not_exists(c, d[1]) REMOVE e");
  std::vector<std::string> paths;
  for (const Path* path : update.paths()) paths.push_back(path->to_string());
  std::ranges::sort(paths);
  EXPECT_EQ(paths, (std::vector<std::string>{"[a, b]", "[c]", "[d, [1]]", "[e]"}));
}

TEST(Update, TellsTheTypesThatItsTextGives) {
  const Update update = parsed(
      "SET a = :s, b = x + :n, c = list_append(x, y), d = x, e = if_not_exists(e, :s), f.g = :s REMOVE h ADD "
      "i :n",
      {{":s", "text"}, {":n", 1}});
  EXPECT_EQ(update.type_written("a"), Type::kString);
  EXPECT_EQ(update.type_written("b"), Type::kNumber);
  EXPECT_EQ(update.type_written("c"), Type::kList);
  EXPECT_EQ(update.type_written("d"), std::nullopt);
  EXPECT_EQ(update.type_written("e"), Type::kString);
  EXPECT_EQ(update.type_written("f"), std::nullopt);
  EXPECT_EQ(update.type_written("h"), std::nullopt);
  EXPECT_EQ(update.type_written("i"), Type::kNumber);
  EXPECT_EQ(update.type_written("other"), std::nullopt);
}

TEST(Update, OfActionsSpeaksTheLegacyDialect) {
  const auto of = [](std::vector<UpdateAction> actions) {
    return Update::of_actions(std::move(actions), UpdateDialect::kAttributeUpdates);
  };
  const Item item{{"l", Value::list({1})}, {"n", 1}};
  EXPECT_EQ(of({UpdateAction::set(Path("a"), SetValue::of(Value("x"))), UpdateAction::remove(Path("n")),
                UpdateAction::add(Path("l"), Value::list({2}))})
                .apply(item)
                ->to_json(),
            R"({"a":{"S":"x"},"l":{"L":[{"N":"1"},{"N":"2"}]}})");
  EXPECT_EQ(outcome_of(of({UpdateAction::add(Path("l"), Value(1))}).apply(item)),
            "Type mismatch for attribute to update");
  EXPECT_EQ(outcome_of(of({UpdateAction::take(Path("n"), Value::number_set({1}))}).apply(item)),
            "Type mismatch for attribute to update");
  EXPECT_EQ(*of({}).apply(item), item);
}

TEST(Update, OutlivesItsRequest) {
  std::optional<Update> update;
  {
    TestRequest request({{":v", "a value that does not fit into a short string"}},
                        {{"#n", "a_rather_long_attribute"}});
    update = *Update::parse("SET #n = :v", request);
  }
  EXPECT_EQ(update->apply(Item())->find("a_rather_long_attribute")->bytes(),
            "a value that does not fit into a short string");
}

// A list of numbers, and the same under random updates of its elements, made the plain way.
TEST(Update, ChangesListsAsAMapOfPositionsWould) {
  constexpr uint64_t kSeed = 11;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 2000; ++round) {
    std::map<uint32_t, int64_t> expected;
    std::vector<Value> elements;
    const auto size = static_cast<uint32_t>(random() % 6);
    for (uint32_t i = 0; i < size; ++i) {
      expected[i] = i;
      elements.emplace_back(static_cast<int64_t>(i));
    }
    std::vector<UpdateAction> actions;
    std::map<uint32_t, bool> changed;
    for (uint64_t left = random() % 6; left > 0; --left) {
      const auto index = static_cast<uint32_t>(random() % 10);
      if (!changed.emplace(index, true).second) continue;
      Path path("l", {PathElement(index)});
      switch (random() % 3) {
        case 0:
          actions.push_back(UpdateAction::remove(std::move(path)));
          expected.erase(index);
          break;
        case 1:
          actions.push_back(
              UpdateAction::set(std::move(path), SetValue::of(Value(100 + static_cast<int>(index)))));
          expected[index] = 100 + index;
          break;
        default:
          actions.push_back(UpdateAction::add(std::move(path), Value(1000)));
          expected[index] += 1000;
      }
    }
    std::vector<Value> expected_elements;
    for (const auto& [index, value] : expected) expected_elements.emplace_back(value);
    const Item item{{"a", 1}, {"l", Value::list(elements)}, {"z", 2}};
    const Item expected_item{{"a", 1}, {"l", Value::list(expected_elements)}, {"z", 2}};
    const auto result = Update::of_actions(std::move(actions), UpdateDialect::kExpression).apply(item);
    ASSERT_EQ(outcome_of(result), "ok") << "seed " << kSeed << ", round " << round;
    ASSERT_EQ(result->to_json(), expected_item.to_json()) << "seed " << kSeed << ", round " << round;
  }
}

}  // namespace
}  // namespace sheaf::expr
