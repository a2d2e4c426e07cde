// The structure of a model text: what is declared in what, and which lines can be folded.
#pragma once

#include <string>
#include <vector>

#include "assist/document.h"

namespace sheaf::assist {

struct OutlineEntry {
  SymbolKind kind = SymbolKind::kEntity;
  std::string name;
  std::string detail;   // of what type, with what parameters
  language::Span span;  // all of it
  language::Span name_span;
  std::vector<OutlineEntry> children;
};

// In the order of their places. Names lie inside of their spans, and children inside of their parents.
std::vector<OutlineEntry> outline(const Document& document);

struct Fold {
  language::Span span;
  bool is_comment = false;
};

// Blocks, and comments, of several lines.
std::vector<Fold> folds(const Document& document);

}  // namespace sheaf::assist
