#include "run/cancellation.h"

namespace sheaf::run {

using ReasonCode = CancellationReason::Code;

std::optional<Error> throttling_of(const std::vector<CancellationReason>& reasons) {
  for (const CancellationReason& reason : reasons) {
    if (reason.code == ReasonCode::kThroughputExceeded)
      return Error{Code::kThroughputExceeded, reason.message};
    if (reason.code == ReasonCode::kThrottled) return Error{Code::kThrottled, reason.message};
  }
  return std::nullopt;
}

std::optional<Error> refusal_of(const CancellationReason& reason) {
  switch (reason.code) {
    case ReasonCode::kNotFound:
    case ReasonCode::kDuplicateItem:
    case ReasonCode::kValidationError:
      return Error{Code::kInvalid, reason.message};
    case ReasonCode::kCollectionTooLarge:
      return Error{Code::kTooLarge, reason.message};
    default:
      return std::nullopt;
  }
}

}  // namespace sheaf::run
