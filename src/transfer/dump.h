// A table's items into a file, or into a folder as AWS's exports are.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "transfer/csv_items.h"
#include "transfer/format.h"

namespace sheaf::transfer {

struct DumpFigures {
  uint64_t items = 0;
  bool is_looking = false;  // for the columns of CSV: nothing is written yet
};

struct DumpOptions {
  Format format = Format::kDynamoJson;
  Compression compression = Compression::kNone;
  std::string out = "-";  // a file or, of an export, a folder; neither may be there. "-": the standard output
  bool is_consistent = false;
  size_t segments = 4;  // that are read at the same time
  // Empty, or the file that keeps the position. If it is there, the dump goes on where it says.
  std::string position_path;
  // Where stored bytes are damaged, it goes on behind them. Not with a position.
  bool is_salvage = false;
  // As LoadOptions has them.
  std::chrono::milliseconds patience{std::chrono::minutes(2)};
  std::function<void(const DumpFigures&)> progress;
  std::function<void(const Error&, std::chrono::milliseconds)> waiting;
  std::function<void(std::chrono::milliseconds)> silence;
  std::function<void(size_t)> ending;
  std::function<bool()> is_ended;
};

struct Dumped {
  uint64_t items = 0;       // in the file
  uint64_t text_bytes = 0;  // written by this call, before they were compressed
  bool is_resumed = false;
  bool was_whole = false;       // before this call, which has done nothing
  bool is_ended = false;        // before its time, because it was to
  uint64_t gaps = 0;            // places where something could not be read, of a salvage
  std::vector<Column> columns;  // of CSV
};

// Items that nobody changes meanwhile are there once. A file has the name OUT.part until it is whole, and
// an export has no manifest until then; without a position nothing is left of either if it does not become
// whole. CSV has a column for each attribute, so the table is read twice.
Result<Dumped> dump(Database& database, const TableDescription& table, const DumpOptions& options);

}  // namespace sheaf::transfer
