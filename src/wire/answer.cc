#include "wire/answer.h"

#include <algorithm>
#include <array>

#include "value/value_json.h"

namespace sheaf::wire {
namespace {

// The family that AWS puts in front of an exception's name.
constexpr std::string_view kDynamoDb = "com.amazonaws.dynamodb.v20120810#";
constexpr std::string_view kValidation = "com.amazon.coral.validate#";
constexpr std::string_view kService = "com.amazon.coral.service#";
constexpr std::string_view kAvailability = "com.amazon.coral.availability#";

std::string_view family_of(std::string_view name) {
  if (name == "ValidationException") return kValidation;
  if (name == "ThrottlingException") return kAvailability;
  static constexpr std::array<std::string_view, 9> kServiceNames = {
      "AccessDeniedException",       "IncompleteSignatureException",        "InternalFailure",
      "InvalidSignatureException",   "MissingAuthenticationTokenException", "SerializationException",
      "ServiceUnavailableException", "UnknownOperationException",           "UnrecognizedClientException"};
  const bool is_service = std::find(kServiceNames.begin(), kServiceNames.end(), name) != kServiceNames.end();
  return is_service ? kService : kDynamoDb;
}

// AWS spells it with a capital in these three, and in none of the other refusals of credentials.
std::string_view message_member(std::string_view name) {
  const bool capital = name == "TransactionCanceledException" || name == "SerializationException" ||
                       name == "AccessDeniedException";
  return capital ? "\"Message\"" : "\"message\"";
}

struct Exception {
  std::string_view name;
  int status = 400;
};

Exception exception_of(Code code) {
  switch (code) {
    case Code::kInvalid:
      return {"ValidationException"};
    case Code::kMalformed:
      return {"SerializationException"};
    case Code::kNotFound:
      return {"ResourceNotFoundException"};
    case Code::kInUse:
      return {"ResourceInUseException"};
    case Code::kDenied:
      return {"AccessDeniedException"};
    case Code::kLimitExceeded:
      return {"LimitExceededException"};
    case Code::kTooLarge:
      return {"ItemCollectionSizeLimitExceededException"};
    case Code::kThroughputExceeded:
      return {"ProvisionedThroughputExceededException"};
    case Code::kThrottled:
      return {"ThrottlingException"};
    case Code::kConflict:
      return {"TransactionConflictException"};
    case Code::kDuplicate:
      return {"DuplicateItemException"};
    case Code::kMismatch:
      return {"IdempotentParameterMismatchException"};
    case Code::kTrimmed:
      return {"TrimmedDataAccessException"};
    case Code::kExpired:
      return {"ExpiredIteratorException"};
    case Code::kUnavailable:
      return {"ServiceUnavailableException", 503};
    case Code::kUnknown:
    case Code::kWouldBlock:
    case Code::kBusy:
    case Code::kNewerFormat:
    case Code::kCorrupt:
    case Code::kIo:
      break;
  }
  return {"InternalServerError", 500};
}

}  // namespace

Answer exception(std::string_view name, std::string_view message, std::string_view members) {
  Answer answer{.status = 400, .error = name};
  answer.body.reserve(128 + message.size() + members.size());
  answer.body += "{\"__type\":\"";
  answer.body += family_of(name);
  answer.body += name;
  answer.body += "\",";
  answer.body += message_member(name);
  answer.body += ':';
  append_json_string(answer.body, message);
  answer.body += members;
  answer.body += '}';
  return answer;
}

namespace {

// The second line of the message says why, and of which resource.
Answer throttling_answer(const Error& error) {
  const bool is_exceeded = error.code == Code::kThroughputExceeded;
  const std::string_view text = error.message;
  const size_t line = text.find('\n');
  std::string members;
  if (line != std::string_view::npos) {
    const std::string_view detail = text.substr(line + 1);
    const size_t blank = detail.find(' ');
    members = is_exceeded ? ",\"ThrottlingReasons\":[{\"reason\":" : ",\"throttlingReasons\":[{\"reason\":";
    append_json_string(members, detail.substr(0, blank));
    members += ",\"resource\":";
    append_json_string(members, blank == std::string_view::npos ? "" : detail.substr(blank + 1));
    members += "}]";
  }
  return exception(exception_of(error.code).name, text.substr(0, line), members);
}

}  // namespace

Answer error_answer(const Error& error) {
  if (error.code == Code::kThroughputExceeded || error.code == Code::kThrottled)
    return throttling_answer(error);
  const Exception known = exception_of(error.code);
  Answer answer = exception(known.name, error.message);
  answer.status = known.status;
  return answer;
}

Answer unknown_operation() {
  Answer answer{.status = 400, .error = "UnknownOperationException"};
  answer.body = "{\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}";
  return answer;
}

}  // namespace sheaf::wire
