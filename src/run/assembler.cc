#include "run/assembler.h"

#include <algorithm>
#include <deque>
#include <set>

#include "base/try.h"
#include "plan/document_tree.h"
#include "plan/tested_nodes.h"
#include "plan/write_needs.h"
#include "run/conditions.h"
#include "run/expression.h"
#include "run/item_codec.h"
#include "value/base64.h"

namespace sheaf::run {

using plan::DocumentNode;
using plan::Link;

Assembler::Found Assembler::found(size_t node, Identity identity, const Edge* edge,
                                  const Fields* copies) const {
  const model::EntityId entity = plan_.nodes[node].entity;
  Found made{.identity = std::move(identity), .edge = edge};
  made.record = pool_.find(entity, made.identity);
  if (made.record != nullptr) return made;
  if (copies != nullptr) made.own = *copies;
  for (size_t part = 0; part < made.identity.size(); ++part) {
    const model::FieldPath& path = model_.entities[entity].identity[part];
    if (path.ends.empty())
      made.own[model_.entities[entity].fields[path.field].name] =
          value_of(made.identity[part], model_.field(entity, path).type);
  }
  return made;
}

// With the edge that told of it, if conditions on what that names have found it.
Assembler::Found Assembler::found_root(const Identity& identity) const {
  const std::optional<model::EndId>& end = plan_.nodes[0].end;
  const std::vector<const Edge*> edges = end ? pool_.edges_to(*end, identity) : std::vector<const Edge*>();
  if (edges.empty()) return found(0, identity, nullptr, nullptr);
  return found(0, identity, edges.front(), &edges.front()->copies[end->side]);
}

Assembler::Found Assembler::found_again(size_t node, const Identity& identity) const {
  return plan_.nodes[node].parent ? found(node, identity, nullptr, nullptr) : found_root(identity);
}

const Record& Assembler::told(size_t node, const Found& each, Record& room) const {
  const DocumentNode& at = plan_.nodes[node];
  const bool is_told_by_edge = !at.parent && each.edge != nullptr;
  if (each.record != nullptr && !is_told_by_edge) return *each.record;
  room.entity = at.entity;
  room.identity = each.identity;
  if (!is_told_by_edge) return room;
  if (each.record != nullptr) room.references = each.record->references;
  room.entries[at.end->other()] = {*each.edge};
  return room;
}

std::optional<Value> Assembler::value(size_t node, const Found& each, const model::Place& place) const {
  if (place.ends.empty()) {
    const model::EntityId entity = plan_.nodes[node].entity;
    auto found = value_at(model_, entity, place, each.fields(), each.edge);
    // What an index left out of the item, the edge that led there may have.
    if (!found && each.edge != nullptr && each.record != nullptr && each.record->is_partial)
      found = value_at(model_, entity, place, each.edge->copies[plan_.nodes[node].end->side], each.edge);
    return found;
  }
  const plan::Way* const way = plan::way_to(plan_.nodes[node], place);
  if (way == nullptr) {
    Record room;
    return value_at(model_, place, told(node, each, room));
  }
  std::deque<Found> reached;
  const Found* at = &each;
  const Edge* edge = each.edge;
  size_t last = node;
  for (const size_t next : way->nodes) {
    if (plan_.nodes[next].parent == last) {
      std::vector<Found> below = follow_once(next, *at);
      std::erase_if(below, [&](const Found& one) { return is_missing(next, one); });
      if (below.empty()) return std::nullopt;
      at = &reached.emplace_back(std::move(below.front()));
      edge = at->edge;
    } else {
      edge = at->edge;
      at = at->from;
      if (at == nullptr) return std::nullopt;
    }
    last = next;
  }
  return value_at(model_, plan_.nodes[last].entity, place, at->fields(), edge);
}

std::vector<Assembler::Found> Assembler::follow(size_t node, const Found& parent) const {
  if (plan_.nodes[node].depth == 1) return follow_once(node, parent);
  return follow_levels(node, {parent}, plan_.nodes[node].depth);
}

// Breadth first, each once, where it is met first; of several who lead there the first one counts.
std::vector<Assembler::Found> Assembler::follow_levels(size_t node, std::vector<Found> from,
                                                       int64_t level_max) const {
  const auto by_identity = [](const Found& a, const Found& b) { return a.identity < b.identity; };
  std::set<Identity> seen;
  for (const Found& each : from) seen.insert(each.identity);
  std::vector<Found> all;
  for (int64_t level = 1; level <= level_max && !from.empty(); ++level) {
    std::sort(from.begin(), from.end(), by_identity);
    std::vector<Found> next;
    for (const Found& each : from) {
      std::vector<Found> found = follow_once(node, each);
      std::sort(found.begin(), found.end(), by_identity);
      for (Found& child : found) {
        if (!holds_where(node, child) || !seen.insert(child.identity).second) continue;
        child.level = level;
        child.from = nullptr;
        next.push_back(std::move(child));
      }
    }
    std::sort(next.begin(), next.end(), by_identity);
    all.insert(all.end(), next.begin(), next.end());
    from = std::move(next);
  }
  return all;
}

std::vector<Assembler::Found> Assembler::follow_once(size_t node, const Found& parent) const {
  const DocumentNode& at = plan_.nodes[node];
  std::vector<Found> all;
  switch (plan_.nodes[node].link) {
    case Link::kItems:
      for (const Record* child : pool_.children(*at.end, parent.identity))
        all.push_back({.identity = child->identity, .record = child});
      break;
    case Link::kEdges:
      for (const Edge* edge : pool_.edges(*at.end, parent.identity))
        all.push_back(found(node, edge->ends[at.end->side], edge, &edge->copies[at.end->side]));
      break;
    case Link::kReference: {
      if (parent.record == nullptr) break;
      if (const auto entries = parent.record->entries.find(*at.end);
          entries != parent.record->entries.end()) {
        for (const Edge& edge : entries->second)
          all.push_back(found(node, edge.ends[at.end->side], &edge, &edge.copies[at.end->side]));
        break;
      }
      const auto references = parent.record->references.find(*at.end);
      if (references == parent.record->references.end()) break;
      const auto copies = parent.record->copies.find(*at.end);
      for (const Identity& identity : references->second)
        all.push_back(found(node, identity, nullptr,
                            copies == parent.record->copies.end() ? nullptr : &copies->second));
      break;
    }
    case Link::kIdentity: {
      Identity identity;
      const model::EntityId holder = model_.end(*at.end).holder;
      for (size_t part = 0; part < parent.identity.size(); ++part) {
        const model::FieldPath& path = model_.entities[holder].identity[part];
        if (!path.ends.empty() && path.ends.front() == *at.end) identity.push_back(parent.identity[part]);
      }
      const Fields* copies = nullptr;
      if (parent.record != nullptr) {
        const auto held = parent.record->copies.find(*at.end);
        if (held != parent.record->copies.end()) copies = &held->second;
        const auto entries = parent.record->entries.find(*at.end);
        if (entries != parent.record->entries.end()) copies = &entries->second.front().copies[at.end->side];
      }
      all.push_back(found(node, std::move(identity), nullptr, copies));
      break;
    }
    case Link::kEmbedded: {
      if (parent.record == nullptr) break;
      const auto children = parent.record->embedded.find(*at.end);
      if (children == parent.record->embedded.end()) break;
      for (const Fields& fields : children->second) {
        Identity identity = parent.identity;
        for (const model::Field& field : model_.entities[at.entity].fields) {
          if (field.is_id) identity.push_back(key_text(fields.at(field.name)).value_or(""));
        }
        all.push_back({.identity = std::move(identity), .embedded = &fields});
      }
      break;
    }
    case Link::kFinder: {
      const Edge* const edge = parent.edge;
      if (edge != nullptr)
        all.push_back(found(node, edge->ends[at.end->side], edge, &edge->copies[at.end->side]));
      break;
    }
    case Link::kStart:
    case Link::kNone:
      break;
  }
  for (Found& each : all) each.from = &parent;
  return all;
}

std::optional<Value> Assembler::order_value(size_t node, const Found& each) const {
  return value(node, each, plan_.nodes[node].selected->order->first);
}

bool Assembler::holds_where(size_t node, const Found& each) const {
  const std::vector<const model::Condition*>& where = plan_.nodes[node].where;
  return std::all_of(where.begin(), where.end(), [&](const model::Condition* condition) {
    return holds(model_, *condition, value(node, each, condition->place), arguments_,
                 plan_.pattern->parameters, now_);
  });
}

// Conditions, order and limit of a list.
void Assembler::select(size_t node, std::vector<Found>& all) const {
  const model::Node* const selected = plan_.nodes[node].selected;
  if (selected == nullptr) return;
  const auto passes = [&](const Found& each, const model::Condition& condition) {
    return !plan::is_in_force(condition, plan_.given) ||
           holds(model_, condition, value(node, each, condition.place), arguments_, plan_.pattern->parameters,
                 now_);
  };
  std::erase_if(all, [&](const Found& each) {
    return !holds_where(node, each) ||
           !std::all_of(selected->filter.begin(), selected->filter.end(),
                        [&](const model::Condition& condition) { return passes(each, condition); });
  });
  if (selected->order) sort(node, all);
  if (selected->limit && all.size() > static_cast<size_t>(*selected->limit))
    all.resize(static_cast<size_t>(*selected->limit));
}

void Assembler::sort(size_t node, std::vector<Found>& all) const {
  if (all.size() < 2) return;
  struct Sorted {
    std::optional<Value> value;
    Identity place;
    Found found;
  };
  std::vector<Sorted> sorted;
  sorted.reserve(all.size());
  for (Found& each : all) {
    std::optional<Value> value = order_value(node, each);
    Identity place = this->place(node, each);
    sorted.push_back({std::move(value), std::move(place), std::move(each)});
  }
  const auto comes_before = [](const Sorted& a, const Sorted& b) {
    if (a.value.has_value() != b.value.has_value()) return !a.value.has_value();
    const auto order = a.value ? compare(*a.value, *b.value) : std::nullopt;
    return order && *order != 0 ? *order < 0 : a.place < b.place;
  };
  const bool is_descending = plan_.nodes[node].selected->order->second == language::Direction::kDescending;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Sorted& a, const Sorted& b) {
    return is_descending ? comes_before(b, a) : comes_before(a, b);
  });
  for (size_t i = 0; i < all.size(); ++i) all[i] = std::move(sorted[i].found);
}

Identity Assembler::place(size_t node, const Found& found) const {
  Identity place = found.identity;
  const std::optional<model::EndId>& end = plan_.nodes[node].end;
  if (found.edge != nullptr && end && !model_.relations[end->relation].edge_fields.empty())
    append_base64(place.emplace_back(), edge_text(model_, *found.edge));
  return place;
}

Result<std::optional<Value>> Assembler::aggregate(const model::AggregateField& field,
                                                  const std::vector<Found>& over) const {
  using language::Aggregate;
  const language::Selection& syntax = *field.syntax;
  std::string marks;
  for (const auto& [mark, operand] : syntax.expression->rest) marks += mark;
  int64_t count = 0;
  std::optional<Value> result;
  if (syntax.aggregate == Aggregate::kSum) result = Value(0);
  for (const Found& each : over) {
    std::vector<std::optional<Value>> operands;
    auto next = field.operands.begin();
    const auto add_operand = [&](const language::Operand& one) {
      if (const auto* literal = std::get_if<language::Literal>(&one)) {
        operands.emplace_back(literal_value(*literal, {.kind = language::Type::Kind::kAny}, now_));
      } else {
        operands.push_back(
            value_at(model_, model_.end(field.over).target, *next++, each.fields(), each.edge));
      }
    };
    add_operand(syntax.expression->first);
    for (const auto& [mark, operand] : syntax.expression->rest) add_operand(operand);
    const std::optional<Value> value = TRY(computed(operands, marks));
    if (!value) continue;
    ++count;
    if (syntax.aggregate == Aggregate::kSum) {
      result = TRY(computed({result, value}, "+"));
    } else if (syntax.aggregate != Aggregate::kCount) {
      const auto order = result ? compare(*value, *result) : std::nullopt;
      const bool is_better = order && (syntax.aggregate == Aggregate::kMin ? *order < 0 : *order > 0);
      if (!result || is_better) result = value;
    }
  }
  return syntax.aggregate == Aggregate::kCount ? std::optional<Value>(Value(count)) : result;
}

bool Assembler::is_missing(size_t node, const Found& found) const {
  const DocumentNode& at = plan_.nodes[node];
  const bool is_last = found.level == at.depth;
  return found.record == nullptr && (is_last ? at.needs_last_item : at.needs_item);
}

void Assembler::drop_missing(size_t node, std::vector<Found>& all) {
  const size_t missing = std::erase_if(all, [&](const Found& each) { return is_missing(node, each); });
  if (plan_.nodes[node].end) figures_.dangling += missing;
}

bool Assembler::is_parent_evident(size_t node) const {
  const DocumentNode& at = plan_.nodes[node];
  const model::EndId within = *model_.entities[at.entity].within;
  const bool is_reached_from_it = at.parent && at.end->other() == within;
  // A walk of several steps does not tell which parent it was.
  if (is_reached_from_it && (node != plan_.result || *at.parent == 0)) return true;
  return std::any_of(at.selected->nested.begin(), at.selected->nested.end(),
                     [&](const model::Nested& nested) { return nested.end == within; });
}

void Assembler::write_parent(size_t node, const Found& found) {
  const model::EntityId id = plan_.nodes[node].entity;
  const model::Entity& entity = model_.entities[id];
  if (!entity.within || found.identity.empty() || is_parent_evident(node)) return;
  std::vector<Value> parts;
  for (size_t part = 0; part < found.identity.size(); ++part) {
    const model::FieldPath& path = entity.identity[part];
    if (!path.ends.empty()) parts.push_back(value_of(found.identity[part], model_.field(id, path).type));
  }
  writer_.key(model_.end(*entity.within).name);
  writer_.copy(parts.size() == 1 ? parts.front() : Value::list(parts));
}

Result<void> Assembler::write(size_t node, const Found& found) {
  const DocumentNode& at = plan_.nodes[node];
  const model::Entity& entity = model_.entities[at.entity];
  const Fields& fields = found.fields();
  writer_.begin_map();
  for (model::FieldId id = 0; id < entity.fields.size(); ++id) {
    if (!at.selected->shows(entity, id)) continue;
    const auto value = fields.find(entity.fields[id].name);
    if (value == fields.end()) continue;
    writer_.key(value->first);
    writer_.copy(value->second);
  }
  write_parent(node, found);
  if (at.parent && found.edge != nullptr && !found.edge->fields.empty()) {
    writer_.key("edge");
    writer_.copy(Value(item_of(found.edge->fields)));
  }
  if (at.depth > 1) {
    writer_.key("depth");
    writer_.copy(Value(found.level));
  }
  TRY(write_below(node, found));
  writer_.end_map();
  return {};
}

// Ends that are selected, and what is summed up of them.
Result<void> Assembler::write_below(size_t node, const Found& found) {
  const model::Node& selected = *plan_.nodes[node].selected;
  for (size_t child = node + 1; child < plan_.nodes.size(); ++child) {
    const DocumentNode& below = plan_.nodes[child];
    if (below.parent != node || (below.selected == nullptr && !below.is_whole)) continue;
    std::vector<Found> all = follow(child, found);
    drop_missing(child, all);
    for (const model::AggregateField& field : selected.aggregates) {
      if (field.over != *below.end || !below.is_whole) continue;
      if (const auto value = TRY(aggregate(field, all))) {
        writer_.key(field.name);
        writer_.copy(*value);
      }
    }
    if (below.selected == nullptr) continue;
    select(child, all);
    const model::End& end = model_.end(*below.end);
    if (end.leads_to_many || below.depth > 1) {
      writer_.key(end.name);
      writer_.begin_list();
      for (const Found& each : all) TRY(write(child, each));
      writer_.end_list();
    } else if (!all.empty()) {
      writer_.key(end.name);
      TRY(write(child, all.front()));
    }
  }
  return {};
}

std::vector<Identity> Assembler::identities(size_t node, const std::vector<Identity>& start,
                                            int64_t level_max) const {
  const DocumentNode& at = plan_.nodes[node];
  if (!at.parent) return start;
  std::vector<Identity> parents = identities(*at.parent, start);
  if (level_max == 0) return parents;
  std::vector<Identity> all;
  const auto add = [&](std::vector<Found> found) {
    for (Found& each : found) all.push_back(std::move(each.identity));
  };
  std::vector<Found> together;
  for (const Identity& identity : parents) {
    Found parent = found_again(*at.parent, identity);
    if (at.depth == 1) {
      add(follow_once(node, parent));
    } else if (is_walked(node)) {
      together.push_back(std::move(parent));
    } else {
      add(follow_levels(node, {std::move(parent)}, level_max));
    }
  }
  if (!together.empty()) add(follow_levels(node, std::move(together), level_max));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool Assembler::is_full(size_t node, const std::vector<Identity>& start) const {
  const DocumentNode& at = plan_.nodes[node];
  if (!plan::stops_when_full(at)) return false;
  const auto wanted = static_cast<size_t>(*at.selected->limit);
  if (is_walked(node)) return identities(node, start).size() >= wanted;
  const std::vector<Identity> parents = identities(*at.parent, start);
  return std::all_of(parents.begin(), parents.end(), [&](const Identity& parent) {
    return follow(node, found_again(*at.parent, parent)).size() >= wanted;
  });
}

Identity Assembler::parent_of(size_t node, const Identity& identity,
                              const std::vector<Identity>& start) const {
  const size_t parent = *plan_.nodes[node].parent;
  for (const Identity& candidate : identities(parent, start)) {
    for (const Found& each : follow(node, found_again(parent, candidate))) {
      if (each.identity == identity) return candidate;
    }
  }
  return {};
}

// Each is there once, or once for each edge that says something of its own. Several may lead to the same one,
// and a list of ids may name it twice.
std::vector<Assembler::Found> Assembler::walk(size_t node, const std::vector<Found>& from) const {
  const DocumentNode& at = plan_.nodes[node];
  if (at.depth > 1) return follow_levels(node, from, at.depth);
  if (from.size() == 1 && at.link == Link::kItems) return follow_once(node, from.front());
  std::vector<Found> next;
  std::set<std::pair<Identity, const Edge*>> seen;
  const bool is_by_edge = !model_.relations[at.end->relation].edge_fields.empty();
  for (const Found& each : from) {
    for (Found& child : follow_once(node, each)) {
      if (child.identity.empty() || seen.emplace(child.identity, is_by_edge ? child.edge : nullptr).second)
        next.push_back(std::move(child));
    }
  }
  return next;
}

Result<std::vector<Assembler::Assembled>> Assembler::documents(const std::vector<Identity>& start) {
  // Walks down to the result. Those before it are kept: conditions and edges look back.
  std::deque<std::vector<Found>> walked(1);
  for (const Identity& identity : start) {
    Found root = found_root(identity);
    // Where the pattern begins there may be nobody.
    if (root.record != nullptr || root.edge != nullptr || !plan_.nodes[0].needs_item)
      walked.back().push_back(std::move(root));
  }
  std::vector<size_t> way;
  for (size_t node = plan_.result; plan_.nodes[node].parent; node = *plan_.nodes[node].parent)
    way.insert(way.begin(), node);
  for (const size_t node : way) {
    std::vector<Found> next = walk(node, walked.back());
    walked.push_back(std::move(next));
  }
  std::vector<Found>& all = walked.back();
  drop_missing(plan_.result, all);
  select(plan_.result, all);
  std::vector<Assembled> documents;
  const bool is_sorted = plan_.nodes[plan_.result].selected->order.has_value();
  // Pages of a list whose keys say where they end need no place.
  const bool is_paged = std::any_of(plan_.requests.begin(), plan_.requests.end(),
                                    [](const plan::Request& request) { return request.is_paged; });
  for (const Found& each : all) {
    writer_.reset();
    TRY(write(plan_.result, each));
    std::string document = TRY(writer_.finish());
    documents.push_back({.document = Value::from_encoded(std::move(document)),
                         .identity = each.identity,
                         .edge = each.edge,
                         .order = is_sorted ? order_value(plan_.result, each) : std::nullopt,
                         .place = is_paged ? Identity() : place(plan_.result, each)});
  }
  return documents;
}

}  // namespace sheaf::run
