#include "watch/key_names.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "model/compiled_model.h"

namespace sheaf::watch {
namespace {

constexpr std::string_view kShopText = R"(
model shop {
  entity Customer { id id matches "c-.+"; name }
  entity Order { id id matches "o-.+"; status enum(OPEN, PAID); placed_on date immutable }
  entity Tag { name id }
  entity Log { id id ulid; at time immutable since "2026-01-01" }
  rel Customer 1--* Order as orders / customer { required; on delete cascade }
  rel Order *--* Tag as tags / orders
  layout stored {
    table shop { pk PK; sk SK; gsi by_status GSI1PK / GSI1SK all; gsi inverted SK / PK all }
    entity Customer { key "CUSTOMER#<id>" / "CUSTOMER#<id>" }
    entity Order {
      key "CUSTOMER#<customer.id>" / "ORDER#<id>";
      index by_status "STATUS#<status>" / "<placed_on>"
    }
    entity Tag { key "TAGS" / "TAG#<name>" }
    entity Log { key "LOG#<at:month>" / "LOG#<id>" }
    rel Customer.orders via collection
    rel Order.tags via edges pk orders key "TAGGED#<orders.id>" / "TAGGED#<tags.name>"
  }
})";

class KeyNamesTest : public testing::Test {
 protected:
  KeyNamesTest() : compiled_(model::compile("shop.sheaf", std::string(kShopText))) {
    if (!compiled_.ok()) throw std::runtime_error(compiled_.rendered());
    names_.add(compiled_.model, compiled_.layouts.back());
  }
  std::string item(const Item& key, std::string_view index = "") const {
    const KeyName name = names_.item("shop", index, key);
    return name.kind + ": " + name.text;
  }
  std::string partition(const Item& key, std::string_view index = "") const {
    const KeyName name = names_.partition("shop", index, key);
    return name.kind + ": " + name.text;
  }

  const model::CompiledModel compiled_;
  KeyNames names_;
};

TEST_F(KeyNamesTest, AnItemIsNamedByItsEntityAndWhatItBelongsTo) {
  EXPECT_EQ(item({{"PK", "CUSTOMER#c-3"}, {"SK", "ORDER#o-17"}}), "Order: Order o-17 of Customer c-3");
  EXPECT_EQ(item({{"PK", "CUSTOMER#c-3"}, {"SK", "CUSTOMER#c-3"}}), "Customer: Customer c-3");
  EXPECT_EQ(item({{"PK", "TAGS"}, {"SK", "TAG#new"}}), "Tag: Tag new");
}

TEST_F(KeyNamesTest, WhatAModelKeepsForItselfIsToldAsIts) {
  const Item key{{"pk", "layout#stored"}, {"sk", "lease"}};
  const KeyName own{.kind = "records of shop", .text = "pk=layout#stored, sk=lease"};
  EXPECT_EQ(names_.item("shop-sheaf", "", key), own);
  EXPECT_EQ(names_.partition("shop-sheaf", "", key), own);
  EXPECT_EQ(names_.item("other-sheaf", "", key).kind, "");
}

TEST_F(KeyNamesTest, AnEdgeIsNamedByItsRelationAndBothEnds) {
  EXPECT_EQ(item({{"PK", "TAGGED#o-17"}, {"SK", "TAGGED#new"}}),
            "Order.tags: Order.tags: Order o-17, Tag new");
}

TEST_F(KeyNamesTest, APartitionIsNamedByWhoseItIs) {
  EXPECT_EQ(partition({{"PK", "CUSTOMER#c-3"}}), "Customer: Customer c-3");
  EXPECT_EQ(partition({{"PK", "TAGGED#o-17"}}), "Order: Order o-17");
  EXPECT_EQ(partition({{"PK", "TAGS"}}), "Tag: all of Tag");
  EXPECT_EQ(partition({{"PK", "LOG#2026-11"}}), "Log: Log (at in 2026-11)");
}

TEST_F(KeyNamesTest, KeysOfIndexesHaveNamesToo) {
  EXPECT_EQ(partition({{"GSI1PK", "STATUS#OPEN"}}, "by_status"), "Order: Order (status OPEN)");
  EXPECT_EQ(item({{"GSI1PK", "STATUS#OPEN"}, {"GSI1SK", "2026-11-16"}}, "by_status"),
            "Order: Order (status OPEN, placed_on 2026-11-16)");
  EXPECT_EQ(partition({{"SK", "ORDER#o-17"}}, "inverted"), "Order: Order o-17");
  EXPECT_EQ(item({{"SK", "ORDER#o-17"}, {"PK", "CUSTOMER#c-3"}}, "inverted"),
            "Order: Order o-17 of Customer c-3");
}

TEST_F(KeyNamesTest, WhatNoModelExplainsIsToldAsItIs) {
  EXPECT_EQ(item({{"PK", "NOBODY#1"}, {"SK", "x"}}), ": PK=NOBODY#1, SK=x");
  EXPECT_EQ(item({{"PK", "CUSTOMER#d-3"}, {"SK", "CUSTOMER#d-3"}}), ": PK=CUSTOMER#d-3, SK=CUSTOMER#d-3")
      << "no id of a customer";
  EXPECT_EQ(partition({{"PK", "NOBODY#1"}}), ": PK=NOBODY#1");
  EXPECT_EQ(partition({{"x", "1"}}, "no_such_index"), ": x=1");
  EXPECT_EQ(names_.item("elsewhere", "", Item{{"id", 7}}).text, "id=7");
}

}  // namespace
}  // namespace sheaf::watch
