// How long requests took, in classes.
#pragma once

#include <array>
#include <cstdint>

#include "server/prometheus_text.h"

namespace sheaf::server {

class LatencyHistogram {
 public:
  void add(uint64_t took_us);
  void add(const LatencyHistogram& other);
  // The lines of one metric that have these labels.
  void append_to(PrometheusText& text, const Labels& labels) const;

 private:
  // Upper ends of the classes, in microseconds; one more class is behind the last.
  static constexpr std::array<uint64_t, 16> kClassEndsUs = {
      25,     50,     100,    250,     500,     1'000,   2'500,     5'000,
      10'000, 25'000, 50'000, 100'000, 250'000, 500'000, 1'000'000, 5'000'000};

  std::array<uint64_t, kClassEndsUs.size() + 1> counts_{};
  uint64_t sum_us_ = 0;
};

}  // namespace sheaf::server
