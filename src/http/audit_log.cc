#include "http/audit_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/try.h"
#include "http/descriptor.h"

namespace sheaf::http {
namespace {

constexpr int64_t kSecondUs = 1'000'000;

void append_escaped(std::string& out, std::string_view value) {
  const bool is_cut = value.size() > kAuditValueBytesMax;
  for (const char c : value.substr(0, kAuditValueBytesMax)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      out += "\\u00";
      out += "0123456789abcdef"[byte >> 4];
      out += "0123456789abcdef"[byte & 15];
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  if (is_cut) out += "...";
}

void append_member(std::string& line, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  line += ",\"";
  line += name;
  line += "\":\"";
  append_escaped(line, value);
  line += '"';
}

std::string begin_line(int64_t now_us, std::string_view event) {
  const time_t seconds = now_us / kSecondUs;
  struct tm parts;
  ::gmtime_r(&seconds, &parts);
  char time[32];
  const size_t length = std::strftime(time, sizeof(time), "%Y-%m-%dT%H:%M:%S", &parts);
  char milliseconds[8];
  std::snprintf(milliseconds, sizeof(milliseconds), ".%03dZ", static_cast<int>(now_us % kSecondUs / 1000));
  std::string line = "{\"time\":\"";
  line.append(time, length);
  line += milliseconds;
  line += '"';
  append_member(line, "event", event);
  return line;
}

std::string line_of(int64_t now_us, std::string_view kind, const AuditEvent& event) {
  std::string line = begin_line(now_us, kind);
  append_member(line, "peer", event.peer);
  append_member(line, "access_key_id", event.access_key_id);
  append_member(line, "operation", event.operation);
  append_member(line, "table", event.table);
  append_member(line, "outcome", event.outcome);
  append_member(line, "request_id", event.request_id);
  line += '}';
  return line;
}

}  // namespace

class AuditLog::File {
 public:
  static Result<std::unique_ptr<File>> open(const std::string& path) {
    Descriptor descriptor(
        ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    if (!descriptor.is_open()) return cannot_open(path);
    struct stat status;
    if (::fstat(descriptor.get(), &status) != 0) return cannot_open(path);
    if (!S_ISREG(status.st_mode))
      return Error{Code::kInvalid, "the audit log " + path + " is not a regular file"};
    if (status.st_uid != ::geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
      return Error{Code::kInvalid, "the audit log " + path +
                                       " can be written by other users. It must belong to the one the server "
                                       "runs as, and be closed to the rest: chmod 600 " +
                                       path};
    return std::unique_ptr<File>(new File(path, std::move(descriptor)));
  }

  const std::string& path() const { return path_; }

  // In one call, so that lines of several processes do not mix. False if it is not there as a whole.
  bool append(std::string_view content) {
    std::string line;
    if (is_torn_) line += '\n';  // the disk was full in the midst of a line; this one begins anew
    line += content;
    line += '\n';
    const ssize_t written = ::write(descriptor_.get(), line.data(), line.size());
    if (written > 0) is_torn_ = static_cast<size_t>(written) < line.size();
    return written == static_cast<ssize_t>(line.size());
  }

 private:
  File(std::string path, Descriptor descriptor)
      : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

  static Error cannot_open(const std::string& path) {
    return Error{Code::kIo, "cannot open the audit log " + path + ": " + std::strerror(errno)};
  }

  std::string path_;
  Descriptor descriptor_;
  bool is_torn_ = false;
};

AuditLog::AuditLog(const Clock& clock, Sink sink, Options options)
    : clock_(clock), options_(options), sink_(std::move(sink)) {}

AuditLog::AuditLog(const Clock& clock, std::unique_ptr<File> file, Options options)
    : clock_(clock), options_(options), file_(std::move(file)) {}

AuditLog::~AuditLog() {
  std::lock_guard lock(mutex_);
  write_left_out();
}

Result<std::unique_ptr<AuditLog>> AuditLog::open(const std::string& path, const Clock& clock,
                                                 Options options) {
  std::unique_ptr<File> file = TRY(File::open(path));
  return std::unique_ptr<AuditLog>(new AuditLog(clock, std::move(file), options));
}

void AuditLog::control_operation(const AuditEvent& event) {
  const std::string line = line_of(clock_.now_us(), "control", event);
  std::lock_guard lock(mutex_);
  write_left_out();
  write(line);
}

void AuditLog::denial(const AuditEvent& event) {
  const int64_t now_us = clock_.now_us();
  std::lock_guard lock(mutex_);
  if (now_us / kSecondUs != second_) {
    second_ = now_us / kSecondUs;
    denials_written_ = 0;
    write_left_out();
  }
  if (denials_written_ >= options_.denials_per_second_max) {
    ++denials_untold_;
    ++denials_left_out_;
    return;
  }
  ++denials_written_;
  write(line_of(now_us, "denial", event));
}

void AuditLog::write_left_out() {
  if (denials_untold_ == 0) return;
  std::string line = begin_line(clock_.now_us(), "denials_left_out");
  line += ",\"count\":" + std::to_string(denials_untold_) + "}";
  denials_untold_ = 0;
  write(line);
}

void AuditLog::write(std::string_view line) {
  if (!file_) {
    sink_(line);
  } else if (!file_->append(line)) {
    ++lines_lost_;
  }
}

Result<void> AuditLog::reopen() {
  std::lock_guard lock(mutex_);
  if (file_) file_ = TRY(File::open(file_->path()));
  return {};
}

uint64_t AuditLog::denials_left_out() const {
  std::lock_guard lock(mutex_);
  return denials_left_out_;
}

uint64_t AuditLog::lines_lost() const {
  std::lock_guard lock(mutex_);
  return lines_lost_;
}

}  // namespace sheaf::http
