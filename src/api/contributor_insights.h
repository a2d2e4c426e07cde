// Contributor Insights as DynamoDB describes, lists and updates them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/table.h"

#include "engine/engine.h"

namespace sheaf::api {

Result<ContributorInsights> describe_contributor_insights(engine::Engine& engine,
                                                          const DescribeContributorInsights& request);

struct InsightsUpdated {
  ContributorInsights now;
  bool changed = false;
};
Result<InsightsUpdated> update_contributor_insights(engine::Engine& engine,
                                                    const UpdateContributorInsights& request);

// Those that are on behind (after_table, after_index), in the order of Database::list_contributor_insights.
struct ListInsights {
  std::string table;  // empty: of all
  std::string after_table;
  std::string after_index;
  uint32_t count_max = UINT32_MAX;
};
struct ListedInsights {
  std::vector<ContributorInsights> insights;
  bool more = false;
};
Result<ListedInsights> list_contributor_insights(engine::Engine& engine, const ListInsights& request);

}  // namespace sheaf::api
