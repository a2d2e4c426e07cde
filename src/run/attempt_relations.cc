// How an operation links and unlinks.
#include <algorithm>

#include "base/article.h"
#include "base/try.h"
#include "plan/write_needs.h"
#include "run/attempt.h"
#include "run/document.h"
#include "run/guards.h"
#include "run/list_entry.h"
#include "run/stored_items.h"
#include "run/system_table.h"

namespace sheaf::run {

using model::EndId;
using model::EntityId;

namespace {

std::string text_of(const model::Model& model, EntityId entity, const Identity& identity) {
  return "the " + model.entities[entity].name + " " + shown(identity);
}

Error linked_already(const model::Model& model, EndId end, const Identity& from) {
  return {Code::kInUse, text_of(model, model.end(end).holder, from) + " is linked already by its end " +
                            model.end(end).name};
}

Error linked_to_already(const model::Model& model, const Edge& edge) {
  const model::End& first = model.end({.relation = edge.relation});
  return {Code::kInUse, text_of(model, first.holder, edge.ends[1]) + " is linked already to " +
                            shown(edge.ends[0]) + " by its end " + first.name};
}

Error not_linked(const model::Model& model, EndId end, const Identity& from, const Identity& to) {
  return {Code::kNotFound, text_of(model, model.end(end).holder, from) + " is not linked to " + shown(to) +
                               " by its end " + model.end(end).name};
}

}  // namespace

void Attempt::count(EndId end, const Identity& holder, int64_t delta) {
  const EntityId entity = model_.end(end).holder;
  if (!layout_.has_items(entity) || options_.going == std::pair(entity, holder)) return;
  for (model::FieldId id = 0; id < model_.entities[entity].fields.size(); ++id) {
    if (model_.entities[entity].fields[id].count_of == end) subject(entity, holder).counts[id] += delta;
  }
}

// Both are linked, or not any more.
void Attempt::count_pair(EndId end, const Identity& from, const Identity& to, int64_t delta) {
  const EndId back = model_.back(end);
  count(end, from, delta);
  if (!(back == end && from == to)) count(back, to, delta);
}

// Both must be there, unless nobody checks.
void Attempt::require(EndId end, const Identity& from, const Identity& to) {
  if (model_.relations[end.relation].syntax->unchecked) return;
  const auto need = [&](EntityId entity, const Identity& identity) {
    if (layout_.has_items(entity)) subject(entity, identity).must_exist = true;
  };
  need(model_.end(end).holder, from);
  need(model_.end(end).target, to);
}

Result<void> Attempt::take_guard(EndId end, const Identity& holder, const Identity& target, Mode mode) {
  if (!plan::needs_one_guard(model_, layout_, end)) return {};
  const Guard guard = one_guard(model_, layout_, end, holder, target);
  ItemChange& change = transaction_.change(system_table_name(model_), "pk", guard.key);
  const bool is_released = change.action == ItemChange::Action::kDelete;
  const bool is_taken = change.action == ItemChange::Action::kPut;
  if (is_taken && !(change.item == guard_item(guard))) return Error{Code::kInUse, guard.why};
  change.action = ItemChange::Action::kPut;
  change.item = guard_item(guard);
  if (is_released || is_taken) return {};  // by the same operation
  // A move that saw nothing and finds somebody here has read too early.
  change.expect(
      {.kind = Expected::Kind::kAbsent, .error = {Code::kInUse, guard.why}, .is_race = mode == Mode::kMove});
  return {};
}

void Attempt::move_guard(EndId end, const Identity& holder, const Identity& was, const Identity& is) {
  if (!plan::needs_one_guard(model_, layout_, end)) return;
  const Guard before = one_guard(model_, layout_, end, holder, was);
  ItemChange& change = transaction_.change(system_table_name(model_), "pk", before.key);
  change.action = ItemChange::Action::kPut;
  change.item = guard_item(one_guard(model_, layout_, end, holder, is));
  change.expect({.kind = Expected::Kind::kEquals,
                 .path = {std::string(kGuardOwner)},
                 .values = {Value(*guard_item(before).find(kGuardOwner))},
                 .is_race = true});
}

void Attempt::release_guard(EndId end, const Identity& holder) {
  if (!plan::needs_one_guard(model_, layout_, end)) return;
  const Guard guard = one_guard(model_, layout_, end, holder, {});
  transaction_.change(system_table_name(model_), "pk", guard.key).action = ItemChange::Action::kDelete;
}

// Who was found to lead to nobody, and goes, must still do: an edge that came meanwhile would stay.
void Attempt::expect_unlinked(EndId end, const Identity& holder) {
  if (!plan::needs_one_guard(model_, layout_, end)) return;
  const Guard guard = one_guard(model_, layout_, end, holder, {});
  transaction_.change(system_table_name(model_), "pk", guard.key)
      .expect({.kind = Expected::Kind::kAbsent, .is_race = true});
}

Result<void> Attempt::connect(EndId end, const Identity& from, const Identity& to, const Fields& edge_fields,
                              Mode mode) {
  if (!model_.relations[end.relation].syntax->loops && model_.end(end).holder == model_.end(end).target &&
      from == to)
    return Error{Code::kInvalid, text_of(model_, model_.end(end).holder, from) +
                                     " cannot be linked to itself; say loops in the relation if it can"};
  if (layout_.has_items(model_.end(end).holder)) subject(model_.end(end).holder, from).connected.insert(end);
  if (layout_.has_items(model_.end(end).target))
    subject(model_.end(end).target, to).connected.insert(end.other());
  switch (layout_.storage(end)) {
    case model::EndStorage::kEdge:
    case model::EndStorage::kEntries:
      return connect_by_edge(end, from, to, edge_fields, mode);
    case model::EndStorage::kReference:
    case model::EndStorage::kIds:
    case model::EndStorage::kOther:
      return connect_by_item(end, from, to, mode);
    case model::EndStorage::kEmbeds:
    case model::EndStorage::kEmbedded:
      break;
  }
  return Error{Code::kInvalid, "what is embedded belongs to its parent, and cannot be linked"};
}

// --- On an item

Result<void> Attempt::connect_by_item(EndId end, const Identity& from, const Identity& to, Mode mode) {
  const EndId naming = layout_.naming_end(end);
  const Identity& holder_id = naming == end ? from : to;
  const Identity& target_id = naming == end ? to : from;
  Subject& holder = subject(model_.end(naming).holder, holder_id);
  const bool is_list = layout_.storage(naming) == model::EndStorage::kIds;
  const bool is_new = holder.fate == Subject::Fate::kNew;
  std::vector<Identity>& references = holder.after.references[naming];
  std::optional<Identity> was;

  if (is_list) {
    TRY(add_to_list(naming, holder_id, target_id));
    // Of symmetric relations both keep one.
    if (layout_.is_mutual(end) && from != to) TRY(add_to_list(naming, target_id, holder_id));
  } else {
    if (!references.empty() && (is_new || holder.stored)) {
      // A move to where it is already changes nothing.
      if (mode == Mode::kMove && references.front() == target_id) {
        if (holder.before.references == holder.after.references) holder.ends.erase(naming);
        return {};
      }
      if (mode != Mode::kMove) return linked_already(model_, naming, holder_id);
      was = references.front();
    }
    if (holder.is_loaded && !holder.stored && !is_new)
      return Error{Code::kNotFound,
                   "there is no " + model_.entities[holder.entity].name + " " + shown(holder_id)};
    references = {target_id};
    if (!is_new) holder.ends.insert(naming);
    if (!is_new && !holder.stored && mode == Mode::kLink && !holder.unlinked.contains(naming))
      holder.expected.push_back({.kind = Expected::Kind::kMissing,
                                 .path = {reference_attribute(model_, naming, 0)},
                                 .error = linked_already(model_, naming, holder_id)});
    TRY(check_source(naming, target_id));
    fill_copies(holder, naming, target_id);
  }
  require(end, from, to);
  count_pair(naming, holder_id, target_id, 1);
  if (was) {
    count_pair(naming, holder_id, *was, -1);
    release_guard(naming.other(), *was);
  }
  return take_guard(naming.other(), target_id, holder_id, Mode::kLink);
}

Result<void> Attempt::add_to_list(EndId end, const Identity& holder_id, const Identity& target) {
  Subject& holder = subject(model_.end(end).holder, holder_id);
  const bool is_new = holder.fate == Subject::Fate::kNew;
  std::vector<Identity>& references = holder.after.references[end];
  const bool is_there = is_new ? std::find(references.begin(), references.end(), target) != references.end()
                               : std::find(holder.list_adds.begin(), holder.list_adds.end(),
                                           std::pair(end, target)) != holder.list_adds.end();
  if (is_there) return linked_already(model_, end, holder_id);  // by the same operation
  if (is_new) {
    references.push_back(target);
  } else {
    holder.list_adds.emplace_back(end, target);
  }
  return {};
}

// Somebody from whom fields are copied must be there.
Result<void> Attempt::check_source(EndId end, const Identity& source) {
  Subject& target = subject(model_.end(end).target, source);
  if (target.is_source && target.is_loaded && !target.stored && target.fate != Subject::Fate::kNew)
    return Error{Code::kNotFound, "there is no " + model_.entities[target.entity].name + " " + shown(source)};
  return {};
}

void Attempt::fill_copies(Subject& holder, EndId end, const Identity& source_id) {
  holder.after.copies.erase(end);
  holder.after.copy_versions.erase(end);
  for (const model::CopiedFields& copied : layout_.relations[end.relation].copies) {
    if (copied.side != end.side) continue;
    Subject& source = subject(model_.end(end).target, source_id);
    const bool is_changed = source.has_new_version() && source.fate != Subject::Fate::kNew;
    const int64_t version = source.after.version + (is_changed ? 1 : 0);
    for (const model::FieldId id : copied.fields) {
      const std::string& name = model_.entities[source.entity].fields[id].name;
      const auto value = source.after.fields.find(name);
      if (value != source.after.fields.end()) holder.after.copies[end][name] = value->second;
    }
    holder.after.copy_versions[end] = version;
    expect_version(source);
  }
}

void Attempt::expect_version(Subject& source) {
  if (source.fate == Subject::Fate::kNew) return;
  source.must_exist = true;
  const std::string attribute = version_attribute(model_.entities[source.entity]);
  if (source.before.version == 0) {
    source.expected.push_back({.kind = Expected::Kind::kMissing, .path = {attribute}, .is_race = true});
  } else {
    source.expected.push_back({.kind = Expected::Kind::kEquals,
                               .path = {attribute},
                               .values = {Value(source.before.version)},
                               .is_race = true});
  }
}

// --- By an edge: an item, one for each direction, or entries on the items of both

Result<void> Attempt::fill_edge_copies(Edge& edge) {
  for (const model::CopiedFields& copied : layout_.relations[edge.relation].copies) {
    const EndId end{.relation = edge.relation, .side = copied.side};
    // Seen from the other of two that are alike, the end leads to this one.
    for (const int side : {copied.side, model_.back(end) == end ? 1 - copied.side : copied.side}) {
      TRY(check_source(end, edge.ends[side]));
      Subject& source = subject(model_.end(end).target, edge.ends[side]);
      const bool is_changed = source.has_new_version() && source.fate != Subject::Fate::kNew;
      edge.copies[side].clear();
      for (const model::FieldId id : copied.fields) {
        const std::string& name = model_.entities[source.entity].fields[id].name;
        const auto value = source.after.fields.find(name);
        if (value != source.after.fields.end()) edge.copies[side][name] = value->second;
      }
      edge.copy_versions[side] = source.after.version + (is_changed ? 1 : 0);
      expect_version(source);
    }
  }
  return {};
}

Result<ItemChange*> Attempt::change_of(const Edge& edge, Item& item) {
  const model::Table& table = layout_.tables[layout_.item_kinds[codec_.item_kind(edge)].table];
  item = TRY(codec_.encode(edge));
  return &transaction_.change(table.name, table.pk.name, key_of(table, item));
}

// Those that were read, from one end.
std::vector<Edge> Attempt::edges_of(EndId end, const Identity& from) {
  std::vector<Edge> edges;
  if (layout_.is_edge(end)) {
    for (const EdgesRead& read : edges_read_) {
      if (read.end == end && read.from == from)
        edges.insert(edges.end(), read.edges.begin(), read.edges.end());
    }
  } else {
    const Record& known = subject(model_.end(end).holder, from).after;
    if (const auto entries = known.entries.find(end); entries != known.entries.end()) edges = entries->second;
  }
  return edges;
}

// Between two, whichever of them they were read from.
std::vector<Edge> Attempt::edges_between(EndId end, const Identity& from, const Identity& to) {
  std::vector<Edge> edges = edges_of(end, from);
  if (edges.empty()) {
    edges = edges_of(model_.back(end), to);
    if (model_.back(end) == end) std::transform(edges.begin(), edges.end(), edges.begin(), turned);
  }
  std::erase_if(
      edges, [&](const Edge& edge) { return edge.ends[end.side] != to || edge.ends[1 - end.side] != from; });
  return edges;
}

Result<void> Attempt::put_edge(const Edge& edge, EndId end, Mode mode) {
  if (!layout_.is_edge(end)) return put_entries(edge, end, mode);
  for (const Edge& each : codec_.directions(edge)) {
    Item item;
    ItemChange& change = *TRY(change_of(each, item));
    const bool is_erased = change.action == ItemChange::Action::kDelete;
    // By the same operation.
    if (change.action == ItemChange::Action::kPut) return linked_to_already(model_, edge);
    change.action = ItemChange::Action::kPut;
    change.item = std::move(item);
    if (is_erased) continue;  // by the same operation
    change.expect({.kind = Expected::Kind::kAbsent,
                   .error = linked_to_already(model_, edge),
                   .is_race = mode == Mode::kMove});
  }
  return {};
}

Result<void> Attempt::put_entries(const Edge& edge, EndId moved, Mode mode) {
  const Error error = linked_to_already(model_, edge);
  const Identity& from = edge.ends[1 - moved.side];
  for (Edge& each : codec_.directions(edge)) {
    const EndId end{.relation = edge.relation, .side = *each.leads};
    const Identity& holder_id = each.ends[1 - end.side];
    Subject& holder = subject(model_.end(end).holder, holder_id);
    std::vector<Edge>& entries = holder.after.entries[end];
    const Error taken = linked_already(model_, end, holder_id);
    // By the same operation.
    const bool is_put =
        std::any_of(holder.entries.begin(), holder.entries.end(), [&](const EntryChange& other) {
          return other.is_put && other.end == end &&
                 (!model_.end(end).leads_to_many ||
                  entry_name(model_, end, other.edge) == entry_name(model_, end, each));
        });
    if (is_put) return model_.end(end).leads_to_many ? error : taken;
    if (holder.fate != Subject::Fate::kNew) {
      holder.entries.push_back({.end = end,
                                .edge = each,
                                .is_put = true,
                                .error = error,
                                .is_race = mode == Mode::kMove,
                                .taken = taken,
                                .is_taken_race = mode == Mode::kMove && holder_id == from && end == moved});
    } else if (std::any_of(entries.begin(), entries.end(), [&](const Edge& other) {
                 return entry_name(model_, end, other) == entry_name(model_, end, each);
               })) {
      return error;
    } else if (!model_.end(end).leads_to_many && !entries.empty()) {
      return taken;
    }
    entries.push_back(std::move(each));
  }
  return {};
}

void Attempt::erase_entries(const Edge& edge, bool is_race) {
  const EndId first{.relation = edge.relation, .side = 0};
  for (Edge& each : codec_.directions(edge)) {
    const EndId end{.relation = edge.relation, .side = *each.leads};
    const auto key = std::pair(model_.end(end).holder, each.ends[1 - end.side]);
    if (options_.going == key) continue;  // with its item
    Subject& holder = subject(key.first, key.second);
    std::erase_if(holder.after.entries[end], [&](const Edge& other) {
      return entry_name(model_, end, other) == entry_name(model_, end, each);
    });
    if (holder.fate == Subject::Fate::kNew) continue;
    holder.entries.push_back({.end = end,
                              .edge = std::move(each),
                              .error = not_linked(model_, first, edge.ends[1], edge.ends[0]),
                              .is_race = is_race});
  }
}

Result<void> Attempt::erase_edge(const Edge& edge, bool is_race) {
  const EndId first{.relation = edge.relation, .side = 0};
  if (!layout_.is_edge(first)) {
    erase_entries(edge, is_race);
    return {};
  }
  for (const Edge& each : codec_.directions(edge)) {
    Item item;
    ItemChange& change = *TRY(change_of(each, item));
    change.action = ItemChange::Action::kDelete;
    change.expect({.kind = Expected::Kind::kExists,
                   .error = not_linked(model_, first, edge.ends[1], edge.ends[0]),
                   .is_race = is_race});
  }
  return {};
}

Result<void> Attempt::connect_by_edge(EndId end, const Identity& from, const Identity& to,
                                      const Fields& edge_fields, Mode mode) {
  Edge edge{.relation = end.relation, .fields = edge_fields};
  edge.ends[end.side] = to;
  edge.ends[1 - end.side] = from;
  // Who is there already, and must lead to one, does: no guard says so, and none is needed.
  for (const auto& [leading, holder] : {std::pair(end, from), std::pair(end.other(), to)}) {
    const bool is_taken = model_.end(leading).is_required && !model_.end(leading).leads_to_many &&
                          subject(model_.end(leading).holder, holder).fate != Subject::Fate::kNew;
    const bool is_moved = mode == Mode::kMove && leading == end;
    if (is_taken && !is_moved) return linked_already(model_, leading, holder);
  }
  std::optional<Identity> was;
  if (mode == Mode::kMove) {
    for (const Edge& old : edges_of(end, from)) {
      if (old.ends[end.side] == to) return {};  // it is there already
      was = old.ends[end.side];
      if (edge.fields.empty()) edge.fields = old.fields;
      TRY(erase_edge(old, true));
      count_pair(end, from, *was, -1);
      release_guard(end.other(), *was);
    }
  }
  // A link that is new has what its document does not say.
  if (!was) fill_defaults(model_.relations[end.relation].edge_fields, edge.fields, options_.now);
  TRY(fill_edge_copies(edge));
  if (const auto why = lacking(model_.relations[end.relation].edge_fields, edge.fields))
    return Error{Code::kInvalid, "the link lacks " + *why};
  TRY(put_edge(edge, end, mode));
  require(end, from, to);
  count_pair(end, from, to, 1);
  if (was) {
    move_guard(end, from, *was, to);
  } else {
    TRY(take_guard(end, from, to, mode));
  }
  return take_guard(end.other(), to, from, Mode::kLink);
}

Result<void> Attempt::disconnect(EndId end, const Identity& from, const Identity& to, bool must_be_linked) {
  count_pair(end, from, to, -1);
  const bool is_by_edge = layout_.is_edge(end) || layout_.storage(end) == model::EndStorage::kEntries;
  if (is_by_edge) {
    for (const auto& [leading, holder] : {std::pair(end, from), std::pair(end.other(), to)}) {
      const bool is_needed = model_.end(leading).is_required && !options_.going &&
                             subject(model_.end(leading).holder, holder).fate == Subject::Fate::kKept;
      if (is_needed)
        return Error{Code::kInvalid, with_article(model_.entities[model_.end(leading).holder].name) +
                                         " needs its " + model_.end(leading).name +
                                         ": set another one, or delete it"};
    }
    Edge edge{.relation = end.relation};
    edge.ends[end.side] = to;
    edge.ends[1 - end.side] = from;
    // One that was read says all that its key may hold. Of parallel ones all go.
    int64_t erased = 0;
    for (const Edge& known : edges_between(end, from, to)) {
      TRY(erase_edge(known, true));
      ++erased;
    }
    if (erased == 0 && model_.relations[end.relation].has_parallel_edges())
      return not_linked(model_, end, from, to);
    if (erased == 0) TRY(erase_edge(edge, false));
    if (erased > 1) count_pair(end, from, to, 1 - erased);
    release_guard(end, from);
    release_guard(end.other(), to);
    return {};
  }
  if (layout_.is_embedded(end))
    return Error{Code::kInvalid, "what is embedded belongs to its parent, and cannot be unlinked"};
  const EndId naming = layout_.naming_end(end);
  const Identity& holder_id = naming == end ? from : to;
  const Identity& target_id = naming == end ? to : from;
  if (model_.end(naming).is_required)
    return Error{Code::kInvalid, with_article(model_.entities[model_.end(naming).holder].name) +
                                     " needs its " + model_.end(naming).name +
                                     ": set another one, or delete it"};
  Subject& holder = subject(model_.end(naming).holder, holder_id);
  if (holder.is_loaded && !holder.stored && options_.going != std::pair(holder.entity, holder_id))
    return Error{Code::kNotFound,
                 "there is no " + model_.entities[holder.entity].name + " " + shown(holder_id)};
  if (layout_.storage(naming) == model::EndStorage::kIds) {
    TRY(remove_from_list(naming, holder_id, target_id));
    if (layout_.is_mutual(end) && from != to) TRY(remove_from_list(naming, target_id, holder_id));
    release_guard(naming.other(), target_id);
    return {};
  }
  if (holder.stored) {
    const auto reference = holder.before.references.find(naming);
    const bool is_it = reference != holder.before.references.end() && !reference->second.empty() &&
                       reference->second.front() == target_id;
    if (!is_it && must_be_linked) return not_linked(model_, end, from, to);
  } else {
    holder.unlinked.insert(naming);
    for (size_t part = 0; part < target_id.size(); ++part) {
      const EntityId target = model_.end(naming).target;
      holder.expected.push_back(
          {.kind = Expected::Kind::kEquals,
           .path = {reference_attribute(model_, naming, part)},
           .values = {value_of(target_id[part], identity_field(model_, target, part).type)},
           .error = not_linked(model_, end, from, to)});
    }
  }
  holder.ends.insert(naming);
  holder.after.references.erase(naming);
  holder.after.copies.erase(naming);
  holder.after.copy_versions.erase(naming);
  release_guard(naming.other(), target_id);
  return {};
}

Result<void> Attempt::remove_from_list(EndId end, const Identity& holder_id, const Identity& target) {
  if (options_.going == std::pair(model_.end(end).holder, holder_id)) return {};  // with its item
  Subject& holder = subject(model_.end(end).holder, holder_id);
  const auto listed = holder.before.references.find(end);
  const bool is_there =
      listed != holder.before.references.end() &&
      std::find(listed->second.begin(), listed->second.end(), target) != listed->second.end();
  if (!is_there) return not_linked(model_, end, holder_id, target);
  holder.list_removes.emplace_back(end, target);
  return {};
}

Result<void> Attempt::check_required() const {
  for (const auto& [key, each] : subjects_) {
    if (each->fate != Subject::Fate::kNew) continue;
    for (const EndId end : model_.entities[each->entity].ends) {
      if (!model_.end(end).is_required || each->connected.contains(end) || layout_.is_embedded(end)) continue;
      return Error{Code::kInvalid,
                   with_article(model_.entities[each->entity].name) + " needs its " + model_.end(end).name};
    }
  }
  return {};
}

}  // namespace sheaf::run
