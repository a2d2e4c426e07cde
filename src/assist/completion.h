// What could be written at a place of a model, also where the text is not finished.
#pragma once

#include <string>
#include <vector>

#include "assist/document.h"

namespace sheaf::assist {

enum class SuggestionKind : uint8_t {
  kKeyword,
  kType,
  kStrategy,
  kEntity,
  kField,
  kEnd,
  kTable,
  kIndex,
  kLayout,
  kPattern,
  kParameter,
  kHole,  // <name>, in a key
  kValue,
};

struct Suggestion {
  SuggestionKind kind = SuggestionKind::kKeyword;
  std::string label;
  std::string detail;         // one line: its type, whose it is
  std::string documentation;  // Markdown; may be empty
  std::string text;           // what takes the place of `replaced`
  language::Span replaced;    // the beginning that is written already, up to the place
};

// What the parser would take at `offset`, with what is written before it; of names, those that can stand
// there. Those that begin otherwise than what is written already are among them: the editor chooses.
std::vector<Suggestion> complete(const Document& document, uint32_t offset);

}  // namespace sheaf::assist
