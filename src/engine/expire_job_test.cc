// Time to live: which items go, when, and what their going looks like.
#include <gtest/gtest.h>

#include "engine/engine_fixture.h"
#include "engine/hooked_store.h"
#include "engine/store_audit.h"

namespace sheaf::engine {
namespace {

constexpr int64_t kNowS = kTestStartUs / kSecondUs;
constexpr int64_t kYearS = int64_t{365} * 24 * 3600;

class Expiry : public EngineTest {
 protected:
  Expiry() {
    TableSettings settings = collection_table("t");
    settings.indexes = {local_index("lsi", text_key("l")),
                        global_index("gsi", {.partition = {text_key("g")}, .sort = {}})};
    settings.streams = {{.view = StreamView::kNewAndOldImages}};
    create(settings);
  }

  void enable(const std::string& attribute = "ttl") {
    const Result<TableRef> updated = update_ttl(engine(), "t", attribute, true);
    ASSERT_TRUE(updated.ok()) << outcome_of(updated);
  }
  void disable() {
    const Result<TableRef> updated = update_ttl(engine(), "t", table("t")->settings.ttl.attribute, false);
    ASSERT_TRUE(updated.ok()) << outcome_of(updated);
  }

  static Item key(std::string_view sort) { return Item{{"PK", "p"}, {"SK", sort}}; }
  void put_expiring(std::string_view sort, const Value& when) {
    Item item = key(sort);
    item.set("ttl", when);
    put("t", item);
  }
  // Lets time pass, in steps in which the background work runs.
  void pass_s(int64_t seconds) {
    for (; seconds > 0; --seconds) {
      clock().advance_us(kSecondUs);
      run_all_jobs();
    }
  }
  bool exists(std::string_view sort) { return get("t", key(sort)).has_value(); }
  size_t expiry_rows() { return rows_of(store(), store::Space::kExpiry).size(); }
};

TEST_F(Expiry, AnItemGoesWhenItsTimeHasPassed) {
  enable();
  put_expiring("soon", Value(kNowS + 10));
  put_expiring("later", Value(kNowS + 20));
  pass_s(10);
  EXPECT_TRUE(exists("soon")) << "not at its time, behind it";
  pass_s(2);
  EXPECT_FALSE(exists("soon"));
  EXPECT_TRUE(exists("later"));
  pass_s(10);
  EXPECT_FALSE(exists("later"));
  EXPECT_EQ(expiry_rows(), 0u);
  expect_sound(store(), table("t")->settings);
}

TEST_F(Expiry, AFractionOfASecondIsNotCutShort) {
  enable();
  put_expiring("half", Value(*Number::parse(std::to_string(kNowS + 5) + ".9")));
  pass_s(5);
  EXPECT_TRUE(exists("half"));
  pass_s(2);
  EXPECT_FALSE(exists("half"));
}

TEST_F(Expiry, AnItemThatIsPutWhenItsTimeHasPassedGoesToo) {
  enable();
  put_expiring("late", Value(kNowS - 100));
  pass_s(2);
  EXPECT_FALSE(exists("late"));
}

TEST_F(Expiry, IndexEntriesGoWithTheItem) {
  enable();
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"l", "x"}, {"g", "y"}, {"ttl", kNowS + 1}});
  EXPECT_EQ(rows_of(store(), store::Space::kIndexes).size(), 2u);
  pass_s(3);
  EXPECT_TRUE(rows_of(store(), store::Space::kIndexes).empty());
  expect_sound(store(), table("t")->settings);
}

TEST_F(Expiry, TheStreamSaysThatItWasExpiry) {
  enable();
  put_expiring("expires", Value(kNowS + 1));
  put_expiring("deleted", Value(kNowS + 1));
  remove("t", key("deleted"));
  pass_s(3);
  const std::vector<ChangeEvent> found = events("t");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[2].kind, ChangeEvent::Kind::kRemove);
  EXPECT_FALSE(found[2].expired);
  EXPECT_EQ(found[3].kind, ChangeEvent::Kind::kRemove);
  EXPECT_TRUE(found[3].expired);
  EXPECT_EQ(found[3].key, key("expires"));
  EXPECT_EQ(found[3].old_image->find("ttl")->number(), Number(kNowS + 1));
}

TEST_F(Expiry, AnItemThatWasChangedToLiveLongerSurvives) {
  enable();
  for (const char* sort : {"longer", "for ever", "as text"}) put_expiring(sort, Value(kNowS + 5));
  put_expiring("longer", Value(kNowS + 50));
  put("t", key("for ever"));
  put_expiring("as text", Value("later"));
  pass_s(10);
  for (const char* sort : {"longer", "for ever", "as text"}) EXPECT_TRUE(exists(sort)) << sort;
  pass_s(45);
  EXPECT_FALSE(exists("longer"));
}

TEST_F(Expiry, WhatIsNoNumberOfSecondsNeverExpires) {
  enable();
  put_expiring("text", Value(std::to_string(kNowS - 10)));
  put_expiring("set", Value::number_set({Number(kNowS - 10)}));
  put_expiring("negative", Value(-5));
  put_expiring("null", Value());
  put("t", key("none"));
  pass_s(5);
  for (const char* sort : {"text", "set", "negative", "null", "none"}) EXPECT_TRUE(exists(sort)) << sort;
}

TEST_F(Expiry, ATimeMoreThanFiveYearsAgoIsIgnored) {
  enable();
  put_expiring("ancient", Value(kNowS - 5 * kYearS - 10));
  put_expiring("old", Value(kNowS - 5 * kYearS + 100));
  put_expiring("zero", Value(0));
  pass_s(5);
  EXPECT_TRUE(exists("ancient"));
  EXPECT_TRUE(exists("zero"));
  EXPECT_FALSE(exists("old"));
}

TEST_F(Expiry, ItemsThatWereThereBeforeItWasTurnedOnExpireToo) {
  for (int i = 0; i < 400; ++i) put_expiring(std::to_string(i), Value(kNowS + (i % 2 == 0 ? 5 : 500)));
  enable();
  pass_s(8);
  EXPECT_EQ(rows_of(store(), store::Space::kItems).size(), 200u);
  EXPECT_EQ(*find_job(engine(), JobKind::kFillExpiry, table("t")->settings.ttl.id), std::nullopt) << "filled";
  expect_sound(store(), table("t")->settings);
}

TEST_F(Expiry, TheTimeIsFoundAgainAfterARestart) {
  put_expiring("soon", Value(kNowS + 5));
  enable();
  restart();
  pass_s(7);
  EXPECT_FALSE(exists("soon"));
}

TEST_F(Expiry, TurnedOffNothingExpiresAndTheEntriesGo) {
  enable();
  for (int i = 0; i < 20; ++i) put_expiring(std::to_string(i), Value(kNowS + 5));
  EXPECT_EQ(expiry_rows(), 20u);
  disable();
  const Id old = table("t")->settings.ttl.id;
  pass_s(10);
  EXPECT_EQ(rows_of(store(), store::Space::kItems).size(), 20u);
  EXPECT_EQ(expiry_rows(), 0u);
  EXPECT_EQ(*find_job(engine(), JobKind::kExpire, old), std::nullopt);
  EXPECT_EQ(*find_job(engine(), JobKind::kClear, old), std::nullopt);
  put_expiring("more", Value(kNowS - 5));
  EXPECT_EQ(expiry_rows(), 0u);
}

TEST_F(Expiry, TurnedOnAgainForAnotherAttributeThatOneCounts) {
  enable();
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"ttl", kNowS + 5}, {"other", kNowS + 20}});
  disable();
  enable("other");
  pass_s(10);
  EXPECT_TRUE(exists("s"));
  pass_s(15);
  EXPECT_FALSE(exists("s"));
}

TEST_F(Expiry, ItsStateRulesAreThoseOfDynamoDb) {
  EXPECT_EQ(outcome_of(update_ttl(engine(), "t", "ttl", false)), "TimeToLive is already disabled");
  enable();
  EXPECT_EQ(outcome_of(update_ttl(engine(), "t", "ttl", true)), "TimeToLive is already enabled");
  EXPECT_EQ(outcome_of(update_ttl(engine(), "t", "other", true)),
            "TimeToLive is active on a different AttributeName: current AttributeName is ttl");
  EXPECT_EQ(outcome_of(update_ttl(engine(), "t", "other", false)),
            "TimeToLive is active on a different AttributeName: current AttributeName is ttl");
  disable();
  EXPECT_EQ(outcome_of(update_ttl(engine(), "nothing", "ttl", true)),
            "Requested resource not found: Table: nothing not found");
}

TEST_F(Expiry, MoreItemsThanOneStepTakesGoWithoutAPause) {
  enable();
  for (int i = 0; i < 700; ++i) put_expiring(std::to_string(i), Value(kNowS + 1));
  clock().advance_us(3 * kSecondUs);
  EXPECT_TRUE(*run_jobs(engine(), "a")) << "there is more to do now";
  const size_t left = rows_of(store(), store::Space::kItems).size();
  EXPECT_LT(left, 700u);
  EXPECT_GT(left, 0u);
  run_all_jobs("a");
  EXPECT_TRUE(rows_of(store(), store::Space::kItems).empty());
}

class ExpiryBetween : public Expiry {
 protected:
  // Lets `write` happen after the job has found that an item is due and before it removes it.
  void expire_with(const std::function<void()>& write) {
    run_all_jobs();
    clock().advance_us(10 * kSecondUs);
    HookedStore hooked(store());
    Engine expiring(hooked, clock(), {});
    hooked.before_next_submit(write);
    ASSERT_TRUE(run_jobs(expiring, "test").ok());
  }
};

TEST_F(ExpiryBetween, AnItemThatIsChangedAtTheLastMomentSurvives) {
  enable();
  put_expiring("s", Value(kNowS + 5));
  expire_with([&] { put_expiring("s", Value(kNowS + 100)); });
  EXPECT_TRUE(exists("s"));
  expect_sound(store(), table("t")->settings);
  clock().advance_us(100 * kSecondUs);
  run_all_jobs();
  EXPECT_FALSE(exists("s")) << "when its new time has come";
}

TEST_F(ExpiryBetween, AnItemThatIsDeletedAtTheLastMomentIsNotMarkedAsExpired) {
  enable();
  put_expiring("s", Value(kNowS + 5));
  expire_with([&] { remove("t", key("s")); });
  for (const ChangeEvent& event : events("t")) EXPECT_FALSE(event.expired);
  EXPECT_EQ(expiry_rows(), 0u);
}

// Dropping a range changes no versions: only the table's own row says that it is gone.
TEST_F(ExpiryBetween, ATableThatIsClearedMeanwhileGetsNoEntries) {
  for (int i = 0; i < 300; ++i) put_expiring(std::to_string(i), Value(kNowS + 500));
  enable();
  HookedStore hooked(store());
  Engine slow(hooked, clock(), {});
  ASSERT_TRUE(*run_jobs(slow, "slow")) << "now it has the lease";
  hooked.before_next_submit([&] {
    ASSERT_TRUE(delete_table(engine(), "t").ok());
    run_all_jobs("fast");
    EXPECT_FALSE(engine().catalog.reload("t").ok()) << "cleared";
  });
  ASSERT_TRUE(run_jobs(slow, "slow").ok());
  EXPECT_EQ(expiry_rows(), 0u);
}

// An item that changes while the entries are being filled in has the entry of its new time alone.
TEST_F(ExpiryBetween, AnItemThatChangesUnderTheFillingIsReadAgain) {
  for (int i = 0; i < 20; ++i) put_expiring(std::to_string(i), Value(kNowS + 500));
  enable();
  HookedStore hooked(store());
  Engine filling(hooked, clock(), {});
  hooked.before_next_submit([&] { put_expiring("7", Value(kNowS + 900)); });
  ASSERT_TRUE(run_jobs(filling, "test").ok());
  run_all_jobs();
  expect_sound(store(), table("t")->settings);
}

// The entry that stands for nothing may be a new one by the time it is removed.
TEST_F(ExpiryBetween, AnEntryThatWasWrittenAnewIsKept) {
  enable();
  put_expiring("s", Value(kNowS + 5));
  run_all_jobs();
  clock().advance_us(10 * kSecondUs);
  HookedStore hooked(store());
  Engine expiring(hooked, clock(), {});
  const std::string item_row = place_of_stored(*table("t"), key("s")).key;
  const Item again{{"PK", "p"}, {"SK", "s"}, {"ttl", kNowS + 5}};
  // The item goes before the job reads it, and comes back, due as before, while the job thinks it is gone.
  hooked.after_next_read(rows_of(store(), store::Space::kExpiry).begin()->first, [&] {
    remove("t", key("s"));
    hooked.after_next_read(item_row, [&] { put("t", again); });
  });
  ASSERT_TRUE(run_jobs(expiring, "test").ok());
  EXPECT_TRUE(exists("s"));
  expect_sound(store(), table("t")->settings);
  clock().advance_us(10 * kSecondUs);
  run_all_jobs();
  EXPECT_FALSE(exists("s"));
}

}  // namespace
}  // namespace sheaf::engine
