// How patterns and operations are carried out in each layout, in Markdown.
#pragma once

#include <string>
#include <string_view>

#include "assist/document.h"

namespace sheaf::assist {

// Empty if the model has mistakes: then nothing is planned.
std::string pattern_plans(const Document& document, std::string_view name);
std::string operation_plans(const Document& document, std::string_view name);

}  // namespace sheaf::assist
