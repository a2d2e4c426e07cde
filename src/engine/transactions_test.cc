// Several writes that all happen or none of them does.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "engine/engine_fixture.h"
#include "engine/hooked_store.h"
#include "engine/store_audit.h"
#include "value/random_value.h"

namespace sheaf::engine {
namespace {

Item transaction_key(std::string_view sort) { return Item{{"PK", "p"}, {"SK", sort}}; }
Item item(std::string_view sort, int n) { return Item{{"PK", "p"}, {"SK", sort}, {"n", n}}; }

class Transactions : public EngineTest {
 protected:
  Transactions() {
    TableSettings settings = collection_table("t");
    settings.indexes = {
        global_index("gsi", {.partition = {text_key("g")}, .sort = {}}, ProjectionKind::kKeysOnly)};
    settings.streams = {{.view = StreamView::kNewAndOldImages}};
    create(settings);
  }

  WriteAnswer run(WriteRequest request) {
    Result<WriteAnswer> answer = write_items(engine(), std::move(request));
    EXPECT_TRUE(answer.ok()) << outcome_of(answer);
    return std::move(*answer);
  }

  // "ok", "condition" or the message, for each write.
  static std::vector<std::string> reasons(const WriteAnswer& answer) {
    std::vector<std::string> reasons;
    for (const ItemWritten& each : answer.items) {
      reasons.push_back(each.error ? each.error->message : each.condition_met ? "ok" : "condition");
    }
    return reasons;
  }

  size_t log_size() { return rows_of(store(), store::Space::kLog).size(); }
};

// A14: several updates in one collection all succeed.
TEST_F(Transactions, AllWritesHappenTogether) {
  put("t", item("old", 1));
  put("t", item("changed", 1));
  put("t", item("checked", 1));
  const WriteAnswer answer = run(transaction_of(
      put_write(table("t"), item("new", 5)), delete_write(table("t"), transaction_key("old")),
      update_write(table("t"), transaction_key("changed"), update_of("SET n = :two", {{":two", 2}})),
      check_write(table("t"), transaction_key("checked"), condition_of("n = :one", {{":one", 1}}))));
  EXPECT_TRUE(answer.applied);
  EXPECT_EQ(reasons(answer), (std::vector<std::string>{"ok", "ok", "ok", "ok"}));
  EXPECT_EQ(get("t", transaction_key("new")), item("new", 5));
  EXPECT_EQ(get("t", transaction_key("old")), std::nullopt);
  EXPECT_EQ(get("t", transaction_key("changed")), item("changed", 2));
  EXPECT_EQ(get("t", transaction_key("checked")), item("checked", 1));
  expect_sound(store(), table("t")->settings);
}

// A14: ... or all fail.
TEST_F(Transactions, OneFailedConditionUndoesAll) {
  put("t", item("there", 1));
  const Rows before = rows_of(store(), store::Space::kItems);
  const size_t log_before = log_size();
  const WriteAnswer answer = run(transaction_of(
      put_write(table("t"), item("new", 5)), delete_write(table("t"), transaction_key("there")),
      check_write(table("t"), transaction_key("missing"), condition_of("attribute_exists(PK)"))));
  EXPECT_FALSE(answer.applied);
  EXPECT_EQ(reasons(answer), (std::vector<std::string>{"ok", "ok", "condition"}));
  EXPECT_EQ(rows_of(store(), store::Space::kItems), before);
  EXPECT_EQ(log_size(), log_before);
}

TEST_F(Transactions, EveryFailedConditionIsReportedWithItsItem) {
  put("t", item("a", 1));
  const expr::Condition two = condition_of("n = :two", {{":two", 2}});
  const WriteAnswer answer =
      run(transaction_of(put_write(table("t"), item("a", 3), two), put_write(table("t"), item("b", 3)),
                         delete_write(table("t"), transaction_key("c"), two)));
  EXPECT_EQ(reasons(answer), (std::vector<std::string>{"condition", "ok", "condition"}));
  EXPECT_EQ(Item(answer.items[0].before->item()), item("a", 1));
  EXPECT_FALSE(answer.items[2].before);
}

TEST_F(Transactions, AWriteThatCannotBeDoneIsAReasonNotAnError) {
  put("t", Item{{"PK", "p"}, {"SK", "text"}, {"n", "text"}});
  const WriteAnswer answer = run(transaction_of(
      put_write(table("t"), item("new", 5)),
      update_write(table("t"), transaction_key("text"), update_of("SET n = n + :one", {{":one", 1}})),
      put_write(table("t"), Item{{"PK", "p"}, {"SK", "unfit"}, {"g", 1}})));
  EXPECT_FALSE(answer.applied);
  EXPECT_EQ(reasons(answer), (std::vector<std::string>{
                                 "ok", "An operand in the update expression has an incorrect data type",
                                 "One or more parameter values were invalid: Type mismatch for Index Key g "
                                 "Expected: S Actual: N IndexName: gsi"}));
  EXPECT_EQ(get("t", transaction_key("new")), std::nullopt);
}

// A1, G1
TEST_F(Transactions, AnUpdateBeyondTheItemSizeIsAReason) {
  put("t", Item{{"PK", "p"}, {"SK", "big"}, {"text", std::string(300'000, 'x')}});
  const WriteAnswer answer =
      run(transaction_of(update_write(table("t"), transaction_key("big"),
                                      update_of("SET more = :m", {{":m", std::string(200'000, 'y')}})),
                         put_write(table("t"), item("new", 1))));
  EXPECT_EQ(reasons(answer),
            (std::vector<std::string>{"Item size to update has exceeded the maximum allowed size", "ok"}));
  EXPECT_EQ(get("t", transaction_key("new")), std::nullopt);
}

TEST_F(Transactions, AnUpdateThatFailsLeavesNoGhost) {
  run(transaction_of(
      update_write(table("t"), transaction_key("ghost"), update_of("SET n = :one", {{":one", 1}})),
      check_write(table("t"), transaction_key("missing"), condition_of("attribute_exists(PK)"))));
  EXPECT_EQ(get("t", transaction_key("ghost")), std::nullopt);
  EXPECT_TRUE(rows_of(store(), store::Space::kItems).empty());
}

TEST_F(Transactions, TheRecordsOfATransactionHaveOneStampAndTheOrderOfTheWrites) {
  run(transaction_of(put_write(table("t"), item("c", 1)), put_write(table("t"), item("a", 1)),
                     put_write(table("t"), item("b", 1))));
  const std::vector<ChangeEvent> records = events("t");
  ASSERT_EQ(records.size(), 3u) << "one collection is in one shard";
  EXPECT_EQ(records[0].key, transaction_key("c"));
  EXPECT_EQ(records[1].key, transaction_key("a"));
  EXPECT_EQ(records[2].key, transaction_key("b"));
  for (const ChangeEvent& event : records) EXPECT_EQ(event.sequence.stamp, records[0].sequence.stamp);
  EXPECT_EQ(records[2].sequence.position, 2);
}

TEST_F(Transactions, TablesCanBeMixed) {
  create(table_settings("other", {.partition = {number_key("id")}, .sort = {}}));
  EXPECT_TRUE(
      run(transaction_of(put_write(table("t"), item("a", 1)), put_write(table("other"), Item{{"id", 7}}),
                         put_write(table("t"), item("b", 1))))
          .applied);
  EXPECT_TRUE(get("other", Item{{"id", 7}}));
  EXPECT_TRUE(get("t", transaction_key("b")));
  ASSERT_TRUE(delete_table(engine(), "other").ok());
}

TEST_F(Transactions, ATableOfTheTransactionThatIsGoneRefusesIt) {
  create(table_settings("other", {.partition = {number_key("id")}, .sort = {}}));
  WriteRequest request =
      transaction_of(put_write(table("t"), item("a", 1)), put_write(table("other"), Item{{"id", 7}}));
  ASSERT_TRUE(delete_table(engine(), "other").ok());
  EXPECT_EQ(write_items(engine(), std::move(request)).error().code, Code::kNotFound);
  EXPECT_EQ(get("t", transaction_key("a")), std::nullopt);
}

TEST_F(Transactions, AHundredItemsAreWrittenAtOnce) {
  WriteRequest request{.transaction = true};
  for (int i = 0; i < 100; ++i) request.writes.push_back(put_write(table("t"), item(std::to_string(i), i)));
  EXPECT_TRUE(run(std::move(request)).applied);
  EXPECT_EQ(rows_of(store(), store::Space::kItems).size(), 100u);
}

// A12: the table's part is doubled, the indexes' is not.
TEST_F(Transactions, CostTwiceForTheTableAndOnceForItsIndexes) {
  const WriteAnswer answer = run(transaction_of(
      put_write(table("t"), Item{{"PK", "p"}, {"SK", "a"}, {"g", "x"}, {"text", std::string(1500, 'x')}}),
      check_write(table("t"), transaction_key("missing"), condition_of("attribute_not_exists(PK)")),
      delete_write(table("t"), transaction_key("missing too"))));
  EXPECT_EQ(answer.items[0].consumed.table, 2u * 4);
  ASSERT_EQ(answer.items[0].consumed.indexes.size(), 1u);
  EXPECT_EQ(answer.items[0].consumed.indexes[0].half_units, 2u * 1);
  EXPECT_EQ(answer.items[1].consumed.table, 2u * 2);
  EXPECT_EQ(answer.items[2].consumed.table, 2u * 2);
}

// What was checked must still hold when the rest is written.
TEST_F(Transactions, AnItemThatIsOnlyCheckedIsGuarded) {
  put("t", item("checked", 1));
  HookedStore hooked(store());
  Engine engine_between(hooked, clock(), {});
  hooked.before_next_submit([&] { put("t", item("checked", 2)); });
  const Result<WriteAnswer> answer =
      write_items(engine_between, transaction_of(check_write(table("t"), transaction_key("checked"),
                                                             condition_of("n = :one", {{":one", 1}})),
                                                 put_write(table("t"), item("new", 1))));
  ASSERT_TRUE(answer.ok()) << outcome_of(answer);
  EXPECT_FALSE(answer->applied);
  EXPECT_EQ(reasons(*answer), (std::vector<std::string>{"condition", "ok"}));
  EXPECT_EQ(get("t", transaction_key("new")), std::nullopt);
}

TEST_F(Transactions, ATransactionOfChecksAloneIsConfirmed) {
  put("t", item("a", 1));
  put("t", item("b", 1));
  HookedStore hooked(store());
  Engine engine_between(hooked, clock(), {});
  const expr::Condition one = condition_of("n = :one", {{":one", 1}});
  hooked.before_next_submit([&] { put("t", item("a", 2)); });
  const Result<WriteAnswer> answer =
      write_items(engine_between, transaction_of(check_write(table("t"), transaction_key("a"), one),
                                                 check_write(table("t"), transaction_key("b"), one)));
  ASSERT_TRUE(answer.ok()) << outcome_of(answer);
  EXPECT_FALSE(answer->applied) << "both held, but not at one moment";
}

// Money moves between accounts; what is read in a transaction always adds up.
TEST_F(Transactions, ConcurrentTransactionsAreSerializable) {
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(test_seed()));
  constexpr int kAccounts = 5, kThreads = 4, kRounds = 120;
  const auto account = [](uint64_t n) { return transaction_key("account" + std::to_string(n)); };
  for (int i = 0; i < kAccounts; ++i) put("t", item("account" + std::to_string(i), 100));
  Engine others(store(), clock(), {});
  std::atomic<int> failures = 0, wrong_sums = 0;
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      Engine& mine = i % 2 == 0 ? engine() : others;
      std::mt19937_64 random(test_seed() + static_cast<uint64_t>(i));
      for (int round = 0; round < kRounds; ++round) {
        const uint64_t from = random() % kAccounts, to = (from + 1 + random() % (kAccounts - 1)) % kAccounts;
        const TableRef t = *mine.catalog.find("t");
        const Result<WriteAnswer> answer = write_items(
            mine, transaction_of(update_write(t, account(from), update_of("SET n = n - :one", {{":one", 1}}),
                                              condition_of("n >= :one", {{":one", 1}})),
                                 update_write(t, account(to), update_of("SET n = n + :one", {{":one", 1}}))));
        if (!answer.ok() && answer.error().code != Code::kConflict) ++failures;
      }
    });
  }
  std::thread reader([&] {
    while (!stop) {
      std::vector<ItemRead> reads;
      for (uint64_t i = 0; i < kAccounts; ++i)
        reads.push_back(*ItemRead::of_key(*engine().catalog.find("t"), account(i)));
      const auto items = read_items(engine(), reads, ReadMode::kTransactional, {});
      int64_t sum = 0;
      for (const auto& each : *items) sum += *each->item().find("n")->number().to_int64();
      if (sum != kAccounts * 100) ++wrong_sums;
    }
  });
  for (std::thread& thread : threads) thread.join();
  stop = true;
  reader.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(wrong_sums, 0);
  expect_sound(store(), table("t")->settings);
}

}  // namespace
}  // namespace sheaf::engine
