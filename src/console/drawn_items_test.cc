#include "console/drawn_items.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "console/fitted_widths.h"
#include "draw/text_width.h"

namespace sheaf::console {
namespace {

const KeySchema kKey{.partition = {{.name = "PK"}}, .sort = {{.name = "SK"}}};

size_t widest_line(std::string_view text) {
  size_t widest = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    widest = std::max(widest, static_cast<size_t>(draw::columns(text.substr(0, end))));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return widest;
}

TEST(DrawnItems, AreATableWithKeysFirstAndPartitionsOnce) {
  const std::vector<Item> items{Item{{"PK", "a"}, {"SK", "1"}, {"n", 5}, {"title", "one"}},
                                Item{{"PK", "a"}, {"SK", "2"}, {"n", 50}, {"title", "two"}},
                                Item{{"PK", "b"}, {"SK", "1"}, {"n", 7}}};
  EXPECT_EQ(fitting_form(items, kKey, {}), ItemForm::kTable);
  EXPECT_EQ(drawn(items, kKey, ItemForm::kTable, {}),
            "PK  SK   n  title\n"
            "──  ──  ──  ─────\n"
            "a   1    5  one\n"
            "    2   50  two\n"
            "b   1    7\n");
}

TEST(DrawnItems, AreCutToTheWidth) {
  const std::vector<Item> items{Item{{"PK", "a"}, {"SK", std::string(100, 'x')}, {"text", "a\nb\033[1m"}}};
  const std::string text = drawn(items, kKey, ItemForm::kTable, {.columns = 40});
  EXPECT_EQ(widest_line(text), 40u);
  EXPECT_NE(text.find("x…"), std::string::npos);
  EXPECT_NE(text.find("a\\nb"), std::string::npos);
  EXPECT_EQ(text.find('\033'), std::string::npos);
}

TEST(DrawnItems, AreCollectionsIfTheyHaveLittleInCommon) {
  const std::vector<Item> items{
      Item{{"PK", "a"}, {"SK", "1"}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}, {"f", 1}},
      Item{{"PK", "a"}, {"SK", "2"}, {"g", 1}, {"h", 1}, {"i", 1}, {"j", 1}, {"k", 1}}};
  EXPECT_EQ(fitting_form(items, kKey, {}), ItemForm::kCollections);
  EXPECT_EQ(drawn(items, kKey, ItemForm::kCollections, {.columns = 30}),
            "┌────┬────┬───────────────┐\n"
            "│ PK │ SK │ Attributes    │\n"
            "╞════╪════╪═══╤═══╤═══╤═══╡\n"
            "│ a  │ 1  │ b │ c │ d │ e │\n"
            "│    │    │ 1 │ 1 │ 1 │ 1 │\n"
            "│    │    ├───┼───┴───┴───┤\n"
            "│    │    │ f │           │\n"
            "│    │    │ 1 │           │\n"
            "│    ├────┼───┼───┬───┬───┤\n"
            "│    │ 2  │ g │ h │ i │ j │\n"
            "│    │    │ 1 │ 1 │ 1 │ 1 │\n"
            "│    │    ├───┼───┴───┴───┤\n"
            "│    │    │ k │           │\n"
            "│    │    │ 1 │           │\n"
            "└────┴────┴───┴───────────┘\n");
}

TEST(DrawnItems, AreListsOfTheirAttributes) {
  const std::vector<Item> items{
      Item{{"PK", "a"}, {"SK", "1"}, {"deep", Value(Item{{"x", Value::list({1, 2})}})}, {"none", ""}}};
  EXPECT_EQ(drawn(items, kKey, ItemForm::kList, {}),
            "PK    a\n"
            "SK    1\n"
            "deep  {\n"
            "        \"x\": [\n"
            "          1,\n"
            "          2\n"
            "        ]\n"
            "      }\n"
            "none  \"\"\n");
}

TEST(DrawnItems, HaveColourOnlyIfAsked) {
  const std::vector<Item> items{Item{{"PK", "a"}, {"SK", "1"}, {"n", 5}}};
  for (const ItemForm form : {ItemForm::kTable, ItemForm::kCollections, ItemForm::kList}) {
    EXPECT_EQ(drawn(items, kKey, form, {}).find('\033'), std::string::npos);
    EXPECT_NE(drawn(items, kKey, form, {.has_colour = true}).find('\033'), std::string::npos);
  }
}

TEST(FittedWidths, NarrowTheWidest) {
  EXPECT_EQ(fitting_cap({5, 5}, 10), SIZE_MAX);
  EXPECT_EQ(fitting_cap({2, 20, 30}, 22), 10u);
  EXPECT_EQ(fitting_cap({2, 9, 30}, 26), 15u);
  EXPECT_EQ(fitting_cap({5, 5}, 1), 0u);
}

}  // namespace
}  // namespace sheaf::console
