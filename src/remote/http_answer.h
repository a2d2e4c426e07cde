// HTTP/1.1 answers, as a client reads them: in pieces as they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::remote {

inline constexpr size_t kAnswerHeadBytesMax = 64 << 10;  // status line and headers; also trailers
inline constexpr size_t kAnswerLineBytesMax = 32 << 10;

// Parses one answer to a POST. The outcome does not depend on how it is cut into pieces.
class HttpAnswerParser {
 public:
  enum class State : uint8_t { kHead, kBody, kDone, kFailed };

  explicit HttpAnswerParser(size_t body_bytes_max) : body_bytes_max_(body_bytes_max) {}

  // Takes what has come and returns how much of it was the answer's: all, unless it is done or has failed.
  size_t feed(std::string_view bytes);
  // The connection has ended. A body without a length ends with it; anything else was cut off.
  void end();

  State state() const { return state_; }
  // If kFailed: what is wrong with it.
  std::string_view problem() const { return problem_; }

  // If kDone.
  int status() const { return status_; }
  std::string take_body() { return std::move(body_); }
  const std::string& body() const { return body_; }
  // The value of the first header of this name, given in lower case.
  std::optional<std::string_view> find(std::string_view lower_case_name) const;
  // Whether another request may be sent on the connection.
  bool keeps_alive() const;

 private:
  enum class Part : uint8_t {
    kStatus,
    kHeaders,
    kLength,
    kUntilEnd,
    kChunkSize,
    kChunk,
    kChunkEnd,
    kTrailers
  };

  void fail(std::string_view problem);
  size_t take_body_bytes(std::string_view bytes);
  // Takes bytes up to the end of the line at hand; true if it is there now, whole, in line_.
  bool take_line(std::string_view bytes, size_t& taken);
  void note_line();
  void note_status();
  void note_header();
  void note_head_end();
  void note_chunk_size();

  const size_t body_bytes_max_;
  State state_ = State::kHead;
  Part part_ = Part::kStatus;
  std::string_view problem_;
  std::string line_;  // as far as it has come
  size_t head_bytes_ = 0;
  int minor_version_ = 1;
  int status_ = 0;
  std::vector<std::pair<std::string, std::string>> headers_;
  size_t body_bytes_left_ = 0;  // of the body, or of the chunk at hand
  std::string body_;
};

}  // namespace sheaf::remote
