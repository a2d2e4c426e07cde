// Calls of DynamoDB's operations: asked again as long as that makes sense, and parsed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "remote/exceptions.h"
#include "remote/retry_policy.h"
#include "remote/transport.h"

namespace sheaf::remote {

using Sleep = std::function<void(int64_t delay_us)>;

struct ClientOptions {
  RetryPolicy retries;
  bool repeat_lost_writes = false;  // see Endpoint
  int64_t table_wait_us = int64_t{10} * 60 * 1'000'000;
  Sleep sleep;  // empty: the calling thread sleeps
};

// What an endpoint answered. The tree lives as long as it.
class Answer {
 public:
  Answer(std::unique_ptr<simdjson::dom::parser> parser, Json json, std::optional<Exception> exception)
      : parser_(std::move(parser)), json_(json), exception_(std::move(exception)) {}

  // An object.
  Json json() const { return json_; }
  // If it is none that was hoped for.
  const std::optional<Exception>& exception() const { return exception_; }

 private:
  std::unique_ptr<simdjson::dom::parser> parser_;
  Json json_;
  std::optional<Exception> exception_;
};

// If an answer was lost: what it would mean to do it again.
enum class Doing : uint8_t {
  kReading,      // nothing
  kWriting,      // nothing more: it is the same once and twice
  kWritingOnce,  // something else than to do it once
};

// Thread-safe.
class Client {
 public:
  Client(std::unique_ptr<Transport> transport, ClientOptions options);

  // Asks for an operation, "PutItem", until there is an answer. An exception is an answer too, unless asking
  // again helped. Without an answer: kUnknown if it may have been done; otherwise nothing was, and the code
  // is that of the last exception (kLimitExceeded if it was throttled), or kUnavailable if the endpoint was
  // not reached.
  Result<Answer> call(std::string_view operation, std::string_view body, Doing doing);
  // The same of streams' operations.
  Result<Answer> call_streams(std::string_view operation, std::string_view body);

  // As call, with exceptions as errors.
  Result<Answer> demand(std::string_view operation, std::string_view body, Doing doing);

  void sleep(int64_t delay_us) const;
  const ClientOptions& options() const { return options_; }

 private:
  Result<Answer> ask(std::string_view target, std::string_view body, Doing doing);

  const std::unique_ptr<Transport> transport_;
  const ClientOptions options_;
};

// A version 4 UUID: for idempotency tokens, and for names that nobody has.
std::string random_uuid();

}  // namespace sheaf::remote
