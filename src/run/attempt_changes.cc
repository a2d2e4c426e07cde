// What an operation makes of each entity. Relations: run/attempt_relations.cc.
#include <algorithm>

#include "base/article.h"
#include "base/try.h"
#include "plan/related.h"
#include "plan/write_needs.h"
#include "plan/write_refusals.h"
#include "run/attempt.h"
#include "run/conditions.h"
#include "run/document.h"
#include "run/guards.h"
#include "run/value_check.h"

namespace sheaf::run {

using model::EndId;
using model::FieldId;

namespace {

Error absent(const model::Model& model, const Subject& subject) {
  return {Code::kNotFound,
          "there is no " + model.entities[subject.entity].name + " " + shown(subject.identity)};
}

bool is_kept_field(const model::Field& field) {
  return field.kept != model::Kept::kNo || field.count_of.has_value();
}

}  // namespace

Result<void> Attempt::apply(const Change& change) {
  using Kind = Change::Kind;
  if (layout_.embedding_end(model_, change.entity)) {
    if (change.kind == Kind::kCheck) return apply_checks(change);
    return apply_embedded(change);
  }
  Subject& self = subject(change.entity, change.identity);
  const bool is_going = options_.going == std::pair(change.entity, change.identity);
  const bool may_be_missing = change.kind == Kind::kPut || change.kind == Kind::kUpsert || is_going;
  if (self.is_loaded && !self.stored && self.fate != Subject::Fate::kNew && !may_be_missing)
    return absent(model_, self);
  switch (change.kind) {
    case Kind::kPut:
      return apply_put(change);
    case Kind::kUpsert:
      return apply_upsert(change);
    case Kind::kDelete:
      return apply_delete(change);
    case Kind::kSet:
    case Kind::kAdd:
      for (const auto& [end, to] : change.ends) {
        if (const auto why = plan::why_unmovable(model_, layout_, end)) return Error{Code::kInvalid, *why};
        TRY(connect(end, change.identity, to, {}, Mode::kMove));
      }
      return {};
    case Kind::kRemove:
      return apply_removed(change);
    case Kind::kLink: {
      const Fields fields = TRY(link_fields(change));
      return connect(change.ends.front().first, change.identity, change.ends.front().second, fields,
                     Mode::kLink);
    }
    case Kind::kUnlink:
      return disconnect(change.ends.front().first, change.identity, change.ends.front().second, true);
    case Kind::kCheck:
      return apply_checks(change);
  }
  return {};
}

Result<void> Attempt::apply_put(const Change& change) {
  Subject& self = subject(change.entity, change.identity);
  self.after.fields = self.made_fields.value_or(change.fields);
  for (const auto& [end, children] : change.embedded) {
    std::vector<Fields>& all = self.after.embedded[end];
    all.insert(all.begin(), children.begin(), children.end());
  }
  if (layout_.has_version(model_, change.entity))
    self.after.version = std::max<int64_t>(1, change.mirrored_version.value_or(1));
  for (const auto& [end, children] : change.embedded)
    count(end, change.identity, static_cast<int64_t>(children.size()));
  for (const auto& [end, to] : change.ends) TRY(connect(end, change.identity, to, {}, Mode::kPut));
  return {};
}

Result<void> Attempt::apply_upsert(const Change& change) {
  Subject& self = subject(change.entity, change.identity);
  if (!self.stored) return apply_put(change);
  self.mirrored_version = change.mirrored_version;
  const bool is_mirrored = change.mirrored_version.has_value();
  const std::vector<model::Field>& fields = model_.entities[change.entity].fields;
  const Fields& made = self.made_fields ? *self.made_fields : change.fields;
  for (FieldId id = 0; id < fields.size(); ++id) {
    if (fields[id].is_id || fields[id].count_of) continue;
    if (is_kept_field(fields[id]) && !is_mirrored) continue;
    const auto given = made.find(fields[id].name);
    const auto was = self.before.fields.find(fields[id].name);
    const bool is_given = given != made.end(), was_there = was != self.before.fields.end();
    if (is_given == was_there && (!is_given || given->second == was->second)) continue;
    if (was_there && fields[id].syntax->is_immutable && !is_mirrored)
      return Error{Code::kInvalid, "the field " + fields[id].name + " is immutable"};
    TRY(check_changeable(change.entity, id));
    self.fields.insert(id);
    if (is_given) {
      self.after.fields[fields[id].name] = given->second;
    } else {
      self.after.fields.erase(fields[id].name);
    }
  }
  for (const auto& [end, to] : change.ends) {
    // Whom it is within is a part of its id, and does not change.
    if (model_.entities[change.entity].within == end) continue;
    if (const auto why = plan::why_unmovable(model_, layout_, end)) return Error{Code::kInvalid, *why};
    TRY(connect(end, change.identity, to, {}, Mode::kMove));
  }
  return {};
}

Result<void> Attempt::check_changeable(model::EntityId entity, FieldId field) const {
  if (const auto why = plan::why_unchangeable(model_, layout_, entity, field))
    return Error{Code::kInvalid, *why};
  return {};
}

// Its own references go with its item; what others keep of it goes here, or by the job that it is marked for.
// Also what is not in it must not have come.
void Attempt::expect_as_read(Subject& self, ItemView item) const {
  const model::Entity& entity = model_.entities[self.entity];
  const model::Table& table = layout_.tables[layout_.kind(self.entity)->table];
  const Error changed{Code::kConflict, "the " + entity.name + " " + shown(self.identity) + " was changed"};
  for (const Attribute attribute : item) {
    const bool is_key = attribute.name == table.pk.name || (table.sk && attribute.name == table.sk->name);
    if (is_key) continue;
    self.expected.push_back({.kind = Expected::Kind::kEquals,
                             .path = {std::string(attribute.name)},
                             .values = {Value(attribute.value)},
                             .error = changed});
  }
  for (const model::Field& field : entity.fields) {
    if (field.is_optional && !item.find(field.attribute))
      self.expected.push_back(
          {.kind = Expected::Kind::kMissing, .path = {field.attribute}, .error = changed});
  }
}

Result<void> Attempt::apply_delete(const Change& change) {
  Subject& self = subject(change.entity, change.identity);
  const model::Entity& entity = model_.entities[change.entity];
  if (change.as_read) expect_as_read(self, *change.as_read);
  for (const EndId end : entity.ends) {
    if (!protects_embedded(end) || !self.stored) continue;
    const auto children = self.before.embedded.find(end);
    if (children != self.before.embedded.end() && !children->second.empty())
      return Error{Code::kInUse,
                   "the " + entity.name + " " + shown(self.identity) + " still has " + model_.end(end).name};
    const auto stored = self.stored->find(model_.end(end).name);
    self.expected.push_back({.kind = stored ? Expected::Kind::kEquals : Expected::Kind::kMissing,
                             .path = {model_.end(end).name},
                             .values = {stored ? Value(*stored) : Value()},
                             .is_race = true});
  }
  for (const EndId end : entity.ends) {
    const model::Relation& relation = model_.relations[end.relation];
    const bool is_parent = end.side == 0 && relation.cardinality != language::Cardinality::kManyToMany &&
                           !layout_.is_embedded(end);
    if (!is_parent || !options_.finishes_job.empty()) continue;
    if (!relation.on_delete && model_.end(end.other()).is_required)
      return Error{Code::kInvalid, with_article(entity.name) + " may still have " + model_.end(end).name +
                                       ", and each needs its " + model_.end(end.other()).name +
                                       "; say on delete cascade, restrict or unlink in the relation"};
    if (relation.on_delete != language::OnDelete::kRestrict) continue;
    for (FieldId id = 0; id < entity.fields.size(); ++id) {
      if (entity.fields[id].count_of == end)
        self.expected.push_back({.kind = Expected::Kind::kTest,
                                 .path = {entity.fields[id].attribute},
                                 .operands = {Value(0)},
                                 .error = {Code::kInUse, "the " + entity.name + " " + shown(self.identity) +
                                                             " still has " + model_.end(end).name}});
    }
  }
  if (const auto why = plan::why_undeletable(model_, layout_, change.entity))
    return Error{Code::kInvalid, with_article(entity.name) + " cannot be deleted in this layout: " + *why};
  if (self.fate == Subject::Fate::kMarked) return {};
  self.job = options_.finishes_job;
  for (const EndId end : entity.ends) {
    switch (layout_.storage(end)) {
      case model::EndStorage::kReference:
      case model::EndStorage::kIds: {
        const auto references = self.before.references.find(end);
        // Where each names the other, the job has told them.
        if (references == self.before.references.end() || layout_.is_mutual(end)) break;
        for (const Identity& to : references->second) {
          count(end.other(), to, -1);
          release_guard(end.other(), to);
        }
        break;
      }
      case model::EndStorage::kEdge:
        for (const EdgesRead& read : edges_read_) {
          if (!(read.end == end) || read.from != self.identity) continue;
          for (const Edge& edge : read.edges) TRY(disconnect(end, self.identity, edge.ends[end.side], true));
          if (read.edges.empty()) expect_unlinked(end, self.identity);
        }
        break;
      case model::EndStorage::kOther:
      case model::EndStorage::kEmbeds:
      case model::EndStorage::kEmbedded:
      case model::EndStorage::kEntries:
        break;
    }
  }
  return {};
}

Result<void> Attempt::apply_removed(const Change& change) {
  Subject& self = subject(change.entity, change.identity);
  for (const EndId end : change.removed_ends) {
    if (const auto why = plan::why_unmovable(model_, layout_, end)) return Error{Code::kInvalid, *why};
    if (layout_.is_edge(end)) {
      for (const EdgesRead& read : edges_read_) {
        if (!(read.end == end) || read.from != change.identity) continue;
        for (const Edge& edge : read.edges) TRY(disconnect(end, change.identity, edge.ends[end.side], false));
      }
      continue;
    }
    const auto references = self.before.references.find(end);
    if (references == self.before.references.end()) continue;
    for (const Identity& to : std::vector<Identity>(references->second))
      TRY(disconnect(end, change.identity, to, false));
  }
  return {};
}

Result<Fields> Attempt::link_fields(const Change& change) const {
  Fields fields = change.edge_fields;
  for (const auto& [name, stored] : change.edge_operands) {
    const std::optional<Value> value = TRY(operands_.at(&stored));
    if (!value) return Error{Code::kInvalid, "the value of the field " + name + " of the link is missing"};
    for (const model::Field& field : model_.relations[change.ends.front().first.relation].edge_fields) {
      if (field.name != name) continue;
      if (auto why = misfit(*value, field)) return Error{Code::kInvalid, "the field " + name + " " + *why};
    }
    fields[name] = *value;
  }
  return fields;
}

}  // namespace sheaf::run
