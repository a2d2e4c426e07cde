// What DynamoDB's exceptions mean here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "wire/shape.h"

namespace sheaf::remote {

using wire::Json;

// An answer that is an exception.
struct Exception {
  int status = 400;
  std::string name;  // without its family: "ValidationException"
  std::string message;
};

// From an answer's status and its JSON, if it has any.
Exception read_exception(int status, const Json* json);

// The error that the same request would have had in process; kDenied for what there is not there, such as a
// key that has expired. The message is the endpoint's own; with the exception's name in front of it where the
// code alone does not tell which it was.
Error to_error(const Exception& exception);

// What to do about it.
enum class Remedy : uint8_t {
  kNone,       // it is an answer, and stays one
  kRepeat,     // nothing was done; asking again, later, may help
  kUncertain,  // it may have been done: ask again only if it does no harm to do it twice
};
Remedy remedy_for(const Exception& exception, const Json* json);

// A transaction that was not done, with a reason for each of its actions.
bool is_cancellation(const Exception& exception);

// The endpoint does not have the operation at all.
bool is_unknown_operation(const Exception& exception);

}  // namespace sheaf::remote
