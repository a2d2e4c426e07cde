#include "consistency_check.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/try.h"

namespace sheaf::faults {
namespace {

constexpr size_t kProblemsMax = 40;
constexpr uint32_t kPartitionKeyBytesMax = 2048;
constexpr uint32_t kSortKeyBytesMax = 1024;

std::vector<std::string> names_of(const KeySchema& key) {
  std::vector<std::string> names;
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *attributes) names.push_back(attribute.name);
  }
  return names;
}

// The attributes of `item` that have one of `names`.
Item part_of(ItemView item, const std::vector<std::string>& names) {
  Item part;
  for (const std::string& name : names) {
    if (const std::optional<ValueView> value = item.find(name)) part.set(name, *value);
  }
  return part;
}

bool fits(const std::vector<KeyAttribute>& attributes, ItemView item, uint32_t bytes_max) {
  uint32_t bytes = 0;
  for (const KeyAttribute& attribute : attributes) {
    const std::optional<ValueView> value = item.find(attribute.name);
    if (!value || value->type() != attribute.type) return false;
    if (value->type() != Type::kNumber && value->bytes().empty()) return false;
    bytes += value->size_bytes();
  }
  return bytes <= bytes_max;
}

bool is_indexed(const IndexDescription& index, ItemView item) {
  return fits(index.key.partition, item, kPartitionKeyBytesMax) &&
         fits(index.key.sort, item, kSortKeyBytesMax);
}

// What an index must hold of an item that it holds.
Item entry_of(const TableDescription& table, const IndexDescription& index, ItemView item) {
  if (index.projection == ProjectionKind::kAll) return Item(item);
  std::vector<std::string> names = names_of(table.key);
  for (const std::string& name : names_of(index.key)) names.push_back(name);
  names.insert(names.end(), index.included.begin(), index.included.end());
  return part_of(item, names);
}

class Check {
 public:
  explicit Check(Database& db) : db_(db) {}

  ConsistencyReport run() {
    const Result<std::vector<std::string>> names = db_.list_tables();
    if (!names.ok()) {
      problem("cannot list tables: " + names.error().message);
      return std::move(report_);
    }
    for (const std::string& name : *names) {
      const Result<void> checked = check_table(name);
      if (!checked.ok()) problem(name + " cannot be read: " + checked.error().message);
    }
    return std::move(report_);
  }

 private:
  void problem(std::string text) {
    if (report_.problems.size() < kProblemsMax) report_.problems.push_back(std::move(text));
  }

  void expect_equal(const std::string& what, int64_t told, int64_t counted) {
    if (told == counted) return;
    problem(what + " is told to be " + std::to_string(told) + " and is " + std::to_string(counted));
  }

  Result<void> check_table(const std::string& name) {
    const TableDescription table = TRY(db_.describe_table(name));
    if (table.status == TableStatus::kDeleting) {
      ++report_.unfinished;
      return {};
    }
    ++report_.tables;
    items_.clear();
    collections_.clear();
    const std::vector<std::string> key_names = names_of(table.key);
    int64_t bytes = 0;
    for (Item& item : TRY(read_all(db_, name))) {
      bytes += item.view().size_bytes();
      count_in_collection(table, item, 1);
      Item key = part_of(item, key_names);
      if (!items_.emplace(key.encoded(), std::move(item)).second)
        problem(name + " has twice " + key.to_json());
    }
    report_.items += items_.size();
    expect_equal(name + "'s number of items", table.item_count, static_cast<int64_t>(items_.size()));
    expect_equal(name + "'s size", table.size_bytes, bytes);
    for (const IndexDescription& index : table.indexes) TRY(check_index(table, index));
    if (!table.key.sort.empty()) TRY(check_collections(table));
    for (const StreamDescription& stream : table.streams) TRY(check_stream(table, stream));
    return {};
  }

  void count_in_collection(const TableDescription& table, ItemView item, int64_t items) {
    if (table.key.sort.empty()) return;
    CollectionSize& size = collections_[std::string(part_of(item, {table.key.partition[0].name}).encoded())];
    size.item_count += items;
    size.size_bytes += item.size_bytes();
  }

  Result<void> check_index(const TableDescription& table, const IndexDescription& index) {
    if (index.status != IndexStatus::kActive) {
      ++report_.unfinished;
      return {};
    }
    const std::string name = table.name + "." + index.name;
    std::multiset<std::string> expected;
    int64_t bytes = 0;
    for (const auto& [key, item] : items_) {
      if (!is_indexed(index, item)) continue;
      const Item entry = entry_of(table, index, item);
      bytes += entry.view().size_bytes();
      if (index.local) count_in_collection(table, entry, 0);
      expected.emplace(entry.encoded());
    }
    expect_equal(name + "'s number of items", index.item_count, static_cast<int64_t>(expected.size()));
    expect_equal(name + "'s size", index.size_bytes, bytes);
    for (const Item& entry : TRY(read_all(db_, table.name, index.name))) {
      ++report_.index_entries;
      const auto found = expected.find(std::string(entry.encoded()));
      if (found == expected.end()) {
        problem(name + " has an entry that no item implies: " + entry.to_json());
      } else {
        expected.erase(found);
      }
    }
    for (const std::string& entry : expected) problem(name + " lacks the entry " + ItemView(entry).to_json());
    return {};
  }

  Result<void> check_collections(const TableDescription& table) {
    for (const auto& [encoded, counted] : collections_) {
      const Item partition_key{ItemView(encoded)};
      const CollectionSize told = TRY(db_.collection_size(table.name, partition_key));
      const std::string name = table.name + " " + partition_key.to_json();
      expect_equal(name + "'s number of items", told.item_count, counted.item_count);
      expect_equal(name + "'s size", told.size_bytes, counted.size_bytes);
    }
    return {};
  }

  // The state of one item as its stream tells it.
  struct Told {
    std::optional<Item> image;
    uint32_t shard;
  };

  Result<void> check_stream(const TableDescription& table, const StreamDescription& stream) {
    if (stream.view != StreamView::kNewAndOldImages) return {};
    const bool from_the_beginning = stream.created_us == table.created_us;
    std::map<std::string, Told> told;
    for (uint32_t shard = 0; shard < stream.shard_count; ++shard) {
      ReadStream request{.table = table.name, .stream = stream.id, .shard = shard};
      StreamPosition last;
      for (StreamRead read = TRY(db_.read_stream(request)); !read.events.empty();
           read = TRY(db_.read_stream(request))) {
        for (ChangeEvent& event : read.events) {
          ++report_.stream_events;
          if (event.sequence <= last) problem(table.name + "'s stream goes back at " + event.key.to_json());
          last = event.sequence;
          follow(table, told, event, shard, from_the_beginning);
        }
        request.from = read.next;
      }
    }
    if (stream.open) compare_with_items(table, told, from_the_beginning);
    return {};
  }

  void follow(const TableDescription& table, std::map<std::string, Told>& told, ChangeEvent& event,
              uint32_t shard, bool from_the_beginning) {
    const std::string where = table.name + "'s stream, " + event.key.to_json() + ": ";
    const auto kind = !event.old_image   ? ChangeEvent::Kind::kInsert
                      : !event.new_image ? ChangeEvent::Kind::kRemove
                                         : ChangeEvent::Kind::kModify;
    if (event.kind != kind) problem(where + "the kind of change does not fit its images");
    if (event.old_image == event.new_image) problem(where + "a change that changes nothing");
    const auto [state, first] = told.try_emplace(std::string(event.key.encoded()), Told{{}, shard});
    if (first && !from_the_beginning) state->second.image = event.old_image;
    if (state->second.shard != shard) problem(where + "is in two shards");
    if (state->second.image != event.old_image) {
      problem(where + "a change is missing between " + text_of(state->second.image) + " and " +
              text_of(event.old_image));
    }
    state->second.image = std::move(event.new_image);
  }

  void compare_with_items(const TableDescription& table, const std::map<std::string, Told>& told,
                          bool from_the_beginning) {
    for (const auto& [key, state] : told) {
      const auto item = items_.find(key);
      const std::optional<Item> stored = item == items_.end() ? std::nullopt : std::optional(item->second);
      if (stored == state.image) continue;
      problem(table.name + "'s stream ends with " + text_of(state.image) + " and the item is " +
              text_of(stored));
    }
    if (!from_the_beginning) return;
    for (const auto& [key, item] : items_) {
      if (!told.contains(key)) problem(table.name + "'s stream does not know " + item.to_json());
    }
  }

  // Short: payloads are long.
  static std::string text_of(const std::optional<Item>& item) {
    if (!item) return "nothing";
    const std::string text = item->to_json();
    return text.size() <= 200 ? text : text.substr(0, 200) + "...";
  }

  Database& db_;
  ConsistencyReport report_;
  std::map<std::string, Item> items_;                  // of the table being checked, by key
  std::map<std::string, CollectionSize> collections_;  // likewise, recounted
};

}  // namespace

ConsistencyReport check_consistency(Database& db) { return Check(db).run(); }

std::string settle(Database& db) {
  constexpr int kRoundsMax = 100'000;
  for (int round = 0; round < kRoundsMax; ++round) {
    const Result<bool> more = db.run_background_work();
    if (!more.ok()) return more.error().message;
    if (!*more) return {};
  }
  return "background work does not end";
}

Result<std::vector<Item>> read_all(Database& db, const std::string& table, const std::string& index) {
  std::vector<Item> items;
  Scan request{.table = table, .consistent = index.empty()};
  if (!index.empty()) request.index = index;
  do {
    Page page = TRY(db.scan(request));
    for (size_t i = 0; i < page.items.size(); ++i) items.emplace_back(page.items[i]);
    request.start_key = std::move(page.last_key);
  } while (request.start_key);
  return items;
}

}  // namespace sheaf::faults
