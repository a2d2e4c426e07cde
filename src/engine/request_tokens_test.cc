#include "engine/request_tokens.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/engine_fixture.h"
#include "engine/hooked_store.h"

namespace sheaf::engine {
namespace {

const Item kTokenKey{{"PK", "p"}, {"SK", "s"}};

class RequestTokens : public EngineTest {
 protected:
  RequestTokens() { create(collection_table("t")); }

  static WriteRequest increment(Engine& engine, const std::string& token,
                                const std::string& fingerprint = "same") {
    WriteRequest request = transaction_of(
        update_write(*engine.catalog.find("t"), kTokenKey, update_of("ADD n :one", {{":one", 1}})));
    request.token = {.text = token, .fingerprint = fingerprint};
    return request;
  }

  WriteAnswer run(const std::string& token, const std::string& fingerprint = "same") {
    Result<WriteAnswer> answer = write_items(engine(), increment(engine(), token, fingerprint));
    EXPECT_TRUE(answer.ok()) << outcome_of(answer);
    return std::move(*answer);
  }

  int64_t count() {
    const std::optional<Item> item = get("t", kTokenKey);
    return item ? *item->find("n")->number().to_int64() : 0;
  }
};

TEST_F(RequestTokens, TheSameRequestAgainChangesNothingMore) {
  EXPECT_FALSE(run("a").replayed);
  const WriteAnswer again = run("a");
  EXPECT_TRUE(again.replayed);
  EXPECT_TRUE(again.applied);
  EXPECT_EQ(count(), 1);
  EXPECT_FALSE(run("b").replayed) << "another token is another request";
  EXPECT_EQ(count(), 2);
}

TEST_F(RequestTokens, ARepetitionSucceedsEvenIfTheItemHasChangedSince) {
  run("a");
  remove("t", kTokenKey);
  EXPECT_TRUE(run("a").replayed);
  EXPECT_EQ(get("t", kTokenKey), std::nullopt);
}

TEST_F(RequestTokens, ARepetitionCostsATransactionalRead) {
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"body", std::string(5000, 'x')}});
  EXPECT_EQ(run("a").items.front().consumed.table, 2u * 2 * 5);
  EXPECT_EQ(run("a").items.front().consumed.table, 2u * 2 * 2);
}

TEST_F(RequestTokens, AnotherRequestWithTheSameTokenIsAMismatch) {
  run("a", "one");
  const Result<WriteAnswer> other = write_items(engine(), increment(engine(), "a", "two"));
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, Code::kMismatch);
  EXPECT_EQ(count(), 1);
}

TEST_F(RequestTokens, ATokenCountsForTenMinutes) {
  run("a");
  clock().advance_us(kTokenLifetimeUs - 1);
  EXPECT_TRUE(run("a").replayed);
  clock().advance_us(1);
  EXPECT_FALSE(run("a").replayed) << "ten minutes after it was used";
  EXPECT_EQ(count(), 2);
  EXPECT_TRUE(run("a").replayed) << "and now it counts anew";
}

TEST_F(RequestTokens, AnExpiredTokenCanComeWithAnotherRequest) {
  run("a", "one");
  clock().advance_us(kTokenLifetimeUs);
  EXPECT_FALSE(run("a", "two").replayed);
}

// Rows are grouped by ten minutes; a token outlives the end of its group, wherever in it it was used.
TEST_F(RequestTokens, ATokenIsFoundAcrossGenerations) {
  for (const int64_t into_us : {int64_t{0}, kMinuteUs, 5 * kMinuteUs, kTokenLifetimeUs - 1}) {
    SCOPED_TRACE(into_us);
    const std::string token = "t" + std::to_string(into_us);
    const int64_t rest_us = kTokenLifetimeUs - clock().now_us() % kTokenLifetimeUs;
    clock().advance_us(rest_us + into_us);
    EXPECT_FALSE(run(token).replayed);
    clock().advance_us(kTokenLifetimeUs - 1);
    EXPECT_TRUE(run(token).replayed);
    clock().advance_us(1);
    EXPECT_FALSE(run(token).replayed);
  }
}

TEST_F(RequestTokens, ACancelledTransactionDoesNotUseItsToken) {
  WriteRequest request =
      transaction_of(check_write(table("t"), kTokenKey, condition_of("attribute_exists(PK)")));
  request.token = {.text = "a", .fingerprint = "check"};
  EXPECT_FALSE(write_items(engine(), std::move(request))->applied);
  EXPECT_FALSE(run("a").replayed);
  EXPECT_EQ(count(), 1);
}

TEST_F(RequestTokens, ATokenSurvivesARestart) {
  run("a");
  restart();
  EXPECT_TRUE(run("a").replayed);
}

TEST_F(RequestTokens, OfManyAtOnceOneIsDone) {
  constexpr int kThreads = 8, kTokens = 20;
  Engine others(store(), clock(), {});
  std::atomic<int> done = 0, replayed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      Engine& mine = i % 2 == 0 ? engine() : others;
      for (int token = 0; token < kTokens; ++token) {
        const Result<WriteAnswer> answer =
            write_items(mine, increment(mine, "token" + std::to_string(token)));
        if (answer.ok()) ++(answer->replayed ? replayed : done);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, kTokens);
  EXPECT_EQ(replayed, kTokens * (kThreads - 1));
  EXPECT_EQ(count(), kTokens);
}

// Two requests with one token that touch different items meet in nothing but the token's row, which is in
// this generation or, if a clock is behind, in the one before.
TEST_F(RequestTokens, OfTwoDifferentRequestsAtOnceOneIsAMismatch) {
  for (const int64_t behind_us : {0, 1}) {
    const std::string token = "token" + std::to_string(behind_us);
    const auto request = [&](std::string_view sort) {
      WriteRequest made = transaction_of(put_write(table("t"), Item{{"PK", token}, {"SK", sort}}));
      made.token = {.text = token, .fingerprint = std::string(sort)};
      return made;
    };
    const ManualClock their_clock(clock().now_us() - behind_us);
    Engine theirs(store(), their_clock, {});
    HookedStore hooked(store());
    Engine mine(hooked, clock(), {});
    hooked.before_next_submit([&] { ASSERT_TRUE(write_items(theirs, request("theirs")).ok()); });
    const Result<WriteAnswer> answer = write_items(mine, request("mine"));
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, Code::kMismatch);
    EXPECT_EQ(get("t", Item{{"PK", token}, {"SK", "mine"}}), std::nullopt);
  }
}

TEST_F(RequestTokens, OldTokensAreDroppedAndYoungOnesAreKept) {
  run("old");
  clock().advance_us(kTokenLifetimeUs);
  run("young");
  run_all_jobs();
  EXPECT_EQ(rows_of(store(), store::Space::kTokens).size(), 2u) << "the old one is in the generation before";
  clock().advance_us(kTokenLifetimeUs - 1);
  run_all_jobs();
  EXPECT_TRUE(run("young").replayed);
  clock().advance_us(kTokenLifetimeUs + 1);
  run("new");
  run_all_jobs();
  const Rows left = rows_of(store(), store::Space::kTokens);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_TRUE(left.begin()->first.ends_with("new"));
}

TEST_F(RequestTokens, TokensAreDroppedAtMostOnceInTenMinutes) {
  run_all_jobs();
  run("a");
  // Two generations on, but the last dropping was less than ten minutes ago: nothing yet.
  clock().advance_us(kTokenLifetimeUs - 1);
  run_all_jobs();
  EXPECT_EQ(rows_of(store(), store::Space::kTokens).size(), 1u);
  clock().advance_us(2 * kTokenLifetimeUs);
  run_all_jobs();
  EXPECT_TRUE(rows_of(store(), store::Space::kTokens).empty());
}

}  // namespace
}  // namespace sheaf::engine
