// Where an answer ends, found with as little work as possible: what the load generator spends, the servers
// under test do not get.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sheaf::bench {

enum class Protocol : uint8_t { kHttp, kPostgres };

// One answer at a time; nothing follows it before the next request is sent.
class AnswerFraming {
 public:
  explicit AnswerFraming(Protocol protocol) : protocol_(protocol) {}

  // Whether `received`, which is everything since the last request was sent, is the whole answer.
  bool is_whole(std::string_view received);
  // Before the next answer.
  void reset() { scanned_ = whole_bytes_ = body_offset_ = 0; }

  // Of a whole answer. HTTP's, or 200 and 500 for PostgreSQL's success and failure.
  int status() const { return status_; }
  size_t body_offset() const { return body_offset_; }

 private:
  bool is_whole_http(std::string_view received);
  bool is_whole_postgres(std::string_view received);
  bool read_head(std::string_view received);

  Protocol protocol_;
  int status_ = 0;
  size_t scanned_ = 0;      // PostgreSQL: messages before here are known
  size_t whole_bytes_ = 0;  // 0: not known yet; kChunked: it ends with an empty chunk
  size_t body_offset_ = 0;
  size_t length_place_ = 0;  // where the last answer had its length; the next has it there as well
};

// The number of rows in a whole answer of PostgreSQL's.
size_t rows_in(std::string_view answer);

}  // namespace sheaf::bench
