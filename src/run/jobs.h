// Work that a transaction leaves behind: copies of what it changed, the children of what it deletes. A job is
// an item of the system table, written in that transaction. Whoever holds its lease does it; a lease that
// runs out can be taken by anybody, and every step may be done twice without harm.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "run/attempt.h"

namespace sheaf::run {

struct Job {
  NewJob::Kind kind = NewJob::Kind::kCopy;
  std::string id;
  model::EntityId entity = 0;
  Identity identity;
  int64_t created_ms = 0;
  int64_t lease_until_ms = 0;
  int64_t done = 0;  // items so far
};

Item job_key(const model::Layout& layout, const std::string& id);
Item job_item(const model::Model& model, const model::Layout& layout, const NewJob& job,
              std::chrono::system_clock::time_point now, int64_t lease_until_ms);
// Nothing if the item is none of this model.
std::optional<Job> job_of(const model::Model& model, ItemView item);

// All that wait, oldest first.
Result<std::vector<Job>> list_jobs(Database& database, const model::Model& model,
                                   const model::Layout& layout);

}  // namespace sheaf::run
