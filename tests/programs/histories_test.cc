// What many threads see of one database: single operations in one order, transactions in one order, streams
// without gaps, indexes that fit their tables.
#include "programs/histories.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <set>

#include "programs/event_chain.h"
#include "programs/linearizability.h"
#include "programs/transaction_order.h"

namespace sheaf::programs {
namespace {

class Histories : public testing::TestWithParam<StoreKind> {
 protected:
  SharedDatabase database_{GetParam()};
};

std::optional<int64_t> number_in(const std::optional<Item>& item, std::string_view attribute) {
  if (!item || !item->find(attribute)) return std::nullopt;
  return item->find(attribute)->number().to_int64().value();
}

// One random operation on the item `key`, with what it saw. `last`: what the thread saw of it before.
ItemOperation operate(SharedDatabase& database, Dice& dice, const std::string& key, int64_t fresh,
                      std::optional<int64_t> last) {
  using Kind = ItemOperation::Kind;
  ItemOperation operation{.kind = static_cast<Kind>(dice.below(5)), .argument = fresh};
  const Item item_key{{"pk", key}};
  operation.called = database.moment();
  switch (operation.kind) {
    case Kind::kPut: {
      const PutItem put{
          .table = "hot", .item = {{"pk", key}, {"n", fresh}}, .return_values = ReturnValues::kAllOld};
      operation.seen = number_in(insist([&] { return database->put_item(put); }).attributes, "n");
      break;
    }
    case Kind::kGet:
      operation.seen = number_in(
          database->get_item({.table = "hot", .key = item_key, .consistent = true}).value().item, "n");
      break;
    case Kind::kAdd: {
      operation.argument = 1;
      const UpdateItem update{.table = "hot",
                              .key = item_key,
                              .update = "ADD n :one",
                              .values = {{":one", 1}},
                              .return_values = ReturnValues::kAllNew};
      operation.seen = number_in(insist([&] { return database->update_item(update); }).attributes, "n");
      break;
    }
    case Kind::kReplace: {
      operation.expected = last;
      UpdateItem update{.table = "hot",
                        .key = item_key,
                        .update = "SET n = :new",
                        .condition = last ? "n = :old" : "attribute_not_exists(pk)",
                        .values = {{":new", fresh}},
                        .return_values = ReturnValues::kAllOld,
                        .return_item_on_failure = true};
      if (last) update.values.set(":old", Value(*last));
      const Written written = insist([&] { return database->update_item(update); });
      operation.done = written.condition_met;
      operation.seen = number_in(written.attributes, "n");
      break;
    }
    case Kind::kDelete: {
      const Result<Written> written =
          database->delete_item({.table = "hot", .key = item_key, .return_values = ReturnValues::kAllOld});
      operation.seen = number_in(written.value().attributes, "n");
      break;
    }
  }
  operation.answered = database.moment();
  return operation;
}

// A15: a consistent read sees what was written, and single operations take effect one after the other.
TEST_P(Histories, SingleItemOperationsAreLinearizable) {
  constexpr uint32_t kThreads = 12, kKeys = 4;
  ASSERT_TRUE(database_->create_table({.table = "hot", .key = {.partition = {{"pk", Type::kString}}}}).ok());
  std::vector<std::vector<std::vector<ItemOperation>>> by_thread(
      kThreads, std::vector<std::vector<ItemOperation>>(kKeys));
  run_threads(kThreads, [&](uint32_t thread) {
    Dice dice(thread + 1);
    std::vector<std::optional<int64_t>> last(kKeys);
    for (uint32_t i = 0; i < scaled(1000, GetParam()); ++i) {
      const uint64_t key = dice.below(kKeys);
      const int64_t fresh = int64_t{thread + 1} * 1'000'000'000 + int64_t{i} * 1000;
      const ItemOperation operation = operate(database_, dice, "k" + std::to_string(key), fresh, last[key]);
      using Kind = ItemOperation::Kind;
      const bool written =
          operation.kind == Kind::kPut || (operation.kind == Kind::kReplace && operation.done);
      last[key] = written                           ? operation.argument
                  : operation.kind == Kind::kDelete ? std::nullopt
                                                    : operation.seen;
      by_thread[thread][key].push_back(operation);
    }
  });
  for (uint32_t key = 0; key < kKeys; ++key) {
    std::vector<ItemOperation> history;
    for (const auto& of_thread : by_thread)
      history.insert(history.end(), of_thread[key].begin(), of_thread[key].end());
    const std::optional<std::string> unexplained = find_unexplained(std::move(history));
    EXPECT_FALSE(unexplained) << *unexplained;
  }
}

constexpr uint32_t kAccounts = 6;
constexpr int64_t kBalance = 1000;

std::string account_name(uint64_t number) { return "account-" + std::to_string(number); }
Item account_key(const std::string& name) { return {{"pk", name}}; }

// One thread of the bank: reads accounts together, then moves money between two of them, on condition that
// they and a third are still as they were read.
class Teller {
 public:
  Teller(SharedDatabase& database, uint32_t thread)
      : database_(database), dice_(thread + 1), thread_(thread) {}

  void transfer(uint32_t round) {
    const std::map<std::string, Item> seen = read(dice_.one_in(4) ? kAccounts : 3);
    if (seen.size() < 3) return;
    auto at = seen.begin();
    const Item& from = (at++)->second;
    const Item& to = (at++)->second;
    const Item& checked = at->second;
    const int64_t amount = static_cast<int64_t>(dice_.below(20));
    const uint64_t version = uint64_t{thread_ + 1} * 1'000'000 + uint64_t{round} * 2;
    TransactWriteItems request;
    request.actions = {update(from, -amount, version), update(to, amount, version + 1), check(checked)};
    if (dice_.one_in(2)) std::swap(request.actions[0], request.actions[2]);

    TransactionRecord record{.called = database_.moment()};
    const Result<TransactWritten> written = database_->transact_write_items(request);
    record.answered = database_.moment();
    if (!written.ok()) {
      EXPECT_EQ(written.error().code, Code::kConflict) << written.error().message;
      return;
    }
    for (const Item* item : {&from, &to, &checked}) record.read[name_of(*item)] = version_of(*item);
    if (written->applied) {
      record.written = {{name_of(from), version}, {name_of(to), version + 1}};
      ++applied;
    } else {
      // What stood in the way was read as well.
      for (const CancellationReason& reason : written->reasons) {
        if (reason.item) record.read[name_of(*reason.item)] = version_of(*reason.item);
      }
    }
    records.push_back(std::move(record));
  }

  std::vector<TransactionRecord> records;
  uint64_t applied = 0;

 private:
  static std::string name_of(const Item& item) { return std::string(item.find("pk")->bytes()); }
  static uint64_t version_of(const Item& item) { return static_cast<uint64_t>(*number_in(item, "version")); }

  std::map<std::string, Item> read(uint32_t count) {
    std::set<std::string> names;
    while (names.size() < count) names.insert(account_name(dice_.below(kAccounts)));
    TransactGetItems request;
    for (const std::string& name : names) request.gets.push_back({.table = "bank", .key = account_key(name)});
    TransactionRecord record{.called = database_.moment()};
    const Result<TransactGot> got = database_->transact_get_items(request);
    record.answered = database_.moment();
    std::map<std::string, Item> seen;
    int64_t sum = 0;
    for (const std::optional<Item>& item : got.value().items) {
      seen.emplace(name_of(*item), *item);
      record.read[name_of(*item)] = version_of(*item);
      sum += *number_in(*item, "balance");
    }
    if (count == kAccounts) {
      EXPECT_EQ(sum, kAccounts * kBalance) << "money came or went";
    }
    records.push_back(std::move(record));
    return seen;
  }

  static UpdateItem update(const Item& item, int64_t amount, uint64_t version) {
    return {.table = "bank",
            .key = account_key(name_of(item)),
            .update = "SET version = :new ADD balance :amount",
            .condition = "version = :old",
            .values = {{":new", static_cast<int64_t>(version)},
                       {":amount", amount},
                       {":old", static_cast<int64_t>(version_of(item))}},
            .return_item_on_failure = true};
  }

  static ConditionCheck check(const Item& item) {
    return {.table = "bank",
            .key = account_key(name_of(item)),
            .condition = "version = :old",
            .values = {{":old", static_cast<int64_t>(version_of(item))}},
            .return_item_on_failure = true};
  }

  SharedDatabase& database_;
  Dice dice_;
  const uint32_t thread_;
};

// A14: several writes in one transaction all happen or none does, and all transactions have one order.
TEST_P(Histories, TransactionsAreStrictlySerializable) {
  constexpr uint32_t kThreads = 10;
  ASSERT_TRUE(database_->create_table({.table = "bank", .key = {.partition = {{"pk", Type::kString}}}}).ok());
  for (uint32_t i = 0; i < kAccounts; ++i) {
    const Item account{{"pk", account_name(i)}, {"balance", kBalance}, {"version", 0}};
    ASSERT_TRUE(database_->put_item({.table = "bank", .item = account}).ok());
  }
  std::vector<TransactionRecord> all;
  uint64_t applied = 0;
  std::mutex mutex;
  run_threads(kThreads, [&](uint32_t thread) {
    Teller teller(database_, thread);
    for (uint32_t round = 1; round <= scaled(600, GetParam()); ++round) teller.transfer(round);
    std::lock_guard lock(mutex);
    all.insert(all.end(), teller.records.begin(), teller.records.end());
    applied += teller.applied;
  });
  EXPECT_GT(applied, 10u);
  const std::optional<std::string> cycle = find_cycle(all);
  EXPECT_FALSE(cycle) << *cycle;
}

INSTANTIATE_TEST_SUITE_P(Stores, Histories, testing::ValuesIn(kStoreKinds), store_name);

}  // namespace
}  // namespace sheaf::programs
