// The reason for which an operation is refused, if there are several.
#pragma once

#include <optional>

#include "sheaf/result.h"

namespace sheaf::run {

// Keeps the first of the most important kind: that the operation makes no sense, that something does not
// exist, then others.
class Refusal {
 public:
  // Fails if the error is no refusal: the request to the database failed.
  Result<void> take(const Result<void>& result);
  // The error that was kept, if there is one.
  Result<void> result() const { return error_ ? Result<void>(*error_) : Result<void>(); }
  bool empty() const { return !error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace sheaf::run
