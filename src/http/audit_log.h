// Who changed what, and who was turned away: one line of JSON for each control operation and each denial.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "base/clock.h"
#include "base/function.h"

namespace sheaf::http {

// Names and outcomes, never secrets, keys or attributes of items: nothing is added to what is given here.
// Empty ones are left out of the line.
struct AuditEvent {
  std::string_view peer;
  std::string_view access_key_id;
  std::string_view operation;
  std::string_view table;
  std::string_view outcome;  // "ok", or the name of the error
  std::string_view request_id;
};

// {"time":"2026-01-31T12:00:00.123Z","event":"denial","peer":"127.0.0.1","access_key_id":"AKIDEXAMPLE",
//  "operation":"PutItem","table":"orders","outcome":"InvalidSignatureException","request_id":"4K2..."}
//
// Lines are ASCII (other bytes, quotes and control characters are escaped, so a line stays one line) and
// bounded: a value is cut after kAuditValueBytesMax bytes and then ends with "...". A flood of denials cannot
// fill the disk: per second at most denials_per_second_max are written, and one line tells how many were left
// out. It is written with the next event, or at the end:
// {"time":"2026-01-31T12:00:01.000Z","event":"denials_left_out","count":1234}
// Thread-safe.
class AuditLog {
 public:
  struct Options {
    int64_t denials_per_second_max = 10;
  };
  // Takes one line, without its end. Is not called by two threads at once.
  using Sink = UniqueFunction<void(std::string_view line)>;

  // The clock must outlive the log.
  AuditLog(const Clock& clock, Sink sink, Options options);
  AuditLog(const Clock& clock, Sink sink) : AuditLog(clock, std::move(sink), Options()) {}
  // To the end of a file, which is created for its owner alone. One that exists must be the user's own, and
  // nobody else may be able to write to it.
  static Result<std::unique_ptr<AuditLog>> open(const std::string& path, const Clock& clock, Options options);
  static Result<std::unique_ptr<AuditLog>> open(const std::string& path, const Clock& clock) {
    return open(path, clock, Options());
  }
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  void control_operation(const AuditEvent& event);
  void denial(const AuditEvent& event);

  // Opens the file of this name anew, after it was renamed to be put away. If that fails, the old one stays
  // in use. Does nothing for a log that is no file.
  Result<void> reopen();

  // Since the start: denials that were not written because there were too many, and lines that the file
  // system did not take.
  uint64_t denials_left_out() const;
  uint64_t lines_lost() const;

 private:
  class File;

  AuditLog(const Clock& clock, std::unique_ptr<File> file, Options options);
  void write_left_out();
  void write(std::string_view line);

  const Clock& clock_;
  const Options options_;
  mutable std::mutex mutex_;
  Sink sink_;                    // or
  std::unique_ptr<File> file_;   // the file
  int64_t second_ = 0;           // the one that is being counted
  int64_t denials_written_ = 0;  // in it
  uint64_t denials_untold_ = 0;  // left out, and no line says so yet
  uint64_t denials_left_out_ = 0;
  uint64_t lines_lost_ = 0;
};

inline constexpr size_t kAuditValueBytesMax = 256;

}  // namespace sheaf::http
