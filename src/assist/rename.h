// Gives things other names.
#pragma once

#include <string>
#include <vector>

#include "sheaf/result.h"

#include "assist/document.h"

namespace sheaf::assist {

// The name at `offset`, if it can be changed; as it is written, with its backquotes.
std::optional<language::Span> renamable(const Document& document, uint32_t offset);

// The edits that give what is named at `offset` the name `name`, wherever it is meant. `name` is without
// backquotes; where they are needed they are put around it. kInvalid, with a message for people, if there is
// nothing to rename, if it is no name, or if the model would mean something else or have new mistakes: the
// name is taken.
Result<std::vector<TextEdit>> rename(const Document& document, uint32_t offset, std::string_view name);

}  // namespace sheaf::assist
