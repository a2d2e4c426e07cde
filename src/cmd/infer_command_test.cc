// Tables read in part, and data models of NoSQL Workbench written and read again.
#include <gtest/gtest.h>

#include <set>

#include "cmd/observed_table.h"
#include "exports/workbench.h"
#include "infer/infer.h"
#include "infer/recovery.h"
#include "infer/workbench_file.h"
#include "run/running_model.h"

namespace sheaf::cmd {
namespace {

std::unique_ptr<Database> database_with(int items) {
  std::unique_ptr<Database> database = Database::open_in_memory();
  CreateTable request{.table = "orders"};
  request.key.partition = {{"PK", Type::kString}};
  EXPECT_TRUE(database->create_table(request).ok());
  for (int i = 0; i < items; ++i) {
    const Item item{{"PK", "ORDER#" + std::to_string(i)}, {"total", i}};
    EXPECT_TRUE(database->put_item({.table = "orders", .item = item}).ok());
  }
  return database;
}

// A table that is not larger than asked for is read whole; of one item more, as many as asked for.
TEST(TableSample, IsBounded) {
  const std::unique_ptr<Database> database = database_with(200);
  const auto whole = observe_table(*database, "orders", {.items_max = 200});
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(whole->items.size(), 200u);
  EXPECT_EQ(whole->item_count, 200);
  const auto part = observe_table(*database, "orders", {.items_max = 199});
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(part->items.size(), 199u);
  EXPECT_EQ(part->item_count, 200);
  const auto all = observe_table(*database, "orders", {.items_max = 0});
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->items.size(), 200u);
}

TEST(TableSample, ComesFromAllOverTheTable) {
  const std::unique_ptr<Database> database = database_with(400);
  const auto part = observe_table(*database, "orders", {.items_max = 64});
  ASSERT_TRUE(part.ok());
  // In the order in which the table keeps them, some are of its first and some of its last tenth.
  const Result<Page> page = database->scan({.table = "orders"});
  ASSERT_TRUE(page.ok() && !page->last_key);
  std::set<std::string> first, last;
  for (size_t i = 0; i < page->items.size(); ++i) {
    std::string key(page->items[i].find("PK")->bytes());
    if (i < 40) first.insert(key);
    if (i >= 360) last.insert(key);
  }
  size_t in_first = 0, in_last = 0;
  for (const Item& item : part->items) {
    const std::string key(item.find("PK")->bytes());
    in_first += first.contains(key) ? 1 : 0;
    in_last += last.contains(key) ? 1 : 0;
  }
  EXPECT_GT(in_first, 0u);
  EXPECT_GT(in_last, 0u);
}

TEST(TableSample, ATableThatIsNotThereIsSaid) {
  const std::unique_ptr<Database> database = Database::open_in_memory();
  EXPECT_FALSE(observe_table(*database, "orders", {}).ok());
}

// All examples in all layouts: export as workbench, import, and tables, indexes, key templates and entities
// are the same up to names.
TEST(Workbench, WhatIsExportedIsImportedAgain) {
  size_t layouts = 0;
  for (const std::string name :
       {"orgs",     "support",   "places",    "addresses", "shop",      "profile",    "order",
        "accounts", "equipment", "typed_ids", "catalogue", "purchases", "partitions", "posts",
        "friends",  "billing",   "school",    "plans",     "copied",    "customers",  "projects",
        "repos",    "movies",    "repo_ids",  "hr"}) {
    const model::CompiledModel original = model::compile(name, run::model_file(name + "/model.sheaf"));
    for (const model::Layout& layout : original.layouts) {
      const std::string what = name + " " + layout.name;
      const Result<run::Data> data =
          run::read_data(original.model, layout, run::model_file(name + "/data.json"));
      ASSERT_TRUE(data.ok()) << what;
      const Result<std::string> file = exports::to_workbench(original.model, layout, &*data);
      ASSERT_TRUE(file.ok()) << what;
      const Result<infer::Observed> observed = infer::read_workbench(*file);
      ASSERT_TRUE(observed.ok()) << what << observed.error().message;
      const infer::Inferred inferred = infer::infer_model(*observed);
      EXPECT_TRUE(inferred.given_up.empty()) << what << inferred.given_up.front();
      const model::CompiledModel compiled = model::compile("imported", inferred.text);
      ASSERT_TRUE(compiled.ok()) << what << compiled.rendered();
      const model::Layout& found = compiled.layouts.front();
      std::set<std::string> wanted_tables, found_tables;
      for (const model::Table& table : layout.tables) wanted_tables.insert(infer::table_text(table));
      for (const model::Table& table : found.tables) found_tables.insert(infer::table_text(table));
      EXPECT_EQ(found_tables, wanted_tables) << what;
      std::multiset<std::string> wanted_kinds, found_kinds;
      for (const model::ItemKind& kind : layout.item_kinds)
        wanted_kinds.insert(infer::shape_text(layout, kind));
      for (const model::ItemKind& kind : found.item_kinds) found_kinds.insert(infer::shape_text(found, kind));
      EXPECT_EQ(found_kinds, wanted_kinds) << what << inferred.text;
      ++layouts;
    }
  }
  EXPECT_EQ(layouts, 57u);
}

// Without sample data: facets say what their keys are. What only items can show, which index they are in, is
// left.
TEST(Workbench, KeysAreKnownWithoutData) {
  for (const std::string name : {"orgs", "shop", "projects", "support", "repos", "customers"}) {
    const model::CompiledModel original = model::compile(name, run::model_file(name + "/model.sheaf"));
    const model::Layout& layout = original.layouts.front();
    const Result<std::string> file = exports::to_workbench(original.model, layout, nullptr);
    ASSERT_TRUE(file.ok());
    const Result<infer::Observed> observed = infer::read_workbench(*file);
    ASSERT_TRUE(observed.ok()) << observed.error().message;
    const infer::Inferred inferred = infer::infer_model(*observed);
    const model::CompiledModel compiled = model::compile("imported", inferred.text);
    ASSERT_TRUE(compiled.ok()) << compiled.rendered();
    const auto keys = [](const model::Layout& of) {
      std::multiset<std::string> all;
      for (const model::ItemKind& kind : of.item_kinds) {
        const std::string text = infer::shape_text(of, kind);
        all.insert(text.substr(0, text.find(';')));
      }
      return all;
    };
    EXPECT_EQ(keys(compiled.layouts.front()), keys(layout)) << inferred.text;
  }
}

}  // namespace
}  // namespace sheaf::cmd
