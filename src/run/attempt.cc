#include "run/attempt.h"

#include <algorithm>

#include "base/article.h"
#include "base/try.h"
#include "plan/write_needs.h"
#include "run/document.h"
#include "run/found_edges.h"
#include "run/guards.h"
#include "run/jobs.h"
#include "run/refusal.h"
#include "run/stored_items.h"
#include "run/system_table.h"
#include "run/time_text.h"
#include "run/value_check.h"

namespace sheaf::run {

using model::EndId;
using model::EntityId;
using model::FieldId;

Attempt::Attempt(Database& database, const model::Model& model, const model::Layout& layout,
                 const std::vector<Change>& changes, const AttemptOptions& options, Figures& figures)
    : database_(database),
      model_(model),
      layout_(layout),
      changes_(changes),
      options_(options),
      now_text_(time_text(options.now)),
      figures_(figures),
      codec_(model, layout) {}

Result<void> Attempt::prepare() {
  Refusal refusal;
  for (const Change& change : changes_) {
    TRY(note(change));
    note_operands(change);
  }
  TRY(load());
  read_operands();
  for (const auto& [key, each] : subjects_) TRY(refusal.take(settle(*each)));
  for (const Change& change : changes_) TRY(refusal.take(apply(change)));
  if (!refusal.empty()) {
    TRY(look_for_misfits(refusal));
    return refusal.result();
  }
  TRY(check_required());
  TRY(load_late());
  if (options_.tries > 0) TRY(forget_the_going());
  add_jobs();
  for (const auto& [key, each] : subjects_) {
    const bool is_touched = each->is_changed() || each->must_exist || !each->counts.empty() ||
                            each->fate == Subject::Fate::kDeleted;
    if (each->is_loaded && !each->stored && is_touched && each->fate != Subject::Fate::kNew)
      return Error{Code::kNotFound,
                   "there is no " + model_.entities[each->entity].name + " " + shown(each->identity)};
    const bool is_written = is_touched || each->fate != Subject::Fate::kKept || !each->expected.empty();
    if (is_written && layout_.has_items(each->entity))
      TRY(write_subject(model_, layout_, *each, now_text_, options_.tries == 0, transaction_));
  }
  for (const NewJob& job : jobs_) {
    ItemChange& change = transaction_.change(system_table_name(model_), "pk", job_key(layout_, job.id));
    change.action = ItemChange::Action::kPut;
    change.item = job_item(model_, layout_, job, options_.now, options_.lease_until_ms);
  }
  if (!options_.finishes_job.empty())
    transaction_.change(system_table_name(model_), "pk", job_key(layout_, options_.finishes_job)).action =
        ItemChange::Action::kDelete;
  return {};
}

// An operation that is refused may make no sense either, which only its writes would have shown.
Result<void> Attempt::look_for_misfits(Refusal& refusal) {
  for (const auto& [key, each] : subjects_) {
    const auto is_misfit = [](const Expected& expected) {
      return !expected.is_race && expected.error.code == Code::kInvalid;
    };
    if (std::none_of(each->expected.begin(), each->expected.end(), is_misfit)) continue;
    const auto end = layout_.embedding_end(model_, each->entity);
    if (end) {
      TRY(loaded(model_.end(*end).holder, parent_in(model_, each->entity, each->identity, end->other())));
      TRY(settle_child(*each));
    } else {
      TRY(loaded(each->entity, each->identity));
    }
    if (!each->stored) continue;
    const Item item = end ? item_of(each->before.fields) : *each->stored;
    for (const Expected& expected : each->expected) {
      if (is_misfit(expected) && !expected.holds(item)) TRY(refusal.take(expected.error));
    }
  }
  return {};
}

Subject& Attempt::subject(EntityId entity, const Identity& identity) {
  std::unique_ptr<Subject>& found = subjects_[{entity, identity}];
  if (!found) {
    found = std::make_unique<Subject>();
    found->entity = entity;
    found->identity = identity;
    found->after.entity = entity;
    found->after.identity = identity;
  }
  return *found;
}

bool Attempt::protects_embedded(EndId end) const {
  return layout_.storage(end) == model::EndStorage::kEmbeds &&
         model_.relations[end.relation].on_delete == language::OnDelete::kRestrict;
}

// --- Who is touched

Result<void> Attempt::note(const Change& change) {
  using Kind = Change::Kind;
  if (const auto end = layout_.embedding_end(model_, change.entity)) return note_embedded(change, *end);
  if (!layout_.has_items(change.entity) && change.kind != Kind::kLink && change.kind != Kind::kUnlink)
    return Error{Code::kInvalid, model_.entities[change.entity].name + " has no items of its own to write"};
  Subject& self = subject(change.entity, change.identity);
  switch (change.kind) {
    case Kind::kPut:
      self.fate = Subject::Fate::kNew;
      self.made = &change;
      break;
    case Kind::kUpsert:
      self.fate = Subject::Fate::kUpserted;
      self.made = &change;
      for (FieldId id = 0; id < model_.entities[change.entity].fields.size(); ++id) self.fields.insert(id);
      break;
    case Kind::kDelete:
      note_deleted(change, self);
      break;
    case Kind::kSet:
    case Kind::kAdd:
      note_assigned(change, self);
      break;
    case Kind::kRemove:
      note_removed(change, self);
      break;
    case Kind::kLink:
    case Kind::kUnlink:
    case Kind::kCheck:
      break;
  }
  for (const auto& [end, to] : change.ends) note_end(change, end, to);
  return {};
}

void Attempt::note_deleted(const Change& change, Subject& self) {
  self.fate = Subject::Fate::kDeleted;
  for (const EndId end : model_.entities[change.entity].ends) {
    if (protects_embedded(end)) self.is_source = true;
  }
  if (options_.finishes_job.empty() && !plan::dependant_ends(model_, layout_, change.entity).empty()) {
    self.fate = Subject::Fate::kMarked;
    return;
  }
  for (const EndId end : model_.entities[change.entity].ends) {
    if (layout_.is_edge(end) && !model_.end(end).leads_to_many) note_edges(end, change.identity);
  }
}

void Attempt::note_assigned(const Change& change, Subject& self) {
  self.must_exist = true;
  for (const Assigned& assigned : change.assigned) {
    const bool is_add = change.kind == Change::Kind::kAdd;
    const bool is_plain = !is_add && assigned.rest.empty() && assigned.to.inside.empty() &&
                          !std::holds_alternative<OwnField>(assigned.first);
    // Sums of one field add up.
    const bool is_again = std::any_of(self.assigned.begin(), self.assigned.end(), [&](const auto& other) {
      return other.first->to.field == assigned.to.field;
    });
    self.assigned.emplace_back(&assigned, is_add);
    if (is_plain || is_again || !is_blind(change, assigned)) self.fields.insert(assigned.to.field);
    if (!is_plain && self.fields.contains(assigned.to.field)) self.is_source = true;
  }
}

void Attempt::note_removed(const Change& change, Subject& self) {
  self.must_exist = true;
  for (const OwnField& own : change.removed) {
    self.removed.push_back(&own);
    if (own.inside.empty() || !is_blind(change, own)) self.fields.insert(own.field);
    if (!own.inside.empty() && self.fields.contains(own.field)) self.is_source = true;
  }
  for (const EndId end : change.removed_ends) {
    if (layout_.is_edge(end)) {
      note_edges(end, change.identity);
    } else {
      if (!layout_.is_mutual(end)) self.ends.insert(end);
      self.is_source = true;  // to know whom it led to
    }
  }
}

// What it is computed from, or tested on: read with the others.
void Attempt::note_operands(const Change& change) {
  const auto note = [&](const ChangeOperand& operand) {
    if (const auto* stored = std::get_if<StoredValue>(&operand))
      note_source(stored->entity, stored->identity);
  };
  for (const Assigned& assigned : change.assigned) {
    note(assigned.first);
    for (const auto& [mark, operand] : assigned.rest) note(operand);
  }
  for (const auto& [name, stored] : change.edge_operands) note_source(stored.entity, stored.identity);
  for (const Checked& checked : change.checks) {
    for (const ChangeOperand& operand : checked.operands) note(operand);
    const model::FieldPath path{.ends = checked.place->ends, .field = checked.place->field};
    const auto& identity = model_.entities[change.entity].identity;
    const bool is_id = std::find(identity.begin(), identity.end(), path) != identity.end();
    if (!is_id && !is_blind(change, checked)) note_source(change.entity, change.identity);
  }
}

void Attempt::note_source(EntityId entity, const Identity& identity) {
  if (const auto end = layout_.embedding_end(model_, entity)) {
    const Identity parent = parent_in(model_, entity, identity, end->other());
    if (!parent.empty()) subject(model_.end(*end).holder, parent).is_source = true;
  } else if (layout_.has_items(entity)) {
    subject(entity, identity).is_source = true;
  }
}

void Attempt::note_end(const Change& change, EndId end, const Identity& to) {
  const model::StoredRelation& stored = layout_.relations[end.relation];
  const Identity& from = change.identity;
  const bool is_link = change.kind != Change::Kind::kUnlink;
  switch (layout_.storage(end)) {
    case model::EndStorage::kEdge:
      if (change.kind == Change::Kind::kSet || change.kind == Change::Kind::kUpsert ||
          (!is_link && model_.relations[end.relation].has_parallel_edges()))
        note_edges(end, from);
      break;
    case model::EndStorage::kReference:
    case model::EndStorage::kIds:
    case model::EndStorage::kOther: {
      const EndId naming = layout_.naming_end(end);
      Subject& holder = subject(model_.end(naming).holder, naming == end ? from : to);
      if (layout_.storage(naming) != model::EndStorage::kIds) {
        holder.ends.insert(naming);
      } else if (!is_link) {
        // To know where in its list; who is going is not read.
        if (options_.going != std::pair(holder.entity, holder.identity)) holder.is_source = true;
        if (layout_.is_mutual(end)) subject(model_.end(end).target, to).is_source = true;
      }
      break;
    }
    case model::EndStorage::kEntries: {
      Subject& holder = subject(model_.end(end).holder, from);
      Subject& target = subject(model_.end(end).target, to);
      // To know whom it led to, or by how many edges. Who is going is not read.
      const bool is_going = options_.going == std::pair(holder.entity, from);
      if (change.kind == Change::Kind::kSet || change.kind == Change::Kind::kUpsert ||
          (!is_link && model_.relations[end.relation].has_parallel_edges()))
        (is_going ? target : holder).is_source = true;
      break;
    }
    case model::EndStorage::kEmbeds:
    case model::EndStorage::kEmbedded:
      break;
  }
  if (!is_link) return;
  for (const model::CopiedFields& copied : stored.copies) {
    const EndId to_source{.relation = end.relation, .side = copied.side};
    if (to_source == end) subject(model_.end(end).target, to).is_source = true;
    if (to_source == model_.back(end)) subject(model_.end(end).holder, from).is_source = true;
  }
}

void Attempt::note_edges(EndId end, const Identity& from) {
  const bool is_known = std::any_of(edges_read_.begin(), edges_read_.end(), [&](const EdgesRead& read) {
    return read.end == end && read.from == from;
  });
  if (!is_known) edges_read_.push_back({.end = end, .from = from});
}

Result<Subject*> Attempt::parent_of(const Change& change, EndId end) {
  Identity parent = parent_in(model_, change.entity, change.identity, end.other());
  for (const auto& [given, to] : change.ends) {
    if (given == end.other()) parent = to;
  }
  if (parent.empty())
    return Error{Code::kInvalid, with_article(model_.entities[change.entity].name) + " lies in its " +
                                     model_.entities[model_.end(end).holder].name +
                                     " in this layout, and its id does not say in which"};
  return &subject(model_.end(end).holder, parent);
}

Result<void> Attempt::note_embedded(const Change& change, EndId end) {
  using Kind = Change::Kind;
  Subject* const parent = TRY(parent_of(change, end));
  Subject& self = subject(change.entity, change.identity);
  if (change.kind == Kind::kPut) self.made = &change;
  if (change.kind == Kind::kSet || change.kind == Kind::kAdd) note_assigned(change, self);
  if (change.kind == Kind::kRemove) note_removed(change, self);
  const bool is_list = layout_.relations[end.relation].embed_as == language::Via::EmbedAs::kList;
  if ((is_list || self.is_source) && parent->fate != Subject::Fate::kNew) parent->is_source = true;
  const bool is_other =
      change.kind == Kind::kLink || change.kind == Kind::kUnlink || change.kind == Kind::kUpsert;
  if (is_other)
    return Error{Code::kInvalid,
                 "what is embedded can be put, set, changed, checked and deleted, and nothing else"};
  return {};
}

// --- What is stored

Result<void> Attempt::load() {
  std::vector<Subject*> points;
  for (const auto& [key, each] : subjects_) {
    if (each->fate == Subject::Fate::kNew || !layout_.has_items(each->entity)) continue;
    const plan::EntityChange change{.entity = each->entity,
                                    .fields = {each->fields.begin(), each->fields.end()},
                                    .ends = {each->ends.begin(), each->ends.end()},
                                    .is_deleted = each->fate == Subject::Fate::kDeleted,
                                    .is_upserted = each->fate == Subject::Fate::kUpserted};
    const bool is_needed = each->is_source || plan::needs_stored(model_, layout_, change);
    if (!is_needed) continue;
    if (is_point(each->entity)) {
      points.push_back(each.get());
    } else {
      TRY(load_found(*each));
    }
  }
  TRY(load_points(points));
  for (EdgesRead& read : edges_read_) TRY(load_edges(read.end, read.from));
  return {};
}

void Attempt::keep(Subject& subject, ItemView item) {
  const bool is_finished = !options_.finishes_job.empty() && subject.fate == Subject::Fate::kDeleted;
  if (item.find(kDeletingAttribute) && !is_finished && !subject.is_only_released()) return;
  auto decoded = codec_.decode(layout_.kind(subject.entity)->table, item);
  auto* record = decoded ? std::get_if<Record>(&*decoded) : nullptr;
  if (record == nullptr || record->entity != subject.entity || record->identity != subject.identity) return;
  subject.stored = Item(item);
  subject.before = std::move(*record);
  subject.after = subject.before;
}

Result<void> Attempt::load_points(const std::vector<Subject*>& subjects) {
  if (subjects.empty()) return {};
  for (Subject* each : subjects) each->is_loaded = true;
  TableKeys keys;
  for (const Subject* each : subjects) {
    Item key = TRY(codec_.key(each->entity, each->identity));
    keys.emplace_back(layout_.kind(each->entity)->table, std::move(key));
  }
  return get_items(database_, layout_, keys, true, figures_, [&](size_t table, ItemView item) {
    for (Subject* each : subjects) {
      if (layout_.kind(each->entity)->table == table && !each->stored) keep(*each, item);
    }
  });
}

bool Attempt::is_point(EntityId entity) const {
  return plan::has_known_key(model_, layout_, entity) && !layout_.is_by_field(entity);
}

// By an index that says where it is, or from a partition of its own.
Result<void> Attempt::load_found(Subject& subject) {
  subject.is_loaded = true;
  const auto found = TRY(find_item(database_, model_, layout_, subject.entity, subject.identity, figures_));
  if (found) keep(subject, *found);
  return {};
}

Result<void> Attempt::load_late() {
  for (const auto& [key, each] : subjects_) {
    if (each->is_loaded || each->fate != Subject::Fate::kKept || !layout_.has_items(each->entity) ||
        plan::has_known_key(model_, layout_, each->entity))
      continue;
    TRY(load_found(*each));
    if (!each->stored && each->is_only_counted_down()) each->counts.clear();
  }
  return {};
}

Result<void> Attempt::forget_the_going() {
  std::vector<Subject*> counted;
  for (const auto& [key, each] : subjects_) {
    if (!each->is_only_counted_down() || each->is_loaded ||
        !plan::has_known_key(model_, layout_, each->entity))
      continue;
    counted.push_back(each.get());
    if (!is_point(each->entity)) TRY(load_found(*each));
  }
  std::vector<Subject*> points = counted;
  std::erase_if(points, [](const Subject* each) { return each->is_loaded; });
  TRY(load_points(points));
  for (Subject* each : counted) {
    if (!each->stored) each->counts.clear();
  }
  return {};
}

Result<void> Attempt::load_edges(EndId end, const Identity& from) {
  std::vector<FoundEdge> found =
      TRY(find_edges(database_, model_, layout_, end, from, options_.now, figures_));
  EdgesRead& read = *std::find_if(edges_read_.begin(), edges_read_.end(), [&](const EdgesRead& each) {
    return each.end == end && each.from == from;
  });
  for (FoundEdge& each : found) read.edges.push_back(std::move(each.edge));
  return {};
}

// What must follow: copies of what changed, the children of what goes.
void Attempt::add_jobs() {
  for (const auto& [key, each] : subjects_) {
    if (each->fate == Subject::Fate::kMarked) {
      each->job = new_ulid(options_.now);
      jobs_.push_back({.kind = NewJob::Kind::kDelete,
                       .id = each->job,
                       .entity = each->entity,
                       .identity = each->identity});
    }
    if (each->fate != Subject::Fate::kKept) continue;
    const EntityId entity = each->entity;
    bool is_copied = std::any_of(each->fields.begin(), each->fields.end(),
                                 [&](FieldId field) { return layout_.is_copied(model_, entity, field); });
    for (const auto& [assigned, is_add] : each->sums)
      is_copied = is_copied || layout_.is_copied(model_, entity, assigned.to.field);
    if (is_copied)
      jobs_.push_back({.kind = NewJob::Kind::kCopy,
                       .id = new_ulid(options_.now),
                       .entity = each->entity,
                       .identity = each->identity});
  }
}

}  // namespace sheaf::run
