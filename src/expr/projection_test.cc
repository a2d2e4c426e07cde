#include "expr/projection.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>

#include "expr/test_request.h"

namespace sheaf::expr {
namespace {

std::string project(std::string_view text, const Item& item) {
  TestRequest request({}, {{"#n", "a"}, {"#dot", "a.b"}});
  const auto projection = Projection::parse(text, request);
  return projection.ok() ? projection->project(item).to_json() : projection.error().message;
}

const Item& document() {
  static const Item item{
      {"a", Value(Item{{"b", Value::list({2, 4, Value(Item{{"x", "hi"}, {"y", "yo"}})})}, {"c", 5}})},
      {"a.b", "dotted"},
      {"b", "hello"}};
  return item;
}

TEST(Projection, TakesWholeAttributes) {
  EXPECT_EQ(project("b", document()), R"({"b":{"S":"hello"}})");
  EXPECT_EQ(project(" b , #dot ", document()), R"({"a.b":{"S":"dotted"},"b":{"S":"hello"}})");
  EXPECT_EQ(project("nothing, b", document()), R"({"b":{"S":"hello"}})");
  EXPECT_EQ(project("b", Item()), "{}");
}

TEST(Projection, KeepsTheStructureAroundItsParts) {
  EXPECT_EQ(project("a.c", document()), R"({"a":{"M":{"c":{"N":"5"}}}})");
  EXPECT_EQ(project("#n.b[2].y", document()), R"({"a":{"M":{"b":{"L":[{"M":{"y":{"S":"yo"}}}]}}}})");
  EXPECT_EQ(project("a.c, b", document()), R"({"a":{"M":{"c":{"N":"5"}}},"b":{"S":"hello"}})");
}

TEST(Projection, ClosesListsUp) {
  EXPECT_EQ(project("a.b[2].x, a.b[0]", document()),
            R"({"a":{"M":{"b":{"L":[{"N":"2"},{"M":{"x":{"S":"hi"}}}]}}}})");
  EXPECT_EQ(project("a.b[1]", document()), R"({"a":{"M":{"b":{"L":[{"N":"4"}]}}}})");
}

TEST(Projection, LeavesOutWhatIsNotThere) {
  for (const std::string_view text :
       {"x", "a.b[3]", "a.x", "a.x.y", "a.b[3].x", "a.b.x", "a[0]", "a.b[0].x", "a.b[0][0]", "b.x", "b[0]"}) {
    EXPECT_EQ(project(text, document()), "{}") << text;
  }
  EXPECT_EQ(project("a.x, a.b[0], x, a.b[3].x", document()), R"({"a":{"M":{"b":{"L":[{"N":"2"}]}}}})");
}

TEST(Projection, RefusesWhatIsNotAListOfPaths) {
  const auto complaint = [](std::string_view text) { return project(text, Item()); };
  const std::string prefix = "Invalid ProjectionExpression: ";
  EXPECT_EQ(complaint("a,"), prefix + R"(Syntax error; token: "<EOF>", near: ",")");
  EXPECT_EQ(complaint(",a"), prefix + R"(Syntax error; token: ",", near: ",a")");
  EXPECT_EQ(complaint("a,,b"), prefix + R"(Syntax error; token: ",", near: ",,b")");
  EXPECT_EQ(complaint("a..b"), prefix + R"(Syntax error; token: ".", near: "..b")");
  EXPECT_EQ(complaint("a[b]"), prefix + R"(Syntax error; token: "b", near: "[b]")");
  EXPECT_EQ(complaint("(a)"), prefix + R"(Syntax error; token: "(", near: "(a")");
  EXPECT_EQ(complaint("a-b"), prefix + R"(Syntax error; token: "-", near: "a-b")");
  EXPECT_EQ(complaint("a :b"), prefix + R"(Syntax error; token: ":b", near: "a :b")");
  EXPECT_EQ(complaint("size(a)"), prefix + R"(Syntax error; token: "(", near: "size(a")");
  EXPECT_EQ(complaint("a.abORt"), prefix + "Attribute name is a reserved keyword; reserved keyword: abORt");
  EXPECT_EQ(
      complaint("a,b,a,#x"),
      prefix + "An expression attribute name used in the document path is not defined; attribute name: #x");
  EXPECT_EQ(complaint("a.b, #n"),
            prefix +
                "Two document paths overlap with each other; must remove or rewrite one of these "
                "paths; path one: [a, b], path two: [a]");
  EXPECT_EQ(complaint("a.b[1], a[1], b"),
            prefix +
                "Two document paths conflict with each other; must remove or rewrite one "
                "of these paths; path one: [a, b, [1]], path two: [a, [1]]");
}

TEST(Projection, OfNamesTakesEachNameOnce) {
  const Projection projection = Projection::of_names({"b", "a.b", "b"});
  EXPECT_EQ(projection.project(document()).to_json(), R"({"a.b":{"S":"dotted"},"b":{"S":"hello"}})");
  EXPECT_EQ(Projection::of_names({}).project(document()).to_json(), "{}");
}

TEST(Projection, TellsWhichAttributesItNeeds) {
  TestRequest request;
  const auto projection = Projection::parse("c[1], a.x, c[0], a.b[3]", request);
  EXPECT_EQ(projection->attributes(), (std::vector<std::string_view>{"a", "c"}));
  EXPECT_TRUE(projection->needs("a"));
  EXPECT_FALSE(projection->needs("b"));
  EXPECT_FALSE(projection->needs("x"));
}

TEST(Projection, CanBeMovedAndCopied) {
  Projection first = Projection::of_names({"b"});
  Projection second = first;
  const Projection third = std::move(first);
  EXPECT_EQ(second.project(document()), third.project(document()));
  EXPECT_EQ(third.attributes(), (std::vector<std::string_view>{"b"}));
}

// The plain way: take one path after the other, and remember where list elements came from.
struct Tree {
  std::map<std::string, Tree> members;
  std::map<uint32_t, Tree> elements;
  std::optional<Value> value;

  void add(const Path& path, ValueView found) {
    Tree* at = &members[path.attribute()];
    for (const PathElement& step : path.steps()) {
      at = step.is_index() ? &at->elements[step.index()] : &at->members[step.name()];
    }
    at->value = Value(found);
  }
  Value to_value() const {
    if (value) return *value;
    if (!elements.empty()) {
      std::vector<Value> list;
      for (const auto& [index, element] : elements) list.push_back(element.to_value());
      return Value::list(list);
    }
    return Value(to_item());
  }
  Item to_item() const {
    Item item;
    for (const auto& [name, member] : members) item.set(name, member.to_value());
    return item;
  }
};

Value random_document(std::mt19937_64& random, int depth) {
  switch (depth == 0 ? 2 : random() % 3) {
    case 0: {
      Item map;
      for (uint64_t left = random() % 4; left > 0; --left) {
        map.set(std::string(1, static_cast<char>('a' + random() % 3)), random_document(random, depth - 1));
      }
      return Value(map);
    }
    case 1: {
      std::vector<Value> list;
      for (uint64_t left = random() % 4; left > 0; --left) list.push_back(random_document(random, depth - 1));
      return Value::list(list);
    }
    default:
      return Value(static_cast<int64_t>(random() % 100));
  }
}

TEST(Projection, GivesTheSameAsTakingOnePathAfterTheOther) {
  constexpr uint64_t kSeed = 3;
  std::mt19937_64 random(kSeed);
  int found_some = 0;
  for (int round = 0; round < 3000; ++round) {
    Item item;
    for (const std::string name : {"a", "b", "c"}) item.set(name, random_document(random, 3));
    std::vector<Path> paths;
    for (uint64_t left = 1 + random() % 6; left > 0; --left) {
      std::vector<PathElement> steps;
      for (uint64_t more = random() % 4; more > 0; --more) {
        if (random() % 2 == 0) {
          steps.emplace_back(static_cast<uint32_t>(random() % 3));
        } else {
          steps.emplace_back(std::string(1, static_cast<char>('a' + random() % 3)));
        }
      }
      paths.emplace_back(std::string(1, static_cast<char>('a' + random() % 3)), std::move(steps));
      if (find_clash(paths)) paths.pop_back();
    }
    Tree expected;
    for (const Path& path : paths) {
      if (const auto found = path.find(item)) expected.add(path, *found);
    }
    const Item projected = Projection::of_paths(paths).project(item);
    ASSERT_EQ(projected.to_json(), expected.to_item().to_json()) << "seed " << kSeed << ", round " << round;
    found_some += !projected.empty();
  }
  EXPECT_GT(found_some, 1000);
}

}  // namespace
}  // namespace sheaf::expr
