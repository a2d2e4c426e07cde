// UpdateContributorInsights, DescribeContributorInsights and ListContributorInsights as DynamoDB's JSON.
#pragma once

#include "wire/operation.h"

namespace sheaf::wire {

extern const Shape kUpdateContributorInsightsShape, kDescribeContributorInsightsShape,
    kListContributorInsightsShape;

void update_contributor_insights(Call call, const Input& input);
void describe_contributor_insights(Call call, const Input& input);
void list_contributor_insights(Call call, const Input& input);

// As requests and answers call it.
std::string_view insights_mode_name(InsightsMode mode);

}  // namespace sheaf::wire
