// What else is written in the transaction of an operation, by who keeps something in step with it: a second
// layout while a model moves to it.
#pragma once

#include <vector>

#include "run/attempt.h"
#include "run/change.h"
#include "run/item_change.h"

namespace sheaf::run {

struct WriteReply;

// Thread-safe.
class Companion {
 public:
  virtual ~Companion() = default;

  // Adds to the transaction what the changes ask for, and returns the work that this leaves behind. An error:
  // it cannot now; the operation is tried again after `catch_up`, and fails with it if that is in vain.
  virtual Result<std::vector<NewJob>> join(const std::vector<Change>& changes, const AttemptOptions& attempt,
                                           Transaction& transaction, Figures& figures) const = 0;
  // Brings itself to where the changes can be made.
  virtual Result<void> catch_up(const std::vector<Change>& changes) const = 0;
  // Does that work. The transaction is done.
  virtual Result<void> work(const std::vector<NewJob>& jobs, WriteReply& reply) const = 0;
};

}  // namespace sheaf::run
