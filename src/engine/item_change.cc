#include "engine/item_change.h"

#include <algorithm>
#include <array>

#include "base/try.h"
#include "engine/index_change.h"

namespace sheaf::engine {
namespace {

void add_to_total(store::Batch& batch, Id table_or_index, uint64_t hash, int64_t items, int64_t bytes) {
  if (items == 0 && bytes == 0) return;
  batch.add(total_counter_key(table_or_index, partition_of(hash)), std::array{items, bytes});
}

// The entry that the index holds for the old image. While the index is being filled it may not have one yet,
// so that is read, not inferred; and guarded, because filling it in does not touch the item.
Result<std::optional<IndexEntry>> entry_before(store::Batch& batch, store::View& view, const Index& index,
                                               const ItemChange& change) {
  if (change.before == nullptr) return std::optional<IndexEntry>();
  std::optional<IndexEntry> entry = stored_index_entry(index, change.place, change.before->record());
  if (entry && index.settings->status == IndexStatus::kCreating) {
    const store::Read stored = TRY(view.read(entry->key));
    batch.guard(entry->key, stored.version);
    if (!stored.value) entry.reset();
  }
  return entry;
}

// An update answers only for the index keys that it changes: an item that was put before there was an index
// to object stays out of it, and can be updated all the same.
Result<std::optional<IndexEntry>> entry_after(const Index& index, const ItemChange& change) {
  if (change.after == nullptr) return std::optional<IndexEntry>();
  Result<std::optional<IndexEntry>> entry =
      index_entry(index, change.place, change.after->record(), change.origin);
  if (!entry.ok() && change.origin == ItemOrigin::kUpdate && change.before != nullptr &&
      same_index_key(index, change.before->item(), change.after->item())) {
    return std::optional<IndexEntry>();
  }
  return entry;
}

// Returns by how many bytes the index grows.
int64_t add_index_change(store::Batch& batch, const Index& index, const IndexChange& change) {
  int64_t bytes = 0;
  const Id id = index.settings->id;
  if (change.erase) {
    batch.erase(change.erase->key);
    add_to_total(batch, id, hash_of(change.erase->key), -1, -int64_t{change.erase->size_bytes});
    bytes -= change.erase->size_bytes;
  }
  if (change.put) {
    batch.put(change.put->key, change.put->record);
    const int64_t growth = int64_t{change.put->size_bytes} - int64_t{change.replaced_bytes};
    add_to_total(batch, id, hash_of(change.put->key), change.in_place ? 0 : 1, growth);
    bytes += growth;
  }
  return bytes;
}

// The batch has them, so their keys can go.
void note_entries(std::vector<EntryWrite>& entries, Id index, IndexChange change) {
  if (change.erase) {
    entries.push_back({.index = index,
                       .key = std::move(change.erase->key),
                       .half_units = 2 * write_units(change.erase->size_bytes)});
    change.units -= write_units(change.erase->size_bytes);
  }
  if (change.put)
    entries.push_back({.index = index, .key = std::move(change.put->key), .half_units = 2 * change.units});
}

void add_expiry_change(store::Batch& batch, const ItemChange& change) {
  const TableSettings& settings = change.table.settings;
  if (!settings.ttl.enabled) return;
  const auto before = change.before == nullptr ? std::nullopt : expiry_of(settings, change.before->item());
  const auto after = change.after == nullptr ? std::nullopt : expiry_of(settings, change.after->item());
  if (before == after) return;
  if (before) batch.erase(expiry_key(settings.ttl.id, *before, change.place));
  if (after) batch.put(expiry_key(settings.ttl.id, *after, change.place), {});
}

void add_change_record(store::Batch& batch, const ItemChange& change) {
  const StreamSettings* stream = change.table.settings.open_stream();
  if (stream == nullptr) return;
  const auto image = [](const StoredItem* stored) {
    return stored == nullptr ? std::nullopt : std::optional(stored->item());
  };
  batch.append(
      log_prefix(stream->id, stream->shard_of(change.place.hash)),
      encode_change(change.table, stream->view, image(change.before), image(change.after), change.cause));
}

}  // namespace

std::optional<uint64_t> expiry_of(const TableSettings& table, ItemView item) {
  const std::optional<ValueView> value = item.find(table.ttl.attribute);
  if (!value || value->type() != Type::kNumber) return std::nullopt;
  const double seconds = value->number().to_double();
  if (seconds < 0 || seconds > 1e15) return std::nullopt;
  return static_cast<uint64_t>(seconds);
}

Result<ChangeEffect> add_change(store::Batch& batch, store::View& view, const ItemChange& change) {
  const TableSettings& settings = change.table.settings;
  const int64_t bytes_before = change.before == nullptr ? 0 : change.before->size_bytes();
  const int64_t bytes_after = change.after == nullptr ? 0 : change.after->size_bytes();
  ChangeEffect effect;
  effect.consumed.table = 2 * write_units(static_cast<uint64_t>(std::max(bytes_before, bytes_after)));
  effect.collection_bytes = bytes_after - bytes_before;

  const bool both = change.before != nullptr && change.after != nullptr;
  if (both && change.before->bytes() == change.after->bytes()) {
    // A put answers for all of its index keys, also for those that an older put was not asked about.
    if (change.origin == ItemOrigin::kPut)
      TRY(check_index_keys(change.table, change.after->item(), change.place));
    return effect;
  }
  if (change.before == nullptr && change.after == nullptr) return effect;

  // Room for a lone item with its guards and counters; more grows as it comes.
  constexpr size_t kEntriesMin = 8, kBytesBeside = 512;
  if (batch.empty())
    batch.reserve(kEntriesMin, kBytesBeside + (change.after == nullptr ? 0 : change.after->bytes().size()));
  if (change.after != nullptr) {
    batch.put(change.place.key, change.after->bytes());
  } else {
    batch.erase(change.place.key);
  }
  for (const Index& index : change.table.indexes) {
    if (index.settings->status == IndexStatus::kDeleting) continue;
    IndexChange entries =
        index_change(TRY(entry_before(batch, view, index, change)), TRY(entry_after(index, change)));
    const int64_t growth = add_index_change(batch, index, entries);
    if (index.settings->local) effect.collection_bytes += growth;
    if (entries.units > 0) effect.consumed.add_index(index.settings->id, 2 * entries.units);
    if (change.note_entries) note_entries(effect.entries, index.settings->id, std::move(entries));
  }
  add_expiry_change(batch, change);
  add_change_record(batch, change);

  const int64_t items = (change.after != nullptr ? 1 : 0) - (change.before != nullptr ? 1 : 0);
  add_to_total(batch, settings.id, change.place.hash, items, bytes_after - bytes_before);
  if (!settings.key.sort.empty() && (items != 0 || effect.collection_bytes != 0)) {
    batch.add(collection_counter_key(settings.id, change.place), std::array{items, effect.collection_bytes});
  }
  return effect;
}

}  // namespace sheaf::engine
