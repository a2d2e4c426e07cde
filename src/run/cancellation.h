// What a reason for which a transaction was cancelled says by itself, whatever was asked for.
#pragma once

#include <optional>
#include <vector>

#include "sheaf/request.h"
#include "sheaf/result.h"

namespace sheaf::run {

// kThroughputExceeded or kThrottled, if it was cancelled by that: asking again later may help.
std::optional<Error> throttling_of(const std::vector<CancellationReason>& reasons);

// kInvalid or kTooLarge, which asking again does not change. Nothing for the others.
std::optional<Error> refusal_of(const CancellationReason& reason);

}  // namespace sheaf::run
