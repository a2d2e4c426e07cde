#include "engine/record.h"

#include <gtest/gtest.h>

#include "value/hex_text.h"

namespace sheaf::engine {
namespace {

// doc/key-format.md, "Items"
TEST(Record, IsLaidOutAsDocumented) {
  const Item item{{"a", 1}};
  EXPECT_EQ(hex(make_record(item.encoded(), item.view().size_bytes())), "01 03 01 01 61 03 03 C1 02 00");
}

TEST(Record, ReadsBackWithItsSize) {
  for (const size_t length : {0u, 10u, 120u, 130u, 16'000u, 17'000u, 409'000u}) {
    const Item item{{"PK", "p"}, {"text", std::string(length, 'x')}};
    const StoredItem stored(make_record(item.encoded(), item.view().size_bytes()));
    EXPECT_EQ(Item(stored.item()), item);
    EXPECT_EQ(stored.size_bytes(), 2 + 1 + 4 + length);
    EXPECT_EQ(stored.record().size_bytes, stored.size_bytes());
  }
}

TEST(Record, AnItemKeepsItsBytesWhenItIsMoved) {
  const Item item{{"PK", "p"}};
  StoredItem stored(make_record(item.encoded(), item.view().size_bytes()));
  const std::string bytes(stored.bytes());
  const StoredItem moved = std::move(stored);
  EXPECT_EQ(moved.bytes(), bytes);
  EXPECT_EQ(Item(moved.item()), item);
}

}  // namespace
}  // namespace sheaf::engine
