// Items from files into a table.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "transfer/csv_items.h"
#include "transfer/format.h"

namespace sheaf::transfer {

struct LoadFigures {
  uint64_t items = 0;        // that are in the table
  uint64_t taken_bytes = 0;  // of the files, as they lie
};

struct LoadOptions {
  std::vector<std::string> files;  // "-": the standard input
  std::optional<Format> format;    // nothing: found out, for each file
  ColumnTypes types;               // of CSV, beside those of the table's keys
  // Items whose key is in the table already stay as they are. Otherwise they are replaced.
  bool is_if_absent = false;
  uint64_t bad_max = 0;  // so many lines may be wrong
  size_t threads = 8;
  // Empty, or the file that keeps the position. If it is there, the load goes on where it says.
  std::string position_path;
  // How long an endpoint may refuse everything.
  std::chrono::milliseconds patience{std::chrono::minutes(2)};
  std::function<void(const LoadFigures&)> progress;  // one thread at a time
  // The database takes or gives nothing for so long already, for this reason, and is asked again. One thread
  // at a time.
  std::function<void(const Error&, std::chrono::milliseconds)> waiting;
  // Whether it is to end before its time, with the position kept; asked often, by any thread. Empty: never.
  std::function<bool()> is_ended;
};

struct Loaded {
  uint64_t items = 0;        // that were acknowledged: by this call, and those before it by its position
  uint64_t there = 0;        // that stayed as they were
  uint64_t text_bytes = 0;   // that were read by this call, decompressed
  uint64_t bad = 0;          // lines that are wrong
  bool is_given_up = false;  // there were too many of those
  bool is_ended = false;     // before its time, because it was to
  bool is_resumed = false;
  std::vector<std::string> bad_lines;  // the first of them: "FILE:LINE: what is wrong"
};

inline constexpr size_t kBadLinesTold = 20;

// Every line is written, and acknowledged, before the position that lies behind it is kept: who is
// interrupted can go on, and puts some lines twice. Of lines with the same key the last stays, or, with
// is_if_absent, the first. Lines are looked at before any of their piece is written. Errors are those of
// files and of the database; what is wrong with lines is told in Loaded.
Result<Loaded> load(Database& database, const TableDescription& table, const LoadOptions& options);

}  // namespace sheaf::transfer
