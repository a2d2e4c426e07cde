#include "remote/exceptions.h"

#include <algorithm>
#include <array>
#include <optional>

namespace sheaf::remote {
namespace {

struct Meaning {
  std::string_view name;
  Code code;
};

// Those that say as much as their code: what wire/answer.cc makes of errors, the other way round. The last
// few are AWS's further names for the same.
constexpr Meaning kMeanings[] = {
    {"ValidationException", Code::kInvalid},
    {"SerializationException", Code::kMalformed},
    {"ResourceNotFoundException", Code::kNotFound},
    {"ResourceInUseException", Code::kInUse},
    {"LimitExceededException", Code::kLimitExceeded},
    {"ItemCollectionSizeLimitExceededException", Code::kTooLarge},
    {"TransactionConflictException", Code::kConflict},
    {"DuplicateItemException", Code::kDuplicate},
    {"IdempotentParameterMismatchException", Code::kMismatch},
    {"TrimmedDataAccessException", Code::kTrimmed},
    {"ExpiredIteratorException", Code::kExpired},
    {"ServiceUnavailableException", Code::kUnavailable},
    {"ServiceUnavailable", Code::kUnavailable},
    {"TableNotFoundException", Code::kNotFound},
    {"TableInUseException", Code::kInUse},
    {"TableAlreadyExistsException", Code::kInUse},
    {"TransactionInProgressException", Code::kConflict},
};

// The endpoint is asked for more than it will do.
constexpr std::array<std::string_view, 9> kThrottlings = {"ProvisionedThroughputExceededException",
                                                          "ThrottlingException",
                                                          "Throttling",
                                                          "ThrottledException",
                                                          "RequestThrottled",
                                                          "RequestThrottledException",
                                                          "RequestLimitExceeded",
                                                          "TooManyRequestsException",
                                                          "SlowDown"};

// Why actions of a transaction are cancelled by throttling alone.
constexpr std::array<std::string_view, 3> kThrottlingReasons = {"None", "ThrottlingError",
                                                                "ProvisionedThroughputExceeded"};

constexpr std::string_view kUnknownOperation = "UnknownOperationException";
constexpr int kTooManyRequests = 429;
constexpr int kUnavailableStatus = 503;

template <typename Names>
bool is_among(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_throttling(const Exception& exception) {
  return exception.status == kTooManyRequests || is_among(exception.name, kThrottlings);
}

std::optional<Code> meaning_of(std::string_view name) {
  for (const Meaning& meaning : kMeanings) {
    if (meaning.name == name) return meaning.code;
  }
  return std::nullopt;
}

std::string_view text_of(const Json& json, std::string_view member) {
  std::string_view text;
  return json[member].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

// A transaction that would have been done if there had been less to do.
bool is_cancelled_by_throttling(const Exception& exception, const Json* json) {
  if (!is_cancellation(exception) || json == nullptr) return false;
  simdjson::dom::array reasons;
  if ((*json)["CancellationReasons"].get(reasons) != simdjson::SUCCESS) return false;
  bool any = false;
  for (const Json reason : reasons) {
    const std::string_view code = reason.is_object() ? text_of(reason, "Code") : "";
    if (!is_among(code, kThrottlingReasons)) return false;
    any |= code != "None";
  }
  return any;
}

}  // namespace

Exception read_exception(int status, const Json* json) {
  Exception exception{.status = status};
  if (json != nullptr && json->is_object()) {
    const std::string_view type = text_of(*json, "__type");
    const size_t family_end = type.find('#');
    exception.name = family_end == std::string_view::npos ? type : type.substr(family_end + 1);
    exception.message = text_of(*json, "message");
    if (exception.message.empty()) exception.message = text_of(*json, "Message");
  }
  if (exception.name.empty()) {
    exception.name = "HTTP " + std::to_string(status);
    if (exception.message.empty())
      exception.message = "the endpoint refused the request and does not say why";
  }
  return exception;
}

Error to_error(const Exception& exception) {
  if (const std::optional<Code> code = meaning_of(exception.name))
    return {*code, exception.message.empty() ? exception.name : exception.message};
  std::string text = exception.name;
  if (!exception.message.empty()) text += ": " + exception.message;
  if (is_throttling(exception)) return {Code::kLimitExceeded, std::move(text)};
  if (exception.status >= 500) return {Code::kUnavailable, std::move(text)};
  if (exception.name == kUnknownOperation) return {Code::kInvalid, std::move(text)};
  // What is not about the request's contents, such as a key that has expired, would be said of any other too.
  return {Code::kDenied, std::move(text)};
}

Remedy remedy_for(const Exception& exception, const Json* json) {
  if (is_throttling(exception) || exception.status == kUnavailableStatus ||
      meaning_of(exception.name) == Code::kUnavailable ||
      exception.name == "TransactionInProgressException" || is_cancelled_by_throttling(exception, json))
    return Remedy::kRepeat;
  return exception.status >= 500 ? Remedy::kUncertain : Remedy::kNone;
}

bool is_cancellation(const Exception& exception) { return exception.name == "TransactionCanceledException"; }

bool is_unknown_operation(const Exception& exception) {
  return exception.name == kUnknownOperation || exception.status == 404 || exception.status == 501;
}

}  // namespace sheaf::remote
