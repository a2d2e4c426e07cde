// Reads a model file into its syntax tree.
#pragma once

#include "language/diagnostic.h"
#include "language/source_text.h"
#include "language/syntax.h"

namespace sheaf::language {

// What could be read; what could not is told to `diagnostics`, and left out. Reads on after a mistake, so
// that one run tells of several.
Model parse(const SourceText& source, Diagnostics& diagnostics);

// How deep values, types and selections may be nested.
inline constexpr int kNestingMax = 32;

}  // namespace sheaf::language
