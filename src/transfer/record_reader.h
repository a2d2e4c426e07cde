// A file as records: lines, rows of CSV, or objects of JSON documents, each with its place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "transfer/byte_source.h"
#include "transfer/json_documents.h"

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

  // The first line that is not blank, as far as a record may go. A mark of byte order is left out.
  Result<std::string_view> beginning();
  // Line ends within quotes are part of a record. Before the first record is read.
  void read_csv() { form_ = Form::kCsv; }
  // Records are objects of JSON, on as many lines as they take. Likewise.
  void read_documents() { form_ = Form::kDocuments; }

  // The next that is not blank; nothing at the end. A file may end without a line end. kWouldBlock, of what
  // is no file, if there is none yet; other errors stay: nobody knows where the next record would begin.
  Result<std::optional<Record>> next();
  // Goes to a place that was a reader's `place` before. kInvalid if the file ends before it.
  Result<void> skip_to(const Place& place);

  // Behind the last record.
  const Place& place() const { return place_; }
  // How much of the file that is, as it lies: about, if it is compressed.
  uint64_t taken_bytes() const;

 private:
  enum class Form : uint8_t { kLines, kCsv, kDocuments };
  enum class Cell : uint8_t {
    kBegin,  // a quote opens it here, and nowhere else
    kBare,   // also behind quotes that were closed
    kQuoted,
    kQuote,  // of a quoted one, that closes it unless another follows
  };

  Result<bool> fill();
  // Behind the next end of a record, or nothing if there is none yet.
  std::optional<size_t> find_end();
  std::optional<size_t> find_end_of_row();
  Result<std::optional<Record>> next_object();

  std::unique_ptr<ByteSource> source_;
  Form form_ = Form::kLines;
  bool is_begun_ = false;
  bool is_ended_ = false;
  std::string buffer_;
  size_t at_ = 0;             // of the next record in buffer_
  size_t seen_ = 0;           // up to here there is no end of it
  Cell cell_ = Cell::kBegin;  // at seen_
  uint64_t breaks_ = 0;       // line ends within the record, up to seen_
  JsonDocuments documents_;   // in buffer_
  Place place_;
};

}  // namespace sheaf::transfer
