#include "expr/path_tree.h"

#include <gtest/gtest.h>

namespace sheaf::expr {
namespace {

Path tree_path(std::string attribute, std::vector<PathElement> steps = {}) {
  return Path(std::move(attribute), std::move(steps));
}
PathElement tree_name(std::string name) { return PathElement(std::move(name)); }
PathElement tree_index(uint32_t index) { return PathElement(index); }

TEST(PathTree, JoinsPathsThatBeginAlikeAndSortsThem) {
  const PathTree tree({tree_path("b"), tree_path("a", {tree_name("y")}),
                       tree_path("a", {tree_name("x"), tree_index(10)}),
                       tree_path("a", {tree_name("x"), tree_index(9)})});
  ASSERT_EQ(tree.roots().size(), 2u);
  const auto& a = tree.roots()[0];
  EXPECT_EQ(tree.name(a), "a");
  EXPECT_EQ(tree.name(tree.roots()[1]), "b");
  EXPECT_TRUE(tree.is_leaf(tree.roots()[1]));
  EXPECT_EQ(tree.roots()[1].path, 0u);

  ASSERT_EQ(tree.children(a).size(), 2u);
  const auto& x = tree.children(a)[0];
  EXPECT_EQ(tree.name(x), "x");
  EXPECT_EQ(tree.name(tree.children(a)[1]), "y");
  ASSERT_EQ(tree.children(x).size(), 2u);
  EXPECT_TRUE(tree.is_index(tree.children(x)[0]));
  EXPECT_EQ(tree.index(tree.children(x)[0]), 9u);
  EXPECT_EQ(tree.index(tree.children(x)[1]), 10u);
  EXPECT_EQ(tree.children(x)[0].path, 3u);
}

TEST(PathTree, OfNoPathsHasNoRoots) { EXPECT_TRUE(PathTree(std::vector<Path>()).roots().empty()); }

TEST(PathTree, SortsNamesByTheirBytes) {
  const PathTree tree({tree_path("b"), tree_path("\xc3\xa4"), tree_path("B"), tree_path("ba")});
  std::vector<std::string_view> names;
  for (const PathTree::Node& root : tree.roots()) names.push_back(tree.name(root));
  EXPECT_EQ(names, (std::vector<std::string_view>{"B", "b", "ba", "\xc3\xa4"}));
}

}  // namespace
}  // namespace sheaf::expr
