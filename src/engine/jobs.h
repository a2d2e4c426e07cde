// Background work as rows of the store: each has a cursor that moves in the batch that does the work, and a
// lease that keeps several processes from doing it at once. A crash loses nothing and repeats at most one
// step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"

namespace sheaf::engine {

enum class JobKind : uint8_t {
  kFillIndex = 1,   // id: a global index being created
  kFillExpiry = 2,  // id: a time-to-live setting of a table that had items already
  kExpire = 3,      // id: a time-to-live setting
  kTrim = 4,        // id: a stream
  kClear = 5,       // id: a table, index, stream or setting that is gone
};

struct Job {
  JobKind kind;
  Id id;
  std::string table;
  std::string cursor;  // a store key; empty: at the beginning
  int64_t items_done = 0;
  int64_t due_us = 0;
  int64_t lease_until_us = 0;
  std::string owner;                 // whoever has the lease
  std::vector<store::Range> ranges;  // kClear
};

std::string job_key(JobKind kind, Id id);
std::string encode_job(const Job& job);
Result<Job> decode_job(std::string_view key, std::string encoded);
// Adds a new job's row to a batch.
void add_job(store::Batch& batch, const Job& job);

// What one step left to do.
enum class Step : uint8_t {
  kMore,      // the next step can follow at once
  kWait,      // nothing more until `due_us`
  kFinished,  // the job's row goes with this batch
  kSettled,   // the step has written everything itself, the job's row included
};

// Does one step of every job that is due and free, under `owner`. True if a step could follow at once. The
// Error of a job that fails is returned when all others have had their step. Call it from one thread for an
// owner.
Result<bool> run_jobs(Engine& engine, std::string_view owner);

// How far a job is; nothing if there is none.
Result<std::optional<Job>> find_job(Engine& engine, JobKind kind, Id id);

// The steps, each in its own file. They may write to the job and to the batch, which the runner commits with
// the job's row, guarded; a step must not rely on that succeeding.
Result<Step> fill_index(Engine& engine, Job& job, store::Batch& batch, uint32_t items_max);
Result<Step> fill_expiry(Engine& engine, Job& job, store::Batch& batch, uint32_t items_max);
Result<Step> expire_items(Engine& engine, Job& job);
Result<Step> trim_stream(Engine& engine, Job& job);
Result<Step> clear_ranges(Engine& engine, Job& job);

}  // namespace sheaf::engine
