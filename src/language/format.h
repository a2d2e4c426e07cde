// The one layout of a model's text.
#pragma once

#include <string>

#include "language/source_text.h"

namespace sheaf::language {

// Longer lines are broken where they hold a block. Comments at their end do not count.
inline constexpr size_t kLineCharactersMax = 120;

// The same model, with the same comments, laid out: what `source` says does not change, only how it looks.
//   - Where a line ends is up to the writer, but tokens that belong together (a.b, $x, x;) stand together.
//     At most one blank line in a row, none at the beginning or end of a block.
//   - A block is either on one line, `{ x; y }`, or begins and ends with a line of its own; then each of its
//     lines ends with a `;`, where the language has any.
//   - A line that is too long gets one statement a line, and then the blocks in it are broken.
//   - Declarations without a `;` between them stand on lines of their own.
//   - Two spaces a level; one more level for the lines that go on with a statement.
//   - Comments stay on their lines; those at the end of consecutive lines are aligned.
// format(format(x)) is format(x). A text with mistakes is returned as it is.
std::string format(const SourceText& source);

}  // namespace sheaf::language
