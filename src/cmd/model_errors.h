// sheaf model errors: what the ids of mistakes mean.
#pragma once

#include <string>

namespace sheaf::cmd {

// The page of one id; of none, all ids with what they mean. Returns the exit status.
int print_errors(const std::string& id, bool as_json);

}  // namespace sheaf::cmd
