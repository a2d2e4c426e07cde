// The job that deletes an entity with all that depends on it: children before the parent.
#include <algorithm>

#include "base/try.h"
#include "plan/related.h"
#include "plan/write_needs.h"
#include "run/guards.h"
#include "run/job_worker.h"
#include "run/system_table.h"

namespace sheaf::run {

using model::EndId;
using OnDelete = language::OnDelete;

Result<void> JobWorker::erase(const Job& job, WriteReply& reply) {
  std::string deleting;
  const std::optional<Record> record = TRY(read(job.entity, job.identity, &deleting));
  if (!record || deleting != job.id) return finish(job);
  const bool refused = TRY(is_refused(job, *record));
  if (refused) {
    TRY(unmark(job));
    return Error{Code::kInUse, "the " + model_.entities[job.entity].name + " " + shown(job.identity) +
                                   " still has others that depend on it"};
  }
  for (const EndId end : plan::dependant_ends(model_, layout_, job.entity))
    TRY(layout_.is_mutual(end) ? release_named(job, end, *record, reply)
                               : release_dependants(job, end, reply));
  Change change{.kind = Change::Kind::kDelete, .entity = job.entity, .identity = job.identity};
  AttemptOptions options{.finishes_job = job.id};
  const Result<WriteReply> done = writer_.run({std::move(change)}, std::move(options), nullptr);
  if (!done.ok()) {
    // Somebody else has finished it.
    if (done.error().code == Code::kNotFound) return finish(job);
    return done.error();
  }
  return {};
}

// Whether somebody is there whom `restrict` protects. Nobody can come any more: links to what is marked fail.
Result<bool> JobWorker::is_refused(const Job& job, const Record& record) {
  for (const EndId end : plan::dependant_ends(model_, layout_, job.entity)) {
    if (model_.relations[end.relation].on_delete != OnDelete::kRestrict || end.side != 0) continue;
    if (layout_.is_mutual(end)) {
      const auto named = record.references.find(end);
      if (named != record.references.end() && !named->second.empty()) return true;
      continue;
    }
    bool is_there = false;
    const OnItem on_item = [&](size_t, ItemView) -> Result<bool> {
      is_there = true;
      return true;
    };
    TRY(each_related(end, job.identity, job, on_item, nullptr));
    if (is_there) return true;
  }
  return false;
}

Result<void> JobWorker::unmark(const Job& job) {
  Item key = TRY(codec_.key(job.entity, job.identity));
  const model::Table& table = layout_.tables[layout_.kind(job.entity)->table];
  Transaction transaction;
  ItemChange& change = transaction.change(table.name, table.pk.name, key);
  change.action = ItemChange::Action::kUpdate;
  change.remove(kDeletingAttribute);
  change.expect({.kind = Expected::Kind::kEquals,
                 .path = {std::string(kDeletingAttribute)},
                 .values = {Value(job.id)},
                 .is_race = true});
  transaction.change(system_table_name(model_), "pk", job_key(layout_, job.id)).action =
      ItemChange::Action::kDelete;
  Figures unused;
  TRY(transaction.commit(database_, unused));
  return {};
}

Result<void> JobWorker::release_dependants(const Job& job, EndId end, WriteReply& reply) {
  while (true) {
    const int64_t begun_ms = writer_.now_ms();
    bool is_strong = false;
    const OnItem on_item = [&](size_t table, ItemView item) -> Result<bool> {
      return release(job, end, table, item, reply);
    };
    const uint64_t found = TRY(each_related(end, job.identity, job, on_item, &is_strong));
    TRY(renew(job));
    const bool is_late = begun_ms < job.created_ms + writer_.options_.index_lag.count();
    if (found == 0 && (is_strong || !is_late)) return {};
    if (found == 0 || !is_strong) writer_.options_.pause(0);
  }
}

// Those whom its own item names, and who name it. Nobody can come any more.
Result<void> JobWorker::release_named(const Job& job, EndId end, const Record& record, WriteReply& reply) {
  const auto named = record.references.find(end);
  if (named == record.references.end()) return {};
  for (const Identity& other : named->second) {
    TRY(release(job, end, other, true, reply));
    TRY(renew(job));
  }
  return {};
}

// One child or edge. False if it can be left alone: it is going itself, by a job of its own.
Result<bool> JobWorker::release(const Job& job, EndId end, size_t table, ItemView item, WriteReply& reply) {
  const auto decoded = codec_.decode(table, item);
  if (!decoded || item.find(kDeletingAttribute)) return false;
  Identity other;
  const bool is_edge = std::holds_alternative<Edge>(*decoded);
  if (is_edge) {
    other = std::get<Edge>(*decoded).ends[end.side];
  } else {
    other = std::get<Record>(*decoded).identity;
  }
  return release(job, end, other, is_edge, reply);
}

Result<bool> JobWorker::release(const Job& job, EndId end, const Identity& other, bool is_edge,
                                WriteReply& reply) {
  const model::Relation& relation = model_.relations[end.relation];
  const bool is_parent = end.side == 0 && relation.cardinality != language::Cardinality::kManyToMany;
  const bool is_cascade = is_parent && relation.on_delete == OnDelete::kCascade;
  const AttemptOptions options{.going = std::pair(job.entity, job.identity)};
  Change unlink{.kind = Change::Kind::kUnlink, .entity = model_.end(end).holder, .identity = job.identity};
  unlink.ends.emplace_back(end, other);
  const Change erase{.kind = Change::Kind::kDelete, .entity = model_.end(end).target, .identity = other};
  const Result<WriteReply> done = writer_.run({is_cascade ? erase : unlink}, options, nullptr);
  if (done.ok()) {
    reply.deleted += done->deleted + (is_cascade ? 1 : 0);
    reply.copies += done->copies;
    reply.pending += done->pending;
    return true;
  }
  if (done.error().code != Code::kNotFound) return done.error();
  // It is going, or gone; or an index still shows what is not so any more.
  std::string deleting;
  if (layout_.kind(erase.entity) != nullptr) TRY(read(erase.entity, other, &deleting));
  if (!deleting.empty() && !is_edge) return false;
  if (is_edge && is_cascade) {
    // Nobody would remove the edge with it.
    const Result<WriteReply> removed = writer_.run({unlink}, options, nullptr);
    if (!removed.ok() && removed.error().code != Code::kNotFound) return removed.error();
  }
  return true;
}

}  // namespace sheaf::run
