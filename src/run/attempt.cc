#include "run/attempt.h"

#include <algorithm>

#include "base/article.h"
#include "base/try.h"
#include "plan/write_needs.h"
#include "run/document.h"
#include "run/found_edges.h"
#include "run/guards.h"
#include "run/jobs.h"
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
  for (const Change& change : changes_) TRY(note(change));
  TRY(load());
  for (const Change& change : changes_) TRY(apply(change));
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
      break;
    case Kind::kUpsert:
      self.fate = Subject::Fate::kUpserted;
      for (FieldId id = 0; id < model_.entities[change.entity].fields.size(); ++id) self.fields.insert(id);
      break;
    case Kind::kDelete:
      self.fate = Subject::Fate::kDeleted;
      for (const EndId end : model_.entities[change.entity].ends) {
        if (protects_embedded(end)) self.is_source = true;
      }
      if (options_.finishes_job.empty() && !plan::dependant_ends(model_, layout_, change.entity).empty()) {
        self.fate = Subject::Fate::kMarked;
        break;
      }
      for (const EndId end : model_.entities[change.entity].ends) {
        if (layout_.is_edge(end) && !model_.end(end).leads_to_many) note_edges(end, change.identity);
      }
      break;
    case Kind::kSet:
    case Kind::kAdd:
      for (const Assigned& assigned : change.assigned) {
        const bool is_sum = change.kind == Kind::kAdd || !assigned.rest.empty() ||
                            !std::holds_alternative<Value>(assigned.first) || !assigned.to.inside.empty();
        const bool is_in_key = plan::is_in_some_key(layout_, change.entity, assigned.to.field) ||
                               uses_elsewhere(change, assigned);
        const bool is_product = std::any_of(assigned.rest.begin(), assigned.rest.end(),
                                            [](const auto& term) { return term.first == '*'; });
        if (!is_sum || is_in_key || is_product) self.fields.insert(assigned.to.field);
        if (is_sum && (is_in_key || is_product)) self.is_source = true;  // what is stored must be known
      }
      break;
    case Kind::kRemove:
      self.must_exist = true;
      for (const OwnField& own : change.removed) {
        if (own.inside.empty()) self.fields.insert(own.field);
      }
      for (const EndId end : change.removed_ends) {
        if (layout_.is_edge(end)) {
          note_edges(end, change.identity);
        } else {
          if (!layout_.is_mutual(end)) self.ends.insert(end);
          self.is_source = true;  // to know whom it led to
        }
      }
      break;
    case Kind::kLink:
    case Kind::kUnlink:
    case Kind::kCheck:
      break;
  }
  for (const auto& [end, to] : change.ends) note_end(change, end, to);
  return {};
}

// What a key holds, or another item, is not in the item a second time: an update cannot add it up.
bool Attempt::uses_elsewhere(const Change& change, const Assigned& assigned) const {
  const auto uses = [&](const std::variant<Value, OwnField>& operand) {
    const auto* own = std::get_if<OwnField>(&operand);
    if (own == nullptr) return false;
    const bool is_apart = layout_.is_by_field(change.entity) && own->field != assigned.to.field;
    return is_apart || plan::is_in_some_key(layout_, change.entity, own->field);
  };
  return uses(assigned.first) || std::any_of(assigned.rest.begin(), assigned.rest.end(),
                                             [&](const auto& term) { return uses(term.second); });
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
  Subject* const parent = TRY(parent_of(change, end));
  const bool is_list = layout_.relations[end.relation].embed_as == language::Via::EmbedAs::kList;
  if (is_list && parent->fate != Subject::Fate::kNew) parent->is_source = true;
  const bool is_other = change.kind == Change::Kind::kLink || change.kind == Change::Kind::kUnlink ||
                        change.kind == Change::Kind::kCheck || change.kind == Change::Kind::kUpsert;
  if (is_other)
    return Error{Code::kInvalid, "what is embedded can be put, set, changed and deleted, and nothing else"};
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
