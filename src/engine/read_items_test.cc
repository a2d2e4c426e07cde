#include "engine/read_items.h"

#include <gtest/gtest.h>

#include "engine/engine_fixture.h"

namespace sheaf::engine {
namespace {

Item key(std::string_view sort) { return Item{{"PK", "p"}, {"SK", sort}}; }

class ReadItems : public EngineTest {
 protected:
  ReadItems() {
    create(collection_table("t"));
    for (const char* sort : {"a", "b", "c"}) put("t", Item{{"PK", "p"}, {"SK", sort}, {"name", sort}});
  }

  std::vector<ItemRead> reads(std::initializer_list<std::string_view> sorts) {
    std::vector<ItemRead> reads;
    for (const std::string_view sort : sorts) reads.push_back(*ItemRead::of_key(table("t"), key(sort)));
    return reads;
  }
};

// A6: GetItem
TEST_F(ReadItems, AnItemIsFoundByItsKeyOrNotAtAll) {
  EXPECT_EQ(get("t", key("b")), (Item{{"PK", "p"}, {"SK", "b"}, {"name", "b"}}));
  EXPECT_EQ(get("t", key("x")), std::nullopt);
}

TEST_F(ReadItems, AWrongKeyIsRefused) {
  EXPECT_EQ(outcome_of(ItemRead::of_key(table("t"), Item{{"PK", "p"}})),
            "The provided key element does not match the schema");
}

// A18: the details of found ids
TEST_F(ReadItems, ManyItemsComeInTheOrderAskedFor) {
  for (const ReadMode mode : {ReadMode::kEventual, ReadMode::kStrong, ReadMode::kTransactional}) {
    const auto found = engine::read_items(engine(), reads({"c", "x", "a", "c"}), mode, {});
    ASSERT_TRUE(found.ok()) << outcome_of(found);
    ASSERT_EQ(found->size(), 4u);
    EXPECT_EQ((*found)[0]->item().find("name")->bytes(), "c");
    EXPECT_FALSE((*found)[1]);
    EXPECT_EQ((*found)[2]->item().find("name")->bytes(), "a");
    EXPECT_EQ((*found)[3]->item().find("name")->bytes(), "c");
  }
}

TEST_F(ReadItems, ASizeComesWithEachItem) {
  EXPECT_EQ((*read_item(engine(), reads({"a"}).front(), ReadMode::kStrong, {}))->size_bytes(),
            2u + 1 + 2 + 1 + 4 + 1);
}

}  // namespace
}  // namespace sheaf::engine
