#include "run/item_codec.h"

#include <algorithm>

#include "base/article.h"
#include "base/try.h"
#include "model/value_type.h"
#include "run/conditions.h"
#include "run/document.h"
#include "run/field_items.h"
#include "run/list_entry.h"
#include "run/time_text.h"
#include "run/value_check.h"

namespace sheaf::run {

using model::EndId;
using model::EntityId;
using model::FieldPath;
using model::Hole;
using model::HoleSource;
using model::ItemKind;
using model::KeyTemplate;

namespace {

Value list_of(const std::vector<Identity>& identities) {
  std::vector<Value> elements;
  for (const Identity& identity : identities) {
    if (identity.size() == 1) {
      elements.emplace_back(identity.front());
      continue;
    }
    std::vector<Value> parts(identity.begin(), identity.end());
    elements.push_back(Value::list(parts));
  }
  return Value::list(elements);
}

}  // namespace

Item item_of(const Fields& attributes) {
  ValueWriter writer(kDocumentNestingMax);
  writer.begin_item();
  for (const auto& [name, value] : attributes) {
    writer.key(name);
    writer.copy(value);
  }
  writer.end_item();
  return Item::from_encoded(*writer.finish());
}

std::optional<std::string> ItemCodec::hole_value(const Record& record, const Hole& hole) const {
  const FieldPath& path = hole.source.path;
  if (hole.is_attribute()) return anchor(record.entity).attribute;
  // A part of its own identity, wherever that comes from.
  const std::vector<FieldPath>& identity = model_.entities[record.entity].identity;
  const auto part = std::find(identity.begin(), identity.end(), path);
  if (part != identity.end()) return record.identity[static_cast<size_t>(part - identity.begin())];
  if (path.ends.empty()) {
    const auto field = record.fields.find(hole.field.name);
    return field == record.fields.end() ? std::nullopt : key_text(field->second);
  }
  const auto reference = record.references.find(path.ends.front());
  if (reference == record.references.end() || reference->second.empty()) return std::nullopt;
  const EntityId target = model_.end(path.ends.front()).target;
  const FieldPath rest{.ends = {path.ends.begin() + 1, path.ends.end()}, .field = path.field};
  const std::vector<FieldPath>& theirs = model_.entities[target].identity;
  const auto found = std::find(theirs.begin(), theirs.end(), rest);
  if (found != theirs.end()) return reference->second.front()[static_cast<size_t>(found - theirs.begin())];
  const auto copies = record.copies.find(path.ends.front());
  if (copies == record.copies.end() || !rest.ends.empty()) return std::nullopt;
  const auto copied = copies->second.find(hole.field.name);
  return copied == copies->second.end() ? std::nullopt : key_text(copied->second);
}

std::optional<std::string> ItemCodec::hole_value(const Edge& edge, const Hole& hole) const {
  if (hole.source.root == HoleSource::Root::kEdgeField) {
    const auto field = edge.fields.find(hole.field.name);
    return field == edge.fields.end() ? std::nullopt : key_text(field->second);
  }
  const int side = hole.source.side;
  const EntityId target = model_.relations[edge.relation].ends[side].target;
  const std::vector<FieldPath>& identity = model_.entities[target].identity;
  const auto part = std::find(identity.begin(), identity.end(), hole.source.path);
  if (part != identity.end()) return edge.ends[side][static_cast<size_t>(part - identity.begin())];
  const auto copied = edge.copies[side].find(hole.field.name);
  return copied == edge.copies[side].end() ? std::nullopt : key_text(copied->second);
}

// Whether the attribute is a field or a reference itself, which stays when the item leaves the index.
bool ItemCodec::is_stored_so(const KeyTemplate& key, const model::KeyAttribute& attribute) const {
  const Hole* const bare = key.bare_hole();
  if (bare == nullptr) return false;
  const FieldPath& path = bare->source.path;
  if (path.ends.empty()) return true;
  const EndId end = path.ends.front();
  const std::vector<FieldPath>& parts = model_.entities[model_.end(end).target].identity;
  const FieldPath rest{.ends = {path.ends.begin() + 1, path.ends.end()}, .field = path.field};
  const auto part = std::find(parts.begin(), parts.end(), rest);
  return part != parts.end() &&
         attribute.name == model_.end(end).name + "_" +
                               identity_attribute(model_, model_.end(end).target,
                                                  static_cast<size_t>(part - parts.begin()));
}

Result<void> ItemCodec::encode_keys(const ItemKind& kind, Fields& attributes,
                                    const std::function<std::optional<std::string>(const Hole&)>& value,
                                    const Record* record) const {
  const model::Table& table = layout_.tables[kind.table];
  // Empty: a value is missing.
  const auto encoded = [&](const KeyTemplate& key) -> Result<std::optional<std::string>> {
    Values values;
    for (const Hole* hole : key.holes()) {
      auto found = value(*hole);
      if (!found) return std::optional<std::string>();
      values.push_back(std::move(*found));
    }
    std::string text = TRY(key.encode(values));
    return std::optional<std::string>(std::move(text));
  };
  const auto set = [&](const KeyTemplate& key, const model::KeyAttribute& attribute,
                       bool must) -> Result<bool> {
    const std::optional<std::string> text = TRY(encoded(key));
    if (!text && must)
      return Error{Code::kInvalid, with_article(kind.name) + " lacks a value for its key " + key.text()};
    if (text) attributes[attribute.name] = key_value(*text, attribute);
    return text.has_value();
  };
  TRY(set(kind.pk, table.pk, true));
  if (kind.sk) TRY(set(*kind.sk, *table.sk, true));
  // Key attributes that keep the item in an index, and those of the indexes that it is not in.
  std::set<std::string> needed = {table.pk.name}, left;
  if (table.sk) needed.insert(table.sk->name);
  for (const model::IndexEntry& entry : kind.entries) {
    const model::Index& index = table.indexes[entry.index];
    const bool is_wanted =
        record == nullptr ||
        std::all_of(entry.when.begin(), entry.when.end(), [&](const model::Condition& condition) {
          return holds(model_, condition, value_at(model_, condition.place, *record), {}, {}, {});
        });
    const bool has_pk = is_wanted && TRY(set(entry.pk, index.pk, false));
    const bool has_sk = is_wanted && (!entry.sk || TRY(set(*entry.sk, *index.sk, false)));
    std::set<std::string>& names = has_pk && has_sk ? needed : left;
    if (!is_stored_so(entry.pk, index.pk)) names.insert(index.pk.name);
    if (index.sk && entry.sk && !is_stored_so(*entry.sk, *index.sk)) names.insert(index.sk->name);
  }
  for (const std::string& name : left) {
    if (!needed.contains(name)) attributes.erase(name);
  }
  if (table.tag) attributes[*table.tag] = Value(kind.tag);
  return {};
}

Result<void> ItemCodec::encode_changed_keys(const Record& record, const std::set<model::FieldId>& fields,
                                            const std::set<EndId, EndOrder>& ends, Fields& attributes,
                                            std::set<std::string>& gone) const {
  const ItemKind& kind = *layout_.kind(record.entity);
  const auto uses = [&](const KeyTemplate& key) {
    const std::vector<const Hole*> holes = key.holes();
    return std::any_of(holes.begin(), holes.end(), [&](const Hole* hole) {
      const FieldPath& path = hole->source.path;
      return path.ends.empty() ? fields.contains(path.field) : ends.contains(path.ends.front());
    });
  };
  for (const model::IndexEntry& entry : kind.entries) {
    if (!uses(entry.pk) && !(entry.sk && uses(*entry.sk))) continue;
    const model::Index& index = layout_.tables[kind.table].indexes[entry.index];
    std::vector<std::pair<const KeyTemplate*, const model::KeyAttribute*>> keys = {{&entry.pk, &index.pk}};
    if (entry.sk) keys.emplace_back(&*entry.sk, &*index.sk);
    Fields made;
    bool is_in = true;
    for (const auto& [key, attribute] : keys) {
      Values values;
      for (const Hole* hole : key->holes()) {
        if (auto found = hole_value(record, *hole)) values.push_back(std::move(*found));
      }
      if (values.size() < key->holes().size()) {
        is_in = false;
        continue;
      }
      const std::string text = TRY(key->encode(values));
      made[attribute->name] = key_value(text, *attribute);
    }
    for (const auto& [key, attribute] : keys) {
      // A primary key never changes.
      const model::Table& table = layout_.tables[kind.table];
      if (attribute->name == table.pk.name || (table.sk && attribute->name == table.sk->name)) continue;
      if (is_in) {
        attributes[attribute->name] = made.at(attribute->name);
      } else if (!is_stored_so(*key, *attribute)) {
        gone.insert(attribute->name);
      }
    }
  }
  return {};
}

Result<void> check_nesting(const Value& value, int levels_above) {
  if (value.view().depth() + levels_above > kNestingMax)
    return Error{Code::kInvalid, "a value is nested deeper than the " + std::to_string(kNestingMax) +
                                     " levels that an item can have"};
  return {};
}

Result<Item> ItemCodec::encode(const Record& record) const {
  const ItemKind* const kind = layout_.kind(record.entity);
  if (kind == nullptr)
    return Error{Code::kInvalid, model_.entities[record.entity].name + " has no items in this layout"};
  const model::Entity& entity = model_.entities[record.entity];
  Fields attributes;
  for (model::FieldId id = 0; id < entity.fields.size(); ++id) {
    const model::Field& field = entity.fields[id];
    const auto value = record.fields.find(field.name);
    if (value == record.fields.end() || kind->holds_in_key({.path = {.field = id}})) continue;
    attributes[field.attribute] = value->second;
  }
  for (const auto& [end, identities] : record.references) {
    if (identities.empty() || layout_.storage(end) == model::EndStorage::kEntries) continue;
    const EntityId target = model_.end(end).target;
    if (layout_.storage(end) == model::EndStorage::kIds) {
      attributes[model_.end(end).name] = list_of(identities);
      continue;
    }
    for (size_t part = 0; part < model_.entities[target].identity.size(); ++part) {
      HoleSource source{.path = model_.entities[target].identity[part]};
      source.path.ends.insert(source.path.ends.begin(), end);
      if (kind->holds_in_key(source)) continue;
      attributes[model_.end(end).name + "_" + identity_attribute(model_, target, part)] =
          value_of(identities.front()[part], identity_field(model_, target, part).type);
    }
  }
  for (const auto& [end, fields] : record.copies) {
    for (const auto& [name, value] : fields) attributes[model_.end(end).name + "_" + name] = value;
  }
  for (const auto& [end, version] : record.copy_versions)
    attributes[copy_version_attribute(model_.end(end).name)] = Value(version);
  if (record.version > 0) attributes[version_attribute(entity)] = Value(record.version);
  encode_embedded(record, attributes);
  TRY(encode_keys(
      *kind, attributes, [&](const Hole& hole) { return hole_value(record, hole); }, &record));
  encode_expiry(record, layout_.tables[kind->table], attributes);
  Item item = item_of(attributes);
  TRY(check_nesting(Value(item), -1));  // the item itself does not count
  return item;
}

// A map is there even if it is empty: so a child, or an entry, can be put into it without looking.
void ItemCodec::encode_embedded(const Record& record, Fields& attributes) const {
  for (const EndId end : model_.entities[record.entity].ends) {
    if (layout_.storage(end) == model::EndStorage::kEntries) {
      Fields entries;
      if (const auto found = record.entries.find(end); found != record.entries.end()) {
        for (const Edge& edge : found->second)
          entries[entry_name(model_, end, edge)] = entry_value(model_, end, edge);
      }
      attributes[model_.end(end).name] = Value(item_of(entries));
    }
    if (layout_.storage(end) != model::EndStorage::kEmbeds) continue;
    const auto found = record.embedded.find(end);
    const std::vector<Fields> children =
        found == record.embedded.end() ? std::vector<Fields>() : found->second;
    const bool is_list = layout_.relations[end.relation].embed_as == language::Via::EmbedAs::kList;
    const EntityId child = model_.end(end).target;
    std::vector<Value> list;
    Fields map;
    for (const Fields& fields : children) {
      Fields rest = fields;
      for (const model::Field& field : model_.entities[child].fields) {
        if (field.is_id && !is_list) rest.erase(field.name);
      }
      list.emplace_back(item_of(fields));
      map[embedded_name(model_, child, fields)] = Value(item_of(rest));
    }
    attributes[model_.end(end).name] = is_list ? Value::list(list) : Value(item_of(map));
  }
}

void ItemCodec::encode_expiry(const Record& record, const model::Table& table, Fields& attributes) const {
  const std::optional<language::Name>& ttl = model_.entities[record.entity].syntax->ttl;
  if (!ttl || !table.ttl) return;
  const auto value = record.fields.find(ttl->text);
  if (value == record.fields.end()) return;
  if (value->second.type() == Type::kNumber) {
    attributes[*table.ttl] = value->second;
  } else if (const auto seconds = epoch_seconds(value->second.view().bytes())) {
    attributes[*table.ttl] = Value(*seconds);
  }
}

const model::Field& ItemCodec::anchor(EntityId entity) const {
  return model_.entities[entity].fields[*layout_.kind(entity)->anchor];
}

Result<std::vector<Item>> ItemCodec::items(const Record& record) const {
  const Item whole = TRY(encode(record));
  const ItemKind& kind = *layout_.kind(record.entity);
  if (!kind.is_by_field()) return std::vector<Item>{whole};
  return field_items(model_, layout_.tables[kind.table], kind, whole);
}

std::string ItemCodec::edge_reference(const model::Relation& relation, int side, const std::string& part) {
  return std::string(relation.edge_end_name(side)) + "_" + part;
}

Result<Item> ItemCodec::encode(const Edge& edge) const {
  const ItemKind& kind = layout_.item_kinds[item_kind(edge)];
  const model::Relation& relation = model_.relations[edge.relation];
  Fields attributes;
  for (model::FieldId id = 0; id < relation.edge_fields.size(); ++id) {
    const model::Field& field = relation.edge_fields[id];
    const auto value = edge.fields.find(field.name);
    if (value == edge.fields.end() ||
        kind.holds_in_key({.root = HoleSource::Root::kEdgeField, .path = {.field = id}}))
      continue;
    attributes[field.attribute] = value->second;
  }
  for (const int side : {0, 1}) {
    const model::End& end = relation.ends[side];
    for (size_t part = 0; part < edge.ends[side].size(); ++part) {
      const HoleSource source{.root = HoleSource::Root::kEdgeEnd,
                              .side = side,
                              .path = model_.entities[end.target].identity[part]};
      if (kind.holds_in_key(source)) continue;
      attributes[edge_reference(relation, side, identity_attribute(model_, end.target, part))] =
          value_of(edge.ends[side][part], identity_field(model_, end.target, part).type);
    }
    for (const auto& [name, value] : edge.copies[side]) attributes[end.name + "_" + name] = value;
    if (edge.copy_versions[side] > 0)
      attributes[copy_version_attribute(end.name)] = Value(edge.copy_versions[side]);
  }
  TRY(encode_keys(
      kind, attributes, [&](const Hole& hole) { return hole_value(edge, hole); }, nullptr));
  Item item = item_of(attributes);
  TRY(check_nesting(Value(item), -1));  // the item itself does not count
  return item;
}

size_t ItemCodec::item_kind(const Edge& edge) const {
  return layout_.edge_kind({.relation = edge.relation, .side = edge.leads.value_or(0)});
}

std::vector<Edge> ItemCodec::directions(const Edge& edge) const {
  const model::StoredRelation& stored = layout_.relations[edge.relation];
  if (!stored.both_directions && !layout_.is_mutual({.relation = edge.relation})) return {edge};
  const bool is_symmetric = model_.relations[edge.relation].is_symmetric;
  std::vector<Edge> items;
  for (const int side : {0, 1}) {
    // One with itself is there once.
    if (is_symmetric && side == 1 && edge.ends[0] == edge.ends[1]) break;
    items.push_back(is_symmetric && side == 1 ? turned(edge) : edge);
    Edge& made = items.back();
    made.leads = is_symmetric ? 0 : side;
    made.copies[1 - *made.leads].clear();
    made.copy_versions[1 - *made.leads] = 0;
  }
  return items;
}

Result<Item> ItemCodec::key(EntityId entity, const Identity& identity) const {
  const ItemKind& kind = *layout_.kind(entity);
  const model::Table& table = layout_.tables[kind.table];
  const std::vector<FieldPath>& paths = model_.entities[entity].identity;
  const auto encoded = [&](const KeyTemplate& key) -> Result<std::string> {
    Values values;
    for (const Hole* hole : key.holes()) {
      if (hole->is_attribute()) {
        values.push_back(anchor(entity).attribute);
        continue;
      }
      const auto part = std::find(paths.begin(), paths.end(), hole->source.path);
      if (part == paths.end())
        return Error{Code::kInvalid, "the id of " + with_article(kind.name) + " does not tell its key"};
      values.push_back(identity[static_cast<size_t>(part - paths.begin())]);
    }
    return key.encode(values);
  };
  Item item;
  const std::string pk = TRY(encoded(kind.pk));
  item.set(table.pk.name, key_value(pk, table.pk));
  if (kind.sk) {
    const std::string sk = TRY(encoded(*kind.sk));
    item.set(table.sk->name, key_value(sk, *table.sk));
  }
  return item;
}

}  // namespace sheaf::run
