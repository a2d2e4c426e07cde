// What a load reads: files one after the other, as pieces of some hundred records, and the records as items.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transfer/csv_items.h"
#include "transfer/format.h"
#include "transfer/json_items.h"
#include "transfer/record_reader.h"

namespace sheaf::transfer {

inline constexpr size_t kPieceRecordsMax = 250;
inline constexpr size_t kPieceBytesMax = size_t{1} << 20;
// A piece that is not full waits so long for what a pipe may give yet.
inline constexpr std::chrono::milliseconds kPieceWait{1000};

// How the records of one file are read.
struct FileForm {
  std::string path;
  Format format = Format::kDynamoJson;
  std::vector<Column> columns;  // of CSV
};

struct Piece {
  struct Line {
    size_t begin, bytes;  // in `text`
    uint64_t number;
  };
  uint64_t number = 0;  // from 0, without gaps
  size_t file = 0;
  Place end;                 // behind its last record
  uint64_t taken_bytes = 0;  // of the files, as they lie
  const FileForm* form = nullptr;
  std::string text;
  std::vector<Line> lines;

  std::string_view record(size_t line) const {
    return std::string_view(text).substr(lines[line].begin, lines[line].bytes);
  }
  std::string place_of(size_t line) const;  // "items.jsonl:12", "items.csv:12-14" of a row over several lines
};

struct InputOptions {
  std::vector<std::string> files;
  std::optional<Format> format;  // nothing: found out, for each
  ColumnTypes types;
  std::vector<std::string> keys;   // which a CSV file must have as columns
  std::vector<std::string> typed;  // likewise, if it is the only file: columns that were given a type
  // Where to begin.
  size_t file = 0;
  Place place;
};

// Thread-safe.
class LoadInput {
 public:
  explicit LoadInput(InputOptions options);

  // Nothing at the end, or if it was stopped. Errors name the file; kWouldBlock if the standard input has
  // nothing yet.
  Result<std::optional<Piece>> next();
  // Nobody wants more. Thread-safe; who waits in `next` comes back soon.
  void stop() { is_stopped_ = true; }
  // What of the files lies before where it began, as they lie: known once there is a piece.
  uint64_t skipped_bytes() const { return before_ + skipped_; }

 private:
  Result<void> open_next();
  Result<void> read_form();
  Result<void> read_csv_form();
  Result<bool> fill();
  Result<std::optional<Record>> next_record();

  const InputOptions options_;
  std::atomic<bool> is_stopped_ = false;
  const uint64_t before_;  // bytes of the files before the first
  std::mutex mutex_;
  size_t file_;
  std::unique_ptr<RecordReader> reader_;
  std::unique_ptr<FileForm> form_;  // of reader_, until it is known
  // The first of a file whose form is seen by it.
  struct Held {
    std::string text;
    uint64_t line;
  };
  std::optional<Held> held_;
  Piece piece_;  // that is being filled
  std::chrono::steady_clock::time_point piece_since_{};
  std::vector<std::unique_ptr<FileForm>> forms_;  // pieces point to them
  uint64_t pieces_ = 0;
  uint64_t file_taken_ = 0;  // of this file, in pieces or skipped
  std::atomic<uint64_t> skipped_ = 0;
};

// Reads records. For one thread.
class RecordParser {
 public:
  Result<Item> parse(std::string_view record, const FileForm& form);

 private:
  TypedItemReader typed_;
};

}  // namespace sheaf::transfer
