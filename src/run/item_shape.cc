#include "run/item_shape.h"

#include <algorithm>

#include "run/record.h"

namespace sheaf::run {
namespace {

using model::EndId;
using model::EntityId;
using model::HoleSource;
using ShapeKind = ShapeValue::Kind;
using TypeKind = language::Type::Kind;

class ShapeCollector {
 public:
  ShapeCollector(const model::Model& model, const model::Layout& layout, const model::ItemKind& kind)
      : model_(model), layout_(layout), kind_(kind) {}

  std::vector<ShapeValue> run() {
    if (kind_.entity) {
      add_entity(*kind_.entity);
    } else {
      add_edge(*kind_.relation);
    }
    return std::move(values_);
  }

 private:
  void add(ShapeValue value) {
    value.is_in_key = (value.kind == ShapeKind::kField || value.kind == ShapeKind::kReference) &&
                      kind_.holds_in_key(value.source);
    values_.push_back(std::move(value));
  }

  // `source`: where a hole would find the identity of what `end` leads to.
  void add_reference(EndId end, HoleSource source, bool is_optional) {
    const EntityId target = model_.end(end).target;
    const auto steps = source.path.ends;
    for (size_t part = 0; part < model_.entities[target].identity.size(); ++part) {
      source.path = model_.entities[target].identity[part];
      source.path.ends.insert(source.path.ends.begin(), steps.begin(), steps.end());
      add({.kind = ShapeKind::kReference,
           .source = source,
           .attribute = std::string(kind_.relation ? model_.relations[end.relation].edge_end_name(end.side)
                                                   : std::string_view(model_.end(end).name)) +
                        "_" + identity_attribute(model_, target, part),
           .field = identity_field(model_, target, part),
           .end = end,
           .is_optional = is_optional});
    }
    const model::Entity& copied_from = model_.entities[target];
    for (const model::CopiedFields& copied : layout_.relations[end.relation].copies) {
      if (copied.side != end.side || (kind_.relation && !kind_.holds_copies(end.side))) continue;
      for (const model::FieldId id : copied.fields) {
        source.path = {.ends = steps, .field = id};
        add({.kind = ShapeKind::kCopy,
             .source = source,
             .attribute = model_.end(end).name + "_" + copied_from.fields[id].name,
             .field = copied_from.fields[id],
             .end = end,
             .is_optional = is_optional || copied_from.fields[id].is_optional});
      }
    }
  }

  // The one field that each item has of those that are stored one by one.
  void add_value() {
    ShapeValue value{.source = {.path = {.field = model::kNoField}},
                     .attribute = std::string(model::kValueAttribute)};
    value.field.name = value.field.attribute = value.attribute;
    value.field.type.kind = TypeKind::kAny;
    add(std::move(value));
  }

  void add_entity(EntityId id) {
    const model::Entity& entity = model_.entities[id];
    for (model::FieldId field = 0; field < entity.fields.size(); ++field) {
      if (kind_.is_by_field() && !entity.fields[field].is_id) continue;
      add({.kind = ShapeKind::kField,
           .source = {.path = {.field = field}},
           .attribute = entity.fields[field].attribute,
           .field = entity.fields[field],
           .is_optional = entity.fields[field].is_optional});
    }
    if (kind_.is_by_field()) add_value();
    for (const EndId end : entity.ends) {
      const model::EndStorage storage = layout_.storage(end);
      if (storage == model::EndStorage::kReference) {
        const bool is_needed = entity.within == end || model_.end(end).is_required;
        add_reference(end, {.path = {.ends = {end}}}, !is_needed);
      } else if (storage == model::EndStorage::kIds) {
        add({.kind = ShapeKind::kIds, .attribute = model_.end(end).name, .end = end, .is_optional = true});
      } else if (storage == model::EndStorage::kEmbeds || storage == model::EndStorage::kEntries) {
        add({.kind = ShapeKind::kEmbedded,
             .attribute = model_.end(end).name,
             .end = end,
             .is_optional = true});
      }
    }
    const std::optional<std::string>& ttl = layout_.tables[kind_.table].ttl;
    const bool is_new = ttl && std::none_of(values_.begin(), values_.end(),
                                            [&](const ShapeValue& value) { return value.attribute == *ttl; });
    if (is_new && entity.syntax->ttl)
      add({.kind = ShapeKind::kExpiry, .attribute = *ttl, .is_optional = true});
  }

  void add_edge(model::RelationId id) {
    const model::Relation& relation = model_.relations[id];
    for (model::FieldId field = 0; field < relation.edge_fields.size(); ++field) {
      add({.kind = ShapeKind::kField,
           .source = {.root = HoleSource::Root::kEdgeField, .path = {.field = field}},
           .attribute = relation.edge_fields[field].attribute,
           .field = relation.edge_fields[field],
           .is_optional = relation.edge_fields[field].is_optional});
    }
    for (const int side : {0, 1})
      add_reference({.relation = id, .side = side}, {.root = HoleSource::Root::kEdgeEnd, .side = side},
                    false);
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const model::ItemKind& kind_;
  std::vector<ShapeValue> values_;
};

}  // namespace

std::vector<ShapeValue> item_shape(const model::Model& model, const model::Layout& layout,
                                   const model::ItemKind& kind) {
  return ShapeCollector(model, layout, kind).run();
}

std::string_view stored_type(const language::Type& type) {
  switch (type.kind) {
    case TypeKind::kNumber:
    case TypeKind::kInt:
      return "N";
    case TypeKind::kBool:
      return "BOOL";
    case TypeKind::kBinary:
      return "B";
    case TypeKind::kList:
      return "L";
    case TypeKind::kMap:
    case TypeKind::kObject:
      return "M";
    case TypeKind::kSet: {
      const std::string_view element = type.element.empty() ? "S" : stored_type(type.element.front());
      return element == "N" ? "NS" : element == "B" ? "BS" : "SS";
    }
    case TypeKind::kString:
    case TypeKind::kTime:
    case TypeKind::kDate:
    case TypeKind::kUlid:
    case TypeKind::kUuid:
    case TypeKind::kAny:
    case TypeKind::kEnum:
      break;
  }
  return "S";
}

std::string_view stored_type(const model::Layout& layout, const ShapeValue& value) {
  if (value.kind == ShapeKind::kIds) return "L";
  if (value.kind == ShapeKind::kExpiry) return "N";
  if (value.kind != ShapeKind::kEmbedded) return stored_type(value.field.type);
  const bool is_list = layout.relations[value.end->relation].embed_as == language::Via::EmbedAs::kList;
  return is_list ? "L" : "M";
}

}  // namespace sheaf::run
