// What the linter is told beside the model: how grave rules are, and where they draw their lines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "lint/finding.h"
#include "lint/limits.h"

namespace sheaf::lint {

struct Options {
  Limits limits;
  // By rule; nothing: it is off.
  std::map<std::string, std::optional<Severity>, std::less<>> severities;
};

// RULE=off|note|warning|error. kInvalid, with what there is instead, if there is no such rule or severity, or
// if the rule tells mistakes, which are errors always.
Result<void> set_severity(Options& options, std::string_view assignment);
// NAME=VALUE, of limit_names(); the value is a whole number from 1 on.
Result<void> set_limit(Options& options, std::string_view assignment);
// {"severities": {"RULE": "off"}, "limits": {"collection-items": 5000}}; either may be left out.
Result<void> read_options(Options& options, std::string_view json);

}  // namespace sheaf::lint
