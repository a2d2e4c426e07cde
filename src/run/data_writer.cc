#include "run/data_writer.h"

#include <algorithm>
#include <set>

#include "base/article.h"
#include "base/try.h"
#include "plan/write_needs.h"
#include "run/field_items.h"
#include "run/guards.h"
#include "run/item_codec.h"
#include "run/kept_values.h"
#include "run/stored_items.h"
#include "run/system_table.h"

namespace sheaf::run {
namespace {

constexpr size_t kBatchItemsMax = 25;
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
  if (options_.what_is_there != WhatIsThere::kIsNotAsked) TRY(compare(units));
  return put_all(units);
}

Result<void> DataWriter::compare(std::vector<Unit>& units) {
  const bool had_items = TRY(has_items());
  std::vector<Unit*> asked;
  for (Unit& unit : units) {
    if (had_items || note(unit)) asked.push_back(&unit);
  }
  for (size_t begin = 0; begin < asked.size(); begin += kUnitsAtOnce) {
    const std::span some = std::span(asked).subspan(begin, std::min(kUnitsAtOnce, asked.size() - begin));
    const Found found = TRY(find(some));
    for (Unit* const unit : some) TRY(settle(*unit, found));
  }
  Versions versions;
  for (const Unit* const unit : asked) {
    if (unit->whole) versions[{unit->whole->entity, unit->whole->identity}] = unit->whole->version;
  }
  for (Unit* const unit : asked) {
    follow(*unit, versions);
    TRY(judge(*unit));
  }
  return {};
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
  std::set<std::string> taken;
  std::vector<Unit> units;
  units.reserve(data.records.size() + data.edges.size());
  const auto add = [&](Unit unit) -> Result<void> {
    TRY(fill_puts(unit));
    for (const Guard& guard : unit.guards) {
      if (!taken.insert(std::string(guard.key.encoded())).second) return Error{Code::kInvalid, guard.why};
    }
    units.push_back(std::move(unit));
    return {};
  };
  for (const Record& record : data.records) TRY(add({.record = &record}));
  for (const Edge& edge : data.edges) TRY(add({.edge = &edge}));
  return units;
}

Result<void> DataWriter::fill_puts(Unit& unit) const {
  const ItemCodec codec(model_, layout_);
  std::vector<Put> items;
  if (unit.record != nullptr) {
    const Record& record = unit.whole ? *unit.whole : *unit.record;
    // One without a kind exists as an end of edges only.
    if (const model::ItemKind* const kind = layout_.kind(record.entity)) {
      for (Item& item : TRY(codec.items(record)))
        items.push_back({.table = kind->table, .item = std::move(item)});
    }
    unit.guards = all_guards_of(model_, layout_, record);
  } else {
    const Edge& edge = unit.whole_edge ? *unit.whole_edge : *unit.edge;
    for (const Edge& each : codec.directions(edge)) {
      const model::ItemKind& kind = layout_.item_kinds[codec.item_kind(each)];
      Item item = TRY(codec.encode(each));
      items.push_back({.table = kind.table, .item = std::move(item)});
    }
    unit.guards = all_guards_of(model_, layout_, edge);
  }
  unit.puts.clear();
  for (const Guard& guard : unit.guards)
    unit.puts.push_back({.table = layout_.tables.size(), .item = guard_item(guard), .guard = &guard});
  for (Put& item : items) unit.puts.push_back(std::move(item));
  return {};
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

DataWriter::Place DataWriter::place_of(const Put& put) const {
  return {put.table, std::string(key_of(put).encoded())};
}

// Where items of an entity may lie that is stored field by field: of those fields, too, that are missing now.
std::vector<DataWriter::Put> DataWriter::field_places(const Unit& unit) const {
  std::vector<Put> places;
  if (unit.record == nullptr || !layout_.is_by_field(unit.record->entity) || unit.puts.empty()) return places;
  const model::ItemKind& kind = *layout_.kind(unit.record->entity);
  const model::Table& table = layout_.tables[kind.table];
  for (const model::Field& field : model_.entities[unit.record->entity].fields) {
    if (!field.is_id)
      places.push_back(
          {.table = kind.table, .item = field_key(table, kind, unit.puts.back().item, field.attribute)});
  }
  return places;
}

const std::string& DataWriter::table_name(size_t table) const {
  return table == layout_.tables.size() ? system_table_ : layout_.tables[table].name;
}

Result<DataWriter::Found> DataWriter::find(std::span<Unit* const> units) const {
  std::map<Place, Item> keys;
  for (const Unit* const unit : units) {
    for (const Put& put : unit->puts) keys.emplace(place_of(put), key_of(put));
    for (const Put& place : field_places(*unit)) keys.emplace(place_of(place), place.item);
  }
  Found found;
  for (auto next = keys.begin(); next != keys.end();) {
    BatchGetItems batch;
    std::map<std::string, size_t> tables;
    for (size_t count = 0; count < kBatchKeysMax && next != keys.end(); ++count, ++next) {
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
          found.emplace(Place(table, key.encoded()), Item(items[i]));
        }
      }
      std::map<std::string, BatchGetItems::Table> rest;
      for (const auto& [name, left] : got.unprocessed) rest[name] = {.keys = left, .consistent = true};
      batch.tables = std::move(rest);
    }
  }
  return found;
}

Result<void> DataWriter::settle(Unit& unit, const Found& found) const {
  const auto look = [&](const Put& put) {
    const auto there = found.find(place_of(put));
    if (there != found.end()) unit.found.insert(*there);
    return there != found.end() ? &there->second : nullptr;
  };
  for (const Put& put : unit.puts) {
    const Item* const there = look(put);
    if (there != nullptr && put.guard != nullptr && guard_owner(*there) != put.guard->owner)
      return Error{Code::kInvalid, put.guard->why};
  }
  for (const Put& place : field_places(unit)) look(place);
  if (unit.edge != nullptr) {
    settle_edge(unit);
    return {};
  }
  return settle_record(unit);
}

Result<void> DataWriter::settle_record(Unit& unit) const {
  unit.there = TRY(record_there(unit));
  if (!unit.there) return {};
  unit.whole = *unit.record;
  Record& whole = *unit.whole;
  take_kept(model_, *unit.there, whole);
  // Whose copies alone are others is no later version.
  Record alike = whole;
  take_copies(model_, *unit.there, alike);
  const ItemCodec codec(model_, layout_);
  if (!differs(unit, TRY(codec.items(alike)))) return {};
  if (whole.version > 0) set_version(model_, whole, unit.there->version + 1);
  const std::vector<model::Field>& fields = model_.entities[whole.entity].fields;
  for (model::FieldId id = 0; id < fields.size(); ++id) {
    const bool is_in_key = layout_.kind(whole.entity)->holds_in_key({.path = {.field = id}});
    if (fields[id].kept == model::Kept::kUpdated && whole.made.contains(fields[id].name) && !is_in_key)
      whole.fields[fields[id].name] = unit.record->fields.at(fields[id].name);
  }
  return {};
}

// The entity as it is stored, by the key that it has in the data or elsewhere.
Result<std::optional<Record>> DataWriter::record_there(Unit& unit) const {
  const Record& record = *unit.record;
  const model::ItemKind* const kind = layout_.kind(record.entity);
  if (kind == nullptr) return std::optional<Record>();
  Item whole;
  bool is_found = false;
  for (const auto& [place, item] : unit.found) {
    if (place.first == layout_.tables.size()) continue;
    is_found = true;
    if (kind->is_by_field()) {
      join_field(model_, layout_.tables[kind->table], *kind, item, whole);
    } else {
      whole = item;
    }
  }
  if (!is_found) return record_elsewhere(unit);
  const auto decoded = ItemCodec(model_, layout_).decode(kind->table, whole);
  const Record* const there = decoded ? std::get_if<Record>(&*decoded) : nullptr;
  const bool is_it = there != nullptr && there->entity == record.entity && there->identity == record.identity;
  return is_it ? std::optional(*there) : std::nullopt;
}

// Of one whose identity does not tell its key. It would be there twice.
Result<std::optional<Record>> DataWriter::record_elsewhere(Unit& unit) const {
  const Record& record = *unit.record;
  const model::ItemKind& kind = *layout_.kind(record.entity);
  if (plan::has_known_key(model_, layout_, record.entity)) return std::optional<Record>();
  const std::vector<model::Field>& fields = model_.entities[record.entity].fields;
  bool is_key_made = false, is_id_made = false;
  for (model::FieldId id = 0; id < fields.size(); ++id) {
    if (!record.made.contains(fields[id].name)) continue;
    is_id_made = is_id_made || fields[id].is_id;
    is_key_made = is_key_made || kind.holds_in_key({.path = {.field = id}});
  }
  const Guard guard = identity_guard(model_, layout_, record);
  const bool is_guarded = unit.found.contains(Place(layout_.tables.size(), guard.key.encoded()));
  // An id that is generated has no guard, and a new one nobody has.
  if (!is_guarded && (!is_key_made || is_id_made)) return std::optional<Record>();
  Figures unused;
  auto other = find_item(database_, model_, layout_, record.entity, record.identity, unused);
  // Where nothing finds it, its guard may be left of somebody who was interrupted.
  if (!other.ok() && other.error().code != Code::kInvalid) return other.error();
  if (!other.ok() || !*other) return std::optional<Record>();
  const ItemCodec codec(model_, layout_);
  const auto decoded = codec.decode(kind.table, **other);
  Record there = std::get<Record>(*decoded);  // as which it was found
  Record here = record;
  take_kept(model_, there, here);
  const Item item = TRY(codec.encode(here));
  const Item key = run::key_of(layout_.tables[kind.table], **other);
  if (!(run::key_of(layout_.tables[kind.table], item) == key))
    return Error{Code::kInvalid,
                 guard.why + ", with another key, over which this one cannot be written: delete it first"};
  unit.found.emplace(Place(kind.table, key.encoded()), **std::move(other));
  return std::optional(std::move(there));
}

void DataWriter::settle_edge(Unit& unit) const {
  const ItemCodec codec(model_, layout_);
  unit.whole_edge = *unit.edge;
  for (const auto& [place, item] : unit.found) {
    if (place.first == layout_.tables.size()) continue;
    const auto decoded = codec.decode(place.first, item);
    const Edge* const there = decoded ? std::get_if<Edge>(&*decoded) : nullptr;
    if (there != nullptr && there->relation == unit.edge->relation)
      take_kept(model_, *there, *unit.whole_edge);
  }
}

// Copies of those who are there have their versions.
void DataWriter::follow(Unit& unit, const Versions& versions) const {
  const auto version_of = [&](model::EntityId entity, const Identity& identity, int64_t& version) {
    const auto known = versions.find({entity, identity});
    if (version > 0 && known != versions.end()) version = known->second;
  };
  const auto follow_edge = [&](Edge& edge) {
    for (const int side : {0, 1})
      version_of(model_.relations[edge.relation].ends[side].target, edge.ends[side],
                 edge.copy_versions[side]);
  };
  if (unit.whole_edge) follow_edge(*unit.whole_edge);
  if (unit.record == nullptr) return;
  if (!unit.whole && !unit.record->copy_versions.empty()) unit.whole = *unit.record;
  if (!unit.whole && !unit.record->entries.empty()) unit.whole = *unit.record;
  if (!unit.whole) return;
  for (auto& [end, version] : unit.whole->copy_versions) {
    if (const auto leads = unit.whole->references.find(end);
        leads != unit.whole->references.end() && !leads->second.empty())
      version_of(model_.end(end).target, leads->second.front(), version);
  }
  for (auto& [end, entries] : unit.whole->entries) {
    for (Edge& entry : entries) follow_edge(entry);
  }
}

Result<void> DataWriter::judge(Unit& unit) const {
  std::set<Place> asked, wanted;
  for (const Put& put : unit.puts) asked.insert(place_of(put));
  if (unit.whole || unit.whole_edge) TRY(fill_puts(unit));
  bool has_all = true;
  for (const Put& put : unit.puts) {
    const Place place = place_of(put);
    const auto there = unit.found.find(place);
    wanted.insert(place);
    if (there == unit.found.end()) {
      // The guard of a value that was taken from what is there came with it.
      has_all = has_all && put.guard != nullptr && !asked.contains(place);
    } else if (put.guard == nullptr && !(there->second == put.item)) {
      ++unit.replaced;
    }
  }
  std::vector<Put> gone;
  for (const Put& place : field_places(unit)) {
    const Place at = place_of(place);
    if (wanted.contains(at) || !unit.found.contains(at)) continue;
    gone.push_back(place);
    gone.back().is_gone = true;
  }
  if (unit.replaced == 0 && !gone.empty()) unit.replaced = 1;
  if (unit.replaced > 0 && options_.what_is_there == WhatIsThere::kIsKept)
    return Error{Code::kInUse, "there is already " + name_of(unit) + ", and it differs from this one"};
  for (Put& put : gone) unit.puts.push_back(std::move(put));
  unit.is_there = has_all && unit.replaced == 0;
  unit.found.clear();
  return {};
}

bool DataWriter::differs(const Unit& unit, const std::vector<Item>& items) const {
  const size_t table = layout_.kind(unit.record->entity)->table;
  size_t same = 0, found = 0;
  for (const Item& item : items) {
    const auto there = unit.found.find(Place(table, run::key_of(layout_.tables[table], item).encoded()));
    if (there != unit.found.end() && there->second == item) ++same;
  }
  for (const auto& [place, item] : unit.found) found += place.first == table ? 1 : 0;
  return same < items.size() || same < found;
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
      batch.tables[table_name(puts[i]->table)].push_back({.put = !puts[i]->is_gone, .item = puts[i]->item});
    while (!batch.tables.empty()) {
      BatchWritten written = TRY(database_.batch_write_items(batch));
      batch.tables = std::move(written.unprocessed);
    }
  }
  for (const Unit* const unit : units) {
    for (const Put& put : unit->puts) written_.items += put.guard == nullptr && !put.is_gone ? 1 : 0;
    written_.replaced += unit->replaced;
  }
  return {};
}

}  // namespace sheaf::run
