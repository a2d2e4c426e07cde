// A check, in the transaction of a write, that what it was made from is as it was read.
#pragma once

#include <vector>

#include "migrate/side.h"
#include "run/companion.h"

namespace sheaf::migrate {

class SourceCheck : public run::Companion {
 public:
  explicit SourceCheck(const std::vector<SourceItem>& sources) : sources_(sources) {}

  Result<std::vector<run::NewJob>> join(const std::vector<run::Change>& changes,
                                        const run::AttemptOptions& attempt, run::Transaction& transaction,
                                        run::Figures& figures) const override;
  // In vain: it must be read anew.
  Result<void> catch_up(const std::vector<run::Change>& changes) const override;
  Result<void> work(const std::vector<run::NewJob>&, run::WriteReply&) const override { return {}; }

 private:
  const std::vector<SourceItem>& sources_;
};

}  // namespace sheaf::migrate
