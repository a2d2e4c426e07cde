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
                int64_t depth, const model::Node* selected) {
  const End& end = model.end(end_id);
  double count = nodes[parent].count * count_of(end);
  for (int64_t i = 1; i < depth; ++i) count *= count_of(end);
  nodes.push_back({.parent = parent,
                   .end = end_id,
                   .depth = depth,
                   .entity = end.target,
                   .selected = selected,
                   .count = count,
                   .is_bounded = nodes[parent].is_bounded && (!end.leads_to_many || end.max.has_value())});
  return nodes.size() - 1;
}

void add_nested(const model::Model& model, std::vector<DocumentNode>& nodes, size_t parent,
                const model::Node& selected) {
  for (const model::Nested& nested : selected.nested) {
    const size_t node = add_node(model, nodes, parent, nested.end, nested.depth, nested.node.get());
    add_nested(model, nodes, node, *nested.node);
  }
  for (const model::AggregateField& aggregate : selected.aggregates) {
    const bool is_there = std::any_of(nodes.begin(), nodes.end(), [&](const DocumentNode& node) {
      return node.parent == parent && node.end == aggregate.over;
    });
    if (!is_there) add_node(model, nodes, parent, aggregate.over, 1, nullptr);
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
       .is_bounded = !is_many});
  result = 0;
  for (size_t i = 0; i < pattern.steps.size(); ++i) {
    const bool is_last = i + 1 == pattern.steps.size();
    result = add_node(model, nodes, result, pattern.steps[i].first, pattern.steps[i].second,
                      is_last ? last : nullptr);
  }
  add_nested(model, nodes, result, pattern.node);
  return nodes;
}

Link link_of(const model::Model& model, const model::Layout& layout, const DocumentNode& node) {
  if (!node.end) return Link::kStart;
  const model::StoredRelation& stored = layout.relations[node.end->relation];
  const bool is_down = node.end->side == 0;
  switch (stored.via) {
    case Via::kEdges:
    case Via::kGraph:
      return Link::kEdges;
    case Via::kIds:
      return stored.ids_side == node.end->side ? Link::kReference : Link::kNone;
    case Via::kEmbed:
      return is_down ? Link::kEmbedded : Link::kIdentity;
    default:
      break;
  }
  if (is_down) return Link::kItems;
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

}  // namespace sheaf::plan
