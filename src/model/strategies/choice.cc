#include "model/strategies/choice.h"

#include <algorithm>

namespace sheaf::model {
namespace {

using language::Cardinality;
using Via = language::Via::Kind;

// One-to-few, as the rule of thumb has it.
constexpr int64_t kFewMax = 10;

// A template with the holes named, as people write it, `prefix` before each path.
std::string template_text(const language::Template& key, std::string_view prefix) {
  std::string text;
  for (const auto& piece : key.pieces) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      text += *literal;
      continue;
    }
    const auto& hole = std::get<language::Hole>(piece);
    text += "<" + std::string(prefix);
    for (const language::Name& name : hole.path.names) text += "." + name.text;
    text += ">";
  }
  return text;
}

bool begins_with_end(const language::Template& key, std::string_view end) {
  for (const auto& piece : key.pieces) {
    const auto* hole = std::get_if<language::Hole>(&piece);
    if (hole != nullptr) return hole->path.names.size() > 1 && hole->path.names.front().text == end;
  }
  return false;
}

// Whether somebody wants the children without their parent.
bool is_read_alone(const Model& model, EntityId child, EndId from_parent) {
  if (model.entities[child].ends.size() > 1) return true;
  return std::any_of(model.patterns.begin(), model.patterns.end(), [&](const Pattern& pattern) {
    if (pattern.start && pattern.parameters[*pattern.start].entity == child) return true;
    if (!pattern.start && pattern.node.entity == child) return true;
    return std::any_of(pattern.steps.begin(), pattern.steps.end(),
                       [&](const auto& step) { return step.first == from_parent; });
  });
}

Choice choose_one_to_many(const Model& model, const LayoutClauses& clauses, RelationId id) {
  const Relation& relation = model.relations[id];
  const End& to_child = relation.ends[0];
  const End& to_parent = relation.ends[1];
  const language::Physical& parent = clauses.entities[to_child.holder];
  const language::Physical& child = clauses.entities[to_child.target];
  if (!relation.edge_fields.empty()) return {Via::kEdges, "its edges have fields of their own"};
  if (child.store == language::Store::kNone || parent.store == language::Store::kNone)
    return {Via::kEdges, "one of its ends has no items of its own"};
  if (child.store == language::Store::kEav)
    return {Via::kEdges, "no item of what is stored field by field has room for the id of the other"};
  if (relation.is_symmetric) return {Via::kEdges, "both ends are alike"};
  if (child.key && parent.key) {
    const std::string& end = to_parent.name;
    const bool same_partition =
        template_text(child.key->pk, end) == template_text(parent.key->pk, end + "." + end) ||
        template_text(child.key->pk, "") == template_text(parent.key->pk, "." + end);
    if (same_partition) {
      const bool extends =
          child.key->sk && parent.key->sk &&
          template_text(*child.key->sk, "").starts_with(template_text(*parent.key->sk, "." + end) + "#");
      return extends ? Choice{Via::kPath, "its keys lie behind its parent's, in one partition"}
                     : Choice{Via::kCollection, "its keys lie in its parent's partition"};
    }
  }
  for (const language::IndexKeys& index : child.indexes) {
    if (begins_with_end(index.keys.pk, to_parent.name))
      return {Via::kIndex, "the index " + index.index.text + " is partitioned by " + to_parent.name};
  }
  const bool is_few = to_child.max && *to_child.max <= kFewMax;
  const bool is_alone = is_read_alone(model, to_child.target, {.relation = id, .side = 0});
  const std::optional<EndId> within = model.entities[to_child.target].within;
  const bool is_within = within == EndId{.relation = id, .side = 1};
  const bool has_room = parent.store != language::Store::kEav;
  if (!child.key && is_few && !is_alone && is_within && has_room)
    return {Via::kEmbed, "at most " + std::to_string(*to_child.max) + ", always read with their parent"};
  if (child.key) return {Via::kIndex, "its own key is used for something else"};
  if (!to_parent.is_required)
    return {Via::kIndex, "it can be without " + to_parent.name + ", and then has no partition to lie in"};
  if (within && !is_within) return {Via::kIndex, "it lies in the partition of another parent"};
  if (!within && is_alone)
    return {Via::kIndex, "it is looked up by its own id, which does not tell its parent"};
  return {Via::kCollection, "the most common: parent and children in one partition, read by one Query"};
}

}  // namespace

Choice choose_strategy(const Model& model, const LayoutClauses& clauses, RelationId id) {
  const Relation& relation = model.relations[id];
  if (relation.is_symmetric)
    return {Via::kEdges, "neither of the two is the parent: an item with each of them"};
  if (relation.cardinality == Cardinality::kManyToMany)
    return {Via::kEdges, "many to many: one item a pair, read from both sides"};
  Choice choice = choose_one_to_many(model, clauses, id);
  if (relation.cardinality == Cardinality::kOneToOne && choice.via == Via::kIndex)
    return {Via::kRef, "one to one: the id of the other on one of them"};
  return choice;
}

}  // namespace sheaf::model
