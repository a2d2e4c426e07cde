// A benchmark has nothing to say if something goes wrong: it ends, and says what.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "sheaf/result.h"

namespace sheaf::bench {

[[noreturn]] inline void fail(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  std::exit(1);
}

template <typename T>
T expect(Result<T> result) {
  if (!result.ok()) fail(result.error());
  return std::move(*result);
}

inline void expect(const Result<void>& result) {
  if (!result.ok()) fail(result.error());
}

}  // namespace sheaf::bench
