#include "engine/overwritten.h"

#include <algorithm>

#include "base/try.h"

namespace sheaf::engine {
namespace {

const Index* index_of(const Table& table, std::string_view key) {
  const auto found = std::find_if(table.indexes.begin(), table.indexes.end(),
                                  [&](const Index& index) { return key.starts_with(index.prefix); });
  return found == table.indexes.end() ? nullptr : &*found;
}

}  // namespace

// Read, not inferred: which entries there are, an index that is being filled alone knows.
Result<std::optional<Overwritten>> overwritten_by(const ChangeInBatch& change, store::View& view,
                                                  const Lags& lags) {
  Overwritten overwritten{.lags = lags.of(change.table.settings.name)};
  if (overwritten.lags == nullptr || change.batch.entry_count() == change.first)
    return std::optional<Overwritten>();
  std::vector<std::string> keys{change.place.key};
  std::vector<std::string> global_keys;
  for (size_t i = change.first; i < change.batch.entry_count(); ++i) {
    const store::Batch::Entry entry = change.batch.entry(i);
    if (entry.kind != store::EntryKind::kPut && entry.kind != store::EntryKind::kErase) continue;
    const Index* const index = index_of(change.table, entry.key);
    if (index == nullptr || !overwritten.lags->is_late(index, ReadMode::kEventual)) continue;
    (index->settings->local ? keys : global_keys).emplace_back(entry.key);
  }
  const size_t base_count = keys.size();
  std::move(global_keys.begin(), global_keys.end(), std::back_inserter(keys));
  std::vector<store::Read> reads = TRY(view.read_many(keys));
  for (size_t i = 0; i < keys.size(); ++i) {
    std::vector<PastRow>& rows = i < base_count ? overwritten.base_rows : overwritten.index_rows;
    rows.push_back({.key = std::move(keys[i]), .value = std::move(reads[i].value)});
  }
  return std::optional(std::move(overwritten));
}

}  // namespace sheaf::engine
