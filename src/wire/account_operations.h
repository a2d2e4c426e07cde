// What DynamoDB tells of an account and its surroundings: DescribeLimits, DescribeEndpoints and
// DescribeContinuousBackups.
#pragma once

#include "wire/operation.h"

namespace sheaf::wire {

extern const Shape kDescribeLimitsShape, kDescribeEndpointsShape, kDescribeContinuousBackupsShape;

void describe_limits(Call call, const Input& input);
void describe_endpoints(Call call, const Input& input);
void describe_continuous_backups(Call call, const Input& input);

}  // namespace sheaf::wire
