// What a check has found: where, what, why it matters, and what to do. The writers of this folder tell lists
// of these, whatever found them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assist/document.h"
#include "language/source_text.h"

namespace sheaf::lint {

enum class Severity : uint8_t {
  kNote,     // good to know
  kWarning,  // somebody should look at it
  kError,    // it will not do
};
std::string_view name_of(Severity severity);  // "note"
std::optional<Severity> severity_named(std::string_view name);

// In a file.
struct Place {
  std::string file;
  language::Position begin;
  language::Position end;
  std::string line;  // the text of the line that it begins in, for excerpts
};
Place place_of(const language::SourceText& source, language::Span span);

struct Related {
  Place place;
  std::string text;
};

// Edits that mend it, of the text that was looked at.
struct Repair {
  std::string title;
  std::vector<assist::TextEdit> edits;
  // Keys change: what is stored already would have to move.
  bool moves_items = false;
};

struct Finding {
  std::string rule;  // its id
  Severity severity = Severity::kWarning;
  std::string subject;         // what was looked at: a file, or a table
  std::optional<Place> place;  // where in a file; none: the subject as a whole
  std::string message;         // what is so here
  std::string fix;             // what to do about it
  std::string layout;          // of a model, if not `default`
  std::vector<Related> notes;
  std::optional<Repair> repair;
};

}  // namespace sheaf::lint
