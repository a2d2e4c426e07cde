// Errors are values: a function that can fail returns Result<T>, and the caller looks before it uses.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace sheaf {

// What a caller can act on. The text of an Error says the rest.
enum class Code {
  kInvalid,             // the request is wrong and stays wrong
  kMalformed,           // the request's text is no request at all
  kNotFound,            // what the request names does not exist
  kInUse,               // it exists already, is being changed, or is protected
  kDenied,              // an endpoint takes no such request from this client, whatever is in it
  kLimitExceeded,       // a limit of the database was reached
  kTooLarge,            // an item collection would outgrow its limit
  kThroughputExceeded,  // more than the units that are provisioned; trying again later may succeed
  kThrottled,           // more than is allowed on demand; likewise
  kConflict,            // lost against concurrent writers; trying again may succeed
  kDuplicate,           // an item to be inserted is there already
  kMismatch,            // an idempotency token came back with another request
  kTrimmed,             // the position lies before what the change log still holds
  kExpired,             // an iterator is too old to be used
  kUnknown,             // the outcome of a write is not known: it may be there after a restart, or not
  kUnavailable,  // nothing was changed and nothing can be until the database is opened, or reached, again
  kWouldBlock,   // the answer is not in memory and the caller asked not to wait for the disk
  kBusy,         // another process has the data directory open
  kNewerFormat,  // the data directory was written by a newer version
  kCorrupt,      // stored bytes are not what was written
  kIo,           // the file system refused
};

struct Error {
  Code code;
  std::string message;

  bool operator==(const Error&) const = default;
};

// Either a T or an Error. Test `ok()` first: value() and error() assert on the wrong one.
template <typename T>
class [[nodiscard]] Result {
 public:
  using Value = T;

  Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit, so that `return value;` reads well
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: likewise for `return Error{...};`

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return assert(ok()), *std::get_if<0>(&state_); }
  const T& value() const& { return assert(ok()), *std::get_if<0>(&state_); }
  T&& value() && { return assert(ok()), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return assert(!ok()), *std::get_if<1>(&state_); }
  Error&& error() && { return assert(!ok()), std::move(*std::get_if<1>(&state_)); }

 private:
  std::variant<T, Error> state_;
};

// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  using Value = void;

  Result() = default;
  Result(Error error) : failed_(true), error_(std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return !failed_; }
  explicit operator bool() const { return ok(); }
  void value() const { assert(ok()); }

  const Error& error() const& { return assert(!ok()), error_; }
  Error&& error() && { return assert(!ok()), std::move(error_); }

 private:
  bool failed_ = false;
  Error error_{};
};

}  // namespace sheaf
