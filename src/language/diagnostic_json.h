// Mistakes as JSON, for editors and build servers.
#pragma once

#include "language/diagnostic.h"
#include "language/json_writer.h"
#include "language/source_text.h"

namespace sheaf::language {

// One object a mistake, as values of the array that `writer` is in:
//   {"file": .., "line": 3, "column": 14, "end_line": 3, "end_column": 21, "severity": "error",
//    "id": "unknown-entity", "message": .., "fix": .., "layout": .., "notes": [{"line": .., "column": ..,
//    "message": ..}]}
// Lines and columns count from 1, columns in characters; `fix`, `layout` and `notes` are there if they say
// something.
void write_json(JsonWriter& writer, const SourceText& source, const Diagnostics& diagnostics);

}  // namespace sheaf::language
