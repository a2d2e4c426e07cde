#include "plan/refusals.h"

#include <algorithm>

#include "base/article.h"
#include "plan/document_tree.h"

namespace sheaf::plan {
namespace {

using model::Condition;

bool serves(const AccessPath& path, const Condition* condition) {
  return std::find(path.served.begin(), path.served.end(), condition) != path.served.end();
}

std::string text_of(const Condition& condition) {
  std::string text;
  for (const language::Name& part : condition.syntax->path.names)
    text += (text.empty() ? "" : ".") + part.text;
  return text;
}

}  // namespace

std::string Refusals::name_of(size_t node) const {
  if (!nodes_[node].parent) return model_.entities[nodes_[node].entity].name;
  return model_.end(*nodes_[node].end).name;
}

std::vector<AccessPath> Refusals::weaker_paths(const Want& want) const {
  const AccessPaths paths(model_, layout_, nodes_, given_, false);
  return want.kind == Want::Kind::kEdges ? paths.to_edges(want.node) : paths.to_items(want.node);
}

Refusal Refusals::not_strong(std::string message) const {
  return {.message = std::move(message) + " by an index alone, and an index is never strong",
          .fix = "remove strong, or let the table's own key lead there",
          .id = "not-strong",
          .span = pattern_.syntax->clauses.strong};
}

Refusal Refusals::no_path(const Want& want) const {
  const DocumentNode& node = nodes_[want.node];
  const model::Entity& entity = model_.entities[node.entity];
  const bool is_known =
      !node.parent || (want.kind == Want::Kind::kItems && link_of(model_, layout_, node) != Link::kItems);
  if (is_known) {
    if (is_strong_ && !weaker_paths(want).empty()) return not_strong(with_article(entity.name) + " is found");
    std::string holes;
    for (const model::FieldPath& path : entity.identity)
      holes += (holes.empty() ? "" : "#") + ("<" + model_.text(node.entity, path) + ">");
    return {
        .message = "the id of " + with_article(entity.name) + " does not tell its key",
        .fix = "add an index that is led by it: index NAME \"" + entity.name + "#" + holes + "\" / \"...\"",
        .span = node.span};
  }
  const std::string what =
      (want.kind == Want::Kind::kEdges ? "the edges to " : "") + name_of(want.node) + " ";
  if (is_strong_ && !weaker_paths(want).empty()) return not_strong(what + "are found");
  return {
      .message = what + "cannot be found from " + name_of(*node.parent) + " by a key",
      .fix = "add an index whose partition key is led by <" + model_.end(node.end->other()).name + ".FIELD>",
      .span = node.span};
}

Refusal Refusals::unordered(const AccessPath& path, const std::vector<const Condition*>& conditions) const {
  const model::Hole& hole = *path.unordered;
  const std::string inside = hole.text.substr(1, hole.text.size() - 2);
  Refusal refusal{
      .message = "no key serves this range: the texts of " + hole.text + " do not sort as its numbers do",
      .fix = "give it as many digits as the largest number has: <" + inside + ":00000000>",
      .id = "number-width"};
  if (hole.span.end > 0) refusal.notes.push_back({.span = hole.span, .text = "the key is here"});
  for (const Condition* condition : conditions) {
    if (!serves(path, condition)) refusal.span = condition->syntax->span;
  }
  return refusal;
}

Refusal Refusals::no_conditions(const Want& want, const std::vector<AccessPath>& paths) const {
  const std::vector<const Condition*> conditions =
      AccessPaths(model_, layout_, nodes_, given_, is_strong_).conditions(want.node);
  const AccessPath* best = nullptr;
  for (const AccessPath& path : paths) {
    if (path.unordered != nullptr) return unordered(path, conditions);
    if (best == nullptr || path.served.size() > best->served.size()) best = &path;
  }
  std::string names;
  const Condition* first = nullptr;
  for (const Condition* condition : conditions) {
    if (best != nullptr && serves(*best, condition)) continue;
    if (first == nullptr) first = condition;
    names += (names.empty() ? "" : " and ") + text_of(*condition);
  }
  if (is_strong_) {
    const std::vector<AccessPath> weaker = weaker_paths(want);
    const bool is_served = std::any_of(weaker.begin(), weaker.end(), [&](const AccessPath& path) {
      return std::all_of(conditions.begin(), conditions.end(),
                         [&](const Condition* condition) { return serves(path, condition); });
    });
    if (is_served) return not_strong("where " + names + " is served");
  }
  return {.message = "no key serves where " + names,
          .fix = fix_for(*first, names, want.node),
          .id = "unserved-where",
          .span = first->syntax->span};
}

std::string Refusals::fix_for(const Condition& condition, const std::string& names, size_t node) const {
  using Test = language::Condition::Test;
  const Test test = condition.syntax->test;
  if (test == Test::kNotEqual || test == Test::kIn || test == Test::kExists || test == Test::kMissing)
    return "keys serve =, begins, between and one comparison; use filter with a limit for this";
  std::string lead = names;
  if (nodes_[node].end && !nodes_[node].parent)
    return "give the edges of " + model_.end(nodes_[node].end->other()).name +
           " an index whose keys are led by " + names + ", or use filter with a limit";
  if (nodes_[node].end) lead = "<" + model_.end(nodes_[node].end->other()).name + ".FIELD>, then by " + names;
  return "add an index whose keys are led by " + lead + ", or use filter with a limit";
}

Refusal Refusals::no_exact_path(size_t node) const {
  return {.message = name_of(node) + " of others would be read, too, and dropped",
          .fix = "add an index whose keys hold all of <" + model_.end(nodes_[node].end->other()).name +
                 ".FIELD>, or say reads max N",
          .id = "unbounded-read",
          .span = nodes_[node].span};
}

Refusal Refusals::no_item(size_t node) const {
  return {.message = with_article(name_of(node)) + " has no item of its own",
          .fix = "read it through what holds it, or use a strategy that gives it an item",
          .span = nodes_[node].span};
}

const model::Hole* Refusals::unordered_key(size_t node) const {
  const model::ItemKind* const kind = layout_.kind(nodes_[node].entity);
  if (kind == nullptr || nodes_[node].selected == nullptr || !nodes_[node].selected->order) return nullptr;
  const model::Place& place = nodes_[node].selected->order->first;
  const auto in = [&](const std::optional<model::KeyTemplate>& key) -> const model::Hole* {
    if (!key || key->bare_hole() != nullptr) return nullptr;
    for (const model::Hole* hole : key->holes()) {
      const bool is_same =
          place.kind == model::Place::Kind::kField &&
          hole->source == model::HoleSource{.path = {.ends = place.ends, .field = place.field}};
      if (is_same && !hole->keeps_order()) return hole;
    }
    return nullptr;
  };
  if (const model::Hole* const hole = in(kind->sk)) return hole;
  for (const model::IndexEntry& entry : kind->entries) {
    if (const model::Hole* const hole = in(entry.sk)) return hole;
  }
  return nullptr;
}

Refusal Refusals::no_order(size_t node) const {
  Refusal refusal{
      .message = "all " + name_of(node) + " would be read to sort them, and nobody said how many there are",
      .fix = "say size max N in the relation, or add an index whose sort key has that order",
      .id = "unbounded-read",
      .span = order_span(node)};
  if (const model::Hole* const hole = unordered_key(node)) {
    refusal.message = "no key has this order: the texts of " + hole->text + " do not sort as its numbers do";
    refusal.fix = "give it as many digits as the largest number has: <" +
                  hole->text.substr(1, hole->text.size() - 2) + ":00000000>";
    refusal.id = "number-width";
    if (hole->span.end > 0) refusal.notes.push_back({.span = hole->span, .text = "the key is here"});
  }
  return refusal;
}

language::Span Refusals::order_span(size_t node) const {
  const language::Tail* tail = &pattern_.syntax->read.tail;
  for (const model::Nested& nested : pattern_.node.nested) {
    if (nested.node.get() == nodes_[node].selected) tail = &nested.syntax->tail;
  }
  return tail->order ? tail->order->path.span : nodes_[node].span;
}

Refusal Refusals::no_snapshot(std::string message) const {
  return {.message = std::move(message),
          .fix = "remove snapshot, select less, or store the relation so that known keys lead there",
          .id = "no-snapshot",
          .span = pattern_.syntax->clauses.snapshot};
}

Refusal Refusals::no_bound(size_t node) const {
  if (nodes_[node].depth > 1)
    return {.message = "each level of " + name_of(node) + " may be any number of times as large as the one " +
                       "before: nobody said how many there are",
            .fix = "say size max N in the relation, or add limit N, or reads max N behind the pattern",
            .id = "unbounded-read",
            .span = nodes_[node].span};
  if (unordered_key(node) != nullptr) return no_order(node);
  return {.message = "all " + name_of(node) + " would be read, and nobody said how many there are",
          .fix = "say size max N in the relation, or add an order that a key has and limit N",
          .id = "unbounded-read",
          .span = nodes_[node].span};
}

}  // namespace sheaf::plan
