#include "migrate/follower.h"

#include <algorithm>

#include "base/try.h"
#include "run/document.h"
#include "run/guards.h"
#include "run/system_table.h"
#include "run/value_check.h"

namespace sheaf::migrate {

using model::EndId;
using run::Change;

namespace {

// Once a transaction failed, what the follower itself has against it is asked for, instead of taking it for
// a race.
constexpr int kTriesInGoodFaith = 1;

std::string names_of(const model::Model& model, const std::vector<Change>& changes) {
  std::vector<std::string> names;
  for (const Change& change : changes) {
    std::string name = model.entities[change.entity].name + " " + run::shown(change.identity);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text;
}

std::optional<std::string> misfit_in(const std::vector<model::Field>& fields, const run::Fields& values) {
  for (const model::Field& field : fields) {
    const auto value = values.find(field.name);
    if (value == values.end()) continue;
    if (const auto why = run::misfit(value->second, field)) return "the field " + field.name + " " + *why;
  }
  return std::nullopt;
}

// Who asked has checked it against the leader's model, which may allow more.
std::optional<std::string> why_unfit(const model::Model& model, const Change& change) {
  const std::vector<model::Field>& fields = model.entities[change.entity].fields;
  if (change.kind == Change::Kind::kPut || change.kind == Change::Kind::kUpsert) {
    for (const model::Field& field : fields) {
      if (field.tells_presence() && !change.fields.contains(field.name))
        return "the field " + field.name + " is missing";
    }
  }
  if (const auto why = misfit_in(fields, change.fields)) return why;
  for (const run::Assigned& assigned : change.assigned) {
    const auto* const value = std::get_if<Value>(&assigned.first);
    if (change.kind != Change::Kind::kSet || value == nullptr || !assigned.rest.empty() ||
        !assigned.to.inside.empty())
      continue;
    const model::Field& field = fields[assigned.to.field];
    if (const auto why = run::misfit(*value, field)) return "the field " + field.name + " " + *why;
  }
  for (const run::OwnField& removed : change.removed) {
    if (removed.inside.empty() && !fields[removed.field].is_optional)
      return "the field " + fields[removed.field].name + " must be there";
  }
  for (const EndId end : change.removed_ends) {
    if (model.end(end).is_required) return "the end " + model.end(end).name + " must be there";
  }
  if (change.ends.empty()) return std::nullopt;
  return misfit_in(model.relations[change.ends.front().first.relation].edge_fields, change.edge_fields);
}

// A check that always fails.
run::ItemChange never(const model::Model& model) {
  run::ItemChange change{
      .table = run::system_table_name(model), .key = run::system_key("never", "never"), .pk_name = "pk"};
  change.expect({.kind = run::Expected::Kind::kExists, .is_race = true});
  return change;
}

}  // namespace

Error Follower::refusal(const std::vector<Change>& changes, const Error& why) const {
  return {why.code == Code::kNotFound ? Code::kConflict : why.code,
          "the layout " + side_.layout().name + ", to or from which the model is moved, refuses " +
              names_of(side_.model(), changes) + ": " + why.message};
}

Result<std::vector<run::NewJob>> Follower::join(const std::vector<Change>& changes,
                                                const run::AttemptOptions& options,
                                                run::Transaction& transaction, run::Figures& figures) const {
  const std::vector<Change> translated = there_.changes(changes);
  for (const Change& change : translated) {
    if (const auto why = why_unfit(side_.model(), change))
      return refusal({change}, {Code::kInvalid, *why + "; wait until the move is finished or taken back"});
  }
  run::Attempt attempt(side_.database(), side_.model(), side_.layout(), translated, options, figures);
  const Result<void> prepared = attempt.prepare();
  if (!prepared.ok()) return refusal(translated, prepared.error());
  if (options.tries >= kTriesInGoodFaith) {
    const Result<void> rehearsed =
        attempt.transaction().rehearse(side_.database(), figures, never(side_.model()));
    if (!rehearsed.ok()) return refusal(translated, rehearsed.error());
  }
  transaction.join(std::move(attempt.transaction()));
  return attempt.jobs();
}

Result<void> Follower::copy(Sync& sync, model::EntityId entity, const run::Identity& identity) const {
  if (!leader_.finds(entity) || !there_.has(entity)) return {};
  TRY(sync.entity(entity, identity));
  const model::EntityId there = there_.entity(entity);
  if (!side_.finds(there)) return {};
  const Sight sight = TRY(side_.find(there, identity));
  if (sight.entity) TRY(sync.surplus(back_, *sight.entity));
  return {};
}

Result<void> Follower::catch_up(const std::vector<Change>& changes) const {
  Sync sync(leader_, side_, there_, writer_);
  for (const Change& change : changes) {
    TRY(copy(sync, change.entity, change.identity));
    for (const auto& [end, to] : change.ends) {
      if (!there_.has(end)) continue;
      TRY(copy(sync, leader_.model().end(end).target, to));
      run::Edge edge{.relation = end.relation};
      edge.ends[end.side] = to;
      edge.ends[1 - end.side] = change.identity;
      TRY(sync.edges(edge));
      const EndId theirs = there_.end(end);
      run::Edge translated{.relation = theirs.relation};
      translated.ends[theirs.side] = to;
      translated.ends[1 - theirs.side] = change.identity;
      const Side::FoundLinks found = TRY(side_.find_links(theirs, change.identity, to));
      if (!found.fields.empty()) TRY(sync.surplus(back_, translated));
    }
  }
  return {};
}

Result<void> Follower::work(const std::vector<run::NewJob>& jobs, run::WriteReply& reply) const {
  const Result<void> done = writer_.work(jobs, reply);
  // A deletion that is refused there is refused by the leader.
  if (!done.ok() && done.error().code != Code::kInUse) return done.error();
  return {};
}

}  // namespace sheaf::migrate
