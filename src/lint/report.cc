#include "lint/report.h"

#include <algorithm>

namespace sheaf::lint {

bool Report::fails() const {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& each) { return fails(each); });
}

const RuleText* Report::rule(std::string_view id) const {
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const RuleText& rule) { return rule.id == id; });
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace sheaf::lint
