// How often and how soon a question is asked again, as AWS's SDKs do it: exponential backoff with full
// jitter.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sheaf::remote {

struct RetryPolicy {
  uint32_t attempts_max = 8;  // the first included; at least 1
  int64_t first_delay_us = 25'000;
  int64_t delay_us_max = 20'000'000;
};

// How long to wait behind the `failed`th attempt, from 1. `chance` is from 0 to 1: clients that were refused
// together do not come back together.
inline int64_t retry_delay_us(const RetryPolicy& policy, uint32_t failed, double chance) {
  const uint32_t doublings = std::min<uint32_t>(failed - 1, 30);
  const int64_t delay_us = policy.first_delay_us > policy.delay_us_max >> doublings
                               ? policy.delay_us_max
                               : policy.first_delay_us << doublings;
  return static_cast<int64_t>(static_cast<double>(delay_us) * chance);
}

}  // namespace sheaf::remote
