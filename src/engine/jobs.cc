#include "engine/jobs.h"

#include <algorithm>

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/request_tokens.h"
#include "value/key_codec.h"

namespace sheaf::engine {
namespace {

constexpr int64_t kLeaseUs = 30'000'000;
constexpr uint32_t kItemsPerJobStepMax = 128;
constexpr size_t kJobKeyBytes = 1 + 1 + sizeof(Id);
constexpr size_t kIdPrefixBytes = 1 + sizeof(Id);

store::Range all_jobs() {
  return {.begin = std::string(1, static_cast<char>(store::Space::kJobs)),
          .end = std::string(1, static_cast<char>(static_cast<uint8_t>(store::Space::kJobs) + 1))};
}

struct FoundJob {
  std::string key;
  std::string row;
};

Result<std::vector<FoundJob>> list_jobs(store::Store& store) {
  std::vector<FoundJob> jobs;
  store::Range range = all_jobs();
  for (bool more = true; more;) {
    const store::ScanEnd end =
        TRY(store.view({})->scan(range, {}, [&](std::string_view key, std::string_view row) {
          jobs.push_back({.key = std::string(key), .row = std::string(row)});
          return true;
        }));
    more = end.more;
    range.begin = end.resume;
  }
  return jobs;
}

Result<Step> do_step(Engine& engine, Job& job, store::Batch& batch, uint32_t items_max) {
  switch (job.kind) {
    case JobKind::kFillIndex:
      return fill_index(engine, job, batch, items_max);
    case JobKind::kFillExpiry:
      return fill_expiry(engine, job, batch, items_max);
    case JobKind::kExpire:
      return expire_items(engine, job);
    case JobKind::kTrim:
      return trim_stream(engine, job);
    case JobKind::kClear:
      break;
  }
  return clear_ranges(engine, job);
}

Result<void> to_result(const store::Outcome& outcome) {
  if (outcome.kind == store::Outcome::Kind::kUnknown) return Error{Code::kUnknown, outcome.reason};
  if (outcome.kind == store::Outcome::Kind::kRefused) return Error{Code::kUnavailable, outcome.reason};
  return {};
}

Error damaged() { return {Code::kCorrupt, "a row of background work is damaged"}; }

// What a row lacks, a version wrote that had no use for it.
Result<std::string> bytes_of(ItemView item, std::string_view name, Type type) {
  const std::optional<ValueView> value = item.find(name);
  if (!value) return std::string();
  if (value->type() != type) return damaged();
  return std::string(value->bytes());
}

Result<int64_t> integer_of(ItemView item, std::string_view name) {
  const std::optional<ValueView> value = item.find(name);
  if (!value) return 0;
  if (value->type() != Type::kNumber) return damaged();
  const Result<int64_t> number = value->number().to_int64();
  return number.ok() ? number : damaged();
}

// What it names will be dropped, so it must lie within one id of one space.
Result<store::Range> decode_range(ValueView value) {
  if (value.type() != Type::kMap) return damaged();
  store::Range range;
  range.begin = TRY(bytes_of(value.map(), "begin", Type::kBinary));
  range.end = TRY(bytes_of(value.map(), "end", Type::kBinary));
  const bool whole_id = range.begin.size() == kIdPrefixBytes && range.end == prefix_end(range.begin) &&
                        range.begin[0] >= static_cast<char>(store::kSpaceMin) &&
                        range.begin[0] <= static_cast<char>(store::kSpaceMax);
  if (!whole_id) return damaged();
  return range;
}

// One step of one job. True if another could follow at once.
Result<bool> run_job(Engine& engine, const std::string& key, std::string_view owner) {
  // Writers of the same items make the guards fail; fewer items a step give them fewer chances.
  for (uint32_t items_max = kItemsPerJobStepMax; items_max > 0; items_max /= 2) {
    store::Read row = TRY(engine.store.view({})->read(key));
    if (!row.value) return false;
    Job job = TRY(decode_job(key, std::move(*row.value)));
    const int64_t now_us = engine.clock.now_us();
    if (job.due_us > now_us) return false;
    if (job.owner != owner && job.lease_until_us > now_us) return false;
    job.owner = owner;
    job.lease_until_us = now_us + kLeaseUs;

    store::Batch batch;
    const Step step = TRY(do_step(engine, job, batch, items_max));
    if (step == Step::kSettled) return true;
    batch.guard(key, row.version);
    if (step == Step::kFinished) {
      batch.erase(key);
    } else {
      batch.put(key, encode_job(job));
    }
    const store::Outcome outcome = commit(engine.store, std::move(batch));
    TRY(to_result(outcome));
    if (outcome.kind == store::Outcome::Kind::kApplied) return step == Step::kMore;
  }
  return true;
}

// Every drop leaves a mark in the store, so not at every run.
Result<void> drop_expired_tokens(Engine& engine) {
  const int64_t now_us = engine.clock.now_us();
  if (now_us - engine.tokens_dropped_us.load() < kTokenLifetimeUs) return {};
  engine.tokens_dropped_us.store(now_us);
  return engine.store.drop(expired_tokens(now_us));
}

}  // namespace

std::string job_key(JobKind kind, Id id) {
  std::string key{static_cast<char>(store::Space::kJobs), static_cast<char>(kind)};
  append_u32(key, id);
  return key;
}

std::string encode_job(const Job& job) {
  std::vector<Value> ranges;
  for (const store::Range& range : job.ranges) {
    ranges.push_back(Item{{"begin", Value::binary(range.begin)}, {"end", Value::binary(range.end)}});
  }
  const Item item{
      {"table", job.table},           {"cursor", Value::binary(job.cursor)},  {"items_done", job.items_done},
      {"due_us", job.due_us},         {"lease_until_us", job.lease_until_us}, {"owner", job.owner},
      {"ranges", Value::list(ranges)}};
  return std::string(item.encoded());
}

Result<Job> decode_job(std::string_view key, std::string encoded) {
  if (key.size() != kJobKeyBytes || key[1] < static_cast<char>(JobKind::kFillIndex) ||
      key[1] > static_cast<char>(JobKind::kClear)) {
    return damaged();
  }
  const Item item = TRY(Item::decode(std::move(encoded)));
  Job job{.kind = static_cast<JobKind>(key[1]), .id = read_u32(key.data() + 2)};
  job.table = TRY(bytes_of(item, "table", Type::kString));
  job.cursor = TRY(bytes_of(item, "cursor", Type::kBinary));
  job.items_done = TRY(integer_of(item, "items_done"));
  job.due_us = TRY(integer_of(item, "due_us"));
  job.lease_until_us = TRY(integer_of(item, "lease_until_us"));
  job.owner = TRY(bytes_of(item, "owner", Type::kString));
  const std::optional<ValueView> ranges = item.find("ranges");
  if (!ranges) return job;
  if (ranges->type() != Type::kList) return damaged();
  for (const ValueView range : ranges->list()) job.ranges.push_back(TRY(decode_range(range)));
  return job;
}

void add_job(store::Batch& batch, const Job& job) { batch.put(job_key(job.kind, job.id), encode_job(job)); }

Result<bool> run_jobs(Engine& engine, std::string_view owner) {
  bool more = false;
  std::optional<Error> failure;  // the first; one job that cannot go on must not hold up the others
  for (const FoundJob& found : TRY(list_jobs(engine.store))) {
    const Result<bool> ran = run_job(engine, found.key, owner);
    if (!ran.ok() && !failure) failure = ran.error();
    more |= ran.ok() && *ran;
  }
  TRY(drop_expired_tokens(engine));
  if (failure) return std::move(*failure);
  return more;
}

Result<std::optional<Job>> find_job(Engine& engine, JobKind kind, Id id) {
  const std::string key = job_key(kind, id);
  store::Read row = TRY(engine.store.view({})->read(key));
  if (!row.value) return std::optional<Job>();
  return std::optional(TRY(decode_job(key, std::move(*row.value))));
}

}  // namespace sheaf::engine
