// Times as a command line says them: 30s, 10m, 12h, 5d.
#pragma once

#include <string>

#include "sheaf/result.h"

namespace sheaf::cmd {

// In seconds, from `least` on. kInvalid, with the option's name and what to write.
Result<double> read_duration(const std::string& option, const std::string& text, double least = 0);

}  // namespace sheaf::cmd
