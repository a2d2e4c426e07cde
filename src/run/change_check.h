// What an operation is refused for in every layout alike: what makes no sense whatever is stored, before
// anything is read; and, of several reasons that lie in what is stored, that somebody is not there.
#pragma once

#include <chrono>
#include <vector>

#include "sheaf/database.h"

#include "run/change.h"

namespace sheaf::run {

// kInvalid if nothing that may be stored would let it happen: who must have an end is made without it,
// somebody is linked to itself, a link lacks a field, a time lies before its beginning or in the future.
Result<void> check_changes(const model::Model& model, const std::vector<Change>& changes,
                           std::chrono::system_clock::time_point now);

// kNotFound if somebody whom the changes need is not there, or is being deleted. For operations that failed:
// layouts find out in different orders what is wrong.
Result<void> check_there(Database& database, const model::Model& model, const model::Layout& layout,
                         const std::vector<Change>& changes);

}  // namespace sheaf::run
