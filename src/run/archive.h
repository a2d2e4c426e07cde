// Old entities out of the tables and into a file, and back.
//
// A line of the file is a data file of one entity: {"Post": [{ "user": "u1", "at": "2020-01-05T..", .. }]}.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sheaf/database.h"

#include "run/writer.h"

namespace sheaf::run {

struct Archived {
  uint64_t items = 0;     // that were looked at
  uint64_t entities = 0;  // that are in the file, and no longer in the table
  uint64_t changed =
      0;              // that somebody changed meanwhile: they are still there, and an old line is in the file
  uint64_t gone = 0;  // that somebody deleted meanwhile
};

struct ArchiveOptions {
  model::EntityId entity = 0;
  model::FieldId by = 0;  // a time or a date
  std::string before;     // entities whose `by` is less
  // Keeps some lines for good. Only then are their entities deleted.
  std::function<Result<void>(std::string_view lines)> keep;
  std::function<void(const Archived& until_now)> progress;
};

// Why entities of this kind cannot be archived in this layout: what leads to others than its own item says
// would be lost. Nothing if they can.
std::optional<std::string> why_not_archived(const model::Model& model, const model::Layout& layout,
                                            model::EntityId entity);

// Reads the whole table, in pieces. If it is interrupted, each entity is in the table, or in the file, or in
// both: it can be called again, with another file or the same.
Result<Archived> archive(Database& database, const model::Model& model, const model::Layout& layout,
                         const Writer& writer, const ArchiveOptions& options);

struct Restored {
  uint64_t entities = 0;
  uint64_t there = 0;  // that were not put, because they are there
};

// Puts the entities of one line, as an operation would: counts and guards follow. kInvalid if it is no such
// line.
Result<void> restore_line(const model::Model& model, const model::Layout& layout, const Writer& writer,
                          std::string_view line, Restored& restored);

}  // namespace sheaf::run
