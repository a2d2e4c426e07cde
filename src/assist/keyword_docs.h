// One sentence about each word of the language.
#pragma once

#include <string_view>

namespace sheaf::assist {

// Empty for what is no keyword.
std::string_view keyword_doc(std::string_view word);

}  // namespace sheaf::assist
