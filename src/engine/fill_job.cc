// Filling what was added to a table that has items already: a global index, or the expiry entries of a
// time-to-live setting. Online: writers go on, and each item's guard says whether it changed under our hands.
#include <algorithm>
#include <array>

#include "base/try.h"
#include "engine/index_change.h"
#include "engine/item_change.h"
#include "engine/jobs.h"
#include "engine/store_keys.h"
#include "value/key_codec.h"

namespace sheaf::engine {
namespace {

struct ItemSlice {
  std::vector<std::string> keys;
  std::vector<store::Read> reads;
  bool more = false;
};

// The next items of a table, with the versions that guard them, moving the job's cursor behind them.
Result<ItemSlice> next_items(store::View& view, const Table& table, Job& job, uint32_t items_max) {
  ItemSlice slice;
  const store::Range range{.begin = job.cursor.empty() ? table.item_prefix : job.cursor,
                           .end = prefix_end(table.item_prefix)};
  const store::ScanEnd end =
      TRY(view.scan(range, {.rows_max = items_max}, [&](std::string_view key, std::string_view) {
        slice.keys.emplace_back(key);
        return true;
      }));
  slice.more = end.more;
  if (end.more) {
    job.cursor = end.resume;
  } else if (!slice.keys.empty()) {
    job.cursor = slice.keys.back() + '\0';
  }
  job.items_done += static_cast<int64_t>(slice.keys.size());
  slice.reads = TRY(view.read_many(slice.keys));
  return slice;
}

// The table as of now, if the job's object is still there.
Result<TableRef> table_of(Engine& engine, const Job& job) {
  TableRef table = TRY(engine.catalog.reload(job.table));
  if (table->settings.status != TableStatus::kActive) return table_not_found();
  return table;
}

bool is_gone(const Result<TableRef>& table) { return !table.ok() && table.error().code == Code::kNotFound; }

const Index* index_with_id(const Table& table, Id id) {
  for (const Index& index : table.indexes) {
    if (index.settings->id == id && index.settings->status == IndexStatus::kCreating) return &index;
  }
  return nullptr;
}

Result<void> add_missing_entries(store::Batch& batch, store::View& view, const Table& table,
                                 const Index& index, const ItemSlice& slice) {
  std::vector<IndexEntry> entries;
  std::vector<std::string> entry_keys;
  for (size_t i = 0; i < slice.keys.size(); ++i) {
    batch.guard(slice.keys[i], slice.reads[i].version);
    if (!slice.reads[i].value) continue;
    const Record record = Record::of(*slice.reads[i].value);
    std::optional<IndexEntry> entry = stored_index_entry(index, place_of_stored(table, record.item), record);
    if (!entry) continue;
    entry_keys.push_back(entry->key);
    entries.push_back(std::move(*entry));
  }
  const std::vector<store::Read> existing = TRY(view.read_many(entry_keys));
  for (size_t i = 0; i < entries.size(); ++i) {
    if (existing[i].value) continue;  // a writer was here first, and counted it
    batch.put(entries[i].key, entries[i].record);
    batch.add(total_counter_key(index.settings->id, partition_of(hash_of(entries[i].key))),
              std::array{int64_t{1}, int64_t{entries[i].size_bytes}});
  }
  return {};
}

// The index is complete: from now on it can be queried. Its job goes in the same batch.
Result<Step> activate_index(Engine& engine, const Job& job) {
  TRY(engine.catalog.change(job.table,
                            [&](const std::optional<TableSettings>& before, Catalog::Ids&,
                                store::Batch& batch) -> Result<std::optional<TableSettings>> {
                              if (!before) return table_not_found();
                              TableSettings after = *before;
                              for (IndexSettings& index : after.indexes) {
                                if (index.id == job.id && index.status == IndexStatus::kCreating)
                                  index.status = IndexStatus::kActive;
                              }
                              batch.erase(job_key(job.kind, job.id));
                              return std::optional(std::move(after));
                            }));
  return Step::kSettled;
}

}  // namespace

Result<Step> fill_index(Engine& engine, Job& job, store::Batch& batch, uint32_t items_max) {
  const Result<TableRef> table = table_of(engine, job);
  if (is_gone(table)) return Step::kFinished;
  if (!table.ok()) return table.error();
  const Index* index = index_with_id(**table, job.id);
  if (index == nullptr) return Step::kFinished;

  {
    const std::unique_ptr<store::View> view = engine.store.view({});
    const ItemSlice slice = TRY(next_items(*view, **table, job, items_max));
    if (!slice.keys.empty() || slice.more) {
      batch.guard((*table)->catalog_key, (*table)->version);
      TRY(add_missing_entries(batch, *view, **table, *index, slice));
      return Step::kMore;
    }
  }
  return activate_index(engine, job);
}

Result<Step> fill_expiry(Engine& engine, Job& job, store::Batch& batch, uint32_t items_max) {
  const Result<TableRef> table = table_of(engine, job);
  if (is_gone(table)) return Step::kFinished;
  if (!table.ok()) return table.error();
  const TableSettings& settings = (*table)->settings;
  if (!settings.ttl.enabled || settings.ttl.id != job.id) return Step::kFinished;

  const std::unique_ptr<store::View> view = engine.store.view({});
  const ItemSlice slice = TRY(next_items(*view, **table, job, items_max));
  if (slice.keys.empty() && !slice.more) return Step::kFinished;
  batch.guard((*table)->catalog_key, (*table)->version);
  for (size_t i = 0; i < slice.keys.size(); ++i) {
    batch.guard(slice.keys[i], slice.reads[i].version);
    if (!slice.reads[i].value) continue;
    const ItemView item = Record::of(*slice.reads[i].value).item;
    const std::optional<uint64_t> expires_s = expiry_of(settings, item);
    if (expires_s) batch.put(expiry_key(settings.ttl.id, *expires_s, place_of_stored(**table, item)), {});
  }
  return Step::kMore;
}

}  // namespace sheaf::engine
