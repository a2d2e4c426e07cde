// Removing in bulk: what belonged to a deleted table, index or setting, and what a stream no longer keeps.
#include <algorithm>

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/jobs.h"
#include "engine/store_keys.h"
#include "engine/streams.h"
#include "value/key_codec.h"

namespace sheaf::engine {
namespace {

constexpr int64_t kTrimPeriodUs = 60'000'000;

}  // namespace

Result<Step> clear_ranges(Engine& engine, Job& job) {
  for (const store::Range& range : job.ranges) TRY(engine.store.drop(range));
  TRY(engine.catalog.change(job.table,
                            [&](const std::optional<TableSettings>& before, Catalog::Ids&,
                                store::Batch& batch) -> Result<std::optional<TableSettings>> {
                              batch.erase(job_key(job.kind, job.id));
                              if (!before ||
                                  (before->id == job.id && before->status == TableStatus::kDeleting))
                                return std::optional<TableSettings>();
                              TableSettings after = *before;
                              std::erase_if(after.indexes, [&](const IndexSettings& index) {
                                return index.id == job.id && index.status == IndexStatus::kDeleting;
                              });
                              return std::optional(std::move(after));
                            }));
  return Step::kSettled;
}

Result<Step> trim_stream(Engine& engine, Job& job) {
  const int64_t horizon_us = stream_horizon_us(engine.clock.now_us());
  const Result<TableRef> table = engine.catalog.find(job.table);
  const bool gone = !table.ok() && table.error().code == Code::kNotFound;
  if (!table.ok() && !gone) return table.error();
  if (gone) return Step::kFinished;
  const auto& streams = (*table)->settings.streams;
  const auto stream =
      std::find_if(streams.begin(), streams.end(), [&](const auto& each) { return each.id == job.id; });
  if (stream == streams.end()) return Step::kFinished;
  for (uint8_t shard = 0; shard < stream->shard_count(); ++shard) {
    store::Range old{.begin = log_prefix(job.id, shard), .end = log_prefix(job.id, shard)};
    append_u64(old.end, static_cast<uint64_t>(horizon_us));
    bool any = false;
    TRY(engine.store.view({})->scan(old, {.rows_max = 1},
                                    [&](std::string_view, std::string_view) { return any = true; }));
    if (any) TRY(engine.store.drop(old));
  }
  if (stream->closed_us != 0 && stream->closed_us < horizon_us) {
    // Writers that were faster than the closing have stamps a little behind it; nobody comes back for them.
    const std::string prefix = space_key(store::Space::kLog, job.id);
    TRY(engine.store.drop({.begin = prefix, .end = prefix_end(prefix)}));
    TRY(engine.catalog.change(job.table,
                              [&](const std::optional<TableSettings>& before, Catalog::Ids&,
                                  store::Batch&) -> Result<std::optional<TableSettings>> {
                                if (!before) return table_not_found();
                                TableSettings after = *before;
                                std::erase_if(after.streams,
                                              [&](const StreamSettings& each) { return each.id == job.id; });
                                return std::optional(std::move(after));
                              }));
    return Step::kFinished;
  }
  job.due_us = engine.clock.now_us() + kTrimPeriodUs;
  return Step::kWait;
}

}  // namespace sheaf::engine
