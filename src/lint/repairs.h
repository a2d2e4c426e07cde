// Applies the repairs that findings propose.
#pragma once

#include <string>
#include <vector>

#include "lint/finding.h"
#include "lint/options.h"

namespace sheaf::lint {

struct Repaired {
  std::string text;
  struct Done {
    Finding finding;
    bool helped = false;  // or nothing of it is in the text
  };
  std::vector<Done> tried;

  size_t count() const;
};

// Tries each repair by itself, in the layouts that are named (all if none is). It stays in the text if the
// model can then be used as before, what it mends is gone, and there is no finding that was not there
// before. Everything else of the text stays as it is, comments among it. The text must be without mistakes.
Repaired repair(const std::string& name, std::string text, const std::vector<std::string>& layouts,
                const Options& options);

}  // namespace sheaf::lint
