#include "plan/document_tree.h"

#include <algorithm>

namespace sheaf::plan {
namespace {

using model::End;
using model::EndId;
using Via = language::Via::Kind;

// How many an end leads to, as far as it is declared.
double count_of(const End& end) {
  if (!end.leads_to_many) return 1;
  if (end.max) return static_cast<double>(*end.max);
  if (end.average) return static_cast<double>(*end.average);
  return kUnsaidCount;
}

size_t add_node(const model::Model& model, std::vector<DocumentNode>& nodes, size_t parent, EndId end_id,
                int64_t depth, const model::Node* selected, language::Span span) {
  const End& end = model.end(end_id);
  double count = nodes[parent].count * count_of(end);
  for (int64_t i = 1; i < depth; ++i) count *= count_of(end);
  nodes.push_back({.parent = parent,
                   .end = end_id,
                   .depth = depth,
                   .entity = end.target,
                   .selected = selected,
                   .count = count,
                   .is_bounded = nodes[parent].is_bounded && (!end.leads_to_many || end.max.has_value()),
                   .span = span});
  return nodes.size() - 1;
}

void add_nested(const model::Model& model, std::vector<DocumentNode>& nodes, size_t parent,
                const model::Node& selected) {
  for (const model::Nested& nested : selected.nested) {
    const size_t node = add_node(model, nodes, parent, nested.end, nested.depth, nested.node.get(),
                                 nested.syntax->step.name.span);
    add_nested(model, nodes, node, *nested.node);
  }
  for (const model::AggregateField& aggregate : selected.aggregates) {
    const bool is_there = std::any_of(nodes.begin(), nodes.end(), [&](const DocumentNode& node) {
      return node.parent == parent && node.end == aggregate.over;
    });
    if (!is_there) add_node(model, nodes, parent, aggregate.over, 1, nullptr, aggregate.syntax->span);
  }
}

}  // namespace

std::vector<DocumentNode> document_tree(const model::Model& model, const model::Pattern& pattern,
                                        size_t& result) {
  std::vector<DocumentNode> nodes;
  const bool is_from_parameter = pattern.start.has_value();
  const model::EntityId entity =
      is_from_parameter ? *pattern.parameters[*pattern.start].entity : pattern.node.entity;
  const model::Node* const last = &pattern.node;
  const bool is_many = !is_from_parameter && !pattern.one;
  nodes.push_back(
      {.entity = entity,
       .selected = pattern.steps.empty() ? last : nullptr,
       .count =
           is_many ? static_cast<double>(pattern.node.limit.value_or(pattern.node.page.value_or(100))) : 1,
       .is_bounded = !is_many,
       .span = pattern.syntax->read.start.span,
       .is_found = !is_from_parameter});
  result = 0;
  for (size_t i = 0; i < pattern.steps.size(); ++i) {
    const bool is_last = i + 1 == pattern.steps.size();
    result = add_node(model, nodes, result, pattern.steps[i].first, pattern.steps[i].second,
                      is_last ? last : nullptr, pattern.syntax->read.steps[i].name.span);
  }
  add_nested(model, nodes, result, pattern.node);
  return nodes;
}

Link link_of(const model::Model& model, const model::Layout& layout, const DocumentNode& node) {
  if (!node.end) return Link::kStart;
  switch (layout.storage(*node.end)) {
    case model::EndStorage::kEdge:
      return Link::kEdges;
    case model::EndStorage::kIds:
      return Link::kReference;
    case model::EndStorage::kEmbeds:
      return Link::kEmbedded;
    case model::EndStorage::kEmbedded:
      return Link::kIdentity;
    case model::EndStorage::kOther:
      return layout.storage(node.end->other()) == model::EndStorage::kIds ? Link::kNone : Link::kItems;
    case model::EndStorage::kReference:
      break;
  }
  // From a child to its parent.
  const model::EntityId child = model.end(*node.end).holder;
  for (const model::FieldPath& path : model.entities[child].identity) {
    if (!path.ends.empty() && path.ends.front() == *node.end) return Link::kIdentity;
  }
  return Link::kReference;
}

std::vector<model::FieldId> copied_fields(const model::Layout& layout, const DocumentNode& node) {
  std::vector<model::FieldId> fields;
  if (!node.end) return fields;
  for (const model::CopiedFields& copied : layout.relations[node.end->relation].copies) {
    if (copied.side == node.end->side)
      fields.insert(fields.end(), copied.fields.begin(), copied.fields.end());
  }
  return fields;
}

bool needs_item(const model::Model& model, const model::Layout& layout,
                const std::vector<DocumentNode>& nodes, size_t id) {
  const DocumentNode& node = nodes[id];
  const std::vector<model::Field>& fields = model.entities[node.entity].fields;
  // An entity without rows has nothing but its identity.
  if (layout.kind(node.entity) == nullptr) return false;
  const Link link = link_of(model, layout, node);
  if (link == Link::kItems) return true;
  const std::vector<model::FieldId> copied = copied_fields(layout, node);
  const auto is_missing = [&](model::FieldId field) {
    return !fields[field].is_id && std::find(copied.begin(), copied.end(), field) == copied.end();
  };
  if (node.selected != nullptr) {
    if (node.selected->all_fields) {
      for (model::FieldId field = 0; field < fields.size(); ++field) {
        if (is_missing(field)) return true;
      }
    }
    if (std::any_of(node.selected->fields.begin(), node.selected->fields.end(), is_missing)) return true;
    const auto looks_at = [&](const model::Place& place) {
      return place.ends.empty() && place.kind != model::Place::Kind::kEdgeField &&
             place.kind != model::Place::Kind::kEntity && is_missing(place.field);
    };
    for (const model::Condition& condition : node.selected->filter) {
      if (looks_at(condition.place)) return true;
    }
    if (node.selected->order && looks_at(node.selected->order->first)) return true;
  }
  // What it leads to may be named in it.
  return std::any_of(nodes.begin(), nodes.end(), [&](const DocumentNode& child) {
    if (child.parent != id) return false;
    const Link to_child = link_of(model, layout, child);
    return to_child == Link::kReference || to_child == Link::kEmbedded;
  });
}

bool holds_all(const model::Model& model, const model::Layout& layout, const std::vector<DocumentNode>& nodes,
               const Want& want, size_t table_id, const model::Index& index) {
  using Projection = language::Gsi::Projection;
  if (index.projection == Projection::kAll) return true;
  const model::Table& table = layout.tables[table_id];
  const model::ItemKind& kind = layout.item_kinds[want.item_kind];
  const DocumentNode& node = nodes[want.node];
  const auto is_held = [&](const std::string& attribute) {
    return std::find(index.included.begin(), index.included.end(), attribute) != index.included.end() ||
           attribute == table.pk.name || (table.sk && attribute == table.sk->name) ||
           attribute == index.pk.name || (index.sk && attribute == index.sk->name);
  };
  const auto is_in_key = [&](model::HoleSource::Root root, model::FieldId field) {
    const auto has = [&](const model::KeyTemplate& key) {
      const std::vector<const model::Hole*> holes = key.holes();
      return std::any_of(holes.begin(), holes.end(), [&](const model::Hole* hole) {
        return hole->holds_value() && hole->source.root == root && hole->source.path.ends.empty() &&
               hole->source.path.field == field;
      });
    };
    const bool is_in_index =
        std::any_of(kind.entries.begin(), kind.entries.end(), [&](const model::IndexEntry& entry) {
          return &table.indexes[entry.index] == &index && (has(entry.pk) || (entry.sk && has(*entry.sk)));
        });
    return is_in_index || has(kind.pk) || (kind.sk && has(*kind.sk));
  };
  // An edge is small: its fields and copies are wanted as they are.
  if (want.kind == Want::Kind::kEdges) {
    const model::Relation& relation = model.relations[node.end->relation];
    for (model::FieldId id = 0; id < relation.edge_fields.size(); ++id) {
      if (!is_held(relation.edge_fields[id].attribute) && !is_in_key(model::HoleSource::Root::kEdgeField, id))
        return false;
    }
    const std::vector<model::FieldId> copied = copied_fields(layout, node);
    return std::all_of(copied.begin(), copied.end(), [&](model::FieldId id) {
      return is_held(model.end(*node.end).name + "_" + model.entities[node.entity].fields[id].name);
    });
  }
  const std::vector<model::Field>& fields = model.entities[node.entity].fields;
  const auto has_field = [&](model::FieldId id) {
    return is_held(fields[id].attribute) || is_in_key(model::HoleSource::Root::kEntity, id);
  };
  for (model::FieldId id = 0; id < fields.size(); ++id) {
    const bool is_selected =
        node.selected != nullptr &&
        (node.selected->all_fields || std::find(node.selected->fields.begin(), node.selected->fields.end(),
                                                id) != node.selected->fields.end());
    if ((is_selected || fields[id].is_id) && !has_field(id)) return false;
  }
  if (node.selected != nullptr) {
    const auto is_there = [&](const model::Place& place) {
      return !place.ends.empty() || place.kind == model::Place::Kind::kEdgeField || has_field(place.field);
    };
    for (const model::Condition& condition : node.selected->filter) {
      if (!is_there(condition.place)) return false;
    }
    if (node.selected->order && !is_there(node.selected->order->first)) return false;
  }
  // What it refers to, or has embedded, is taken from its item.
  const size_t id = want.node;
  return std::none_of(nodes.begin(), nodes.end(), [&](const DocumentNode& child) {
    if (child.parent != id) return false;
    const Link link = link_of(model, layout, child);
    return link == Link::kReference || link == Link::kEmbedded;
  });
}

}  // namespace sheaf::plan
