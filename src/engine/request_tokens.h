// Idempotency tokens of transactions. A token is a row that is guarded absent in the transaction's own batch;
// rows are grouped by ten minutes, so that old ones are dropped in bulk.
#pragma once

#include <cstdint>
#include <string>

#include "engine/write_items.h"
#include "store/store.h"

namespace sheaf::engine {

// Whether `token` was used within its lifetime for the same request: then nothing is to be done. Otherwise
// adds the token's row and its guards to `batch`. Used for another request: kMismatch.
Result<bool> check_token(store::View& view, const WriteRequest::Token& token, int64_t now_us,
                         store::Batch& batch);

// The rows that no transaction looks at any more.
store::Range expired_tokens(int64_t now_us);

}  // namespace sheaf::engine
