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

// What was acknowledged.
struct LoadFigures {
  uint64_t items = 0;        // by this call
  uint64_t taken_bytes = 0;  // of the files, as they lie; likewise
  uint64_t done_bytes = 0;   // with those of calls before
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
  // If the table is still to be made: makes it, once the first piece of the files was read and judged by what
  // the description says. Empty: it is there.
  std::function<Result<TableDescription>()> make_table;
  // How long an endpoint may refuse everything, to all threads.
  std::chrono::milliseconds patience{std::chrono::minutes(2)};
  // Whenever there is more, and once a second. One thread at a time, and one of these at a time.
  std::function<void(const LoadFigures&)> progress;
  // The database takes or gives nothing for so long already, for this reason, and is asked again.
  std::function<void(const Error&, std::chrono::milliseconds)> waiting;
  // It has not answered anything for so long; every second from the fifth on.
  std::function<void(std::chrono::milliseconds)> silence;
  // It is to end, and waits for the answers to so many requests. Once.
  std::function<void(size_t)> ending;
  // Whether it is to end before its time, with the position kept; asked often, by any thread. Empty: never.
  std::function<bool()> is_ended;
};

struct Loaded {
  uint64_t items = 0;         // that were acknowledged by this call
  uint64_t items_before = 0;  // by calls before, as far as the position says
  uint64_t there = 0;  // that stayed as they were; who goes on finds there what was put behind the position
  uint64_t text_bytes = 0;   // that were read by this call, decompressed
  uint64_t bad = 0;          // lines that are wrong, with those of calls before
  bool is_given_up = false;  // there were too many of those
  bool is_ended = false;     // before its time, because it was to
  bool is_resumed = false;
  bool was_whole = false;              // before this call, which has done nothing
  std::vector<std::string> bad_lines;  // the first of them: "FILE:LINE: what is wrong"
};

inline constexpr size_t kBadLinesTold = 20;

// Every line is written, and acknowledged, before the position that lies behind it is kept: who is
// interrupted can go on, and puts some lines twice. Of lines with the same key the last stays, or, with
// is_if_absent, the first. Lines are looked at before any of their piece is written. Errors are those of
// files and of the database, and end the load with the position kept; what is wrong with lines is told in
// Loaded. kInvalid if the position is of another table or of other files.
Result<Loaded> load(Database& database, const TableDescription& table, const LoadOptions& options);

}  // namespace sheaf::transfer
