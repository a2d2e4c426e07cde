// UpdateTimeToLive and DescribeTimeToLive as DynamoDB's JSON.
#pragma once

#include "wire/operation.h"

namespace sheaf::wire {

extern const Shape kUpdateTimeToLiveShape, kDescribeTimeToLiveShape;

void update_time_to_live(Call call, const Input& input);
void describe_time_to_live(Call call, const Input& input);

}  // namespace sheaf::wire
