// One write at a time: put, update, delete, check, and what can come between.
#include "engine/write_items.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/engine_fixture.h"
#include "engine/hooked_store.h"
#include "engine/store_audit.h"

namespace sheaf::engine {
namespace {

std::optional<Item> image(const std::optional<StoredItem>& stored) {
  return stored ? std::optional(Item(stored->item())) : std::nullopt;
}

const Item kKey{{"PK", "p"}, {"SK", "s"}};

class WriteItems : public EngineTest {
 protected:
  WriteItems() { create(collection_table("t")); }

  // The answer to a write whose condition need not hold.
  WriteAnswer attempt(ItemWrite write) {
    Result<WriteAnswer> answer = write_one(engine(), std::move(write));
    EXPECT_TRUE(answer.ok()) << outcome_of(answer);
    return std::move(*answer);
  }
  std::string refusal(ItemWrite write) { return outcome_of(write_one(engine(), std::move(write))); }
};

TEST_F(WriteItems, APutMakesAnItemAndReturnsBothImages) {
  const Item first{{"PK", "p"}, {"SK", "s"}, {"n", 1}};
  const ItemWritten made = put("t", first);
  EXPECT_EQ(image(made.before), std::nullopt);
  EXPECT_EQ(image(made.after), first);
  const Item second{{"PK", "p"}, {"SK", "s"}, {"m", 2}};
  const ItemWritten replaced = put("t", second);
  EXPECT_EQ(image(replaced.before), first);
  EXPECT_EQ(image(replaced.after), second);
  EXPECT_EQ(get("t", kKey), second) << "replaced, not merged";
}

TEST_F(WriteItems, ADeleteReturnsWhatWasThere) {
  const Item item{{"PK", "p"}, {"SK", "s"}, {"n", 1}};
  put("t", item);
  const ItemWritten gone = remove("t", kKey);
  EXPECT_EQ(image(gone.before), item);
  EXPECT_EQ(image(gone.after), std::nullopt);
  EXPECT_EQ(get("t", kKey), std::nullopt);
}

TEST_F(WriteItems, DeletingWhatIsNotThereSucceeds) {
  const ItemWritten gone = remove("t", kKey);
  EXPECT_EQ(image(gone.before), std::nullopt);
  EXPECT_EQ(gone.consumed.table, 2u);
}

// A16: what belongs together in one item changes together.
TEST_F(WriteItems, AnUpdateChangesAnItemAndReturnsBothImages) {
  const Item before{{"PK", "p"}, {"SK", "s"}, {"n", 1}, {"parts", Value::list({"a"})}};
  put("t", before);
  const ItemWritten updated = update("t", kKey, "SET n = n + :one, parts = list_append(parts, :b)",
                                     {{":one", 1}, {":b", Value::list({"b"})}});
  const Item after{{"PK", "p"}, {"SK", "s"}, {"n", 2}, {"parts", Value::list({"a", "b"})}};
  EXPECT_EQ(image(updated.before), before);
  EXPECT_EQ(image(updated.after), after);
  EXPECT_EQ(get("t", kKey), after);
}

TEST_F(WriteItems, AnUpdateMakesTheItemIfItIsNotThere) {
  const ItemWritten made = update("t", kKey, "SET n = :one", {{":one", 1}});
  EXPECT_EQ(image(made.before), std::nullopt);
  EXPECT_EQ(get("t", kKey), (Item{{"PK", "p"}, {"SK", "s"}, {"n", 1}}));
}

TEST_F(WriteItems, AnUpdateThatOnlyTakesAwayMakesNoItem) {
  const ItemWritten nothing = update("t", kKey, "REMOVE n");
  EXPECT_EQ(image(nothing.after), std::nullopt);
  EXPECT_EQ(get("t", kKey), std::nullopt);
}

TEST_F(WriteItems, AnUpdateWithoutExpressionMakesAnItemOfTheKeyAlone) {
  write(update_write(table("t"), kKey, std::nullopt));
  EXPECT_EQ(get("t", kKey), kKey);
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"n", 1}});
  write(update_write(table("t"), kKey, std::nullopt));
  EXPECT_EQ(get("t", kKey), (Item{{"PK", "p"}, {"SK", "s"}, {"n", 1}})) << "and leaves one that is there";
}

TEST_F(WriteItems, AnUpdateThatCannotBeDoneIsRefused) {
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"n", "text"}});
  EXPECT_EQ(refusal(update_write(table("t"), kKey, update_of("SET n = n + :one", {{":one", 1}}))),
            "An operand in the update expression has an incorrect data type");
  EXPECT_EQ(get("t", kKey)->find("n")->bytes(), "text");
}

TEST_F(WriteItems, AConditionIsAskedOfTheItemThatIsThere) {
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"n", 1}});
  const WriteAnswer refused = attempt(put_write(table("t"), Item{{"PK", "p"}, {"SK", "s"}, {"n", 9}},
                                                condition_of("n = :two", {{":two", 2}})));
  EXPECT_FALSE(refused.applied);
  EXPECT_FALSE(refused.items.front().condition_met);
  EXPECT_EQ(image(refused.items.front().before), (Item{{"PK", "p"}, {"SK", "s"}, {"n", 1}}));
  EXPECT_EQ(get("t", kKey)->find("n")->number(), Number(1)) << "nothing was changed";
  const WriteAnswer applied = attempt(put_write(table("t"), Item{{"PK", "p"}, {"SK", "s"}, {"n", 9}},
                                                condition_of("n = :one", {{":one", 1}})));
  EXPECT_TRUE(applied.applied);
  EXPECT_EQ(get("t", kKey)->find("n")->number(), Number(9));
}

TEST_F(WriteItems, AMissingItemIsAskedAboutAsOneWithoutAttributes) {
  EXPECT_FALSE(attempt(delete_write(table("t"), kKey, condition_of("attribute_exists(PK)"))).applied);
  EXPECT_TRUE(attempt(put_write(table("t"), kKey, condition_of("attribute_not_exists(PK)"))).applied);
  EXPECT_FALSE(attempt(put_write(table("t"), kKey, condition_of("attribute_not_exists(PK)"))).applied);
  EXPECT_TRUE(attempt(delete_write(table("t"), kKey, condition_of("attribute_exists(PK)"))).applied);
}

TEST_F(WriteItems, TheConditionIsAskedBeforeTheUpdateCanFail) {
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"n", "text"}});
  EXPECT_FALSE(attempt(update_write(table("t"), kKey, update_of("SET n = n + :one", {{":one", 1}}),
                                    condition_of("attribute_exists(nowhere)")))
                   .applied);
}

TEST_F(WriteItems, AFailedConditionCostsAsMuchAsTheItemThatWasThere) {
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"text", std::string(2000, 'x')}});
  const expr::Condition never = condition_of("attribute_exists(nowhere)");
  EXPECT_EQ(attempt(delete_write(table("t"), kKey, never)).items.front().consumed.table, 2u * 2);
  EXPECT_EQ(attempt(delete_write(table("t"), Item{{"PK", "p"}, {"SK", "none"}}, never))
                .items.front()
                .consumed.table,
            2u);
}

// A12: the larger of the two images counts.
TEST_F(WriteItems, AWriteCostsTheLargerOfTheTwoImages) {
  const auto sized = [](size_t bytes) {
    return Item{{"PK", "p"}, {"SK", "s"}, {"body", std::string(bytes, 'x')}};
  };
  EXPECT_EQ(put("t", sized(3500)).consumed.table, 2u * 4);
  EXPECT_EQ(put("t", sized(500)).consumed.table, 2u * 4);
  EXPECT_EQ(put("t", sized(500)).consumed.table, 2u * 1) << "nothing changes: its size";
  EXPECT_EQ(update("t", kKey, "SET body = :t", {{":t", std::string(1500, 'x')}}).consumed.table, 2u * 2);
  EXPECT_EQ(remove("t", kKey).consumed.table, 2u * 2);
}

// A1, G1: 400 KB is the most.
TEST_F(WriteItems, AnItemOf400KilobytesCanBePutAndNotOneByteMore) {
  const size_t rest = 2 + 1 + 2 + 1 + 4;  // PK p SK s text
  const auto sized = [&](size_t bytes) {
    return Item{{"PK", "p"}, {"SK", "s"}, {"text", std::string(bytes - rest, 'x')}};
  };
  EXPECT_EQ(kItemBytesMax, 400u * 1024);
  EXPECT_EQ(put("t", sized(kItemBytesMax)).consumed.table, 2u * 400);
  EXPECT_EQ(outcome_of(ItemWrite::put(table("t"), sized(kItemBytesMax + 1))),
            "Item size has exceeded the maximum allowed size");
  EXPECT_EQ(get("t", kKey), sized(kItemBytesMax));
}

// A1, G1
TEST_F(WriteItems, AnItemCanBeUpdatedTo400KilobytesAndNotOneByteMore) {
  const size_t rest = 2 + 1 + 2 + 1 + 4 + 1 + 2;  // PK p SK s body n 1
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"n", 1}});
  const auto grow = [&](size_t item_bytes) {
    return update_write(table("t"), kKey,
                        update_of("SET body = :t", {{":t", std::string(item_bytes - rest, 'x')}}));
  };
  write(grow(kItemBytesMax));
  EXPECT_EQ(get("t", kKey)->view().size_bytes(), kItemBytesMax);
  EXPECT_EQ(refusal(grow(kItemBytesMax + 1)), "Item size to update has exceeded the maximum allowed size");
  EXPECT_EQ(get("t", kKey)->view().size_bytes(), kItemBytesMax) << "as it was";
}

TEST_F(WriteItems, WhatChangesNothingIsNotCommitted) {
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"set", Value::string_set({"a", "b"})}});
  const store::Stamp before = store().last_stamp();
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"set", Value::string_set({"b", "a"})}});
  update("t", kKey, "REMOVE nothing");
  remove("t", Item{{"PK", "p"}, {"SK", "none"}});
  EXPECT_EQ(store().last_stamp(), before);
}

TEST_F(WriteItems, AnIndexKeyThatTheIndexCannotTakeIsRefusedWhateverTheConditionSays) {
  TableSettings settings = collection_table("indexed");
  settings.indexes = {global_index("second", {.partition = {text_key("g")}, .sort = {}}),
                      local_index("first", text_key("l"))};
  create(settings);
  const Item unfit{{"PK", "p"}, {"SK", "s"}, {"g", 1}, {"l", 1}};
  const std::string first =
      "One or more parameter values were invalid: Type mismatch for Index Key l Expected: S Actual: N "
      "IndexName: "
      "first";
  EXPECT_EQ(refusal(put_write(table("indexed"), unfit)), first) << "of several, by name";
  EXPECT_EQ(refusal(put_write(table("indexed"), unfit, condition_of("attribute_exists(PK)"))), first);
  EXPECT_EQ(get("indexed", kKey), std::nullopt);
}

TEST_F(WriteItems, AnUpdateToAnIndexKeyThatTheIndexCannotTakeIsRefused) {
  TableSettings settings = collection_table("indexed");
  settings.indexes = {global_index("gsi", {.partition = {text_key("g")}, .sort = {}})};
  create(settings);
  EXPECT_EQ(
      refusal(update_write(table("indexed"), kKey, update_of("SET g = :g", {{":g", ""}}))),
      "One or more parameter values are not valid. The update expression attempted to update a secondary "
      "index "
      "key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty "
      "string value.");
  EXPECT_EQ(get("indexed", kKey), std::nullopt);
}

TEST_F(WriteItems, AWriteToATableThatIsGoneIsRefused) {
  const TableRef old = table("t");
  ASSERT_TRUE(delete_table(engine(), "t").ok());
  EXPECT_EQ(write_one(engine(), put_write(old, kKey)).error(),
            (Error{Code::kNotFound, "Requested resource not found"}));
  run_all_jobs();
  EXPECT_EQ(write_one(engine(), put_write(old, kKey)).error().code, Code::kNotFound);
  create(collection_table("t"));
  EXPECT_EQ(write_one(engine(), put_write(old, kKey)).error().code, Code::kNotFound)
      << "the new table only has the name";
  EXPECT_EQ(get("t", kKey), std::nullopt);
}

// A writer that has not heard of an index yet fills it all the same.
TEST_F(WriteItems, AWriteWithAnOldFormOfTheTableIsPlannedAnew) {
  const TableRef old = table("t");
  TableUpdate adding;
  adding.add_index = global_index("gsi", {.partition = {text_key("g")}, .sort = {}});
  ASSERT_TRUE(update_table(engine(), "t", adding).ok());
  write(put_write(old, Item{{"PK", "p"}, {"SK", "s"}, {"g", "x"}}));
  EXPECT_EQ(rows_of(store(), store::Space::kIndexes).size(), 1u);
  expect_sound(store(), table("t")->settings);
}

class WriteItemsBetween : public WriteItems {
 protected:
  WriteItemsBetween() { hooked_engine_.emplace(hooked_, clock(), EngineOptions{}); }

  HookedStore hooked_{store()};
  std::optional<Engine> hooked_engine_;
};

TEST_F(WriteItemsBetween, AChangeBetweenDecisionAndCommitIsNoticed) {
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"n", 1}});
  hooked_.before_next_submit([&] { put("t", Item{{"PK", "p"}, {"SK", "s"}, {"n", 10}}); });
  const Result<WriteAnswer> answer = write_one(
      *hooked_engine_, update_write(table("t"), kKey, update_of("SET n = n + :one", {{":one", 1}})));
  ASSERT_TRUE(answer.ok()) << outcome_of(answer);
  EXPECT_EQ(get("t", kKey)->find("n")->number(), Number(11)) << "decided again";
  EXPECT_EQ(image(answer->items.front().before)->find("n")->number(), Number(10));
  EXPECT_EQ(hooked_.submit_count(), 2);
}

TEST_F(WriteItemsBetween, AConditionThatHoldsNoMoreIsNoticed) {
  hooked_.before_next_submit([&] { put("t", kKey); });
  const Result<WriteAnswer> answer =
      write_one(*hooked_engine_, put_write(table("t"), Item{{"PK", "p"}, {"SK", "s"}, {"n", 1}},
                                           condition_of("attribute_not_exists(PK)")));
  ASSERT_TRUE(answer.ok()) << outcome_of(answer);
  EXPECT_FALSE(answer->applied);
  EXPECT_EQ(get("t", kKey), kKey);
}

TEST_F(WriteItemsBetween, ATableThatIsDeletedBetweenDecisionAndCommitGetsNoItem) {
  hooked_.before_next_submit([&] { ASSERT_TRUE(delete_table(engine(), "t").ok()); });
  EXPECT_EQ(write_one(*hooked_engine_, put_write(table("t"), kKey)).error().code, Code::kNotFound);
  EXPECT_TRUE(rows_of(store(), store::Space::kItems).empty());
}

TEST_F(WriteItemsBetween, WhoeverLosesAgainAndAgainGetsAConflict) {
  hooked_.answer = [](const store::Batch&) {
    return store::Outcome{.kind = store::Outcome::Kind::kGuardFailed};
  };
  EXPECT_EQ(write_one(*hooked_engine_, put_write(table("t"), kKey)).error(),
            (Error{Code::kConflict, "Transaction is ongoing for the item"}));
  EXPECT_GT(hooked_.submit_count(), 10);
  hooked_.answer = nullptr;
  EXPECT_TRUE(write_one(*hooked_engine_, put_write(table("t"), kKey)).ok()) << "its locks are free again";
}

TEST_F(WriteItemsBetween, AnswersOfTheStoreArePassedOn) {
  hooked_.answer = [](const store::Batch&) {
    return store::Outcome{.kind = store::Outcome::Kind::kUnknown, .reason = "the sync failed"};
  };
  EXPECT_EQ(write_one(*hooked_engine_, put_write(table("t"), kKey)).error(),
            (Error{Code::kUnknown, "the sync failed"}));
  EXPECT_EQ(hooked_.submit_count(), 1) << "never tried again";
  hooked_.answer = [](const store::Batch&) {
    return store::Outcome{.kind = store::Outcome::Kind::kRefused, .reason = "closed"};
  };
  EXPECT_EQ(write_one(*hooked_engine_, put_write(table("t"), kKey)).error(),
            (Error{Code::kUnavailable, "closed"}));
}

TEST_F(WriteItems, ALoopGetsItsAnswerExactlyOnce) {
  BlockingLoop loop;
  int answers = 0;
  WriteRequest request;
  request.writes.push_back(put_write(table("t"), kKey));
  write_items(engine(), std::move(request), loop, [&](Result<WriteAnswer> answer) {
    EXPECT_TRUE(answer.ok()) << outcome_of(answer);
    EXPECT_EQ(answer->writes.size(), 1u) << "the writes are given back";
    ++answers;
  });
  loop.run_until([&] { return answers > 0; });
  EXPECT_EQ(answers, 1);
}

// Several engines over one store are safe by guards alone; within one, locks save retries.
TEST_F(WriteItems, ConcurrentUpdatesAreAllKept) {
  constexpr int kThreads = 6, kRounds = 150;
  Engine others(store(), clock(), {});
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      Engine& mine = i % 2 == 0 ? engine() : others;
      for (int round = 0; round < kRounds;) {
        const Result<WriteAnswer> answer = write_one(
            mine, update_write(*mine.catalog.find("t"), kKey, update_of("ADD n :one", {{":one", 1}})));
        if (answer.ok()) {
          ++round;
        } else if (answer.error().code != Code::kConflict) {
          ++failures;
          return;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(get("t", kKey)->find("n")->number(), Number(kThreads * kRounds));
  expect_sound(store(), table("t")->settings);
}

}  // namespace
}  // namespace sheaf::engine
