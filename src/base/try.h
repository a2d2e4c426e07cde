// Passing an error up: `const Item item = TRY(decode_item(bytes));`
#pragma once

#include "sheaf/result.h"

// Evaluates to the value of a Result, or returns its Error from the enclosing function. Nests: each use names
// its Result anew.
#define TRY(expression) SHEAF_TRY_NUMBERED(expression, __COUNTER__)
#define SHEAF_TRY_NUMBERED(expression, number) SHEAF_TRY_NAMED(expression, number)
#define SHEAF_TRY_NAMED(expression, number)   \
  ({                                          \
    auto try_##number = (expression);         \
    if (!try_##number.ok()) [[unlikely]]      \
      return std::move(try_##number).error(); \
    std::move(try_##number).value();          \
  })
