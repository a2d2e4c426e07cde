#include "expr/condition.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "expr/limits.h"
#include "expr/test_request.h"

namespace sheaf::expr {
namespace {

bool matches(std::string_view text, const Item& item, TestRequest::Values values = {}) {
  TestRequest request(values);
  const auto condition = Condition::parse(text, request);
  EXPECT_EQ(outcome_of(condition), "ok") << text;
  return condition.ok() && condition->matches(item);
}

TEST(Condition, EqualsOnlyTheSameValueOfTheSameType) {
  const auto values = values_of_all_types();
  for (const Value& left : values) {
    for (const Value& right : values) {
      const Item item{{"a", left}, {"b", right}};
      EXPECT_EQ(matches("a = :v", item, {{":v", right}}), left == right);
      EXPECT_EQ(matches("a <> :v", item, {{":v", right}}), left != right);
      EXPECT_EQ(matches("a = b", item), left == right);
      EXPECT_EQ(matches("a IN (:v)", item, {{":v", right}}), left == right);
    }
  }
}

TEST(Condition, TakesWhatIsNotThereForUnequalToEverything) {
  const Item item{{"a", 1}};
  EXPECT_FALSE(matches("x = :v", item, {{":v", 1}}));
  EXPECT_FALSE(matches("x = y", item));
  EXPECT_TRUE(matches("x <> :v", item, {{":v", 1}}));
  EXPECT_TRUE(matches("x <> y", item));
  EXPECT_TRUE(matches("a <> y", item));
  EXPECT_FALSE(matches("x IN (y, :v)", item, {{":v", 1}}));
  for (const std::string op : {"<", "<=", ">", ">="}) {
    EXPECT_FALSE(matches("x " + op + " :v", item, {{":v", 1}}));
    EXPECT_FALSE(matches(":v " + op + " x", item, {{":v", 1}}));
    EXPECT_FALSE(matches("x " + op + " y", item));
  }
  EXPECT_FALSE(matches("x BETWEEN y AND a", item));
}

TEST(Condition, OrdersNumbersStringsAndBinaries) {
  const Item item{{"n", 2}, {"s", "cat"}, {"b", Value::binary("\x7f")}};
  EXPECT_TRUE(matches("n < :v", item, {{":v", 10}}));
  EXPECT_TRUE(matches("n >= :v", item, {{":v", -3}}));
  EXPECT_FALSE(matches("n > :v", item, {{":v", 2}}));
  EXPECT_TRUE(matches("n <= :v", item, {{":v", 2}}));
  EXPECT_TRUE(matches("s < :v", item, {{":v", "dog"}}));
  EXPECT_FALSE(matches("s < :v", item, {{":v", "Dog"}}));
  EXPECT_TRUE(matches("b < :v", item, {{":v", Value::binary("\x80")}}));
  EXPECT_FALSE(matches("n < :v", item, {{":v", "17"}}));
  EXPECT_FALSE(matches("s < :v", item, {{":v", Value::binary("dog")}}));
}

TEST(Condition, IsBetweenBoundsWithThemIncluded) {
  const Item item{{"n", 5}, {"low", 5}, {"high", 5}, {"l", Value::list({5})}};
  EXPECT_TRUE(matches("n BETWEEN :a AND :b", item, {{":a", 5}, {":b", 9}}));
  EXPECT_TRUE(matches("n BETWEEN :a AND :b", item, {{":a", 1}, {":b", 5}}));
  EXPECT_FALSE(matches("n BETWEEN :a AND :b", item, {{":a", 6}, {":b", 9}}));
  EXPECT_TRUE(matches("n BETWEEN low AND high", item));
  EXPECT_FALSE(matches("n BETWEEN l AND high", item));
  EXPECT_FALSE(matches("n BETWEEN :a AND :b", item, {{":a", "0"}, {":b", "9"}}));
}

TEST(Condition, FindsAValueInAListOfOthers) {
  const Item item{{"n", 5}, {"m", 5}};
  EXPECT_TRUE(matches("n IN (:a, :b)", item, {{":a", "5"}, {":b", 5}}));
  EXPECT_TRUE(matches("n IN (:a, m)", item, {{":a", "5"}}));
  EXPECT_FALSE(matches("n IN (:a, x)", item, {{":a", "5"}}));
}

TEST(Condition, AsksForExistence) {
  const Item item{{"a", Value(Item{{"b", Value()}})}};
  EXPECT_TRUE(matches("attribute_exists(a)", item));
  EXPECT_TRUE(matches("attribute_exists(a.b)", item));
  EXPECT_FALSE(matches("attribute_exists(a.c)", item));
  EXPECT_FALSE(matches("attribute_not_exists(a.b)", item));
  EXPECT_TRUE(matches("attribute_not_exists(c)", item));
  TestRequest request;
  EXPECT_TRUE(Condition::parse("attribute_not_exists(pk)", request)->matches(ItemView()));
}

TEST(Condition, AsksForTypes) {
  const auto values = values_of_all_types();
  for (const Value& value : values) {
    for (const Value& other : values) {
      const Value name(type_name(other.type()));
      EXPECT_EQ(matches("attribute_type(a, :t)", Item{{"a", value}}, {{":t", name}}),
                value.type() == other.type());
    }
    EXPECT_FALSE(matches("attribute_type(x, :t)", Item{{"a", value}}, {{":t", "S"}}));
  }
  EXPECT_TRUE(matches("attribute_type(:v, :t)", Item(), {{":t", "N"}, {":v", 1}}));
}

TEST(Condition, AsksForPrefixes) {
  const Item item{{"s", "hello"}, {"b", Value::binary("hi there")}, {"n", 5}, {"p", "he"}};
  EXPECT_TRUE(matches("begins_with(s, :p)", item, {{":p", "hell"}}));
  EXPECT_TRUE(matches("begins_with(s, :p)", item, {{":p", ""}}));
  EXPECT_TRUE(matches("begins_with(s, p)", item));
  EXPECT_TRUE(matches("begins_with(:p, s)", item, {{":p", "hello there"}}));
  EXPECT_TRUE(matches("begins_with(b, :p)", item, {{":p", Value::binary("hi")}}));
  EXPECT_FALSE(matches("begins_with(b, :p)", item, {{":p", "hi"}}));
  EXPECT_FALSE(matches("begins_with(s, :p)", item, {{":p", "hello!"}}));
  EXPECT_FALSE(matches("begins_with(n, :p)", item, {{":p", "5"}}));
  EXPECT_FALSE(matches("begins_with(x, :p)", item, {{":p", "h"}}));
}

TEST(Condition, AsksWhatIsContained) {
  const Item item{{"s", "hello"},
                  {"b", Value::binary("hi there")},
                  {"ss", Value::string_set({"ab", "cd"})},
                  {"ns", Value::number_set({2, 4})},
                  {"bs", Value::binary_set({"ab"})},
                  {"l", Value::list({"ab", 4, Value::list({3})})},
                  {"m", Value(Item{{"ab", 4}})}};
  EXPECT_TRUE(matches("contains(s, :v)", item, {{":v", "ell"}}));
  EXPECT_TRUE(matches("contains(s, :v)", item, {{":v", ""}}));
  EXPECT_FALSE(matches("contains(s, :v)", item, {{":v", "elo"}}));
  EXPECT_FALSE(matches("contains(s, :v)", item, {{":v", Value::binary("ell")}}));
  EXPECT_TRUE(matches("contains(b, :v)", item, {{":v", Value::binary("the")}}));
  EXPECT_TRUE(matches("contains(ss, :v)", item, {{":v", "cd"}}));
  EXPECT_FALSE(matches("contains(ss, :v)", item, {{":v", "c"}}));
  EXPECT_FALSE(matches("contains(ss, :v)", item, {{":v", Value::string_set({"cd"})}}));
  EXPECT_TRUE(matches("contains(ns, :v)", item, {{":v", 4}}));
  EXPECT_FALSE(matches("contains(ns, :v)", item, {{":v", "4"}}));
  EXPECT_TRUE(matches("contains(bs, :v)", item, {{":v", Value::binary("ab")}}));
  EXPECT_FALSE(matches("contains(bs, :v)", item, {{":v", "ab"}}));
  EXPECT_TRUE(matches("contains(l, :v)", item, {{":v", 4}}));
  EXPECT_TRUE(matches("contains(l, :v)", item, {{":v", Value::list({3})}}));
  EXPECT_FALSE(matches("contains(l, :v)", item, {{":v", 3}}));
  EXPECT_FALSE(matches("contains(m, :v)", item, {{":v", "ab"}}));
  EXPECT_FALSE(matches("contains(x, :v)", item, {{":v", "ab"}}));
}

TEST(Condition, MeasuresSizes) {
  const Item item{{"s", "hello"},
                  {"u", "é𝄞"},
                  {"b", Value::binary("12345678")},
                  {"ss", Value::string_set({"a", "b", "c"})},
                  {"l", Value::list({1, 2})},
                  {"m", Value(Item{{"x", 1}})},
                  {"n", 5},
                  {"t", true},
                  {"z", Value()}};
  const std::pair<std::string, int> sizes[] = {{"s", 5}, {"u", 3}, {"b", 8}, {"ss", 3}, {"l", 2}, {"m", 1}};
  for (const auto& [name, size] : sizes) {
    EXPECT_TRUE(matches("size(" + name + ") = :v", item, {{":v", size}})) << name;
    EXPECT_FALSE(matches("size(" + name + ") < :v", item, {{":v", size}})) << name;
  }
  for (const std::string name : {"n", "t", "z", "absent"}) {
    EXPECT_FALSE(matches("size(" + name + ") >= :v", item, {{":v", 0}})) << name;
    EXPECT_FALSE(matches("size(" + name + ") < :v", item, {{":v", 0}})) << name;
  }
  EXPECT_TRUE(matches("size(s) = n", item));
  EXPECT_TRUE(matches("size(s) > size(l)", item));
  EXPECT_TRUE(matches("size(:v) = n", item, {{":v", "12345"}}));
  EXPECT_TRUE(matches("size(s) IN (:a, :b)", item, {{":a", 4}, {":b", 5}}));
  EXPECT_FALSE(matches("size(s) = :v", item, {{":v", "5"}}));
}

TEST(Condition, ReadsNestedPaths) {
  const Item item{{"b", Value(Item{{"x", 1}, {"y", Value::list({-1, 2, 0})}})}};
  EXPECT_TRUE(matches("b.x < b.y[1]", item));
  EXPECT_FALSE(matches("b.x < b.y[0]", item));
  EXPECT_FALSE(matches("b.z < b.y[100]", item));
}

TEST(Condition, BindsNotTighterThanAndTighterThanOr) {
  const Item item{{"a", 1}, {"b", 2}, {"c", 3}};
  EXPECT_TRUE(matches("a < b OR c < b AND b < a", item));
  EXPECT_FALSE(matches("(a < b OR c < b) AND b < a", item));
  EXPECT_FALSE(matches("NOT a < b AND c < b", item));
  EXPECT_TRUE(matches("NOT (a < b AND c < b)", item));
  EXPECT_TRUE(matches("NOT NOT a < b", item));
  EXPECT_TRUE(matches("b BETWEEN a AND c AND a < b", item));
}

TEST(Condition, OutlivesItsRequest) {
  std::optional<Condition> condition;
  {
    std::string text = "#n = :v";
    TestRequest request({{":v", "a value that does not fit into a short string"}}, {{"#n", "attribute"}});
    condition = *Condition::parse(text, request);
    text.assign(text.size(), '?');
  }
  EXPECT_TRUE(condition->matches(Item{{"attribute", "a value that does not fit into a short string"}}));
}

TEST(Condition, TellsWhichPathsItReads) {
  TestRequest request({{":v", 1}}, {{"#n", "n"}});
  const auto condition =
      Condition::parse("#n.x = :v AND (size(b) > a OR NOT attribute_exists(n[1]))", request);
  std::vector<std::string> paths;
  for (const Path& path : condition->paths()) paths.push_back(path.to_string());
  EXPECT_EQ(paths, (std::vector<std::string>{"[n, x]", "[b]", "[a]", "[n, [1]]"}));
}

TEST(ConditionBuilder, MakesConditionsWithoutText) {
  ConditionBuilder builder;
  const auto is_one = builder.compare(Comparator::kEqual, builder.path(Path("a")), builder.literal(Value(1)));
  const ConditionBuilder::Operand list[] = {builder.literal(Value("x")), builder.literal(Value("y"))};
  const auto is_letter = builder.in(builder.path(Path("b")), list);
  const auto is_short =
      builder.compare(Comparator::kLess, builder.size_of(Path("s")), builder.size_of(Value("12345")));
  const auto absent = builder.not_exists(builder.path(Path("c")));
  const ConditionBuilder::Node parts[] = {is_letter, is_short, absent};
  const auto any = builder.any_of(parts);
  const ConditionBuilder::Node both[] = {is_one, any};
  const auto root = builder.negate(builder.all_of(both));
  const Condition condition = std::move(builder).build(root);

  EXPECT_FALSE(condition.matches(Item{{"a", 1}, {"b", "y"}, {"c", 1}}));
  EXPECT_FALSE(condition.matches(Item{{"a", 1}, {"s", "1234"}, {"c", 1}}));
  EXPECT_FALSE(condition.matches(Item{{"a", 1}}));
  EXPECT_TRUE(condition.matches(Item{{"a", 1}, {"b", "z"}, {"s", "12345"}, {"c", 1}}));
  EXPECT_TRUE(condition.matches(Item{{"a", 2}, {"b", "y"}}));
}

// A random condition over the attributes a..d, each 0 or 1 or absent, as text and as its answer.
class RandomCondition {
 public:
  explicit RandomCondition(uint64_t seed) : random_(seed) {
    for (auto& value : values_) value = static_cast<int>(random_() % 3);
  }

  Item item() const {
    Item item;
    for (int i = 0; i < 4; ++i) {
      if (values_[i] < 2) item.set(name(i), Value(values_[i]));
    }
    return item;
  }

  // `level`: what binds tighter needs no parentheses: 0 OR, 1 AND, 2 NOT.
  std::pair<std::string, bool> make(int depth, int level = 0) {
    if (depth == 0) return leaf();
    if (level == 0 && random_() % 2 == 0) {
      auto [text, answer] = make(depth - 1, 1);
      for (uint64_t more = random_() % 3; more > 0; --more) {
        const auto [right, right_answer] = make(depth - 1, 1);
        text += " OR " + right;
        answer = answer || right_answer;
      }
      return {text, answer};
    }
    if (level <= 1 && random_() % 2 == 0) {
      auto [text, answer] = make(depth - 1, 2);
      for (uint64_t more = random_() % 3; more > 0; --more) {
        const auto [right, right_answer] = make(depth - 1, 2);
        text += " and " + right;
        answer = answer && right_answer;
      }
      return {text, answer};
    }
    switch (random_() % 3) {
      case 0: {
        const auto [text, answer] = make(depth - 1, 2);
        return {"NOT " + text, !answer};
      }
      case 1: {
        auto [text, answer] = make(depth - 1, 0);
        return {is_in_parentheses(text) ? text : "(" + text + ")", answer};
      }
      default:
        return leaf();
    }
  }

 private:
  // As a whole: to add more would be refused.
  static bool is_in_parentheses(std::string_view text) {
    int open = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      open += (text[i] == '(') - (text[i] == ')');
      if (open == 0) return i > 0 && i + 1 == text.size();
    }
    return false;
  }

  static std::string name(int i) { return std::string(1, static_cast<char>('a' + i)); }

  std::pair<std::string, bool> leaf() {
    const int i = static_cast<int>(random_() % 4);
    const int value = values_[i];
    switch (random_() % 4) {
      case 0:
        return {name(i) + " = :one", value == 1};
      case 1:
        return {"attribute_exists(" + name(i) + ")", value < 2};
      case 2:
        return {name(i) + " between :zero AND :zero", value == 0};
      default:
        return {name(i) + " <> :one", value != 1};
    }
  }

  std::mt19937_64 random_;
  int values_[4];
};

TEST(Condition, AnswersRandomConditionsAsTheyRead) {
  constexpr uint64_t kSeed = 7;
  int answers[2] = {};
  for (uint64_t round = 0; round < 3000; ++round) {
    RandomCondition random(kSeed + round);
    const auto [text, answer] = random.make(5);
    TestRequest request({{":one", 1}, {":zero", 0}});
    const auto condition = Condition::parse(text, request);
    const std::string outcome = outcome_of(condition);
    if (outcome.ends_with("operator count: 301") || text.size() > kExpressionBytesMax) continue;
    ASSERT_EQ(outcome, "ok") << text << " (seed " << kSeed << ", round " << round << ")";
    ASSERT_EQ(condition->matches(random.item()), answer)
        << text << " on " << random.item().to_json() << " (seed " << kSeed << ", round " << round << ")";
    ++answers[answer];
  }
  EXPECT_GT(answers[0], 500);
  EXPECT_GT(answers[1], 500);
}

}  // namespace
}  // namespace sheaf::expr
