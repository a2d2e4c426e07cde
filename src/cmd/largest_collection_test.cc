#include "cmd/largest_collection.h"

#include <gtest/gtest.h>

namespace sheaf::cmd {
namespace {

// A20: items and bytes of the largest item collection, of a table and of an index.
TEST(LargestCollection, IsTheOneWithTheMostBytes) {
  const auto database = Database::open_in_memory({.background_thread = false});
  ASSERT_TRUE(database
                  ->create_table({.table = "things",
                                  .key = {.partition = {{"pk"}}, .sort = {{"sk"}}},
                                  .global_indexes = {{.name = "by_g", .key = {.partition = {{"g"}}}}}})
                  .ok());
  EXPECT_EQ(largest_collection(*database, "things", "")->items, 0u);
  for (const Item& item :
       {Item{{"pk", "a"}, {"sk", "1"}, {"x", std::string(500, 'x')}},
        Item{{"pk", "b"}, {"sk", "1"}, {"g", "all"}}, Item{{"pk", "b"}, {"sk", "2"}, {"g", "all"}},
        Item{{"pk", "c"}, {"sk", "1"}, {"g", "one"}}}) {
    ASSERT_TRUE(database->put_item({.table = "things", .item = item}).ok());
  }
  const auto of_table = largest_collection(*database, "things", "");
  ASSERT_TRUE(of_table.ok());
  EXPECT_EQ(of_table->key, "\"a\"");
  EXPECT_EQ(of_table->items, 1u);
  EXPECT_EQ(of_table->bytes, 507u);  // pk a sk 1 x and 500
  const auto of_index = largest_collection(*database, "things", "by_g");
  ASSERT_TRUE(of_index.ok());
  EXPECT_EQ(of_index->key, "\"all\"");
  EXPECT_EQ(of_index->items, 2u);
  EXPECT_EQ(of_index->bytes, 20u);  // twice pk b sk 1 g all
  EXPECT_FALSE(largest_collection(*database, "things", "none").ok());
}

}  // namespace
}  // namespace sheaf::cmd
