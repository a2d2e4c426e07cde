#include "units/metered_database.h"

#include <algorithm>
#include <sstream>

#include "plan/units.h"

namespace sheaf::units {
namespace {

using plan::ReadKind;

std::string text_of(const Capacity& capacity) {
  std::ostringstream text;
  text << "table " << capacity.table;
  for (const auto& [name, units] : capacity.indexes) {
    if (units != 0) text << ", " << name << " " << units;
  }
  return text.str();
}

double bytes_of(const std::optional<Item>& item) {
  return item ? static_cast<double>(item->view().size_bytes()) : 0;
}

ReadKind kind_of(bool is_consistent) { return is_consistent ? ReadKind::kStrong : ReadKind::kEventual; }

// The attributes with which an item stands in an index; none if it does not.
std::optional<Item> entry_of(const TableDescription& table, const IndexDescription& index,
                             const std::optional<Item>& item) {
  if (!item) return std::nullopt;
  std::vector<std::string> names = index.included;
  for (const KeySchema* key : {&index.key, &table.key}) {
    for (const auto* attributes : {&key->partition, &key->sort}) {
      for (const KeyAttribute& attribute : *attributes) {
        if (!item->find(attribute.name)) return std::nullopt;
        names.push_back(attribute.name);
      }
    }
  }
  if (index.projection == ProjectionKind::kAll) return item;
  Item entry;
  for (const std::string& name : names) {
    if (const auto value = item->find(name)) entry.set(name, *value);
  }
  return entry;
}

plan::EntryChange change_of(const IndexDescription& index, const std::optional<Item>& before,
                            const std::optional<Item>& after) {
  if (before == after) return plan::EntryChange::kNone;
  if (!before || !after) return plan::EntryChange::kMoves;
  for (const auto* attributes : {&index.key.partition, &index.key.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      if (before->find(attribute.name) != after->find(attribute.name)) return plan::EntryChange::kMoves;
    }
  }
  return plan::EntryChange::kInPlace;
}

plan::Images images(const std::optional<Item>& before, const std::optional<Item>& after) {
  plan::Images made;
  if (before) made.before = bytes_of(before);
  if (after) made.after = bytes_of(after);
  return made;
}

}  // namespace

const TableDescription& MeteredDatabase::description(const std::string& table) {
  auto found = descriptions_.find(table);
  if (found == descriptions_.end()) found = descriptions_.emplace(table, *inner_.describe_table(table)).first;
  return found->second;
}

std::optional<Item> MeteredDatabase::stored(const std::string& table, const Item& key) {
  const auto got = inner_.get_item({.table = table, .key = key, .consistent = true});
  return got.ok() ? got->item : std::nullopt;
}

Item MeteredDatabase::key_of(const std::string& table, ItemView item) {
  Item key;
  const KeySchema& schema = description(table).key;
  for (const auto* attributes : {&schema.partition, &schema.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      if (const auto value = item.find(attribute.name)) key.set(attribute.name, *value);
    }
  }
  return key;
}

MeteredDatabase::Touched MeteredDatabase::touch(const std::string& table, Item key) {
  std::optional<Item> before = stored(table, key);
  return {.table = table, .key = std::move(key), .before = std::move(before)};
}

void MeteredDatabase::add_write(const Touched& touched, bool is_transactional, Capacity& expected) {
  const std::optional<Item> after = stored(touched.table, touched.key);
  expected.table += plan::write_units(images(touched.before, after), is_transactional);
  const TableDescription& table = description(touched.table);
  for (const IndexDescription& index : table.indexes) {
    const auto entry_before = entry_of(table, index, touched.before),
               entry_after = entry_of(table, index, after);
    const double units =
        plan::index_units(images(entry_before, entry_after), change_of(index, entry_before, entry_after));
    if (units != 0) expected.indexes[index.name] += units;
  }
}

void MeteredDatabase::check(const std::string& what, const Capacity& expected, const Capacity& metered) {
  consumed_ += metered.total();
  if (text_of(expected) != text_of(metered))
    problems_.push_back(what + ": " + text_of(metered) + ", and not " + text_of(expected));
}

void MeteredDatabase::check(const std::string& what, const std::map<std::string, Capacity>& expected,
                            const std::map<std::string, Capacity>& metered) {
  for (const auto& [table, capacity] : expected) {
    const auto found = metered.find(table);
    check(what + " " + table, capacity, found == metered.end() ? Capacity{} : found->second);
  }
  for (const auto& [table, capacity] : metered) {
    if (!expected.contains(table)) check(what + " " + table, {}, capacity);
  }
}

Result<Written> MeteredDatabase::check_written(const std::string& what, const Touched& touched,
                                               Result<Written> written) {
  ++requests_;
  if (!written.ok()) return written;
  Capacity expected;
  add_write(touched, false, expected);
  check(what + " " + touched.table, expected, written->capacity);
  return written;
}

Result<Written> MeteredDatabase::put_item(const PutItem& request) {
  const Touched touched = touch(request.table, key_of(request.table, request.item.view()));
  return check_written("PutItem", touched, inner_.put_item(request));
}

Result<Written> MeteredDatabase::update_item(const UpdateItem& request) {
  const Touched touched = touch(request.table, request.key);
  return check_written("UpdateItem", touched, inner_.update_item(request));
}

Result<Written> MeteredDatabase::delete_item(const DeleteItem& request) {
  const Touched touched = touch(request.table, request.key);
  return check_written("DeleteItem", touched, inner_.delete_item(request));
}

Result<Got> MeteredDatabase::get_item(const GetItem& request) {
  ++requests_;
  auto got = inner_.get_item(request);
  if (!got.ok()) return got;
  const double bytes = bytes_of(stored(request.table, request.key));
  check("GetItem " + request.table, {.table = plan::read_units(bytes, kind_of(request.consistent))},
        got->capacity);
  return got;
}

Result<Page> MeteredDatabase::query(const Query& request) {
  ++requests_;
  auto page = inner_.query(request);
  if (!page.ok()) return page;
  // All that was read, whatever was shown of it.
  Query whole = request;
  whole.filter.reset();
  whole.projection.reset();
  whole.select.reset();
  whole.limit = std::max<uint32_t>(1, page->scanned_count);
  double bytes = 0;
  if (page->scanned_count > 0) {
    const auto read = inner_.query(whole);
    for (size_t i = 0; read.ok() && i < read->items.size(); ++i)
      bytes += static_cast<double>(read->items[i].size_bytes());
  }
  const double units = plan::read_units(bytes, kind_of(request.consistent));
  Capacity expected;
  (request.index ? expected.indexes[*request.index] : expected.table) = units;
  check("Query " + request.table, expected, page->capacity);
  return page;
}

Result<Page> MeteredDatabase::scan(const Scan& request) {
  ++requests_;
  auto page = inner_.scan(request);
  if (!page.ok()) return page;
  double bytes = 0;
  for (size_t i = 0; i < page->items.size(); ++i) bytes += static_cast<double>(page->items[i].size_bytes());
  const bool is_whole = !request.filter && !request.projection && page->items.size() == page->scanned_count;
  Capacity expected;
  (request.index ? expected.indexes[*request.index] : expected.table) =
      plan::read_units(bytes, kind_of(request.consistent));
  check("Scan " + request.table, is_whole ? expected : page->capacity, page->capacity);
  return page;
}

Result<BatchGot> MeteredDatabase::batch_get_items(const BatchGetItems& request) {
  ++requests_;
  auto got = inner_.batch_get_items(request);
  if (!got.ok()) return got;
  std::map<std::string, Capacity> expected;
  for (const auto& [name, table] : request.tables) {
    for (const Item& key : table.keys) {
      const auto left = got->unprocessed.find(name);
      if (left != got->unprocessed.end() &&
          std::find(left->second.begin(), left->second.end(), key) != left->second.end())
        continue;
      expected[name].table += plan::read_units(bytes_of(stored(name, key)), kind_of(table.consistent));
    }
  }
  check("BatchGetItem", expected, got->capacity);
  return got;
}

Result<BatchWritten> MeteredDatabase::batch_write_items(const BatchWriteItems& request) {
  ++requests_;
  std::vector<Touched> all;
  for (const auto& [name, writes] : request.tables) {
    for (const BatchWriteItems::Write& write : writes)
      all.push_back(touch(name, key_of(name, write.item.view())));
  }
  auto written = inner_.batch_write_items(request);
  if (!written.ok() || !written->unprocessed.empty()) return written;
  std::map<std::string, Capacity> expected;
  for (const Touched& touched : all) add_write(touched, false, expected[touched.table]);
  check("BatchWriteItem", expected, written->capacity);
  return written;
}

Result<TransactWritten> MeteredDatabase::transact_write_items(const TransactWriteItems& request) {
  ++requests_;
  std::vector<Touched> all;
  for (const TransactAction& action : request.actions) {
    if (const auto* put = std::get_if<PutItem>(&action)) {
      all.push_back(touch(put->table, key_of(put->table, put->item.view())));
    } else if (const auto* update = std::get_if<UpdateItem>(&action)) {
      all.push_back(touch(update->table, update->key));
    } else if (const auto* gone = std::get_if<DeleteItem>(&action)) {
      all.push_back(touch(gone->table, gone->key));
    } else {
      all.push_back(touch(std::get<ConditionCheck>(action).table, std::get<ConditionCheck>(action).key));
    }
  }
  auto written = inner_.transact_write_items(request);
  if (!written.ok()) return written;
  // A transaction that is cancelled tells no units.
  std::map<std::string, Capacity> expected;
  for (const Touched& touched : all) {
    if (written->applied && !written->replayed) add_write(touched, true, expected[touched.table]);
  }
  if (!written->replayed) check("TransactWriteItems", expected, written->capacity);
  return written;
}

Result<TransactGot> MeteredDatabase::transact_get_items(const TransactGetItems& request) {
  ++requests_;
  auto got = inner_.transact_get_items(request);
  if (!got.ok() || !got->applied) return got;
  std::map<std::string, Capacity> expected;
  for (const GetItem& each : request.gets)
    expected[each.table].table +=
        plan::read_units(bytes_of(stored(each.table, each.key)), ReadKind::kTransactional);
  check("TransactGetItems", expected, got->capacity);
  return got;
}

}  // namespace sheaf::units
