// Job rows, the runner and its leases; what the jobs do is tested beside each of them.
#include "engine/jobs.h"

#include <gtest/gtest.h>

#include "engine/engine_fixture.h"
#include "engine/hooked_store.h"
#include "engine/store_audit.h"

namespace sheaf::engine {
namespace {

store::Range whole(store::Space space, Id id) {
  const std::string prefix = space_key(space, id);
  return {.begin = prefix, .end = prefix_end(prefix)};
}

Job full_job() {
  return {.kind = JobKind::kClear,
          .id = 77,
          .table = "t",
          .cursor = std::string("\x02\0\xff", 3),
          .items_done = 12,
          .due_us = 34,
          .lease_until_us = 56,
          .owner = "somebody",
          .ranges = {whole(store::Space::kItems, 77), whole(store::Space::kCounters, 255)}};
}

TEST(JobRow, ReadsBackWithEveryMember) {
  const Job job = full_job();
  const Result<Job> read = decode_job(job_key(job.kind, job.id), encode_job(job));
  ASSERT_TRUE(read.ok()) << outcome_of(read);
  EXPECT_EQ(read->kind, job.kind);
  EXPECT_EQ(read->id, job.id);
  EXPECT_EQ(read->table, job.table);
  EXPECT_EQ(read->cursor, job.cursor);
  EXPECT_EQ(read->items_done, job.items_done);
  EXPECT_EQ(read->due_us, job.due_us);
  EXPECT_EQ(read->lease_until_us, job.lease_until_us);
  EXPECT_EQ(read->owner, job.owner);
  ASSERT_EQ(read->ranges.size(), 2u);
  EXPECT_EQ(read->ranges[1].begin, job.ranges[1].begin);
  EXPECT_EQ(read->ranges[1].end, job.ranges[1].end);
}

TEST(JobRow, EveryKindReadsBack) {
  for (const JobKind kind :
       {JobKind::kFillIndex, JobKind::kFillExpiry, JobKind::kExpire, JobKind::kTrim, JobKind::kClear}) {
    const Result<Job> read = decode_job(job_key(kind, 5), encode_job({.kind = kind, .id = 5, .table = "t"}));
    ASSERT_TRUE(read.ok()) << outcome_of(read);
    EXPECT_EQ(read->kind, kind);
  }
}

TEST(JobRow, MembersFromTheFutureAreIgnored) {
  Item item = *Item::decode(encode_job(full_job()));
  item.set("priority", Value(7));
  EXPECT_TRUE(decode_job(job_key(JobKind::kClear, 77), std::string(item.encoded())).ok());
}

TEST(JobRow, DamagedRowsAreRefused) {
  const std::string key = job_key(JobKind::kClear, 77);
  const std::string row = encode_job(full_job());
  const auto code = [](const std::string& of_key, const std::string& of_row) {
    const Result<Job> read = decode_job(of_key, of_row);
    return read.ok() ? std::nullopt : std::optional(read.error().code);
  };
  EXPECT_EQ(code(key, row), std::nullopt);
  for (size_t length = 0; length < row.size(); ++length)
    EXPECT_EQ(code(key, row.substr(0, length)), Code::kCorrupt);
  EXPECT_EQ(code(key.substr(0, 5), row), Code::kCorrupt);
  EXPECT_EQ(code(key + "x", row), Code::kCorrupt);
  EXPECT_EQ(code("", row), Code::kCorrupt);
  for (const int kind : {0, 6, 255}) {
    EXPECT_EQ(code(job_key(static_cast<JobKind>(kind), 77), row), Code::kCorrupt) << kind;
  }
  const Item whole_row = *Item::decode(row);
  for (const Attribute attribute : whole_row.view()) {
    Item item = whole_row;
    item.set(attribute.name, Value(true));
    EXPECT_EQ(code(key, std::string(item.encoded())), Code::kCorrupt) << attribute.name;
  }
}

// What a clearing job names is removed without asking again.
TEST(JobRow, ARangeThatIsNotWhatBelongsToOneIdIsRefused) {
  const auto accepted = [](const store::Range& range) {
    Job job = full_job();
    job.ranges = {range};
    return decode_job(job_key(job.kind, job.id), encode_job(job)).ok();
  };
  const store::Range right = whole(store::Space::kItems, 77);
  EXPECT_TRUE(accepted(right));
  EXPECT_FALSE(accepted({.begin = right.begin, .end = "\x03"}));
  EXPECT_FALSE(accepted({.begin = "\x02", .end = "\x03"}));
  EXPECT_FALSE(accepted({.begin = "", .end = ""}));
  EXPECT_FALSE(accepted({.begin = right.end, .end = right.begin}));
  EXPECT_FALSE(accepted({.begin = std::string("\0\0\0\0\x4d", 5), .end = std::string("\0\0\0\0\x4e", 5)}));
  EXPECT_FALSE(
      accepted({.begin = std::string("\x09\0\0\0\x4d", 5), .end = std::string("\x09\0\0\0\x4e", 5)}));
}

class Jobs : public EngineTest {
 protected:
  Jobs() {
    create(collection_table("t"));
    for (int i = 0; i < 300; ++i) {
      put("t", Item{{"PK", "p" + std::to_string(i)}, {"SK", "s"}, {"g", "g" + std::to_string(i % 7)}});
    }
  }

  // Adds an index that must be filled, which takes several steps.
  Id add_index() {
    TableUpdate update;
    update.add_index = global_index("gsi", {.partition = {text_key("g")}, .sort = {}});
    EXPECT_TRUE(update_table(engine(), "t", update).ok());
    return table("t")->find_index("gsi")->settings->id;
  }
  int64_t done(Id index) {
    const std::optional<Job> job = *find_job(engine(), JobKind::kFillIndex, index);
    return job ? job->items_done : -1;
  }
};

TEST_F(Jobs, ARoundDoesOneStepAndSaysWhetherThereIsMore) {
  const Id index = add_index();
  EXPECT_EQ(done(index), 0);
  EXPECT_TRUE(*run_jobs(engine(), "a"));
  const int64_t first = done(index);
  EXPECT_GT(first, 0);
  EXPECT_LT(first, 300);
  EXPECT_TRUE(*run_jobs(engine(), "a"));
  EXPECT_EQ(done(index), 2 * first);
  run_all_jobs("a");
  EXPECT_EQ(done(index), -1) << "its row is gone";
  EXPECT_FALSE(*run_jobs(engine(), "a"));
}

TEST_F(Jobs, AJobThatDoesNotExistIsNotFound) {
  EXPECT_EQ(*find_job(engine(), JobKind::kFillIndex, 12345), std::nullopt);
}

TEST_F(Jobs, ALeaseKeepsOthersAway) {
  const Id index = add_index();
  EXPECT_TRUE(*run_jobs(engine(), "a"));
  const int64_t first = done(index);
  EXPECT_FALSE(*run_jobs(engine(), "b"));
  EXPECT_EQ(done(index), first);
  EXPECT_EQ((*find_job(engine(), JobKind::kFillIndex, index))->owner, "a");
  EXPECT_TRUE(*run_jobs(engine(), "a")) << "its owner goes on";
  EXPECT_GT(done(index), first);
}

TEST_F(Jobs, ALeaseThatRanOutIsTakenOver) {
  const Id index = add_index();
  EXPECT_TRUE(*run_jobs(engine(), "a"));
  const Job held = **find_job(engine(), JobKind::kFillIndex, index);
  clock().advance_us(held.lease_until_us - clock().now_us() - 1);
  EXPECT_FALSE(*run_jobs(engine(), "b"));
  clock().advance_us(1);
  EXPECT_TRUE(*run_jobs(engine(), "b"));
  const Job taken = **find_job(engine(), JobKind::kFillIndex, index);
  EXPECT_EQ(taken.owner, "b");
  EXPECT_GT(taken.items_done, held.items_done) << "from where the first had stopped";
  EXPECT_FALSE(*run_jobs(engine(), "a")) << "who comes back finds it taken";
  run_all_jobs("b");
  expect_sound(store(), table("t")->settings);
}

// Both think that the lease is theirs; the store's guards let one of them through.
TEST_F(Jobs, AStepThatWasTakenOverMeanwhileIsNotDoneTwice) {
  const Id index = add_index();
  HookedStore hooked(store());
  Engine slow(hooked, clock(), {});
  hooked.before_next_submit([&] { ASSERT_TRUE(*run_jobs(engine(), "fast")); });
  ASSERT_TRUE(run_jobs(slow, "slow").ok());
  EXPECT_EQ((*find_job(engine(), JobKind::kFillIndex, index))->owner, "fast");
  run_all_jobs("fast");
  expect_sound(store(), table("t")->settings);
}

TEST_F(Jobs, AStepThatComesAfterTheEndChangesNothing) {
  const Id index = add_index();
  HookedStore hooked(store());
  Engine slow(hooked, clock(), {});
  hooked.before_next_submit([&] { run_all_jobs("fast"); });
  ASSERT_TRUE(run_jobs(slow, "slow").ok());
  EXPECT_EQ(done(index), -1);
  EXPECT_EQ(table("t")->find_index("gsi")->settings->status, IndexStatus::kActive);
  expect_sound(store(), table("t")->settings);
}

TEST_F(Jobs, AStepThatLosesAgainstWritersIsTriedWithFewerItems) {
  const Id index = add_index();
  ASSERT_TRUE(*run_jobs(engine(), "a"));
  const int64_t step = done(index);
  const Rows items = rows_of(store(), store::Space::kItems);
  Item next(Record::of(std::next(items.begin(), step)->second).item);
  next.set("g", Value("moved"));

  HookedStore hooked(store());
  Engine engine_between(hooked, clock(), {});
  hooked.before_next_submit([&] { put("t", next); });
  ASSERT_TRUE(*run_jobs(engine_between, "a"));
  EXPECT_EQ(done(index), step + step / 2);
  run_all_jobs("a");
  expect_sound(store(), table("t")->settings);
}

TEST_F(Jobs, AJobThatIsNotDueWaits) {
  TableSettings settings = collection_table("streamed");
  settings.streams = {{.view = StreamView::kKeysOnly}};
  const Id stream = create(settings)->settings.streams.front().id;
  run_all_jobs();
  const Job waiting = **find_job(engine(), JobKind::kTrim, stream);
  EXPECT_GT(waiting.due_us, clock().now_us());
  const store::Stamp before = store().last_stamp();
  run_all_jobs();
  EXPECT_EQ(store().last_stamp(), before) << "not even its row is written";
  clock().advance_us(waiting.due_us - clock().now_us());
  run_all_jobs();
  EXPECT_GT((*find_job(engine(), JobKind::kTrim, stream))->due_us, waiting.due_us);
}

TEST_F(Jobs, AJobThatFailsDoesNotHoldUpTheOthers) {
  const Id index = add_index();
  store::Batch batch;
  batch.put(job_key(JobKind::kFillIndex, 0), "damaged");
  commit(store(), std::move(batch));
  const Result<bool> ran = run_jobs(engine(), "a");
  ASSERT_FALSE(ran.ok());
  EXPECT_EQ(ran.error().code, Code::kCorrupt);
  EXPECT_GT(done(index), 0);
}

TEST_F(Jobs, AnswersOfTheStoreArePassedOn) {
  add_index();
  HookedStore hooked(store());
  Engine failing(hooked, clock(), {});
  hooked.answer = [](const store::Batch&) {
    return store::Outcome{.kind = store::Outcome::Kind::kUnknown, .reason = "the sync failed"};
  };
  EXPECT_EQ(run_jobs(failing, "a").error(), (Error{Code::kUnknown, "the sync failed"}));
  hooked.answer = [](const store::Batch&) {
    return store::Outcome{.kind = store::Outcome::Kind::kRefused, .reason = "closed"};
  };
  EXPECT_EQ(run_jobs(failing, "a").error(), (Error{Code::kUnavailable, "closed"}));
}

}  // namespace
}  // namespace sheaf::engine
