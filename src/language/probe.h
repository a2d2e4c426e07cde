// Asks the parser what could stand at the end of a text that is still being written.
#pragma once

#include <string>
#include <vector>

#include "language/diagnostic.h"
#include "language/source_text.h"
#include "language/syntax.h"

namespace sheaf::language {

// What the parser looked for there. Nothing, if it had lost its way before.
struct Probe {
  std::vector<std::string> words;  // keywords
  std::vector<std::string> marks;
  std::vector<std::string>
      kinds;  // what else, as messages say it: "an entity", "a key template in double quotes"

  bool has_kind(std::string_view kind) const;
};

// Reads `source`, which ends where somebody writes. A name, or a string without an end, that it ends with is
// what is being written, and not read. The last declaration of the result may be incomplete.
Model parse(const SourceText& source, Diagnostics& diagnostics, Probe& probe);

}  // namespace sheaf::language
