#include "traffic/token_bucket.h"

#include <algorithm>

namespace sheaf::traffic {

void TokenBucket::fill(int64_t rate, int64_t now_us) {
  const Level full = kMicro * rate * seconds_;
  if (at_us_ == 0) {
    level_ = full;
    at_us_ = now_us;
  } else if (now_us > at_us_) {
    level_ += Level{rate_} * (now_us - at_us_);
    at_us_ = now_us;
  }
  rate_ = rate;
  level_ = std::min(level_, full);
}

bool TokenBucket::has_some(int64_t rate, int64_t now_us) {
  fill(rate, now_us);
  return level_ > 0;
}

}  // namespace sheaf::traffic
