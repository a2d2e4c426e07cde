#include "engine/request_tokens.h"

#include "sheaf/value.h"

#include "base/big_endian.h"
#include "base/try.h"

namespace sheaf::engine {
namespace {

// A generation is as long as a token lives, so a token that still counts is in the present one or in the one
// before.
uint64_t generation_at(int64_t now_us) { return static_cast<uint64_t>(now_us / kTokenLifetimeUs); }

std::string generation_prefix(uint64_t generation) {
  std::string key(1, static_cast<char>(store::Space::kTokens));
  append_u64(key, generation);
  return key;
}

// The row: when it was used, and for which request.
std::string make_row(const WriteRequest::Token& token, int64_t now_us) {
  std::string row;
  append_u64(row, static_cast<uint64_t>(now_us));
  return row.append(token.fingerprint);
}

}  // namespace

Result<bool> check_token(store::View& view, const WriteRequest::Token& token, int64_t now_us,
                         store::Batch& batch) {
  const uint64_t present = generation_at(now_us);
  for (const uint64_t generation : {present, present - 1}) {
    const std::string key = generation_prefix(generation) + token.text;
    const store::Read read = TRY(view.read(key));
    if (read.value) {
      const auto used_us = static_cast<int64_t>(read_u64(read.value->data()));
      if (now_us - used_us < kTokenLifetimeUs) {
        if (std::string_view(*read.value).substr(sizeof(uint64_t)) == token.fingerprint) return true;
        return Error{Code::kMismatch,
                     "The request uses the same client token as a previous, but non-identical request."};
      }
    }
    batch.guard(key, read.version);
  }
  batch.put(generation_prefix(present) + token.text, make_row(token, now_us));
  return false;
}

store::Range expired_tokens(int64_t now_us) {
  return {.begin = generation_prefix(0), .end = generation_prefix(generation_at(now_us) - 1)};
}

}  // namespace sheaf::engine
