#include "expr/path.h"

#include <gtest/gtest.h>

#include <random>

namespace sheaf::expr {
namespace {

Path path(std::string attribute, std::vector<PathElement> steps = {}) {
  return Path(std::move(attribute), std::move(steps));
}
PathElement name(std::string name) { return PathElement(std::move(name)); }
PathElement index(uint32_t index) { return PathElement(index); }

TEST(Path, FindsAttributesMembersAndElements) {
  const Item item{{"a", Value(Item{{"b", Value::list({1, Value(Item{{"c", "deep"}})})}})}, {"z", 3}};
  EXPECT_EQ(path("z").find(item)->to_json(), R"({"N":"3"})");
  EXPECT_EQ(path("a", {name("b"), index(0)}).find(item)->to_json(), R"({"N":"1"})");
  EXPECT_EQ(path("a", {name("b"), index(1), name("c")}).find(item)->to_json(), R"({"S":"deep"})");
}

TEST(Path, FindsNothingWhereNothingIs) {
  const Item item{{"a", Value(Item{{"b", Value::list({1})}})}, {"s", "text"}};
  EXPECT_FALSE(path("x").find(item));
  EXPECT_FALSE(path("a", {name("x")}).find(item));
  EXPECT_FALSE(path("a", {index(0)}).find(item));
  EXPECT_FALSE(path("a", {name("b"), name("x")}).find(item));
  EXPECT_FALSE(path("a", {name("b"), index(1)}).find(item));
  EXPECT_FALSE(path("s", {index(0)}).find(item));
  EXPECT_FALSE(path("s", {name("x")}).find(item));
  EXPECT_FALSE(path("x", {name("y")}).find(ItemView()));
}

TEST(Path, PrintsAsAwsPrintsIt) {
  EXPECT_EQ(path("a").to_string(), "[a]");
  EXPECT_EQ(path("ab", {name("bc"), index(1), name("a")}).to_string(), "[ab, bc, [1], a]");
}

TEST(Path, OverlapsWithItselfAndWithWhatIsInside) {
  const Path inner = path("a", {name("b"), index(1)});
  EXPECT_EQ(clash_of(inner, inner), PathClash::kOverlap);
  EXPECT_EQ(clash_of(path("a"), inner), PathClash::kOverlap);
  EXPECT_EQ(clash_of(inner, path("a", {name("b")})), PathClash::kOverlap);
}

TEST(Path, ConflictsWithOneThatTakesAMapForAList) {
  EXPECT_EQ(clash_of(path("a", {name("b")}), path("a", {index(1)})), PathClash::kConflict);
  EXPECT_EQ(clash_of(path("a", {index(3), name("b")}), path("a", {name("[3]"), name("b")})),
            PathClash::kConflict);
}

TEST(Path, DoesNotClashWithItsSiblings) {
  EXPECT_EQ(clash_of(path("a"), path("b")), PathClash::kNone);
  EXPECT_EQ(clash_of(path("a", {name("b")}), path("a", {name("c")})), PathClash::kNone);
  EXPECT_EQ(clash_of(path("a", {index(1)}), path("a", {index(2)})), PathClash::kNone);
  EXPECT_EQ(clash_of(path("a", {name("b"), name("x")}), path("a", {name("c"), index(1)})), PathClash::kNone);
}

TEST(Path, ReportsOverlapsBeforeConflicts) {
  const std::vector<Path> paths = {path("b", {index(1)}), path("b", {name("a")}), path("a", {name("b")}),
                                   path("a")};
  EXPECT_EQ(find_clash(paths),
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path "
            "one: [a, b], "
            "path two: [a]");
  EXPECT_EQ(
      find_clash(std::span(paths).first(2)),
      "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [b, "
      "[1]], path two: [b, a]");
  EXPECT_EQ(find_clash(std::span(paths).subspan(1, 2)), std::nullopt);
}

Path random_path(std::mt19937_64& random) {
  std::vector<PathElement> steps;
  for (uint64_t left = random() % 4; left > 0; --left) {
    if (random() % 3 == 0) {
      steps.push_back(index(random() % 3));
    } else {
      steps.push_back(name(std::string(1, static_cast<char>('a' + random() % 3))));
    }
  }
  return path(std::string(1, static_cast<char>('a' + random() % 26)), std::move(steps));
}

TEST(Path, FindsTheSameClashesAmongManyPathsAsBetweenEachTwo) {
  constexpr uint64_t kSeed = 20;
  std::mt19937_64 random(kSeed);
  int clashing = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Path> paths;
    for (uint64_t left = 1 + random() % 24; left > 0; --left) paths.push_back(random_path(random));
    bool expected = false;
    for (size_t i = 0; i < paths.size(); ++i) {
      for (size_t j = 0; j < i; ++j) expected |= clash_of(paths[j], paths[i]) != PathClash::kNone;
    }
    ASSERT_EQ(find_clash(paths).has_value(), expected) << "seed " << kSeed << ", round " << round;
    clashing += expected;
  }
  EXPECT_GT(clashing, 500);
  EXPECT_LT(clashing, 1500);
}

}  // namespace
}  // namespace sheaf::expr
