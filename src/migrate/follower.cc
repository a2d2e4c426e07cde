#include "migrate/follower.h"

#include "base/try.h"

namespace sheaf::migrate {

using model::EndId;
using run::Change;

Result<std::vector<run::NewJob>> Follower::join(const std::vector<Change>& changes,
                                                const run::AttemptOptions& options,
                                                run::Transaction& transaction, run::Figures& figures) const {
  const std::vector<Change> translated = there_.changes(changes);
  run::Attempt attempt(side_.database(), side_.model(), side_.layout(), translated, options, figures);
  const Result<void> prepared = attempt.prepare();
  if (!prepared.ok())
    return Error{prepared.error().code == Code::kNotFound ? Code::kConflict : prepared.error().code,
                 "the layout " + side_.layout().name +
                     ", to or from which the model is moved, refuses: " + prepared.error().message};
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
