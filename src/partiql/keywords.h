// The words that PartiQL reserves: as names they have to be quoted.
#pragma once

#include <string_view>

namespace sheaf::partiql {

// `word` in lower case.
bool is_reserved(std::string_view word);

}  // namespace sheaf::partiql
