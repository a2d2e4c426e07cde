// Stretches of time that share a partition: years, months, days or hours, as <at:month> says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "language/syntax.h"

namespace sheaf::model {

class TimeBuckets {
 public:
  using Format = language::Hole::Format;

  // kYear, kMonth, kDay or kHour.
  explicit TimeBuckets(Format format) : format_(format) {}
  static bool is_one(Format format);

  // How many bytes of a time its bucket is: 2026-11-15T10.
  size_t bytes() const;
  // month
  std::string_view name() const;
  // In which bucket a time or a date lies, counted without gaps. A bucket's own text will do.
  int64_t number(std::string_view time) const;
  std::string text(int64_t number) const;

 private:
  const Format format_;
};

}  // namespace sheaf::model
