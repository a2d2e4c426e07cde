// What could mend a mistake, read from what it says of itself. Not all of it does.
#pragma once

#include <vector>

#include "assist/fixes.h"

namespace sheaf::assist {

std::vector<Fix> fix_candidates(const Document& document, const language::Diagnostic& diagnostic);

}  // namespace sheaf::assist
