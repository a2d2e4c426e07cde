// The catalog, jobs, and rows that belong to nothing.
#include <algorithm>
#include <set>

#include "base/big_endian.h"
#include "base/try.h"
#include "doctor/examination.h"
#include "engine/store_keys.h"

namespace sheaf::doctor {
namespace {

using engine::Job;
using engine::JobKind;

constexpr int64_t kLeaseUsMax = int64_t{3600} * 1'000'000;  // no lease is nearly as long

struct Ids {
  std::set<std::pair<Space, Id>> owners;  // whose rows there may be
  Id highest = 0;

  void add(Space space, Id id) {
    owners.emplace(space, id);
    highest = std::max(highest, id);
  }
};

void add_ids(Ids& ids, const engine::TableSettings& table) {
  ids.add(Space::kItems, table.id);
  ids.add(Space::kCounters, table.id);
  for (const engine::IndexSettings& index : table.indexes) {
    ids.add(Space::kIndexes, index.id);
    ids.add(Space::kCounters, index.id);
  }
  for (const engine::StreamSettings& stream : table.streams) ids.add(Space::kLog, stream.id);
  if (table.ttl.id != 0) ids.add(Space::kExpiry, table.ttl.id);
}

Result<void> read_tables(Examination& examination, Known& known) {
  static_cast<void>(TRY(examination.each_slice(
      engine::all_tables(), "the catalog", [&](const std::vector<Row>& rows) -> Result<void> {
        for (const Row& row : rows) {
          const std::string name(engine::table_name_of(row.key));
          Result<engine::TableSettings> settings = engine::decode_settings(row.value);
          if (settings.ok() && settings->name == name) {
            known.tables.push_back(std::make_shared<Table>(std::move(*settings), store::Version{}));
            ++examination.figures().tables;
          } else {
            examination.note(Trouble::kBadSettings, "the catalog", name);
          }
        }
        return {};
      })));
  return {};
}

Result<void> read_jobs(Examination& examination, Known& known) {
  const store::Range all = under(std::string(1, static_cast<char>(Space::kJobs)));
  static_cast<void>(
      TRY(examination.each_slice(all, "the jobs", [&](const std::vector<Row>& rows) -> Result<void> {
        for (const Row& row : rows) {
          Result<Job> job = engine::decode_job(row.key, row.value);
          if (!job.ok()) {
            TRY(examination.note(Trouble::kBadJob, "the jobs", job.error().message,
                                 [&](store::Batch& batch) { batch.erase(row.key); }));
            continue;
          }
          ++examination.figures().jobs;
          if (job->lease_until_us > examination.now_us() + kLeaseUsMax) {
            Job freed = *job;
            freed.lease_until_us = 0;
            freed.owner.clear();
            TRY(examination.note(
                Trouble::kStuckJob, "table " + job->table, "one that somebody has for far too long",
                [&](store::Batch& batch) { batch.put(row.key, engine::encode_job(freed)); }));
          }
          known.jobs.push_back(std::move(*job));
        }
        return {};
      })));
  return {};
}

Result<void> expect_job(Examination& examination, const Known& known, const Job& job,
                        const std::string& what) {
  if (known.has_job(job.kind, job.id)) return {};
  return examination.note(Trouble::kStuckJob, "table " + job.table, what,
                          [&](store::Batch& batch) { engine::add_job(batch, job); });
}

Job clear_job(const engine::TableSettings& table, Id id) {
  return {.kind = JobKind::kClear, .id = id, .table = table.name};
}

// What is under way must have somebody who does it.
Result<void> check_work(Examination& examination, const Known& known, const engine::TableSettings& table) {
  if (table.status == TableStatus::kDeleting) {
    Job job = clear_job(table, table.id);
    Ids ids;
    add_ids(ids, table);
    for (const auto& [space, id] : ids.owners) job.ranges.push_back(rows_of(space, id));
    return expect_job(examination, known, job, "the removal of the table");
  }
  for (const engine::IndexSettings& index : table.indexes) {
    if (index.status == IndexStatus::kCreating)
      TRY(expect_job(examination, known, {.kind = JobKind::kFillIndex, .id = index.id, .table = table.name},
                     "the filling of index " + index.name));
    if (index.status == IndexStatus::kDeleting) {
      Job job = clear_job(table, index.id);
      job.ranges = {rows_of(Space::kIndexes, index.id), rows_of(Space::kCounters, index.id)};
      TRY(expect_job(examination, known, job, "the removal of index " + index.name));
    }
  }
  if (table.ttl.enabled)
    TRY(expect_job(examination, known, {.kind = JobKind::kExpire, .id = table.ttl.id, .table = table.name},
                   "the expiring of items"));
  for (const engine::StreamSettings& stream : table.streams)
    TRY(expect_job(examination, known, {.kind = JobKind::kTrim, .id = stream.id, .table = table.name},
                   "the trimming of the stream"));
  return {};
}

bool is_being_cleared(const Known& known, const store::Range& range) {
  for (const Job& job : known.jobs) {
    for (const store::Range& cleared : job.ranges) {
      if (cleared.begin <= range.begin && range.end <= cleared.end) return true;
    }
  }
  return false;
}

// From one id to the next, whatever lies between.
Result<void> find_strays(Examination& examination, const Known& known, const Ids& ids, Space space) {
  store::Range rest = under(std::string(1, static_cast<char>(space)));
  while (true) {
    std::string found;
    const Result<store::ScanEnd> end = examination.store().view({})->scan(
        rest, {.rows_max = 1}, [&](std::string_view key, std::string_view) {
          found = key;
          return false;
        });
    if (!end.ok()) return {};  // the table's own check finds it too
    if (found.size() < 1 + sizeof(Id)) return {};
    const Id id = read_u32(found.data() + 1);
    const store::Range rows = rows_of(space, id);
    if (!ids.owners.contains({space, id}) && !is_being_cleared(known, rows))
      TRY(examination.note_range(
          Trouble::kStrayRows, "the store",
          "those of id " + std::to_string(id) + " in space " + std::to_string(static_cast<int>(space)),
          rows));
    rest.begin = rows.end;
  }
}

Result<void> check_next_id(Examination& examination, const Ids& ids) {
  const auto rows = examination.read({engine::next_id_key()}, "the catalog");
  if (!rows || ids.highest == 0) return {};
  const std::optional<std::string>& value = rows->front().value;
  if (value && value->size() == sizeof(Id) && read_u32(value->data()) > ids.highest) return {};
  std::string next;
  append_u32(next, ids.highest + 1);
  return examination.note(Trouble::kIdsUsedAgain, "the catalog", "id " + std::to_string(ids.highest),
                          [&](store::Batch& batch) { batch.put(engine::next_id_key(), next); });
}

}  // namespace

Result<Known> check_catalog(Examination& examination) {
  Known known;
  TRY(read_tables(examination, known));
  TRY(read_jobs(examination, known));
  Ids ids;
  for (const engine::TableRef& table : known.tables) {
    add_ids(ids, table->settings);
    TRY(check_work(examination, known, table->settings));
  }
  TRY(check_next_id(examination, ids));
  // A table whose settings cannot be read still has its rows.
  if (!examination.has(Trouble::kBadSettings) && !examination.has(Trouble::kUnreadable)) {
    for (const Space space : {Space::kItems, Space::kIndexes, Space::kLog, Space::kCounters, Space::kExpiry})
      TRY(find_strays(examination, known, ids, space));
  }
  TRY(examination.flush());
  return known;
}

}  // namespace sheaf::doctor
