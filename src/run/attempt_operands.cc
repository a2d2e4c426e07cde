// The values that an operation reads, as they are before it: fields of entities that it names, and of those
// to whom their ends lead. What is written depends on them, so that they are conditions of the transaction.
#include <algorithm>

#include "base/article.h"
#include "base/try.h"
#include "plan/write_needs.h"
#include "run/attempt.h"
#include "run/document.h"
#include "run/expression.h"
#include "run/guards.h"
#include "run/inner_value.h"
#include "run/list_entry.h"
#include "run/stored_items.h"
#include "run/system_table.h"

namespace sheaf::run {

using model::EndId;
using model::EntityId;
using model::FieldPath;
using model::Place;

namespace {

Error absent(const model::Model& model, EntityId entity, const Identity& identity) {
  return {Code::kNotFound, "there is no " + model.entities[entity].name + " " + shown(identity)};
}

AttributePath extended(AttributePath path, const std::vector<std::string>& names) {
  for (const std::string& name : names) path.emplace_back(name);
  return path;
}

// The part of an identity that the rest of a path leads to.
std::optional<Value> identity_value(const model::Model& model, EntityId entity, const Identity& identity,
                                    const Place& place, size_t walked) {
  if (place.kind != Place::Kind::kField) return std::nullopt;
  const FieldPath rest{.ends = {place.ends.begin() + static_cast<std::ptrdiff_t>(walked), place.ends.end()},
                       .field = place.field};
  const std::vector<FieldPath>& parts = model.entities[entity].identity;
  const auto part = std::find(parts.begin(), parts.end(), rest);
  if (part == parts.end()) return std::nullopt;
  return value_of(identity[static_cast<size_t>(part - parts.begin())], model.field(entity, rest).type);
}

}  // namespace

const Change* Attempt::made(EntityId entity, const Identity& identity) const {
  const auto found = subjects_.find({entity, identity});
  return found == subjects_.end() ? nullptr : found->second->made;
}

Result<Subject*> Attempt::loaded(EntityId entity, const Identity& identity) {
  Subject& each = subject(entity, identity);
  if (!each.is_loaded && each.fate != Subject::Fate::kNew) TRY(load_found(each));
  return &each;
}

Result<std::optional<Value>> Attempt::known(const ChangeOperand& operand, const Fields& own,
                                            const model::Entity& entity) const {
  if (const auto* value = std::get_if<Value>(&operand)) return std::optional<Value>(*value);
  if (const auto* stored = std::get_if<StoredValue>(&operand)) return operands_.at(stored);
  const auto& field = std::get<OwnField>(operand);
  const auto found = own.find(entity.fields[field.field].name);
  return found == own.end() ? std::nullopt : value_inside(found->second, field.inside);
}

void Attempt::read_operands() {
  const auto read = [&](const ChangeOperand& operand) {
    if (const auto* stored = std::get_if<StoredValue>(&operand)) read_operand(*stored);
  };
  for (const Change& change : changes_) {
    for (const Assigned& assigned : change.assigned) {
      read(assigned.first);
      for (const auto& [mark, operand] : assigned.rest) read(operand);
    }
    for (const auto& [name, stored] : change.edge_operands) read_operand(stored);
    for (const Checked& checked : change.checks) {
      for (const ChangeOperand& operand : checked.operands) read(operand);
    }
  }
}

// That somebody is not there is told where the value is used.
void Attempt::read_operand(const StoredValue& stored) {
  operands_.insert_or_assign(&stored, value_before(stored.entity, stored.identity, stored.place));
}

Result<std::optional<Value>> Attempt::value_before(EntityId entity, const Identity& identity,
                                                   const Place& place) {
  EntityId at = entity;
  Identity who = identity;
  for (size_t i = 0; i < place.ends.size(); ++i) {
    if (auto part = identity_value(model_, at, who, place, i)) return part;
    const EndId end = place.ends[i];
    if (place.kind == Place::Kind::kEdgeField && i + 1 == place.ends.size())
      return edge_field_before(end, who, place);
    who = TRY(follow(at, who, end, i == 0));
    if (who.empty()) return std::optional<Value>();
    at = model_.end(end).target;
  }
  if (place.kind == Place::Kind::kEntity) return std::optional<Value>(Value(true));
  if (auto part = identity_value(model_, at, who, place, place.ends.size())) return part;
  return field_before(at, who, place, place.ends.empty());
}

Result<std::optional<Value>> Attempt::field_before(EntityId entity, const Identity& identity,
                                                   const Place& place, bool must_exist) {
  const model::Field& field = model_.entities[entity].fields[place.field];
  const auto value_in = [&](const Fields& fields) {
    const auto found = fields.find(field.name);
    return found == fields.end() ? std::nullopt : value_inside(found->second, place.inside);
  };
  if (const Change* const change = made(entity, identity)) return value_in(change->fields);
  if (const auto end = layout_.embedding_end(model_, entity))
    return child_field_before(*end, entity, identity, place, must_exist);
  if (!layout_.has_items(entity)) return std::optional<Value>();
  Subject& each = *TRY(loaded(entity, identity));
  if (!each.stored) {
    if (must_exist) return absent(model_, entity, identity);
    return std::optional<Value>();
  }
  each.must_exist = true;
  if (!layout_.kind(entity)->holds_in_key({.path = {.field = place.field}}))
    expect_stored(each, path_of(field, place.inside));
  return value_in(each.before.fields);
}

// Its value, or that it is missing, is a condition of the write.
void Attempt::expect_stored(Subject& subject, AttributePath path) {
  const auto value = value_at(*subject.stored, path);
  subject.expected.push_back({.kind = value ? Expected::Kind::kEquals : Expected::Kind::kMissing,
                              .path = std::move(path),
                              .values = {value ? Value(*value) : Value()},
                              .is_race = true});
}

Result<std::optional<Value>> Attempt::child_field_before(EndId end, EntityId child, const Identity& identity,
                                                         const Place& place, bool must_exist) {
  Subject& parent = *TRY(loaded(model_.end(end).holder, parent_in(model_, child, identity, end.other())));
  const Fields* const fields = parent.stored ? child_in(parent.before, end, child, identity) : nullptr;
  if (fields == nullptr) {
    if (must_exist) return absent(model_, child, identity);
    return std::optional<Value>();
  }
  parent.must_exist = true;
  const std::string& name = model_.entities[child].fields[place.field].name;
  AttributePath path{model_.end(end).name};
  if (layout_.relations[end.relation].embed_as == language::Via::EmbedAs::kList) {
    expect_stored(parent, path);
  } else {
    path.emplace_back(embedded_name(model_, child, *fields));
    expect_stored(parent, extended(path, {name}));
    parent.expected.push_back({.kind = Expected::Kind::kPresent, .path = std::move(path), .is_race = true});
  }
  const auto found = fields->find(name);
  return found == fields->end() ? std::nullopt : value_inside(found->second, place.inside);
}

const Fields* Attempt::child_in(const Record& parent, EndId end, EntityId child,
                                const Identity& identity) const {
  const auto children = parent.embedded.find(end);
  if (children == parent.embedded.end()) return nullptr;
  const std::vector<FieldPath>& parts = model_.entities[child].identity;
  for (const Fields& fields : children->second) {
    bool is_it = true;
    for (size_t part = 0; part < parts.size(); ++part) {
      if (!parts[part].ends.empty()) continue;
      const auto value = fields.find(model_.entities[child].fields[parts[part].field].name);
      is_it = is_it && value != fields.end() && key_text(value->second) == identity[part];
    }
    if (is_it) return &fields;
  }
  return nullptr;
}

// --- Along ends

Result<Identity> Attempt::follow(EntityId entity, const Identity& identity, EndId end, bool must_exist) {
  if (model_.entities[entity].within == end) return parent_in(model_, entity, identity, end);
  if (const Change* const change = made(entity, identity)) {
    for (const auto& [given, to] : change->ends) {
      if (given == end) return to;
    }
    const bool is_new = change->kind == Change::Kind::kPut || !subject(entity, identity).stored;
    if (is_new) return Identity();
  }
  switch (layout_.storage(end)) {
    case model::EndStorage::kReference:
    case model::EndStorage::kIds:
    case model::EndStorage::kEntries: {
      Subject& holder = *TRY(loaded(entity, identity));
      if (!holder.stored) {
        if (must_exist) return absent(model_, entity, identity);
        return Identity();
      }
      holder.must_exist = true;
      if (layout_.storage(end) != model::EndStorage::kReference) {
        expect_stored(holder, {model_.end(end).name});
      } else {
        const EntityId target = model_.end(end).target;
        for (size_t part = 0; part < model_.entities[target].identity.size(); ++part) {
          model::HoleSource source{.path = model_.entities[target].identity[part]};
          source.path.ends.insert(source.path.ends.begin(), end);
          if (!layout_.kind(entity)->holds_in_key(source))
            expect_stored(holder, {reference_attribute(model_, end, part)});
        }
      }
      const auto found = holder.before.references.find(end);
      const bool leads = found != holder.before.references.end() && !found->second.empty();
      return leads ? found->second.front() : Identity();
    }
    case model::EndStorage::kEdge:
    case model::EndStorage::kOther: {
      if (must_exist && layout_.has_items(entity)) subject(entity, identity).must_exist = true;
      if (plan::needs_one_guard(model_, layout_, end)) return follow_guard(end, identity);
      const auto edge = TRY(follow_edge(end, identity));
      return edge ? edge->ends[end.side] : Identity();
    }
    case model::EndStorage::kEmbeds: {
      Subject& holder = *TRY(loaded(entity, identity));
      if (!holder.stored) {
        if (must_exist) return absent(model_, entity, identity);
        return Identity();
      }
      expect_stored(holder, {model_.end(end).name});
      const auto children = holder.before.embedded.find(end);
      if (children == holder.before.embedded.end() || children->second.empty()) return Identity();
      const EntityId child = model_.end(end).target;
      Identity made = model_.entities[child].within == end.other() ? identity : Identity();
      for (const model::Field& field : model_.entities[child].fields) {
        if (field.is_id) made.push_back(key_text(children->second.front().at(field.name)).value_or(""));
      }
      return made;
    }
    case model::EndStorage::kEmbedded:
      break;
  }
  return Error{Code::kInvalid, with_article(model_.entities[entity].name) + " lies in its " +
                                   model_.end(end).name +
                                   " in this layout, and its id does not say in which"};
}

// The guard of an end that leads to one says where it leads, and is read by its key.
Result<Identity> Attempt::follow_guard(EndId end, const Identity& from) {
  const Guard guard = one_guard(model_, layout_, end, from, {});
  const std::string table = system_table_name(model_);
  const Got got = TRY(database_.get_item({.table = table, .key = guard.key, .consistent = true}));
  ++figures_.requests;
  figures_.units += got.capacity.total();
  ItemChange& change = transaction_.change(table, "pk", guard.key);
  if (!got.item) {
    change.expect({.kind = Expected::Kind::kAbsent, .is_race = true});
    return Identity();
  }
  change.expect({.kind = Expected::Kind::kEquals,
                 .path = {std::string(kGuardOwner)},
                 .values = {Value(*got.item->find(kGuardOwner))},
                 .is_race = true});
  return guard_owner(*got.item);
}

Result<std::optional<Edge>> Attempt::follow_edge(EndId end, const Identity& from) {
  const bool is_read = std::any_of(edges_read_.begin(), edges_read_.end(), [&](const EdgesRead& read) {
    return read.end == end && read.from == from;
  });
  if (!is_read) {
    note_edges(end, from);
    TRY(load_edges(end, from));
  }
  const std::vector<Edge> edges = edges_of(end, from);
  if (edges.empty()) {
    expect_unlinked(end, from);
    return std::optional<Edge>();
  }
  Item item;
  ItemChange& change = *TRY(change_of(edges.front(), item));
  change.expect({.kind = Expected::Kind::kExists, .is_race = true});
  return std::optional<Edge>(edges.front());
}

Result<std::optional<Value>> Attempt::edge_field_before(EndId end, const Identity& from, const Place& place) {
  const model::Field& field = model_.relations[end.relation].edge_fields[place.field];
  const auto value_in = [&](const Edge& edge) {
    const auto found = edge.fields.find(field.name);
    return found == edge.fields.end() ? std::nullopt : value_inside(found->second, place.inside);
  };
  const EntityId holder = model_.end(end).holder;
  if (layout_.storage(end) == model::EndStorage::kEntries) {
    Subject& each = *TRY(loaded(holder, from));
    if (!each.stored) return absent(model_, holder, from);
    expect_stored(each, {model_.end(end).name});
    const auto entries = each.before.entries.find(end);
    const bool leads = entries != each.before.entries.end() && !entries->second.empty();
    return leads ? value_in(entries->second.front()) : std::nullopt;
  }
  const auto edge = TRY(follow_edge(end, from));
  if (!edge) return std::optional<Value>();
  // An index may hold only a part of it, and not the newest.
  Item item;
  ItemChange& change = *TRY(change_of(*edge, item));
  const size_t table = layout_.item_kinds[codec_.item_kind(*edge)].table;
  const Got got = TRY(database_.get_item({.table = change.table, .key = change.key, .consistent = true}));
  ++figures_.requests;
  figures_.units += got.capacity.total();
  const auto decoded = got.item ? codec_.decode(table, *got.item) : std::nullopt;
  const auto* whole = decoded ? std::get_if<Edge>(&*decoded) : nullptr;
  if (whole == nullptr) return std::optional<Value>();
  const bool is_in_key = layout_.item_kinds[codec_.item_kind(*edge)].holds_in_key(
      {.root = model::HoleSource::Root::kEdgeField, .path = {.field = place.field}});
  if (!is_in_key) {
    const auto stored = got.item->find(field.attribute);
    change.expect({.kind = stored ? Expected::Kind::kEquals : Expected::Kind::kMissing,
                   .path = {field.attribute},
                   .values = {stored ? Value(*stored) : Value()},
                   .is_race = true});
  }
  return value_in(*whole);
}

}  // namespace sheaf::run
