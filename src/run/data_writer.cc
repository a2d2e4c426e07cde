#include "run/data_writer.h"

#include <algorithm>
#include <set>

#include "base/article.h"
#include "base/try.h"
#include "plan/write_needs.h"
#include "run/guards.h"
#include "run/item_codec.h"
#include "run/stored_items.h"
#include "run/system_table.h"

namespace sheaf::run {
namespace {

constexpr size_t kBatchItemsMax = 25;
constexpr size_t kKeysAtOnce = 100;
// So many are looked at before they are judged.
constexpr size_t kUnitsAtOnce = 500;

}  // namespace

DataWriter::DataWriter(Database& database, const model::Model& model, const model::Layout& layout,
                       DataWriterOptions options)
    : database_(database),
      model_(model),
      layout_(layout),
      options_(std::move(options)),
      system_table_(system_table_name(model)) {}

Result<void> DataWriter::write(const Data& data) {
  std::vector<Unit> units = TRY(units_of(data));
  const bool is_asked = options_.what_is_there != WhatIsThere::kIsNotAsked;
  const bool had_items = is_asked && TRY(has_items());
  if (is_asked) {
    std::vector<Unit*> asked;
    for (Unit& unit : units) {
      if (had_items || note(unit)) asked.push_back(&unit);
    }
    for (size_t begin = 0; begin < asked.size(); begin += kUnitsAtOnce) {
      const std::span some = std::span(asked).subspan(begin, std::min(kUnitsAtOnce, asked.size() - begin));
      const Found found = TRY(find(some));
      for (Unit* const unit : some) TRY(judge(*unit, found));
    }
  }
  return put_all(units);
}

// Returns whether some of it may have been written by this writer before. What was refused counts, too: it is
// looked for in vain, then.
bool DataWriter::note(const Unit& unit) {
  bool may_be_there = false;
  for (const Put& put : unit.puts) {
    const Item key = key_of(put);
    if (put_.add(std::to_string(put.table).append(key.encoded()))) may_be_there = true;
  }
  return may_be_there;
}

Result<std::vector<DataWriter::Unit>> DataWriter::units_of(const Data& data) const {
  const ItemCodec codec(model_, layout_);
  std::set<std::string> taken;
  std::vector<Unit> units;
  units.reserve(data.records.size() + data.edges.size());
  const auto add = [&](Unit unit, std::vector<Put> items) -> Result<void> {
    for (const Guard& guard : unit.guards) {
      if (!taken.insert(std::string(guard.key.encoded())).second) return Error{Code::kInvalid, guard.why};
      unit.puts.push_back({.table = layout_.tables.size(), .item = guard_item(guard), .guard = &guard});
    }
    for (Put& item : items) unit.puts.push_back(std::move(item));
    units.push_back(std::move(unit));
    return {};
  };
  for (const Record& record : data.records) {
    std::vector<Put> items;
    // One without a kind exists as an end of edges only.
    if (const model::ItemKind* const kind = layout_.kind(record.entity)) {
      for (Item& item : TRY(codec.items(record)))
        items.push_back({.table = kind->table, .item = std::move(item)});
    }
    TRY(add({.record = &record, .guards = all_guards_of(model_, layout_, record)}, std::move(items)));
  }
  for (const Edge& edge : data.edges) {
    std::vector<Put> items;
    for (const Edge& each : codec.directions(edge)) {
      const model::ItemKind& kind = layout_.item_kinds[codec.item_kind(each)];
      Item item = TRY(codec.encode(each));
      items.push_back({.table = kind.table, .item = std::move(item)});
    }
    TRY(add({.edge = &edge, .guards = all_guards_of(model_, layout_, edge)}, std::move(items)));
  }
  return units;
}

Result<bool> DataWriter::has_items() {
  if (has_items_) return *has_items_;
  bool has_some = false;
  for (const model::Table& table : layout_.tables) {
    const Page page = TRY(database_.scan({.table = table.name, .limit = 1, .consistent = true}));
    has_some = has_some || !page.items.empty();
  }
  has_items_ = has_some;
  return has_some;
}

Item DataWriter::key_of(const Put& put) const {
  return put.guard != nullptr ? put.guard->key : run::key_of(layout_.tables[put.table], put.item);
}

const std::string& DataWriter::table_name(size_t table) const {
  return table == layout_.tables.size() ? system_table_ : layout_.tables[table].name;
}

Result<DataWriter::Found> DataWriter::find(std::span<Unit* const> units) const {
  std::map<std::pair<size_t, std::string>, Item> keys;
  for (const Unit* const unit : units) {
    for (const Put& put : unit->puts) {
      Item key = key_of(put);
      std::pair place(put.table, std::string(key.encoded()));
      keys.emplace(std::move(place), std::move(key));
    }
  }
  Found found;
  for (auto next = keys.begin(); next != keys.end();) {
    BatchGetItems batch;
    std::map<std::string, size_t> tables;
    for (size_t count = 0; count < kKeysAtOnce && next != keys.end(); ++count, ++next) {
      const size_t table = next->first.first;
      tables[table_name(table)] = table;
      batch.tables[table_name(table)].keys.push_back(next->second);
      batch.tables[table_name(table)].consistent = true;
    }
    while (!batch.tables.empty()) {
      const BatchGot got = TRY(database_.batch_get_items(batch));
      for (const auto& [name, items] : got.items) {
        const size_t table = tables.at(name);
        for (size_t i = 0; i < items.size(); ++i) {
          Item key = table == layout_.tables.size()
                         ? system_key(items[i].find("pk")->bytes(), items[i].find("sk")->bytes())
                         : run::key_of(layout_.tables[table], items[i]);
          found.emplace(std::pair(table, std::string(key.encoded())), Item(items[i]));
        }
      }
      std::map<std::string, BatchGetItems::Table> rest;
      for (const auto& [name, left] : got.unprocessed) rest[name] = {.keys = left, .consistent = true};
      batch.tables = std::move(rest);
    }
  }
  return found;
}

Result<void> DataWriter::judge(Unit& unit, const Found& found) const {
  bool has_all = true;
  for (const Put& put : unit.puts) {
    const auto there = found.find({put.table, std::string(key_of(put).encoded())});
    if (there == found.end()) {
      has_all = false;
    } else if (put.guard != nullptr) {
      if (guard_owner(there->second) != put.guard->owner) return Error{Code::kInvalid, put.guard->why};
    } else if (!is_same(unit, there->second, put.item)) {
      if (options_.what_is_there == WhatIsThere::kIsKept)
        return Error{Code::kInUse, "there is already " + name_of(unit) + ", and it differs from this one"};
      ++unit.replaced;
    }
  }
  unit.is_there = has_all && unit.replaced == 0;
  return has_all ? Result<void>() : check_elsewhere(unit, found);
}

// Of one whose identity does not tell its key. It would be there twice.
Result<void> DataWriter::check_elsewhere(const Unit& unit, const Found& found) const {
  if (unit.record == nullptr || !layout_.has_items(unit.record->entity) ||
      !plan::needs_identity_guard(model_, layout_, unit.record->entity))
    return {};
  const Record& record = *unit.record;
  for (const Put& put : unit.puts) {
    if (put.guard == nullptr && found.contains({put.table, std::string(key_of(put).encoded())})) return {};
  }
  const Guard guard = identity_guard(model_, layout_, record);
  if (!found.contains({layout_.tables.size(), std::string(guard.key.encoded())})) return {};
  Figures unused;
  const auto other = find_item(database_, model_, layout_, record.entity, record.identity, unused);
  // Where nothing finds it, its guard may be left of somebody who was interrupted.
  if (!other.ok()) return other.error().code == Code::kInvalid ? Result<void>() : other.error();
  if (!*other) return {};
  return Error{Code::kInvalid,
               guard.why + ", with another key, over which this one cannot be written: delete it first"};
}

// What is kept by itself, when an entity was made and changed, is not part of the data.
bool DataWriter::is_same(const Unit& unit, const Item& one, const Item& other) const {
  if (one == other) return true;
  if (unit.record == nullptr) return false;
  Item a = one, b = other;
  for (const model::Field& field : model_.entities[unit.record->entity].fields) {
    if (field.kept != model::Kept::kCreated && field.kept != model::Kept::kUpdated) continue;
    a.remove(field.attribute);
    b.remove(field.attribute);
  }
  return a == b;
}

std::string DataWriter::name_of(const Unit& unit) const {
  if (unit.record != nullptr)
    return with_article(model_.entities[unit.record->entity].name) + " " + shown(unit.record->identity);
  const Edge& edge = *unit.edge;
  const model::End& end = model_.relations[edge.relation].ends[0];
  return "a link " + model_.entities[end.holder].name + "." + end.name + " of " + shown(edge.ends[1]) +
         " and " + shown(edge.ends[0]);
}

Result<void> DataWriter::put_all(const std::vector<Unit>& units) {
  std::vector<const Unit*> batch;
  size_t puts = 0;
  const auto flush = [&]() -> Result<void> {
    // Between two units: what belongs together is not torn.
    if (options_.is_ended && options_.is_ended()) written_.is_ended = true;
    if (!written_.is_ended) TRY(put(batch));
    batch.clear();
    puts = 0;
    return {};
  };
  for (const Unit& unit : units) {
    if (unit.is_there) {
      for (const Put& put : unit.puts) written_.there += put.guard == nullptr ? 1 : 0;
      continue;
    }
    if (!batch.empty() && puts + unit.puts.size() > kBatchItemsMax) TRY(flush());
    if (written_.is_ended) return {};
    batch.push_back(&unit);
    puts += unit.puts.size();
  }
  return batch.empty() ? Result<void>() : flush();
}

// One request as a rule; a unit that is larger than that takes several.
Result<void> DataWriter::put(const std::vector<const Unit*>& units) {
  std::vector<const Put*> puts;
  for (const Unit* const unit : units) {
    for (const Put& put : unit->puts) puts.push_back(&put);
  }
  for (size_t begin = 0; begin < puts.size(); begin += kBatchItemsMax) {
    BatchWriteItems batch;
    for (size_t i = begin; i < std::min(puts.size(), begin + kBatchItemsMax); ++i)
      batch.tables[table_name(puts[i]->table)].push_back({.put = true, .item = puts[i]->item});
    while (!batch.tables.empty()) {
      BatchWritten written = TRY(database_.batch_write_items(batch));
      batch.tables = std::move(written.unprocessed);
    }
  }
  for (const Unit* const unit : units) {
    for (const Put& put : unit->puts) written_.items += put.guard == nullptr ? 1 : 0;
    written_.replaced += unit->replaced;
  }
  return {};
}

}  // namespace sheaf::run
