// Lags as a command line says them: TABLE=MS or TABLE=MIN-MAX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/table.h"

namespace sheaf::cmd {

// kInvalid, with `option` and what is wrong with one of the texts, or with all of them together.
Result<std::vector<Lag>> read_lags(std::string_view option, const std::vector<std::string>& texts);

}  // namespace sheaf::cmd
