// Rules about what patterns take to be answered: requests one after the other, and items read for nothing.
#include <algorithm>
#include <cmath>

#include "base/article.h"
#include "lint/partition_shares.h"
#include "lint/rule.h"
#include "plan/budgets.h"
#include "plan/key_interval.h"

namespace sheaf::lint {
namespace {

using model::EndId;

// The plans of a layout, with all parameters given.
template <typename Do>
void for_each_plan(const Subject& subject, Do&& each) {
  const model::Pattern* last = nullptr;
  for (const plan::PlannedPattern& planned : subject.patterns()) {
    if (planned.pattern == last) continue;
    last = planned.pattern;
    if (planned.ok()) each(*planned.pattern, std::get<plan::Plan>(planned.plan));
  }
}

// --- serial-requests

// Whoever says how many requests it may take knows.
bool is_budgeted(const model::Pattern& pattern) {
  const std::vector<language::Budget>& budgets = pattern.syntax->clauses.budgets;
  return std::any_of(budgets.begin(), budgets.end(), [](const language::Budget& budget) {
    return budget.unit != language::Budget::Unit::kUnits;
  });
}

// Children of a tree: those can lie with their parent, and with its parent.
bool is_children(const Subject& subject, const plan::DocumentNode& node) {
  if (!node.end || !node.parent || node.depth > 1) return false;
  const model::Relation& relation = subject.model().relations[node.end->relation];
  return relation.cardinality == language::Cardinality::kOneToMany &&
         subject.model().end(*node.end).leads_to_many;
}

bool reads_item(const plan::Request& request, size_t node) {
  return std::any_of(request.wants.begin(), request.wants.end(), [&](const plan::Want& want) {
    return want.node == node && want.kind == plan::Want::Kind::kItems;
  });
}

void find_serial_requests(const Subject& subject, Tell& tell) {
  for_each_plan(subject, [&](const model::Pattern& pattern, const plan::Plan& plan) {
    if (is_budgeted(pattern)) return;
    for (const plan::Request& request : plan.requests) {
      if (request.kind != plan::Request::Kind::kQuery || request.is_spread()) continue;
      const plan::Want& want = request.wants.front();
      const plan::DocumentNode& node = plan.nodes[want.node];
      if (!is_children(subject, node)) continue;
      const std::string name = subject.model().end(*node.end).name;
      const plan::DocumentNode& parent = plan.nodes[*node.parent];
      if (request.anchor == *node.parent && parent.count > 1 && is_children(subject, parent)) {
        tell.push_back(
            {.span = node.span,
             .message = pattern.name + " takes a Query of " + name + " for each of " +
                        plan::number_text(parent.count) + " " + subject.model().end(*parent.end).name,
             .fix = "let them lie in one partition, behind their parent (via path), so that one Query "
                    "reads all; or accept it with a budget"});
        return;
      }
      const bool is_apart = parent.count == 1 && !reads_item(request, *node.parent) &&
                            std::any_of(plan.requests.begin(), plan.requests.end(),
                                        [&](const auto& other) { return reads_item(other, *node.parent); });
      if (!is_apart || parent.selected == nullptr) continue;
      tell.push_back({.span = node.span,
                      .message = pattern.name + " reads " + subject.model().entities[parent.entity].name +
                                 " and its " + name + " by a request each",
                      .fix =
                          "let them lie in one partition, of the table (via collection) or of the index: one "
                          "Query reads both; or accept it with a budget"});
      return;
    }
  });
}

// --- mixed-levels

// Of one kind, in the partition that a request reads.
double count_in_partition(const std::vector<PartitionShare>& shares, const plan::View& view, size_t kind) {
  for (const PartitionShare& share : shares) {
    if (share.item_kind == kind && share.view == view) return share.count;
  }
  return plan::kUnsaidCount;
}

// What a request drops of what it reads.
struct Dropped {
  double items = 0;
  double wanted = 0;
  std::string names;

  // Not rounded up: all of it is never dropped.
  double percent() const { return std::floor(100 * items / std::max(1.0, items + wanted)); }
};

// Nothing if there are single items only: those are no level.
std::optional<Dropped> dropped_by(const Subject& subject, const std::vector<PartitionShare>& shares,
                                  const plan::Request& request) {
  // Of a part of a partition nobody knows more than the plan.
  const bool is_of_part = std::any_of(request.wants.begin(), request.wants.end(), [](const plan::Want& want) {
    return !want.sort.bound.empty() && !want.sort.is_one;
  });
  const auto count = [&](size_t kind, bool is_one) {
    if (is_one) return 1.0;
    return is_of_part ? plan::kUnsaidCount : count_in_partition(shares, request.view, kind);
  };
  Dropped dropped;
  double counted = 0;
  bool has_list = false;
  for (const plan::Strangers& each : plan::KeyInterval(subject.layout(), request).strangers()) {
    has_list = has_list || !each.is_one;
    counted += each.is_one ? 1 : plan::kUnsaidCount;
    dropped.items += count(each.item_kind, each.is_one);
    dropped.names += (dropped.names.empty() ? "" : ", ") + subject.layout().item_kinds[each.item_kind].name;
  }
  if (!has_list) return std::nullopt;
  if (!request.limit) {
    dropped.wanted = request.items_read / std::max(1.0, request.calls) - counted;
    return dropped;
  }
  for (const plan::Want& want : request.wants) dropped.wanted += count(want.item_kind, want.sort.is_one);
  return dropped;
}

void find_mixed_levels(const Subject& subject, Tell& tell) {
  const std::vector<PartitionShare> shares = partition_shares(subject);
  for_each_plan(subject, [&](const model::Pattern& pattern, const plan::Plan& plan) {
    // Whoever says how much may be read knows.
    if (pattern.syntax->clauses.reads_max) return;
    for (const plan::Request& request : plan.requests) {
      if (request.kind != plan::Request::Kind::kQuery || request.polluted_by.empty()) continue;
      const std::optional<Dropped> dropped = dropped_by(subject, shares, request);
      if (!dropped || dropped->percent() < static_cast<double>(subject.limits.dropped_percent)) continue;
      tell.push_back(
          {.span = pattern.syntax->name.span,
           .message = pattern.name + " drops about " + plan::number_text(dropped->percent()) +
                      " % of what it reads: " + dropped->names + " items lie between",
           .fix = "give " + dropped->names +
                  " a partition of their own, in the table or in an index; or accept it with reads "
                  "max"});
      return;
    }
  });
}

// --- embedded-read-alone

// In `default`, to begin with one that has no item of its own is a mistake; in other layouts it is not
// answered.
void find_embedded_read_alone(const Subject& subject, Tell& tell) {
  for (const model::Pattern& pattern : subject.model().patterns) {
    const model::EntityId entity = pattern.node.entity;
    const std::optional<EndId> end = subject.layout().embedding_end(subject.model(), entity);
    if (!end) continue;
    const bool is_start = pattern.start && pattern.steps.empty();
    const bool is_one_of_many =
        pattern.one || !pattern.node.filter.empty() || (pattern.node.limit && *pattern.node.limit == 1);
    if (!is_start && !is_one_of_many) continue;
    const model::End& declared = subject.model().end(*end);
    const std::string holder = with_article(subject.model().entities[declared.holder].name);
    tell.push_back({.span = pattern.syntax->name.span,
                    .message = pattern.name + " wants " +
                               with_article(subject.model().entities[entity].name) +
                               ", which lies in the item of " + holder + ": all its " + declared.name +
                               " are read for it" + (is_start ? ", and only through " + holder : ""),
                    .fix = "store them via collection, if they are read alone"});
  }
}

// --- field-items-searched

const language::Condition* searched(const Subject& subject, model::EntityId entity,
                                    const std::vector<model::Condition>& conditions) {
  for (const model::Condition& condition : conditions) {
    const model::Place& place = condition.place;
    if (place.ends.empty() && place.kind == model::Place::Kind::kField &&
        !subject.model().entities[entity].fields[place.field].is_id)
      return condition.syntax;
  }
  return nullptr;
}

void find_searches(const Subject& subject, const model::Pattern& pattern, const model::Node& node,
                   Tell& tell) {
  for (const model::Nested& nested : node.nested) {
    if (nested.node != nullptr) find_searches(subject, pattern, *nested.node, tell);
  }
  if (!subject.layout().is_by_field(node.entity)) return;
  const language::Condition* condition = searched(subject, node.entity, node.where);
  if (condition == nullptr) condition = searched(subject, node.entity, node.filter);
  if (condition == nullptr) return;
  const std::string& name = subject.model().entities[node.entity].name;
  tell.push_back({.span = condition->span,
                  .message = pattern.name + " looks for " + name +
                             " by a field, and each field of one is an item of its own: no key holds two of "
                             "them",
                  .fix = "store it as one item (store item), with an index for what is looked for"});
}

void find_field_items_searched(const Subject& subject, Tell& tell) {
  for (const model::Pattern& pattern : subject.model().patterns)
    find_searches(subject, pattern, pattern.node, tell);
}

}  // namespace

std::span<const Rule> read_rules() {
  static constexpr Rule kRules[] = {
      {.id = "serial-requests",
       .points = "H5",
       .title = "A pattern takes several requests where one Query of one partition would do.",
       .why = "Each request is a trip to the server, and they add up, or wait for each other.",
       .check = find_serial_requests},
      {.id = "mixed-levels",
       .points = "H9",
       .title = "A pattern drops most of what it reads.",
       .why = "What lies between is read, paid for and thrown away, and grows with the table.",
       .check = find_mixed_levels},
      {.id = "embedded-read-alone",
       .points = "H13",
       .title = "A pattern wants one child, and reads all of them with their parent.",
       .why = "An item is read whole: the smallest of its parts costs as much as all of them.",
       .severity = Severity::kNote,
       .check = find_embedded_read_alone},
      {.id = "field-items-searched",
       .points = "H16",
       .title = "A pattern looks for entities by a field, and their fields are items of their own.",
       .why = "What would be compared lies in several items, so every entity is read to be looked at.",
       .check = find_field_items_searched},
  };
  return kRules;
}

}  // namespace sheaf::lint
