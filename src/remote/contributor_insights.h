// Contributor Insights as DynamoDB's JSON: requests, and answers. kCorrupt if one cannot be read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sheaf/table.h"

#include "remote/answer_reader.h"

namespace sheaf::remote {

std::string to_json(const UpdateContributorInsights& request);
std::string to_json(const DescribeContributorInsights& request);

// DescribeContributorInsights. What is being turned on is on; what could not be is off.
Result<ContributorInsights> read_insights(Json json);

struct InsightsPage {
  std::vector<ContributorInsights> insights;  // those that are on
  std::string next_token;                     // empty: there are no more
};
// ListContributorInsights
Result<InsightsPage> read_insights_page(Json json);

}  // namespace sheaf::remote
