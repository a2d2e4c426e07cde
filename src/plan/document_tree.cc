#include "plan/document_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sheaf::plan {

using model::End;
using model::EndId;

double declared_count(const End& end) {
  if (!end.leads_to_many) return 1;
  if (end.max) return static_cast<double>(*end.max);
  if (end.average) return static_cast<double>(*end.average);
  return kUnsaidCount;
}

bool stops_when_full(const DocumentNode& node) {
  return node.depth > 1 && node.selected != nullptr && node.selected->limit &&
         node.selected->filter.empty() && !node.selected->order;
}

namespace {

size_t add_node(const model::Model& model, std::vector<DocumentNode>& nodes, size_t parent, EndId end_id,
                int64_t depth, const model::Node* selected, language::Span span) {
  const End& end = model.end(end_id);
  double count = nodes[parent].count * declared_count(end);
  std::vector<double> levels;
  if (depth > 1) {
    const bool is_cut = stops_when_full({.depth = depth, .selected = selected});
    double left = is_cut ? nodes[parent].count * static_cast<double>(*selected->limit) : HUGE_VAL;
    for (double level = count; levels.size() < static_cast<size_t>(depth); level *= declared_count(end)) {
      levels.push_back(std::min(level, left));
      left -= levels.back();
    }
    count = std::accumulate(levels.begin(), levels.end(), 0.0);
  }
  nodes.push_back({.parent = parent,
                   .end = end_id,
                   .depth = depth,
                   .levels = std::move(levels),
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
    // It is over all of them, also if the document shows a part.
    const auto shown = std::find_if(nodes.begin(), nodes.end(), [&](const DocumentNode& node) {
      return node.parent == parent && node.end == aggregate.over && node.depth == 1 &&
             (node.selected == nullptr || node.selected->where.empty());
    });
    const size_t over = shown != nodes.end() ? static_cast<size_t>(shown - nodes.begin())
                                             : add_node(model, nodes, parent, aggregate.over, 1, nullptr,
                                                        aggregate.syntax->span);
    nodes[over].is_whole = true;
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

bool is_in_force(const model::Condition& condition, const std::vector<bool>& given) {
  return std::all_of(condition.parameters.begin(), condition.parameters.end(),
                     [&](const std::optional<size_t>& parameter) { return !parameter || given[*parameter]; });
}

std::vector<const model::Condition*> conditions_in_force(const DocumentNode& node,
                                                         const std::vector<bool>& given) {
  std::vector<const model::Condition*> conditions;
  if (node.selected == nullptr) return conditions;
  for (const model::Condition& condition : node.selected->where) {
    if (is_in_force(condition, given)) conditions.push_back(&condition);
  }
  return conditions;
}

void find_by_edges(const model::Layout& layout, const std::vector<bool>& given, DocumentNode& start) {
  if (!start.is_found) return;
  for (const model::Condition* condition : conditions_in_force(start, given)) {
    const model::Place& place = condition->place;
    if (place.ends.empty() || !layout.is_edge(place.ends.front())) continue;
    start.end = place.ends.front().other();
    return;
  }
}

bool is_search(const std::vector<DocumentNode>& nodes, const Want& want) {
  const DocumentNode& node = nodes[want.node];
  return node.is_found && (want.kind == Want::Kind::kEdges || !node.end);
}

bool is_read_elsewhere(const std::vector<DocumentNode>& nodes, const Want& want) {
  const DocumentNode& node = nodes[want.node];
  return std::any_of(nodes.begin(), nodes.end(), [&](const DocumentNode& other) {
    if (&other == &node) return false;
    return want.kind == Want::Kind::kEdges ? other.end && other.end->relation == node.end->relation
                                           : other.entity == node.entity;
  });
}

std::optional<model::HoleSource> edge_source(const DocumentNode& node, const model::Place& place) {
  using Root = model::HoleSource::Root;
  if (place.kind == model::Place::Kind::kEdgeField) {
    const bool is_of_this = place.ends.empty() || (!node.parent && place.ends.size() == 1 &&
                                                   place.ends.front() == node.end->other());
    if (!is_of_this || !place.inside.empty()) return std::nullopt;
    return model::HoleSource{.root = Root::kEdgeField, .path = {.field = place.field}};
  }
  if (place.kind != model::Place::Kind::kField) return std::nullopt;
  model::HoleSource source{
      .root = Root::kEdgeEnd, .side = node.end->side, .path = {.ends = place.ends, .field = place.field}};
  if (!node.parent && !place.ends.empty() && place.ends.front() == node.end->other()) {
    source.side = node.end->other().side;
    source.path.ends.erase(source.path.ends.begin());
  }
  return source;
}

Link link_of(const model::Model& model, const model::Layout& layout, const DocumentNode& node) {
  if (!node.end) return Link::kStart;
  if (node.is_named_by_finder) return Link::kFinder;
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
    case model::EndStorage::kEntries:
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
  // Of edges in both directions those that found the parent have copies of that.
  if (node.is_named_by_finder &&
      !layout.item_kinds[layout.edge_kind(node.end->other())].holds_copies(node.end->side))
    return fields;
  for (const model::CopiedFields& copied : layout.relations[node.end->relation].copies) {
    if (copied.side == node.end->side)
      fields.insert(fields.end(), copied.fields.begin(), copied.fields.end());
  }
  return fields;
}

std::vector<model::FieldId> wanted_fields(const model::Model& model, const std::vector<DocumentNode>& nodes,
                                          size_t id) {
  const DocumentNode& node = nodes[id];
  const std::vector<model::Field>& fields = model.entities[node.entity].fields;
  std::vector<model::FieldId> wanted;
  const auto add = [&](const model::Place& place) {
    if (place.kind == model::Place::Kind::kField || place.kind == model::Place::Kind::kInside)
      wanted.push_back(place.field);
  };
  if (node.selected != nullptr) {
    for (model::FieldId field = 0; node.selected->all_fields && field < fields.size(); ++field)
      wanted.push_back(field);
    wanted.insert(wanted.end(), node.selected->fields.begin(), node.selected->fields.end());
    for (const model::Condition& condition : node.selected->filter) {
      if (condition.place.ends.empty()) add(condition.place);
    }
    if (node.selected->order && node.selected->order->first.ends.empty()) add(node.selected->order->first);
  }
  if (node.parent && nodes[*node.parent].selected != nullptr) {
    for (const model::AggregateField& aggregate : nodes[*node.parent].selected->aggregates) {
      if (aggregate.over != *node.end) continue;
      for (const model::Place& place : aggregate.operands) add(place);
    }
  }
  wanted.insert(wanted.end(), node.tested.begin(), node.tested.end());
  std::erase_if(wanted, [&](model::FieldId field) { return fields[field].is_id; });
  return wanted;
}

bool shows_edge(const std::vector<DocumentNode>& nodes, size_t id) {
  const DocumentNode& node = nodes[id];
  if (!node.parent)
    return std::any_of(nodes.begin(), nodes.end(), [](const DocumentNode& other) {
      return other.is_named_by_finder && other.tests_edge;
    });
  if (node.selected != nullptr || node.tests_edge) return true;
  if (nodes[*node.parent].selected == nullptr) return false;
  const std::vector<model::AggregateField>& aggregates = nodes[*node.parent].selected->aggregates;
  return std::any_of(aggregates.begin(), aggregates.end(), [&](const model::AggregateField& aggregate) {
    return aggregate.over == *node.end &&
           std::any_of(aggregate.operands.begin(), aggregate.operands.end(), [](const model::Place& place) {
             return place.kind == model::Place::Kind::kEdgeField;
           });
  });
}

bool needs_item(const model::Model& model, const model::Layout& layout,
                const std::vector<DocumentNode>& nodes, size_t id) {
  if (needs_last_item(model, layout, nodes, id)) return true;
  // Whom it leads to next is written in it.
  return nodes[id].depth > 1 && layout.kind(nodes[id].entity) != nullptr &&
         link_of(model, layout, nodes[id]) == Link::kReference;
}

bool needs_last_item(const model::Model& model, const model::Layout& layout,
                     const std::vector<DocumentNode>& nodes, size_t id) {
  const DocumentNode& node = nodes[id];
  // An entity without rows has nothing but its identity.
  if (layout.kind(node.entity) == nullptr) return false;
  const Link link = link_of(model, layout, node);
  if (link == Link::kItems) return true;
  // Of one whose id is given nobody knows whether it is there, unless what it leads to says so.
  const auto is_told_by = [&](const DocumentNode& child) {
    return child.parent != id || link_of(model, layout, child) != Link::kIdentity;
  };
  const bool is_told = node.selected == nullptr && std::all_of(nodes.begin(), nodes.end(), is_told_by);
  if (link == Link::kStart && !node.is_found && !is_told) return true;
  const std::vector<model::FieldId> copied = copied_fields(layout, node);
  const std::vector<model::FieldId> wanted = wanted_fields(model, nodes, id);
  if (std::any_of(wanted.begin(), wanted.end(), [&](model::FieldId field) {
        return std::find(copied.begin(), copied.end(), field) == copied.end();
      }))
    return true;
  // What it leads to may be named in it, or have its copies there.
  for (size_t child = id + 1; child < nodes.size(); ++child) {
    if (nodes[child].parent != id) continue;
    const Link to_child = link_of(model, layout, nodes[child]);
    if (to_child == Link::kReference || to_child == Link::kEmbedded) return true;
    if (to_child == Link::kIdentity && !wanted_fields(model, nodes, child).empty() &&
        layout.kind(nodes[child].entity) != nullptr && !needs_item(model, layout, nodes, child))
      return true;
  }
  return false;
}

}  // namespace sheaf::plan
