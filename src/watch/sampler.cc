#include "watch/sampler.h"

#include <algorithm>
#include <set>

#include "api/heat_report.h"
#include "base/try.h"

namespace sheaf::watch {
namespace {

constexpr int64_t kSecondUs = 1'000'000;
// Keys and counts of tables change seldom, and elsewhere their counts are hours old anyway.
constexpr int64_t kDescribeAgainUs = 300 * kSecondUs;
// A table that was gone through is left alone for so long.
constexpr int64_t kScanAgainUs = 3600 * kSecondUs;
// A collection or an item is not measured more often than this; one that takes many pages, as much less
// often.
constexpr int64_t kMeasureAgainUs = 10 * kSecondUs;
// Heat is asked for of a minute, and told of a little more.
constexpr int64_t kOwnReadsKeptUs = 300 * kSecondUs;
constexpr uint32_t kScanItems = 100;
// How much of a minute's requests may be made at once.
constexpr double kBurstShare = 1.0 / 6;
// Of the hottest, so many are followed one by one.
constexpr size_t kHotKeys = 5;
constexpr size_t kLargestFollowed = 10;
constexpr size_t kKnownMax = 500;  // collections, and items, of one table
// Keys with less of a partition's ceiling are not worth a line.
constexpr double kTrafficShareMin = 0.01;
// Items with less of their limit are noted only if they are the largest of their kind.
constexpr double kNotableShare = 0.1;
constexpr double kBytesPerWriteUnit = 1024;

// Those that are to be measured again: hot ones and the largest, the one that waits longest first. `rest_us`:
// how long one is left alone.
template <typename Map, typename Size, typename Rest>
typename Map::iterator next_due(Map& all, int64_t now_us, Size size, Rest rest_us) {
  using Known = typename Map::mapped_type;
  std::vector<typename Map::iterator> order;
  for (auto each = all.begin(); each != all.end(); ++each) order.push_back(each);
  const size_t followed = std::min(kLargestFollowed, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(followed), order.end(),
                    [&](auto a, auto b) { return size(a->second) > size(b->second); });
  auto due = all.end();
  for (size_t i = 0; i < order.size(); ++i) {
    const Known& known = order[i]->second;
    if (i >= followed && !known.is_hot) continue;
    if (known.measured_us && now_us - *known.measured_us < rest_us(known)) continue;
    const auto waits_longer = [](const Known& a, const Known& b) {
      return a.measured_us.value_or(INT64_MIN) < b.measured_us.value_or(INT64_MIN);
    };
    const bool is_first = due == all.end() || waits_longer(known, due->second) ||
                          (known.measured_us == due->second.measured_us && known.is_hot > due->second.is_hot);
    if (is_first) due = order[i];
  }
  return due;
}

template <typename Map, typename Size>
void keep_largest(Map& all, Size size) {
  if (all.size() <= kKnownMax) return;
  std::vector<std::pair<int64_t, typename Map::key_type>> sizes;
  for (const auto& [key, known] : all) {
    if (!known.is_hot) sizes.emplace_back(size(known), key);
  }
  std::sort(sizes.begin(), sizes.end());
  const size_t surplus = std::min(sizes.size(), all.size() - kKnownMax * 9 / 10);
  for (size_t i = 0; i < surplus; ++i) all.erase(sizes[i].second);
}

// Whether the item is in an index with this key.
bool has_key(const KeySchema& schema, ItemView item) {
  const auto is_there = [&](const KeyAttribute& attribute) { return item.find(attribute.name).has_value(); };
  return std::all_of(schema.partition.begin(), schema.partition.end(), is_there) &&
         std::all_of(schema.sort.begin(), schema.sort.end(), is_there);
}

}  // namespace

Source source_of(Database& database) {
  return {.database = database,
          .heat = [&database](const AskHeat& request) { return database.heat(request); },
          .collection_sizes = [&database](const std::string& table,
                                          const std::vector<Item>& keys) -> Result<SizesByKey> {
            SizesByKey sizes;
            for (const Item& key : keys) sizes[key.to_json()] = TRY(database.collection_size(table, key));
            return sizes;
          }};
}

bool Sampler::KnownTable::has_collections(const std::string& index) const {
  if (index.empty()) return !description.key.sort.empty();
  return std::any_of(description.indexes.begin(), description.indexes.end(),
                     [&](const IndexDescription& each) { return each.name == index && !each.local; });
}

bool Sampler::KnownTable::has_local_index() const {
  return std::any_of(description.indexes.begin(), description.indexes.end(),
                     [](const IndexDescription& index) { return index.local; });
}

Sampler::Sampler(Source source, const KeyNames& names, std::vector<std::string> tables,
                 SamplerOptions options)
    : source_(std::move(source)),
      names_(names),
      wanted_(tables.empty() ? names.tables() : std::move(tables)),
      options_(options) {}

Result<void> Sampler::describe(Watcher& watcher, int64_t now_us) {
  std::optional<Error> error;
  for (const std::string& name : wanted_) {
    const auto known = tables_.find(name);
    if (known != tables_.end() && now_us - known->second.described_us < kDescribeAgainUs) continue;
    Result<TableDescription> description = source_.database.describe_table(name);
    if (!description.ok()) {
      if (description.error().code == Code::kNotFound) tables_.erase(name);
      error = description.error();
      continue;
    }
    KnownTable& table = tables_[name];
    table.description = std::move(*description);
    table.described_us = now_us;
    std::erase_if(table.collections,
                  [&](const auto& each) { return !table.has_collections(each.first.index); });
  }
  if (tables_.empty() && error) return *error;
  std::set<std::string> names;
  for (const auto& [name, table] : tables_) names.insert(name);
  watcher.keep_tables(names);
  done_.tables = tables_.size();
  return {};
}

Result<std::vector<Event>> Sampler::look(Watcher& watcher, int64_t now_us) {
  TRY(describe(watcher, now_us));
  const double burst = std::max(options_.requests_per_minute * kBurstShare, 1.0);
  const auto since_us = looked_us_ ? std::max<int64_t>(now_us - *looked_us_, 0) : int64_t{60} * kSecondUs;
  allowance_ += options_.requests_per_minute * static_cast<double>(since_us) / (60.0 * kSecondUs);
  allowance_ = std::min(allowance_, burst);
  looked_us_ = now_us;
  while (!own_reads_.empty() && now_us - own_reads_.front().at_us > kOwnReadsKeptUs) own_reads_.pop_front();

  for (auto& [name, table] : tables_) {
    for (auto& [key, known] : table.collections) known.is_hot = false;
    for (auto& [key, known] : table.items) known.is_hot = false;
    look_at_heat(table, "", watcher, now_us);
    for (const IndexDescription& index : table.description.indexes)
      look_at_heat(table, index.name, watcher, now_us);
  }
  // By turns, so that none of them waits for the others for ever.
  bool is_busy = true;
  while (allowance_ >= 1 && is_busy) {
    is_busy = measure_collection(watcher, now_us);
    is_busy = (allowance_ >= 1 && read_item(watcher, now_us)) || is_busy;
    is_busy = (allowance_ >= 1 && options_.scans && scan_page(watcher, now_us)) || is_busy;
  }
  for (auto& [name, table] : tables_) forget_small(table);
  return watcher.end_round(now_us);
}

Subject Sampler::partition_subject(const KnownTable& table, const std::string& index, const Item& key) const {
  const std::string& name = table.description.name;
  KeyName named = names_.partition(name, index, key);
  return {.table = name,
          .index = index,
          .kind = std::move(named.kind),
          .key = key.to_json(),
          .name = std::move(named.text)};
}

void Sampler::look_at_heat(KnownTable& table, const std::string& index, Watcher& watcher, int64_t now_us) {
  const Result<HeatReport> report = source_.heat({.table = table.description.name, .index = index});
  if (!report.ok()) return;
  done_.tells_heat = true;
  note_traffic(table, index, *report, watcher, now_us);
  if (table.has_collections(index)) note_hot_collections(table, index, report->writes, watcher, now_us);
  if (index.empty()) note_written(table, report->writes, watcher, now_us);
}

double Sampler::own_units_per_second(const KnownTable& table, const std::string& index,
                                     const std::optional<std::string>& key, double seconds,
                                     int64_t now_us) const {
  double units = 0;
  for (const OwnRead& read : own_reads_) {
    if (read.table != table.description.name || read.id.index != index) continue;
    if (static_cast<double>(now_us - read.at_us) > seconds * kSecondUs || (key && read.id.key != *key))
      continue;
    units += read.units;
  }
  return seconds > 0 ? units / seconds : 0;
}

void Sampler::note_traffic(const KnownTable& table, const std::string& index, const HeatReport& report,
                           Watcher& watcher, int64_t now_us) const {
  for (const bool of_writes : {false, true}) {
    const HeatOf& heat = of_writes ? report.writes : report.reads;
    const Limit limit = of_writes ? Limit::kPartitionWrites : Limit::kPartitionReads;
    const double least = kTrafficShareMin * line_of(limit, watcher.lines());
    // A burst is not yet a habit.
    const bool is_long_enough = report.seconds >= api::kFindingSecondsMin;
    for (size_t i = 0; i < std::min(heat.partitions.size(), kHotKeys); ++i) {
      const HotKey& hot = heat.partitions[i];
      if (!is_long_enough || hot.units_per_second < least) break;
      const double own =
          of_writes ? 0 : own_units_per_second(table, index, hot.key.to_json(), report.seconds, now_us);
      if (hot.units_per_second - own < least) continue;
      watcher.note({.limit = limit,
                    .subject = partition_subject(table, index, hot.key),
                    .value = hot.units_per_second - own},
                   now_us);
    }
    if (heat.throttled_per_second <= 0) continue;
    for (size_t i = 0; i < std::min(heat.throttled_partitions.size(), kHotKeys); ++i) {
      const HotKey& hot = heat.throttled_partitions[i];
      watcher.note({.limit = Limit::kThrottled,
                    .subject = partition_subject(table, index, hot.key),
                    .value = hot.times_per_second},
                   now_us);
    }
    if (heat.throttled_partitions.empty()) {
      watcher.note({.limit = Limit::kThrottled,
                    .subject = {.table = table.description.name, .index = index},
                    .value = heat.throttled_per_second},
                   now_us);
    }
  }
  for (const HeatFinding& finding : report.findings) {
    const bool is_uneven = finding.kind == HeatFinding::Kind::kUneven;
    if (!is_uneven && finding.kind != HeatFinding::Kind::kFewKeys) continue;
    const HeatOf& heat = finding.of_writes ? report.writes : report.reads;
    // Whoever counts by Query must not be found by it.
    const double own =
        finding.of_writes ? 0 : own_units_per_second(table, index, std::nullopt, report.seconds, now_us);
    if (own > heat.units_per_second / 4) continue;
    Subject subject{.table = table.description.name, .index = index};
    if (!heat.partitions.empty()) subject = partition_subject(table, index, heat.partitions.front().key);
    // That the keys are few is not the fault of one of them.
    if (!is_uneven) subject.key = subject.name = "";
    watcher.note(
        {.limit = is_uneven ? Limit::kUneven : Limit::kFewKeys, .subject = std::move(subject), .value = 1},
        now_us);
  }
}

void Sampler::note_hot_collections(KnownTable& table, const std::string& index, const HeatOf& writes,
                                   Watcher& watcher, int64_t now_us) {
  std::vector<Item> keys;
  for (size_t i = 0; i < std::min(writes.partitions.size(), 2 * kHotKeys); ++i) {
    const Item& key = keys.emplace_back(writes.partitions[i].key);
    KnownCollection& known = table.collections[{.index = index, .key = key.to_json()}];
    known.key = key;
    known.is_hot = true;
  }
  if (!index.empty() || keys.empty()) return;
  // Where sizes are known it costs next to nothing to ask for those of a few.
  const Result<SizesByKey> sizes = source_.collection_sizes(table.description.name, keys);
  if (!sizes.ok()) return;
  for (const auto& [key, size] : *sizes)
    note_collection(table, index, table.collections[{.index = index, .key = key}], size, 0, watcher, now_us);
}

void Sampler::note_written(KnownTable& table, const HeatOf& writes, Watcher& watcher, int64_t now_us) {
  const std::vector<HotKey>& items = table.has_collections("") ? writes.items : writes.partitions;
  const double item_bytes = line_of(Limit::kItemBytes, watcher.lines());
  for (size_t i = 0; i < std::min(items.size(), kHotKeys); ++i) {
    const HotKey& hot = items[i];
    if (hot.times_per_second <= 0) continue;
    // Of transactions it is twice as much as it is: that is why the item is read.
    const double bytes = hot.units_per_second / hot.times_per_second * kBytesPerWriteUnit;
    if (bytes < options_.item_read_share * item_bytes) continue;
    KnownItem& known = table.items[hot.key.to_json()];
    known.key = hot.key;
    known.is_hot = true;
  }
  // The longest sort key among them.
  const HotKey* longest = nullptr;
  for (const HotKey& hot : writes.items) {
    const auto bytes = [&](const HotKey& of) { return sort_key_bytes(table.description.key, of.key); };
    if (longest == nullptr || bytes(hot) > bytes(*longest)) longest = &hot;
  }
  if (longest == nullptr) return;
  KeyName name = names_.item(table.description.name, "", longest->key);
  watcher.note({.limit = Limit::kSortKeyBytes,
                .subject = {.table = table.description.name,
                            .kind = std::move(name.kind),
                            .key = longest->key.to_json(),
                            .name = std::move(name.text)},
                .value = static_cast<double>(sort_key_bytes(table.description.key, longest->key))},
               now_us);
}

void Sampler::note_item(KnownTable& table, const ItemLook& look, Watcher& watcher, int64_t now_us) {
  const auto note = [&](Limit limit, const std::string& kind, double value) {
    if (value <= 0) return;
    double& largest = table.largest[std::string(text_of(limit).name) + " " + kind];
    const bool is_notable =
        value >= kNotableShare * line_of(limit, watcher.lines()) && limit != Limit::kSortKeyBytes;
    const bool is_known = table.items.contains(look.subject.key);
    if (value <= largest && !is_notable && !is_known) return;
    largest = std::max(largest, value);
    Subject subject = look.subject;
    subject.kind = kind;
    watcher.note({.limit = limit, .subject = std::move(subject), .value = value}, now_us);
    KnownItem& known = table.items[look.subject.key];
    known.key = look.key;
    known.bytes = look.bytes;
    known.measured_us = now_us;
  };
  ++done_.items;
  note(Limit::kItemBytes, look.subject.kind, static_cast<double>(look.bytes));
  note(Limit::kSortKeyBytes, look.subject.kind, static_cast<double>(look.sort_key_bytes));
  for (const EmbeddedCount& embedded : look.embedded)
    note(Limit::kEmbedded, embedded.relation, static_cast<double>(embedded.count));
  for (const ListedCount& listed : look.listed)
    note(Limit::kListed, listed.relation,
         100 * static_cast<double>(listed.count) / static_cast<double>(listed.max));
}

void Sampler::note_collection(KnownTable& table, const std::string& index, KnownCollection& known,
                              const CollectionSize& size, std::optional<int64_t> within, Watcher& watcher,
                              int64_t now_us) {
  known.items = size.item_count;
  known.bytes = size.size_bytes;
  known.measured_us = now_us;
  const Subject subject = partition_subject(table, index, known.key);
  watcher.note(
      {.limit = Limit::kCollectionItems, .subject = subject, .value = static_cast<double>(size.item_count)},
      now_us);
  if (!within) return;
  const auto note = [&](Limit limit) {
    watcher.note({.limit = limit,
                  .subject = subject,
                  .value = static_cast<double>(size.size_bytes),
                  .within = static_cast<double>(*within)},
                 now_us);
  };
  note(Limit::kCollectionBytes);
  // Without a local index there is no such limit.
  if (index.empty() && table.has_local_index()) note(Limit::kCollectionBytesMax);
}

// The one that waits longest. True if a request was made, or one is to be made page by page.
bool Sampler::begin_counting(Watcher& watcher, int64_t now_us) {
  KnownTable* chosen = nullptr;
  std::map<CollectionId, KnownCollection>::iterator due;
  for (auto& [name, table] : tables_) {
    const auto next = next_due(
        table.collections, now_us,
        [](const KnownCollection& known) { return std::max(known.items, known.bytes / 1024); },
        [](const KnownCollection& known) { return kMeasureAgainUs * known.pages; });
    if (next == table.collections.end()) continue;
    const auto measured = [](const KnownCollection& known) { return known.measured_us.value_or(INT64_MIN); };
    if (chosen != nullptr && measured(next->second) >= measured(due->second)) continue;
    chosen = &table;
    due = next;
  }
  if (chosen == nullptr) return false;
  const std::string& name = chosen->description.name;
  const CollectionId& id = due->first;
  const Item& key = due->second.key;
  if (id.index.empty()) {
    const Result<SizesByKey> sizes = source_.collection_sizes(name, {key});
    if (sizes.ok() && sizes->contains(id.key)) {
      allowance_ -= 1;
      ++done_.requests;
      due->second.pages = 1;
      note_collection(*chosen, "", due->second, sizes->at(id.key), 0, watcher, now_us);
      return true;
    }
  }
  counting_ = Counting{.table = name, .id = id, .count = CollectionCount(name, id.index, key)};
  return true;
}

void Sampler::count_page(Watcher& watcher, int64_t now_us) {
  done_.counts_pages = true;
  allowance_ -= 1;
  ++done_.requests;
  CollectionCount& count = counting_->count;
  const Result<bool> is_last = count.next_page(source_.database);
  if (is_last.ok())
    own_reads_.push_back(
        {.at_us = now_us, .table = counting_->table, .id = counting_->id, .units = count.last_units()});
  if (is_last.ok() && !*is_last) return;
  const auto table = tables_.find(counting_->table);
  if (table != tables_.end()) {
    const auto known = table->second.collections.find(counting_->id);
    if (known == table->second.collections.end()) {
      // Forgotten meanwhile.
    } else if (is_last.ok()) {
      known->second.pages = count.pages();
      note_collection(table->second, counting_->id.index, known->second, count.size(),
                      count.knows_bytes() ? std::optional(count.bytes_within()) : std::nullopt, watcher,
                      now_us);
    } else {
      known->second.measured_us = now_us;  // others first
    }
  }
  counting_.reset();
}

bool Sampler::measure_collection(Watcher& watcher, int64_t now_us) {
  if (!counting_ && !begin_counting(watcher, now_us)) return false;
  if (counting_) count_page(watcher, now_us);
  return true;
}

bool Sampler::read_item(Watcher& watcher, int64_t now_us) {
  for (auto& [name, table] : tables_) {
    const auto due = next_due(
        table.items, now_us, [](const KnownItem& known) { return known.bytes; },
        [](const KnownItem&) { return kMeasureAgainUs; });
    if (due == table.items.end()) continue;
    due->second.measured_us = now_us;
    allowance_ -= 1;
    ++done_.requests;
    const Result<Got> got = source_.database.get_item({.table = name, .key = due->second.key});
    if (!got.ok()) return true;
    if (got->item) {
      note_item(table, look_at(names_, table.description, *got->item), watcher, now_us);
      return true;
    }
    // It is gone, and with it what was large in it.
    ItemLook look = look_at(names_, table.description, due->second.key);
    watcher.note({.limit = Limit::kItemBytes, .subject = look.subject, .value = 0}, now_us);
    table.items.erase(due);
    return true;
  }
  return false;
}

bool Sampler::scan_page(Watcher& watcher, int64_t now_us) {
  for (auto& [name, table] : tables_) {
    if (table.scanned_us && now_us - *table.scanned_us < kScanAgainUs) continue;
    table.scanned_us.reset();
    if (!table.scan_from) {
      for (auto& [key, known] : table.collections) {
        if (!known.measured_us) known.items = known.bytes = 0;
      }
    }
    allowance_ -= 1;
    ++done_.requests;
    const Result<Page> page =
        source_.database.scan({.table = name, .limit = kScanItems, .start_key = table.scan_from});
    if (!page.ok()) {
      table.scan_from.reset();
      table.scanned_us = now_us;
      return true;
    }
    for (size_t i = 0; i < page->items.size(); ++i) {
      const ItemView item = page->items[i];
      note_item(table, look_at(names_, table.description, item), watcher, now_us);
      const auto count = [&, &table = table](const std::string& index, const KeySchema& schema) {
        Item key = partition_of_item(schema, item);
        KnownCollection& known = table.collections[{.index = index, .key = key.to_json()}];
        if (known.measured_us) return;
        known.key = std::move(key);
        ++known.items;
        known.bytes += item.size_bytes();
      };
      if (table.has_collections("")) count("", table.description.key);
      for (const IndexDescription& index : table.description.indexes) {
        if (!index.local && has_key(index.key, item)) count(index.name, index.key);
      }
    }
    table.scan_from = page->last_key;
    if (!page->last_key) {
      table.scanned_us = now_us;
      const bool is_whole = std::all_of(tables_.begin(), tables_.end(),
                                        [](const auto& each) { return each.second.scanned_us.has_value(); });
      if (is_whole) ++done_.whole_passes;
    }
    forget_small(table);
    return true;
  }
  return false;
}

void Sampler::forget_small(KnownTable& table) const {
  keep_largest(table.collections, [](const KnownCollection& known) { return known.items; });
  keep_largest(table.items, [](const KnownItem& known) { return known.bytes; });
}

}  // namespace sheaf::watch
