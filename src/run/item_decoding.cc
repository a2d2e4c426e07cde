#include <algorithm>

#include "model/value_type.h"
#include "run/document.h"
#include "run/field_items.h"
#include "run/item_codec.h"
#include "run/list_entry.h"
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

using KeyValues = std::vector<std::pair<HoleSource, std::string>>;

std::optional<std::string> value_in(const KeyValues& keys, const HoleSource& source) {
  for (const auto& [held, value] : keys) {
    if (held == source) return value;
  }
  return std::nullopt;
}

bool is_within(const model::Model& model, EntityId entity, EndId end) {
  return model.entities[entity].within == end;
}

std::vector<Identity> identities_of(ValueView list) {
  std::vector<Identity> identities;
  if (list.type() != Type::kList) return identities;
  for (const ValueView element : list.list()) {
    Identity identity;
    if (element.type() == Type::kList) {
      for (const ValueView part : element.list()) identity.push_back(key_text(part).value_or(""));
    } else {
      identity.push_back(key_text(element).value_or(""));
    }
    identities.push_back(std::move(identity));
  }
  return identities;
}

std::optional<int64_t> whole_number(ValueView value) {
  if (value.type() != Type::kNumber) return std::nullopt;
  const auto whole = value.number().to_int64();
  return whole.ok() ? std::optional(*whole) : std::nullopt;
}

std::optional<int64_t> whole_at(ItemView item, std::string_view attribute) {
  const auto value = item.find(attribute);
  return value ? whole_number(*value) : std::nullopt;
}

}  // namespace

std::optional<std::vector<std::pair<HoleSource, std::string>>> ItemCodec::decode_keys(const ItemKind& kind,
                                                                                      ItemView item,
                                                                                      bool is_partial) const {
  const model::Table& table = layout_.tables[kind.table];
  // Without a tag it is the values that tell kinds apart, and what their fields say of them.
  const bool is_told_by_values = !table.tag || !item.find(*table.tag);
  std::vector<std::pair<HoleSource, std::string>> values;
  const auto decode = [&](const KeyTemplate& key, const model::KeyAttribute& attribute) {
    const auto value = item.find(attribute.name);
    const auto text = value ? key_text(*value) : std::nullopt;
    const auto decoded = text ? key.decode(*text) : std::nullopt;
    if (!decoded) return false;
    const std::vector<const Hole*> holes = key.holes();
    for (size_t i = 0; i < holes.size(); ++i) {
      if (!holes[i]->holds_value()) continue;
      const model::Field& field = holes[i]->field;
      if (is_told_by_values && misfit(value_of((*decoded)[i], field.type), field)) return false;
      values.emplace_back(holes[i]->source, (*decoded)[i]);
    }
    return true;
  };
  if (!decode(kind.pk, table.pk) || (kind.sk && !decode(*kind.sk, *table.sk))) return std::nullopt;
  // What an index left out may be in its keys.
  if (is_partial) {
    for (const model::IndexEntry& entry : kind.entries) {
      const model::Index& index = table.indexes[entry.index];
      decode(entry.pk, index.pk);
      if (entry.sk) decode(*entry.sk, *index.sk);
    }
  }
  return values;
}

std::optional<std::variant<Record, Edge>> ItemCodec::decode(size_t table, ItemView item,
                                                            bool is_partial) const {
  const std::optional<std::string>& tag = layout_.tables[table].tag;
  const auto tagged = tag ? item.find(*tag) : std::nullopt;
  for (const ItemKind& kind : layout_.item_kinds) {
    if (kind.table != table) continue;
    const bool has_tag = tagged && tagged->type() == Type::kString && tagged->bytes() == kind.tag;
    if (tag && !has_tag && (tagged || !is_partial)) continue;
    if (kind.entity) {
      if (auto record = decode_entity(kind, item, is_partial)) return std::move(*record);
    } else if (auto edge = decode_edge(kind, item, is_partial)) {
      return std::move(*edge);
    }
  }
  return std::nullopt;
}

// One field, and the ids.
std::optional<Record> ItemCodec::decode_field(const ItemKind& kind, ItemView item) const {
  const auto keys = decode_keys(kind, item, false);
  const auto value = item.find(model::kValueAttribute);
  if (!keys || !value) return std::nullopt;
  const model::Entity& entity = model_.entities[*kind.entity];
  const model::Field* const field = field_named(entity, *value_in(*keys, kind.sk->holes().back()->source));
  if (field == nullptr) return std::nullopt;
  Record record{.entity = *kind.entity, .is_fragment = field != &anchor(*kind.entity)};
  record.fields[field->name] = Value(*value);
  if (field->kept == model::Kept::kVersion) record.version = whole_number(*value).value_or(0);
  for (const FieldPath& path : entity.identity) {
    const std::string text = *value_in(*keys, {.path = path});
    record.identity.push_back(text);
    if (path.ends.empty())
      record.fields[entity.fields[path.field].name] = value_of(text, entity.fields[path.field].type);
  }
  return record;
}

std::optional<Record> ItemCodec::decode_entity(const ItemKind& kind, ItemView item, bool is_partial) const {
  if (kind.is_by_field() && !is_whole(model_, kind, item)) return decode_field(kind, item);
  const auto keys = decode_keys(kind, item, is_partial);
  if (!keys) return std::nullopt;
  const auto in_key = [&](const HoleSource& source) { return value_in(*keys, source); };
  Record record{.entity = *kind.entity};
  const model::Entity& entity = model_.entities[*kind.entity];
  for (model::FieldId id = 0; id < entity.fields.size(); ++id) {
    const model::Field& field = entity.fields[id];
    if (const auto stored = item.find(field.attribute)) {
      record.fields[field.name] = Value(*stored);
    } else if (const auto text = in_key({.path = {.field = id}})) {
      record.fields[field.name] = value_of(*text, field.type);
    }
  }
  record.version = whole_at(item, version_attribute(entity)).value_or(0);
  for (const EndId end : entity.ends) {
    const model::StoredRelation& stored = layout_.relations[end.relation];
    const EntityId target = model_.end(end).target;
    if (layout_.storage(end) == model::EndStorage::kEmbeds) {
      if (const auto value = item.find(model_.end(end).name)) {
        std::vector<Fields>& children = record.embedded[end];
        const auto add = [&](ItemView map, std::string_view id) {
          Fields fields;
          for (const Attribute attribute : map) fields[std::string(attribute.name)] = Value(attribute.value);
          if (!id.empty()) fill_embedded_ids(model_, target, std::string(id), fields);
          children.push_back(std::move(fields));
        };
        if (value->type() == Type::kMap) {
          for (const Attribute child : value->map()) {
            if (child.value.type() == Type::kMap) add(child.value.map(), child.name);
          }
        } else if (value->type() == Type::kList) {
          for (const ValueView child : value->list()) {
            if (child.type() == Type::kMap) add(child.map(), {});
          }
        }
      }
      continue;
    }
    if (!layout_.is_named(end)) continue;
    if (layout_.storage(end) == model::EndStorage::kEntries) {
      const auto entries = item.find(model_.end(end).name);
      if (!entries || entries->type() != Type::kMap) continue;
      for (const Attribute entry : entries->map()) {
        auto edge = entry_edge(model_, layout_, end, entry.name, entry.value);
        if (!edge) continue;
        record.references[end].push_back(edge->ends[end.side]);
        record.entries[end].push_back(std::move(*edge));
      }
      continue;
    }
    if (layout_.storage(end) == model::EndStorage::kIds) {
      if (const auto list = item.find(model_.end(end).name)) record.references[end] = identities_of(*list);
      continue;
    }
    Identity identity;
    for (size_t part = 0; part < model_.entities[target].identity.size(); ++part) {
      HoleSource source{.path = model_.entities[target].identity[part]};
      source.path.ends.insert(source.path.ends.begin(), end);
      auto text = in_key(source);
      if (!text) {
        const auto value = item.find(model_.end(end).name + "_" + identity_attribute(model_, target, part));
        if (value) text = key_text(*value);
      }
      if (text) identity.push_back(std::move(*text));
    }
    if (identity.size() == model_.entities[target].identity.size())
      record.references[end] = {std::move(identity)};
    for (const model::CopiedFields& copied : stored.copies) {
      if (copied.side != end.side) continue;
      for (const model::FieldId id : copied.fields) {
        const model::Field& field = model_.entities[target].fields[id];
        if (const auto value = item.find(model_.end(end).name + "_" + field.name)) {
          record.copies[end][field.name] = Value(*value);
        } else if (const auto text = in_key({.path = {.ends = {end}, .field = id}})) {
          record.copies[end][field.name] = value_of(*text, field.type);
        }
      }
      if (const auto version = whole_at(item, copy_version_attribute(model_.end(end).name)))
        record.copy_versions[end] = *version;
    }
  }
  // Its identity: of its parent, which it refers to, and its own.
  for (const FieldPath& path : entity.identity) {
    std::optional<std::string> text = in_key({.path = path});
    if (!text && path.ends.empty()) {
      const auto field = record.fields.find(entity.fields[path.field].name);
      if (field != record.fields.end()) text = key_text(field->second);
    }
    if (!text && !path.ends.empty() && is_within(model_, *kind.entity, path.ends.front())) {
      const auto reference = record.references.find(path.ends.front());
      const EntityId parent = model_.end(path.ends.front()).target;
      const FieldPath rest{.ends = {path.ends.begin() + 1, path.ends.end()}, .field = path.field};
      const std::vector<FieldPath>& theirs = model_.entities[parent].identity;
      const auto part = std::find(theirs.begin(), theirs.end(), rest);
      if (reference != record.references.end() && part != theirs.end())
        text = reference->second.front()[static_cast<size_t>(part - theirs.begin())];
    }
    if (!text) return std::nullopt;
    record.identity.push_back(std::move(*text));
  }
  for (auto& [end, entries] : record.entries) {
    for (Edge& edge : entries) edge.ends[1 - end.side] = record.identity;
  }
  return record;
}

std::optional<Edge> ItemCodec::decode_edge(const ItemKind& kind, ItemView item, bool is_partial) const {
  const auto keys = decode_keys(kind, item, is_partial);
  if (!keys) return std::nullopt;
  const auto in_key = [&](const HoleSource& source) { return value_in(*keys, source); };
  Edge edge{.relation = *kind.relation, .leads = kind.leads};
  const model::Relation& relation = model_.relations[edge.relation];
  for (model::FieldId id = 0; id < relation.edge_fields.size(); ++id) {
    const model::Field& field = relation.edge_fields[id];
    if (const auto stored = item.find(field.attribute)) {
      edge.fields[field.name] = Value(*stored);
    } else if (const auto text = in_key({.root = HoleSource::Root::kEdgeField, .path = {.field = id}})) {
      edge.fields[field.name] = value_of(*text, field.type);
    }
  }
  for (const int side : {0, 1}) {
    const model::End& end = relation.ends[side];
    for (size_t part = 0; part < model_.entities[end.target].identity.size(); ++part) {
      auto text = in_key({.root = HoleSource::Root::kEdgeEnd,
                          .side = side,
                          .path = model_.entities[end.target].identity[part]});
      if (!text) {
        const auto value =
            item.find(edge_reference(relation, side, identity_attribute(model_, end.target, part)));
        if (value) text = key_text(*value);
      }
      if (!text) return std::nullopt;
      edge.ends[side].push_back(std::move(*text));
    }
    for (const model::CopiedFields& copied : layout_.relations[edge.relation].copies) {
      if (copied.side != side || !kind.holds_copies(side)) continue;
      for (const model::FieldId id : copied.fields) {
        const model::Field& field = model_.entities[end.target].fields[id];
        if (const auto value = item.find(end.name + "_" + field.name)) {
          edge.copies[side][field.name] = Value(*value);
        } else if (const auto text =
                       in_key({.root = HoleSource::Root::kEdgeEnd, .side = side, .path = {.field = id}})) {
          edge.copies[side][field.name] = value_of(*text, field.type);
        }
      }
      if (const auto version = whole_at(item, copy_version_attribute(end.name)))
        edge.copy_versions[side] = *version;
    }
  }
  return edge;
}

}  // namespace sheaf::run
