// A second layout that every operation is carried out in, too, in the same transaction.
#pragma once

#include <vector>

#include "migrate/side.h"
#include "migrate/sync.h"
#include "migrate/translation.h"
#include "run/companion.h"
#include "run/writer.h"

namespace sheaf::migrate {

class Follower : public run::Companion {
 public:
  // `writer` is the follower's. All outlive it.
  Follower(const Side& leader, const Side& side, const Translation& there, const Translation& back,
           const run::Writer& writer)
      : leader_(leader), side_(side), there_(there), back_(back), writer_(writer) {}

  // Refuses what its own model does not hold: the leader's may allow more.
  Result<std::vector<run::NewJob>> join(const std::vector<run::Change>& changes,
                                        const run::AttemptOptions& attempt, run::Transaction& transaction,
                                        run::Figures& figures) const override;
  // Copies whom the changes touch from the leader.
  Result<void> catch_up(const std::vector<run::Change>& changes) const override;
  Result<void> work(const std::vector<run::NewJob>& jobs, run::WriteReply& reply) const override;

 private:
  Error refusal(const std::vector<run::Change>& changes, const Error& why) const;
  Result<void> copy(Sync& sync, model::EntityId entity, const run::Identity& identity) const;

  const Side& leader_;
  const Side& side_;
  const Translation& there_;
  const Translation& back_;
  const run::Writer& writer_;
};

}  // namespace sheaf::migrate
