// What an operation answers: JSON, and what it consumed.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sheaf/request.h"
#include "sheaf/result.h"

#include "base/function.h"

namespace sheaf::wire {

struct Answer {
  int status = 200;
  std::string body;
  std::string_view error;  // the name of the exception, if it is one: "ValidationException"
  std::string table;       // of a control operation: what it was about
  // By table, for the metrics.
  std::vector<std::pair<std::string, Capacity>> consumed;
};

using AnswerDone = UniqueFunction<void(Answer)>;

// The exception that AWS has for `error`. kWouldBlock is none: ask again where it may block.
Answer error_answer(const Error& error);
// {"__type": ..., "message": ...}, with more members behind if `members` has them: ",\"Item\":{...}".
Answer exception(std::string_view name, std::string_view message, std::string_view members = {});

// An operation that there is not.
Answer unknown_operation();

}  // namespace sheaf::wire
