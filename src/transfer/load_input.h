// What a load reads: files one after the other, as pieces of some hundred records, and the records as items.
#pragma once

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
  Place end;  // behind its last record
  const FileForm* form = nullptr;
  std::string text;
  std::vector<Line> lines;

  std::string_view record(size_t line) const {
    return std::string_view(text).substr(lines[line].begin, lines[line].bytes);
  }
  std::string place_of(size_t line) const;  // "items.jsonl:12"
};

struct InputOptions {
  std::vector<std::string> files;
  std::optional<Format> format;  // nothing: found out, for each
  ColumnTypes types;
  // Where to begin.
  size_t file = 0;
  Place place;
};

// Thread-safe.
class LoadInput {
 public:
  explicit LoadInput(InputOptions options) : options_(std::move(options)), file_(options_.file) {}

  // Nothing at the end. Errors name the file.
  Result<std::optional<Piece>> next();
  // Where the files lie: compressed, if they are.
  uint64_t taken_bytes() const;

 private:
  Result<void> open_next();
  Result<bool> fill(Piece& piece);

  const InputOptions options_;
  mutable std::mutex mutex_;
  size_t file_;
  std::unique_ptr<RecordReader> reader_;
  std::vector<std::unique_ptr<FileForm>> forms_;  // pieces point to them
  uint64_t pieces_ = 0;
  uint64_t taken_before_ = 0;  // of files that are done
};

// Reads records. For one thread.
class RecordParser {
 public:
  Result<Item> parse(std::string_view record, const FileForm& form);

 private:
  TypedItemReader typed_;
};

}  // namespace sheaf::transfer
