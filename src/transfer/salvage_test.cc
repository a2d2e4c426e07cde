// What can be read of a table that is damaged.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "api/forwarding_database.h"
#include "transfer/dump.h"
#include "transfer/item_judge.h"
#include "transfer/load.h"
#include "transfer/transfer_fixture.h"

namespace sheaf::transfer {
namespace {

// Some items lie in parts that are damaged: no page can be had that touches one of them, nor, as in a store,
// one of a range that would have to be looked for there.
class DamagedDatabase : public ForwardingDatabase {
 public:
  DamagedDatabase(Database& inner, TableDescription table)
      : ForwardingDatabase(inner), table_(std::move(table)), judge_(table_) {
    for (const Item& item : all_items()) order_.insert(*judge_.key_of(item));
  }
  void damage(size_t from, size_t count) {
    auto each = std::next(order_.begin(), static_cast<std::ptrdiff_t>(from));
    for (size_t i = 0; i < count; ++i) damaged_.insert(*each++);
  }

  Result<Page> scan(const Scan& request) override { return whole(ForwardingDatabase::scan(request)); }
  Result<Page> query(const Query& request) override { return whole(ForwardingDatabase::query(request)); }

 private:
  std::vector<Item> all_items() {
    std::vector<Item> items;
    Scan request{.table = table_.name};
    do {
      const Result<Page> page = ForwardingDatabase::scan(request);
      EXPECT_TRUE(page.ok());
      for (size_t i = 0; i < page->items.size(); ++i) items.emplace_back(page->items[i]);
      request.start_key = page->last_key;
    } while (request.start_key);
    return items;
  }
  Result<Page> whole(Result<Page> page) const {
    if (!page.ok()) return page;
    for (size_t i = 0; i < page->items.size(); ++i) {
      if (damaged_.contains(*judge_.key_of(page->items[i])))
        return Error{Code::kCorrupt, "a block is damaged"};
    }
    return page;
  }

  const TableDescription table_;
  const ItemJudge judge_;
  std::set<std::string> order_, damaged_;
};

class SalvageTest : public TransferTest {
 protected:
  TableDescription fill(int collections, int items_each) {
    EXPECT_TRUE(database_
                    ->create_table({.table = "Things",
                                    .key = {.partition = {{.name = "pk"}},
                                            .sort = {{.name = "sk", .type = Type::kNumber}}}})
                    .ok());
    for (int i = 0; i < collections; ++i) {
      for (int j = 0; j < items_each; ++j)
        EXPECT_TRUE(
            database_->put_item({.table = "Things", .item = {{"pk", std::to_string(i)}, {"sk", j}}}).ok());
    }
    return *database_->describe_table("Things");
  }
  Result<Dumped> dumped(Database& database, const TableDescription& table, bool is_salvage) {
    return dump(database, table,
                {.format = Format::kPlainJson, .out = folder_.path("out.jsonl"), .is_salvage = is_salvage});
  }
};

TEST_F(SalvageTest, OfWholeTablesHasEverything) {
  const TableDescription table = fill(50, 3);
  const Result<Dumped> saved = dumped(*database_, table, true);
  ASSERT_TRUE(saved.ok()) << saved.error().message;
  EXPECT_EQ(saved->items, 150u);
  EXPECT_EQ(saved->gaps, 0u);
}

TEST_F(SalvageTest, GoesOnBehindEveryDamagedPart) {
  const TableDescription table = fill(400, 1);
  DamagedDatabase damaged(*database_, table);
  damaged.damage(0, 1);
  damaged.damage(100, 5);
  damaged.damage(399, 1);
  EXPECT_EQ(dumped(damaged, table, false).error().code, Code::kCorrupt);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out.jsonl.part"))) << "it would be in the way";
  const Result<Dumped> saved = dumped(damaged, table, true);
  ASSERT_TRUE(saved.ok()) << saved.error().message;
  EXPECT_EQ(saved->items, 393u);
  EXPECT_GE(saved->gaps, 3u);
  // Each once.
  const Result<Loaded> loaded =
      load(*database_, table, {.files = {folder_.path("out.jsonl")}, .is_if_absent = true});
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->there, 393u);
}

TEST_F(SalvageTest, APartIsOneGapHoweverManyKeysItHas) {
  const TableDescription table = fill(400, 1);
  DamagedDatabase damaged(*database_, table);
  damaged.damage(30, 5);
  damaged.damage(60, 1);
  const Result<Dumped> saved = dumped(damaged, table, true);
  ASSERT_TRUE(saved.ok()) << saved.error().message;
  EXPECT_EQ(saved->items, 394u);
  EXPECT_EQ(saved->gaps, 2u);
}

TEST_F(SalvageTest, ALargeCollectionIsReadFromBothEnds) {
  const TableDescription table = fill(1, 500);
  DamagedDatabase damaged(*database_, table);
  damaged.damage(200, 10);
  const Result<Dumped> saved = dumped(damaged, table, true);
  ASSERT_TRUE(saved.ok()) << saved.error().message;
  EXPECT_EQ(saved->items, 490u);
  EXPECT_EQ(saved->gaps, 1u);
}

}  // namespace
}  // namespace sheaf::transfer
