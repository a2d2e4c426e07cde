// Rules for a table without a model: what its items tell.
#pragma once

#include <vector>

#include "lint/options.h"
#include "lint/report.h"
#include "lint/table_statistics.h"

namespace sheaf::lint {

// So many items must have been read before something is told of them.
inline constexpr int64_t kSampleItemsMin = 100;

std::vector<RuleText> table_rules();
std::vector<Finding> lint_table(const TableStatistics& statistics, const Options& options);

}  // namespace sheaf::lint
