#include "run/assembler.h"

#include <algorithm>
#include <set>

#include "base/try.h"
#include "plan/document_tree.h"
#include "plan/write_needs.h"
#include "run/conditions.h"
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

// What conditions and orders look at: its references, and for one that an edge told of, what that names.
const Record& Assembler::known(size_t node, const Found& each, Record& room) const {
  const DocumentNode& at = plan_.nodes[node];
  const bool is_told_by_edge = !at.parent && each.edge != nullptr;
  if (each.record != nullptr && !is_told_by_edge) return *each.record;
  room.entity = at.entity;
  if (!is_told_by_edge) return room;
  if (each.record != nullptr) room.references = each.record->references;
  const model::EndId named = at.end->other();
  room.references[named] = {each.edge->ends[named.side]};
  return room;
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
    case Link::kStart:
    case Link::kNone:
      break;
  }
  return all;
}

std::optional<Value> Assembler::order_value(size_t node, const Found& each) const {
  Record room;
  return value_at(model_, plan_.nodes[node].selected->order->first, each.fields(), each.edge,
                  &known(node, each, room));
}

bool Assembler::holds_where(size_t node, const Found& each) const {
  const model::Node* const selected = plan_.nodes[node].selected;
  if (selected == nullptr || selected->where.empty()) return true;
  Record room;
  const Record& record = known(node, each, room);
  return std::all_of(selected->where.begin(), selected->where.end(), [&](const model::Condition& condition) {
    return holds(model_, condition, each.fields(), each.edge, &record, arguments_, plan_.pattern->parameters);
  });
}

// Conditions, order and limit of a list.
void Assembler::select(size_t node, std::vector<Found>& all) const {
  const model::Node* const selected = plan_.nodes[node].selected;
  if (selected == nullptr) return;
  const auto& parameters = plan_.pattern->parameters;
  std::erase_if(all, [&](const Found& each) {
    Record room;
    const Record& record = known(node, each, room);
    const auto fails = [&](const model::Condition& condition) {
      return !holds(model_, condition, each.fields(), each.edge, &record, arguments_, parameters);
    };
    return !holds_where(node, each) || std::any_of(selected->filter.begin(), selected->filter.end(), fails);
  });
  if (selected->order) {
    const bool is_descending = selected->order->second == language::Direction::kDescending;
    std::stable_sort(all.begin(), all.end(), [&](const Found& a, const Found& b) {
      const auto x = order_value(node, a), y = order_value(node, b);
      if (x.has_value() != y.has_value()) return x.has_value() == is_descending;
      const auto order = x ? compare(*x, *y) : std::nullopt;
      if (order && *order != 0) return is_descending ? *order > 0 : *order < 0;
      return is_descending ? place(node, b) < place(node, a) : place(node, a) < place(node, b);
    });
  }
  if (selected->limit && all.size() > static_cast<size_t>(*selected->limit))
    all.resize(static_cast<size_t>(*selected->limit));
}

Identity Assembler::place(size_t node, const Found& found) const {
  Identity place = found.identity;
  const std::optional<model::EndId>& end = plan_.nodes[node].end;
  if (found.edge != nullptr && end && !model_.relations[end->relation].edge_fields.empty())
    append_base64(place.emplace_back(), edge_text(model_, *found.edge));
  return place;
}

std::optional<Value> Assembler::aggregate(const model::AggregateField& field,
                                          const std::vector<Found>& over) const {
  const language::Selection& syntax = *field.syntax;
  if (syntax.aggregate == language::Aggregate::kCount) return Value(static_cast<int64_t>(over.size()));
  std::optional<Value> result;
  Number sum;
  for (const Found& each : over) {
    size_t next_place = 0;
    const auto operand = [&](const language::Operand& one) -> std::optional<Value> {
      if (const auto* literal = std::get_if<language::Literal>(&one))
        return literal_value(*literal, {.kind = language::Type::Kind::kAny});
      model::Place place = field.operands[next_place++];
      place.ends.clear();
      Record known{.entity = model_.end(field.over).target};
      return value_at(model_, place, each.fields(), each.edge, each.record != nullptr ? each.record : &known);
    };
    std::optional<Value> value = operand(syntax.expression->first);
    for (const auto& [mark, one] : syntax.expression->rest) {
      const std::optional<Value> right = operand(one);
      if (!value || !right || value->type() != Type::kNumber || right->type() != Type::kNumber)
        return std::nullopt;
      const NumberView a = value->view().number(), b = right->view().number();
      const auto computed = mark == '+' ? add(a, b) : mark == '-' ? subtract(a, b) : multiply(a, b);
      if (!computed.ok()) return std::nullopt;
      value = Value(*computed);
    }
    if (!value) continue;
    if (syntax.aggregate == language::Aggregate::kSum) {
      if (value->type() != Type::kNumber) return std::nullopt;
      const auto added = add(sum, value->view().number());
      if (!added.ok()) return std::nullopt;
      sum = *added;
    } else {
      const auto order = result ? compare(*value, *result) : std::nullopt;
      const bool is_better =
          !result || (order && (syntax.aggregate == language::Aggregate::kMin ? *order < 0 : *order > 0));
      if (is_better) result = value;
    }
  }
  return syntax.aggregate == language::Aggregate::kSum ? std::optional<Value>(Value(sum)) : result;
}

// Counts those whose items were read and are not there.
bool Assembler::is_there(size_t node, const Found& found) {
  const DocumentNode& at = plan_.nodes[node];
  const bool is_last = found.level == at.depth;
  if (found.record != nullptr || !(is_last ? at.needs_last_item : at.needs_item)) return true;
  if (at.end) ++figures_.dangling;
  return false;
}

void Assembler::write(size_t node, const Found& found) {
  const DocumentNode& at = plan_.nodes[node];
  const model::Entity& entity = model_.entities[at.entity];
  const model::Node& selected = *at.selected;
  const Fields& fields = found.fields();
  writer_.begin_map();
  for (model::FieldId id = 0; id < entity.fields.size(); ++id) {
    if (!selected.shows(entity, id)) continue;
    const auto value = fields.find(entity.fields[id].name);
    if (value == fields.end()) continue;
    writer_.key(value->first);
    writer_.copy(value->second);
  }
  // The parent in its identity, unless that is where it was found or what was asked for as well.
  if (const std::optional<model::EndId>& within = entity.within; within && !found.identity.empty()) {
    const bool is_above = at.parent && at.end->other() == *within;
    const bool is_nested = std::any_of(selected.nested.begin(), selected.nested.end(),
                                       [&](const model::Nested& nested) { return nested.end == *within; });
    if (!is_above && !is_nested) {
      std::vector<Value> parts;
      for (size_t part = 0; part < found.identity.size(); ++part) {
        const model::FieldPath& path = entity.identity[part];
        if (!path.ends.empty())
          parts.push_back(value_of(found.identity[part], model_.field(at.entity, path).type));
      }
      writer_.key(model_.end(*within).name);
      writer_.copy(parts.size() == 1 ? parts.front() : Value::list(parts));
    }
  }
  if (at.parent && found.edge != nullptr && !found.edge->fields.empty()) {
    writer_.key("edge");
    writer_.copy(Value(item_of(found.edge->fields)));
  }
  if (at.depth > 1) {
    writer_.key("depth");
    writer_.copy(Value(found.level));
  }
  for (size_t child = node + 1; child < plan_.nodes.size(); ++child) {
    const DocumentNode& below = plan_.nodes[child];
    if (below.parent != node) continue;
    std::vector<Found> all = follow(child, found);
    for (const model::AggregateField& field : selected.aggregates) {
      if (field.over != *below.end || below.depth > 1) continue;
      if (const auto value = aggregate(field, all)) {
        writer_.key(field.name);
        writer_.copy(*value);
      }
    }
    if (below.selected == nullptr) continue;
    select(child, all);
    std::erase_if(all, [&](const Found& each) { return !is_there(child, each); });
    const model::End& end = model_.end(*below.end);
    if (end.leads_to_many || below.depth > 1) {
      writer_.key(end.name);
      writer_.begin_list();
      for (const Found& each : all) write(child, each);
      writer_.end_list();
    } else if (!all.empty()) {
      writer_.key(end.name);
      write(child, all.front());
    }
  }
  writer_.end_map();
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
    Found parent = found(*at.parent, identity, nullptr, nullptr);
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
    return follow(node, found(*at.parent, parent, nullptr, nullptr)).size() >= wanted;
  });
}

Identity Assembler::parent_of(size_t node, const Identity& identity,
                              const std::vector<Identity>& start) const {
  const size_t parent = *plan_.nodes[node].parent;
  for (const Identity& candidate : identities(parent, start)) {
    for (const Found& each : follow(node, found(parent, candidate, nullptr, nullptr))) {
      if (each.identity == identity) return candidate;
    }
  }
  return {};
}

Result<std::vector<Assembler::Assembled>> Assembler::documents(const std::vector<Identity>& start) {
  // Walks down to the result, keeping edges, which the last step may want.
  std::vector<Found> all;
  for (const Identity& identity : start) {
    Found root = found_root(identity);
    // Where the pattern begins there may be nobody.
    if (root.record != nullptr || root.edge != nullptr || !plan_.nodes[0].needs_item)
      all.push_back(std::move(root));
  }
  std::vector<size_t> way;
  for (size_t node = plan_.result;; node = *plan_.nodes[node].parent) {
    if (plan_.nodes[node].parent) way.insert(way.begin(), node);
    if (!plan_.nodes[node].parent) break;
  }
  for (const size_t node : way) {
    // Several may lead to the same one, and a list of ids may name it twice.
    if (all.size() == 1 && plan_.nodes[node].link == Link::kItems) {
      all = follow(node, Found(std::move(all.front())));
      continue;
    }
    if (plan_.nodes[node].depth > 1) {
      all = follow_levels(node, std::move(all), plan_.nodes[node].depth);
      continue;
    }
    std::vector<Found> next;
    std::set<std::pair<Identity, const Edge*>> seen;
    // Each is there once, or once for each edge that says something of its own.
    const bool is_by_edge = !model_.relations[plan_.nodes[node].end->relation].edge_fields.empty();
    for (const Found& each : all) {
      for (Found& child : follow(node, each)) {
        if (child.identity.empty() || seen.emplace(child.identity, is_by_edge ? child.edge : nullptr).second)
          next.push_back(std::move(child));
      }
    }
    all = std::move(next);
  }
  select(plan_.result, all);
  std::vector<Assembled> documents;
  const bool is_sorted = plan_.nodes[plan_.result].selected->order.has_value();
  // Pages of a list whose keys say where they end need no place.
  const bool is_paged = std::any_of(plan_.requests.begin(), plan_.requests.end(),
                                    [](const plan::Request& request) { return request.is_paged; });
  for (const Found& each : all) {
    if (!is_there(plan_.result, each)) continue;
    writer_.reset();
    write(plan_.result, each);
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
