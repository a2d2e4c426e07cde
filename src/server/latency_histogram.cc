#include "server/latency_histogram.h"

#include <algorithm>

namespace sheaf::server {

void LatencyHistogram::add(uint64_t took_us) {
  const auto latency_class = std::lower_bound(kClassEndsUs.begin(), kClassEndsUs.end(), took_us);
  ++counts_[static_cast<size_t>(latency_class - kClassEndsUs.begin())];
  sum_us_ += took_us;
}

void LatencyHistogram::add(const LatencyHistogram& other) {
  for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  sum_us_ += other.sum_us_;
}

void LatencyHistogram::append_to(PrometheusText& text, const Labels& labels) const {
  uint64_t count = 0;
  for (size_t i = 0; i < kClassEndsUs.size(); ++i) {
    count += counts_[i];
    text.bucket(labels, static_cast<double>(kClassEndsUs[i]) / 1e6, count);
  }
  count += counts_.back();
  text.end_histogram(labels, count, static_cast<double>(sum_us_) / 1e6);
}

}  // namespace sheaf::server
