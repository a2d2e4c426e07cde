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
  // How long an endpoint may refuse everything.
  std::chrono::milliseconds patience{std::chrono::minutes(2)};
  std::function<void(const DumpFigures&)> progress;  // one thread at a time
  // As LoadOptions has them.
  std::function<void(const Error&, std::chrono::milliseconds)> waiting;
  std::function<bool()> is_ended;
};

struct Dumped {
  uint64_t items = 0;       // in the file
  uint64_t text_bytes = 0;  // written by this call, before they were compressed
  bool is_resumed = false;
  bool is_ended = false;        // before its time, because it was to
  std::vector<Column> columns;  // of CSV
};

// Items that nobody changes meanwhile are there once. A file has the name OUT.part until it is whole, and
// an export has no manifest until then. CSV has a column for each attribute, so the table is read twice.
Result<Dumped> dump(Database& database, const TableDescription& table, const DumpOptions& options);

}  // namespace sheaf::transfer
