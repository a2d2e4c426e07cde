// Items against everything that follows from them, and back.
#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/big_endian.h"
#include "base/try.h"
#include "doctor/examination.h"
#include "engine/change_record.h"
#include "engine/index_change.h"
#include "engine/item_change.h"
#include "engine/store_keys.h"
#include "value/hex_text.h"

namespace sheaf::doctor {
namespace {

using engine::Index;
using engine::IndexEntry;
using engine::ItemPlace;
using engine::JobKind;
using engine::Record;

constexpr size_t kWrongEntriesMax = 100'000;
constexpr size_t kLogKeyBytes = 1 + 4 + 1 + 8 + 2;

struct Sums {
  int64_t items = 0;
  int64_t bytes = 0;

  bool operator==(const Sums&) const = default;
};

Sums sums_in(const std::optional<std::string>& row) {
  if (!row) return {};
  const std::vector<int64_t> sums = store::decode_sums(*row);
  return {.items = sums.empty() ? 0 : sums[0], .bytes = sums.size() < 2 ? 0 : sums[1]};
}

std::string difference(const Sums& found, const Sums& expected) {
  return std::to_string(found.items) + " items of " + std::to_string(found.bytes) +
         " bytes are counted, and there are " + std::to_string(expected.items) + " of " +
         std::to_string(expected.bytes);
}

void correct(store::Batch& batch, const std::string& key, const Sums& found, const Sums& expected) {
  batch.add(key, std::array{expected.items - found.items, expected.bytes - found.bytes});
}

class TableCheck {
 public:
  TableCheck(Examination& examination, const Known& known, const Table& table)
      : examination_(examination), known_(known), table_(table), where_("table " + table.settings.name) {
    for (const Index& index : table.indexes) {
      if (index.settings->status != IndexStatus::kDeleting) indexes_.push_back({.index = &index});
    }
  }

  Result<void> run() {
    const bool is_whole = TRY(examination_.each_slice(
        under(table_.item_prefix), where_, [&](const std::vector<Row>& rows) { return check_items(rows); }));
    // Of the last one before what cannot be read, nobody knows how much is missing.
    if (is_whole) TRY(end_collection());
    for (IndexSums& sums : indexes_) TRY(check_entries(sums));
    TRY(check_expiries());
    for (const engine::StreamSettings& stream : table_.settings.streams) TRY(check_stream(stream));
    // What could not be read cannot be counted.
    if (!is_whole || has_bad_items_) return {};
    TRY(check_totals(table_.settings.id, totals_, where_));
    for (const IndexSums& sums : indexes_) {
      if (sums.is_whole && sums.index->settings->status == IndexStatus::kActive)
        TRY(check_totals(sums.index->settings->id, sums.totals, where_of(*sums.index)));
    }
    return check_emptied_collections();
  }

 private:
  using Totals = std::array<Sums, 1 << engine::kPartitionBits>;
  struct IndexSums {
    const Index* index;
    Totals totals{};
    bool is_whole = true;
  };

  std::string where_of(const Index& index) const { return where_ + ", index " + index.settings->name; }

  static void count(Totals& totals, uint64_t hash, int64_t bytes) {
    Sums& sums = totals[engine::partition_of(hash)];
    ++sums.items;
    sums.bytes += bytes;
  }

  std::string key_text(const std::string& key) const {
    const Result<Item> item = engine::key_item(table_.settings.key, engine::without_space(key));
    return item.ok() ? item->to_json() : hex(key);
  }

  // What there must be beside an item.
  struct Expected {
    enum class Kind : uint8_t { kEntry, kExpiry };
    Kind kind;
    size_t index;  // of an entry: in indexes_
    std::string key;
    std::string row;
    std::string item;  // for people
  };

  Result<void> check_items(const std::vector<Row>& rows) {
    std::vector<Expected> expected;
    for (const Row& row : rows) {
      ++examination_.figures().items;
      const std::optional<Item> item = decoded(row.value);
      if (!item) {
        has_bad_items_ = true;
        examination_.note(Trouble::kBadItem, where_, key_text(row.key));
        continue;
      }
      const Result<ItemPlace> place = engine::place_of_item(table_, *item);
      if (!place.ok() || place->key != row.key) {
        has_bad_items_ = true;
        examination_.note(Trouble::kMisplacedItem, where_, key_text(row.key));
        continue;
      }
      TRY(check_item(*place, Record::of(row.value), expected));
    }
    TRY(compare(expected));
    examination_.tell();
    return {};
  }

  Result<void> check_item(const ItemPlace& place, const Record& record, std::vector<Expected>& expected) {
    TRY(enter_collection(place));
    count(totals_, place.hash, record.size_bytes);
    ++collection_.items;
    collection_.bytes += record.size_bytes;
    for (size_t i = 0; i < indexes_.size(); ++i) {
      const Index& index = *indexes_[i].index;
      std::optional<IndexEntry> entry = engine::stored_index_entry(index, place, record);
      if (!entry) continue;
      count(indexes_[i].totals, engine::hash_of(entry->key), entry->size_bytes);
      if (index.settings->local) collection_.bytes += entry->size_bytes;
      // One that is being filled does not have all of them yet.
      if (index.settings->status == IndexStatus::kActive)
        expected.push_back({.kind = Expected::Kind::kEntry,
                            .index = i,
                            .key = std::move(entry->key),
                            .row = std::move(entry->record),
                            .item = key_text(place.key)});
    }
    const engine::TableSettings& settings = table_.settings;
    if (!settings.ttl.enabled || known_.has_job(JobKind::kFillExpiry, settings.ttl.id)) return {};
    if (const std::optional<uint64_t> expires_s = engine::expiry_of(settings, record.item))
      expected.push_back({.kind = Expected::Kind::kExpiry,
                          .index = 0,
                          .key = engine::expiry_key(settings.ttl.id, *expires_s, place),
                          .row = "",
                          .item = key_text(place.key)});
    return {};
  }

  Result<void> compare(const std::vector<Expected>& expected) {
    std::vector<std::string> keys;
    for (const Expected& each : expected) keys.push_back(each.key);
    const auto found = examination_.read(keys, where_);
    if (!found) return {};
    for (size_t i = 0; i < expected.size(); ++i) {
      const Expected& each = expected[i];
      const std::optional<std::string>& row = (*found)[i].value;
      if (row && (*row == each.row || each.kind == Expected::Kind::kExpiry)) continue;
      const Trouble trouble = each.kind == Expected::Kind::kExpiry ? Trouble::kMissingExpiry
                              : row                                ? Trouble::kWrongEntry
                                                                   : Trouble::kMissingEntry;
      const std::string where =
          each.kind == Expected::Kind::kExpiry ? where_ : where_of(*indexes_[each.index].index);
      if (trouble == Trouble::kWrongEntry && wrong_entries_.size() < kWrongEntriesMax)
        wrong_entries_.insert(each.key);
      TRY(examination_.note(trouble, where, each.item,
                            [&](store::Batch& batch) { batch.put(each.key, each.row); }));
    }
    return {};
  }

  // Items of a collection lie together.
  Result<void> enter_collection(const ItemPlace& place) {
    if (table_.settings.key.sort.empty()) return {};
    std::string key = engine::collection_counter_key(table_.settings.id, place);
    if (key == collection_key_) return {};
    TRY(end_collection());
    collection_key_ = std::move(key);
    return {};
  }

  Result<void> end_collection() {
    const Sums expected = std::exchange(collection_, Sums());
    const std::string key = std::exchange(collection_key_, "");
    if (key.empty() || has_bad_items_) return {};
    const auto rows = examination_.read({key}, where_);
    if (!rows) return {};
    const Sums found = sums_in(rows->front().value);
    if (found == expected) return {};
    return examination_.note(Trouble::kWrongCollection, where_, difference(found, expected),
                             [&](store::Batch& batch) { correct(batch, key, found, expected); });
  }

  // Counts of collections that have no items.
  Result<void> check_emptied_collections() {
    if (table_.settings.key.sort.empty()) return {};
    const size_t rest_at = engine::space_key(Space::kCounters, 0).size() + 1;
    static_cast<void>(TRY(examination_.each_slice(
        engine::collection_counters(table_.settings.id), where_,
        [&](const std::vector<Row>& rows) -> Result<void> {
          for (const Row& row : rows) {
            const Sums found = sums_in(row.value);
            if (found == Sums()) continue;
            bool has_items = false;
            const Result<store::ScanEnd> end = examination_.store().view({})->scan(
                under(table_.item_prefix + row.key.substr(rest_at)), {.rows_max = 1},
                [&](std::string_view, std::string_view) { return has_items = true, false; });
            if (!end.ok() || has_items) continue;
            TRY(examination_.note(Trouble::kWrongCollection, where_, difference(found, {}),
                                  [&](store::Batch& batch) { correct(batch, row.key, found, {}); }));
          }
          return {};
        })));
    return {};
  }

  Result<void> check_totals(Id id, const Totals& expected, const std::string& where) {
    std::vector<std::string> keys;
    Totals found{};
    Sums all_found, all_expected;
    for (uint16_t i = 0; i < expected.size(); ++i) keys.push_back(engine::total_counter_key(id, i));
    const auto rows = examination_.read(keys, where);
    if (!rows) return {};
    for (size_t i = 0; i < expected.size(); ++i) {
      found[i] = sums_in((*rows)[i].value);
      all_found.items += found[i].items;
      all_found.bytes += found[i].bytes;
      all_expected.items += expected[i].items;
      all_expected.bytes += expected[i].bytes;
    }
    if (found == expected) return {};
    return examination_.note(Trouble::kWrongTotal, where, difference(all_found, all_expected),
                             [&](store::Batch& batch) {
                               for (size_t i = 0; i < expected.size(); ++i) {
                                 if (found[i] != expected[i]) correct(batch, keys[i], found[i], expected[i]);
                               }
                             });
  }

  // Whether each entry of the index is that of an item.
  Result<void> check_entries(IndexSums& sums) {
    const Index& index = *sums.index;
    const std::string where = where_of(index);
    sums.is_whole = TRY(examination_.each_slice(
        under(index.prefix), where, [&](const std::vector<Row>& rows) -> Result<void> {
          std::vector<std::string> keys;
          for (const Row& row : rows) {
            ++examination_.figures().entries;
            const std::optional<Item> entry = decoded(row.value);
            Result<ItemPlace> place =
                entry ? engine::place_of_item(table_, *entry) : Error{Code::kCorrupt, ""};
            keys.push_back(place.ok() ? std::move(place->key) : table_.item_prefix);
          }
          const auto items = examination_.read(keys, where);
          if (!items) return {};
          for (size_t i = 0; i < rows.size(); ++i) {
            if (wrong_entries_.contains(rows[i].key) || is_entry_of(index, rows[i].key, (*items)[i].value))
              continue;
            TRY(examination_.note(Trouble::kOrphanEntry, where, entry_text(rows[i]),
                                  [&](store::Batch& batch) { batch.erase(rows[i].key); }));
          }
          return {};
        }));
    return {};
  }

  bool is_entry_of(const Index& index, const std::string& key, const std::optional<std::string>& row) const {
    if (!row) return false;
    // Of an item that cannot be read nobody can say.
    if (!decoded(*row)) return true;
    const Record record = Record::of(*row);
    const Result<ItemPlace> place = engine::place_of_item(table_, record.item);
    if (!place.ok()) return true;
    const std::optional<IndexEntry> entry = engine::stored_index_entry(index, *place, record);
    return entry && entry->key == key;
  }

  static std::string entry_text(const Row& row) {
    const std::optional<Item> entry = decoded(row.value);
    return entry ? entry->to_json() : hex(row.key);
  }

  Result<void> check_expiries() {
    const engine::TtlSettings& ttl = table_.settings.ttl;
    if (!ttl.enabled) return {};
    const size_t second_at = engine::space_key(Space::kExpiry, ttl.id).size();
    static_cast<void>(TRY(examination_.each_slice(
        rows_of(Space::kExpiry, ttl.id), where_, [&](const std::vector<Row>& rows) -> Result<void> {
          std::vector<std::string> keys;
          for (const Row& row : rows) {
            // The second stands where the hash of an item's key does, which key_item leaves out.
            const Result<Item> key =
                engine::key_item(table_.settings.key, std::string_view(row.key).substr(second_at));
            Result<ItemPlace> place =
                key.ok() ? engine::place_of_item(table_, *key) : Error{Code::kCorrupt, ""};
            keys.push_back(place.ok() ? std::move(place->key) : table_.item_prefix);
          }
          const auto items = examination_.read(keys, where_);
          if (!items) return {};
          for (size_t i = 0; i < rows.size(); ++i) {
            const std::optional<std::string>& item = (*items)[i].value;
            if (item && !decoded(*item)) continue;
            const std::optional<uint64_t> expires_s =
                item ? engine::expiry_of(table_.settings, Record::of(*item).item) : std::nullopt;
            if (expires_s && *expires_s == read_u64(rows[i].key.data() + second_at)) continue;
            TRY(examination_.note(Trouble::kOrphanExpiry, where_, hex(rows[i].key),
                                  [&](store::Batch& batch) { batch.erase(rows[i].key); }));
          }
          return {};
        })));
    return {};
  }

  // A record must be in the shard of its item. Their order is that of their keys.
  Result<void> check_stream(const engine::StreamSettings& stream) {
    const std::string where = where_ + ", stream " + std::to_string(stream.id);
    static_cast<void>(TRY(examination_.each_slice(
        rows_of(Space::kLog, stream.id), where, [&](const std::vector<Row>& rows) -> Result<void> {
          for (const Row& row : rows) {
            ++examination_.figures().log_records;
            if (!is_record(stream, row)) examination_.note(Trouble::kBadLogRecord, where, hex(row.key));
          }
          return {};
        })));
    return {};
  }

  bool is_record(const engine::StreamSettings& stream, const Row& row) const {
    if (row.key.size() != kLogKeyBytes) return false;
    const Result<ChangeEvent> event = engine::decode_change(row.value, {});
    if (!event.ok()) return false;
    const Result<ItemPlace> place = engine::place_of_key(table_, event->key);
    return place.ok() && stream.shard_of(place->hash) == static_cast<uint8_t>(row.key[5]);
  }

  Examination& examination_;
  const Known& known_;
  const Table& table_;
  const std::string where_;
  std::vector<IndexSums> indexes_;
  Totals totals_{};
  bool has_bad_items_ = false;
  std::string collection_key_;
  Sums collection_;
  std::unordered_set<std::string> wrong_entries_;
};

}  // namespace

Result<void> check_table(Examination& examination, const Known& known, const Table& table) {
  return TableCheck(examination, known, table).run();
}

}  // namespace sheaf::doctor
