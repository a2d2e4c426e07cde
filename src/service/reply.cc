#include "service/reply.h"

#include "value/value_json.h"

namespace sheaf::service {
namespace {

struct Meaning {
  int status;
  std::string_view code;
};

Meaning meaning_of(Code code) {
  switch (code) {
    case Code::kInvalid:
      return {400, "invalid"};
    case Code::kMalformed:
      return {400, "malformed"};
    case Code::kTooLarge:
      return {400, "too_large"};
    case Code::kDenied:
      return {403, "forbidden"};
    case Code::kNotFound:
      return {404, "not_found"};
    case Code::kInUse:
      return {409, "in_use"};
    case Code::kConflict:
    case Code::kDuplicate:
    case Code::kMismatch:
      return {409, "conflict"};
    case Code::kThroughputExceeded:
    case Code::kThrottled:
    case Code::kLimitExceeded:
      return {429, "throttled"};
    case Code::kUnknown:
      return {500, "unknown"};
    case Code::kUnavailable:
    case Code::kBusy:
      return {503, "unavailable"};
    case Code::kTrimmed:
    case Code::kExpired:
    case Code::kWouldBlock:
    case Code::kNewerFormat:
    case Code::kCorrupt:
    case Code::kIo:
      break;
  }
  return {500, "internal"};
}

}  // namespace

Reply problem(int status, std::string_view code, std::string_view message, std::string_view fix) {
  Reply reply{.status = status, .error = code};
  reply.body = R"({"error":{"code":)";
  append_json_string(reply.body, code);
  reply.body += R"(,"message":)";
  append_json_string(reply.body, message);
  if (!fix.empty()) {
    reply.body += R"(,"fix":)";
    append_json_string(reply.body, fix);
  }
  reply.body += "}}";
  return reply;
}

Reply problem(const Error& error) {
  const Meaning meaning = meaning_of(error.code);
  return problem(meaning.status, meaning.code, error.message);
}

}  // namespace sheaf::service
