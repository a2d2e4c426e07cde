// Rules about relations that can be read from one side only. In `default` a pattern that asks for the other
// side is a mistake, which `check` tells; in other layouts it is a finding.
#include <algorithm>

#include "base/article.h"
#include "lint/rule.h"
#include "plan/explain_storage.h"
#include "plan/related.h"
#include "plan/write_needs.h"

namespace sheaf::lint {
namespace {

using model::EndId;
using model::EntityId;

// All ends that a pattern goes along.
void add_ends(const model::Node& node, std::vector<EndId>& ends) {
  for (const model::Nested& nested : node.nested) {
    ends.push_back(nested.end);
    if (nested.node != nullptr) add_ends(*nested.node, ends);
  }
  for (const model::AggregateField& aggregate : node.aggregates) ends.push_back(aggregate.over);
}

std::vector<EndId> ends_of(const model::Pattern& pattern) {
  std::vector<EndId> ends;
  for (const auto& [end, depth] : pattern.steps) ends.push_back(end);
  add_ends(pattern.node, ends);
  return ends;
}

bool is_many_to_many(const Subject& subject, EndId end) {
  return subject.model().relations[end.relation].cardinality == language::Cardinality::kManyToMany;
}

bool is_served(const Subject& subject, EndId end) {
  return plan::promise_of(subject.model(), subject.layout(), end).is_served;
}

// Whether the pattern begins with one whose id alone does not lead to it.
std::optional<EntityId> lost_start(const Subject& subject, const model::Pattern& pattern) {
  if (!pattern.start) return std::nullopt;
  const std::optional<EntityId> entity = pattern.parameters[*pattern.start].entity;
  if (!entity || !subject.layout().has_items(*entity) ||
      plan::has_known_key(subject.model(), subject.layout(), *entity) ||
      plan::lookup_plan(subject.model(), subject.layout(), *entity))
    return std::nullopt;
  return entity;
}

// The end of a one-to-many that the pattern goes up, from a child.
std::optional<EndId> end_to_parent(const Subject& subject, const model::Pattern& pattern) {
  for (const EndId end : ends_of(pattern)) {
    const model::Relation& relation = subject.model().relations[end.relation];
    if (relation.cardinality == language::Cardinality::kOneToMany && !subject.model().end(end).leads_to_many)
      return end;
  }
  return std::nullopt;
}

// The patterns that the layout does not answer, each once, with all their parameters.
std::vector<const plan::PlannedPattern*> refused(const Subject& subject) {
  std::vector<const plan::PlannedPattern*> found;
  const model::Pattern* last = nullptr;
  for (const plan::PlannedPattern& each : subject.patterns()) {
    if (each.pattern == last) continue;
    last = each.pattern;
    if (!each.ok()) found.push_back(&each);
  }
  return found;
}

language::Span clause_span(const Subject& subject, EndId end) {
  const language::Span said = subject.layout().relations[end.relation].span;
  return said.end > said.begin ? said : subject.model().relations[end.relation].syntax->forward.span;
}

std::string index_fix(const Subject& subject, EntityId entity) {
  std::string holes;
  for (const model::FieldPath& part : subject.model().entities[entity].identity)
    holes += "#<" + subject.model().text(entity, part) + ">";
  const std::string key = "\"" + subject.model().entities[entity].name + holes + "\"";
  return "add an index that is led by it: gsi NAME NAMEPK / NAMESK in the table, and index NAME " + key +
         " / " + key + " for " + subject.model().entities[entity].name;
}

// --- one-way-many-to-many

void find_one_way_many_to_many(const Subject& subject, Tell& tell) {
  for (size_t id = 0; id < subject.model().relations.size(); ++id) {
    const model::Relation& relation = subject.model().relations[id];
    if (relation.cardinality != language::Cardinality::kManyToMany || relation.is_symmetric) continue;
    for (const int side : {0, 1}) {
      const EndId end{.relation = id, .side = side};
      if (is_served(subject, end)) continue;
      Told told{.span = clause_span(subject, end),
                .message = "the " + relation.ends[side].name + " of " +
                           with_article(subject.model().entities[relation.ends[side].holder].name) +
                           " are not found: the relation can be read from one side only",
                .fix = "store it via edges, with an index for the other side, or as edges pk both",
                .severity = Severity::kNote};
      for (const plan::PlannedPattern* each : refused(subject)) {
        const std::vector<EndId> ends = ends_of(*each->pattern);
        if (std::find(ends.begin(), ends.end(), end) == ends.end()) continue;
        told.message += ", and " + each->pattern->name + " asks for the other";
        told.notes.push_back({.span = each->pattern->syntax->name.span, .text = "the pattern is here"});
        told.severity = std::nullopt;
        break;
      }
      tell.push_back(std::move(told));
    }
  }
}

// --- one-way-collection

void find_one_way_collections(const Subject& subject, Tell& tell) {
  for (const plan::PlannedPattern* each : refused(subject)) {
    std::optional<EndId> unserved;
    std::string why;
    if (const std::optional<EntityId> start = lost_start(subject, *each->pattern)) {
      unserved = end_to_parent(subject, *each->pattern);
      why = "the id of " + with_article(subject.model().entities[*start].name) + " does not tell its key";
    } else {
      for (const EndId end : ends_of(*each->pattern)) {
        if (unserved || is_many_to_many(subject, end) || is_served(subject, end)) continue;
        unserved = end;
        why = "no key leads from " +
              with_article(subject.model().entities[subject.model().end(end).holder].name) + " to its " +
              subject.model().end(end).name;
      }
    }
    if (!unserved) continue;
    const model::End& end = subject.model().end(*unserved);
    tell.push_back({.span = each->pattern->syntax->name.span,
                    .message = each->pattern->name + " reads " + subject.model().entities[end.holder].name +
                               "." + end.name + " against the direction in which it is stored: " + why,
                    .fix = index_fix(subject, end.leads_to_many ? end.target : end.holder),
                    .notes = {{.span = clause_span(subject, *unserved), .text = "it is stored here"}}});
  }
}

// --- child-without-parent

void find_children_without_parent(const Subject& subject, Tell& tell) {
  for (const plan::PlannedPattern* each : refused(subject)) {
    const std::optional<EntityId> start = lost_start(subject, *each->pattern);
    if (!start || end_to_parent(subject, *each->pattern)) continue;
    const model::ItemKind& kind = *subject.layout().kind(*start);
    tell.push_back({.span = each->pattern->syntax->name.span,
                    .message = each->pattern->name + " asks for " +
                               with_article(subject.model().entities[*start].name) +
                               " by its id, and its key needs its parent's, too",
                    .fix = index_fix(subject, *start),
                    .notes = {{.span = kind.span, .text = "its key is here"}}});
  }
}

}  // namespace

std::span<const Rule> direction_rules() {
  static constexpr Rule kRules[] = {
      {.id = "one-way-many-to-many",
       .points = "H3 G8",
       .title = "A many-to-many relation can be read from one side only.",
       .why =
           "Neither side is the parent: sooner or later somebody asks from the other one, and no key helps.",
       .check = find_one_way_many_to_many},
      {.id = "one-way-collection",
       .points = "H11 G8",
       .title = "A pattern goes against the direction in which a relation is stored.",
       .why = "An item collection answers from its parent alone; without an index the rest is a Scan.",
       .check = find_one_way_collections},
      {.id = "child-without-parent",
       .points = "H12 G8",
       .title = "A pattern asks for a child by its own id, and the key needs its parent.",
       .why = "In a parent's partition a child is found by both ids; by one alone, only through an index.",
       .check = find_children_without_parent},
  };
  return kRules;
}

}  // namespace sheaf::lint
