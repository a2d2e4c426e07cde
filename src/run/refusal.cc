#include "run/refusal.h"

namespace sheaf::run {
namespace {

constexpr int kNone = 3;

int rank_of(Code code) {
  switch (code) {
    case Code::kInvalid:
      return 0;
    case Code::kNotFound:
      return 1;
    case Code::kInUse:
    case Code::kConflict:
      return 2;
    default:
      return kNone;
  }
}

}  // namespace

Result<void> Refusal::take(const Result<void>& result) {
  if (result.ok()) return {};
  const int rank = rank_of(result.error().code);
  if (rank == kNone) return result.error();
  if (!error_ || rank < rank_of(error_->code)) error_ = result.error();
  return {};
}

}  // namespace sheaf::run
