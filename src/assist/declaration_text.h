// Parts of a model as one line of text, for people.
#pragma once

#include <string>
#include <vector>

#include "language/syntax.h"

namespace sheaf::assist {

// (o: Org, n: int?)
std::string text_of(const std::vector<language::Parameter>& parameters);
// Org 1--* User as users / org
std::string heading(const language::Relation& relation);

}  // namespace sheaf::assist
