// A file as records: lines, or rows of CSV, each with its place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "transfer/byte_source.h"

namespace sheaf::transfer {

// An item has 400 KB; as JSON, at six bytes for one in the worst case, far less than this.
inline constexpr size_t kRecordBytesMax = size_t{16} << 20;

// Where one is in what a file holds once it is decompressed.
struct Place {
  uint64_t bytes = 0;  // that lie before it
  uint64_t lines = 0;  // likewise

  bool operator==(const Place&) const = default;
};

struct Record {
  std::string_view text;  // without the end of its line; lives until the next call
  uint64_t line = 0;      // from 1
};

class RecordReader {
 public:
  explicit RecordReader(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  // How the file begins: its first bytes, a whole line if that is not long. A mark of byte order is left out.
  Result<std::string_view> beginning();
  // Line ends within quotes are part of a record.
  void read_csv() { is_csv_ = true; }

  // The next that is not blank; nothing at the end. A file may end without a line end.
  Result<std::optional<Record>> next();
  // Goes to a place that was a reader's `place` before. kInvalid if the file ends before it.
  Result<void> skip_to(const Place& place);

  // Behind the last record.
  const Place& place() const { return place_; }
  uint64_t taken_bytes() const { return source_->taken_bytes(); }

 private:
  Result<bool> fill();
  // Behind the next end of a record, or nothing if there is none yet.
  std::optional<size_t> find_end();

  std::unique_ptr<ByteSource> source_;
  bool is_csv_ = false;
  bool is_begun_ = false;
  bool is_ended_ = false;
  std::string buffer_;
  size_t at_ = 0;           // of the next record in buffer_
  size_t seen_ = 0;         // up to here there is no end of it
  bool is_quoted_ = false;  // at seen_
  uint64_t breaks_ = 0;     // line ends within the record, up to seen_
  Place place_;
};

}  // namespace sheaf::transfer
