#include "infer/names.h"

#include <gtest/gtest.h>

namespace sheaf::infer {
namespace {

TEST(Names, WordsBecomeNamesOfEachKind) {
  EXPECT_EQ(entity_name("ORDER_ITEM"), "OrderItem");
  EXPECT_EQ(entity_name("d-e-relationship"), "DERelationship");
  EXPECT_EQ(entity_name("#7"), "Item7");
  EXPECT_EQ(member_name("OrderItem"), "order_item");
  EXPECT_EQ(pattern_name("order_items"), "orderItems");
}

TEST(Names, SingularTakesBackWhatPluralDoes) {
  for (const char* word : {"user", "city", "day", "address", "box", "branch", "order"})
    EXPECT_EQ(singular(plural(word)), word);
}

TEST(Names, ANameIsGivenOnce) {
  NameSet names;
  EXPECT_EQ(names.claim("order"), "order");
  EXPECT_EQ(names.claim("order"), "order2");
}

}  // namespace
}  // namespace sheaf::infer
