// Any bytes as the key and the row of a job: refused as damaged, or a job that can be written back.
#include <algorithm>

#include "engine/fuzz_checks.h"
#include "engine/jobs.h"
#include "engine/store_keys.h"

namespace sheaf::engine {
namespace {

Job right_job() {
  return {
      .kind = JobKind::kClear,
      .id = 7,
      .table = "table",
      .cursor = "cursor",
      .items_done = 1,
      .due_us = 2,
      .lease_until_us = 3,
      .owner = "owner",
      .ranges = {{.begin = space_key(store::Space::kItems, 7), .end = space_key(store::Space::kItems, 8)}}};
}

void check(const std::string& key, std::string row) {
  const Result<Job> job = decode_job(key, std::move(row));
  if (!job.ok()) return require_corrupt(job.error());
  const Result<Job> again = decode_job(job_key(job->kind, job->id), encode_job(*job));
  require(again.ok() && again->table == job->table && again->cursor == job->cursor);
  require(again->items_done == job->items_done && again->due_us == job->due_us);
  require(again->lease_until_us == job->lease_until_us && again->owner == job->owner);
  require(again->ranges.size() == job->ranges.size());
  for (const store::Range& range : job->ranges) require(range.begin < range.end);
}

}  // namespace
}  // namespace sheaf::engine

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf::engine;
  static const std::string right_key = job_key(JobKind::kClear, 7);
  static const std::string right_row = encode_job(right_job());
  static const sheaf::Item right_item = *sheaf::Item::decode(right_row);
  const size_t key_bytes = std::min<size_t>(right_key.size(), size);
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check(bytes.substr(0, key_bytes), bytes.substr(key_bytes));
  check(bytes, right_row);
  check(right_key, with_bytes_changed(right_row, data, size));
  check(right_key, std::string(with_attributes_changed(right_item, data, size).encoded()));
  return 0;
}
