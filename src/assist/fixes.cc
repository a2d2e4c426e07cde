#include "assist/fixes.h"

#include <algorithm>

#include "assist/fix_candidates.h"
#include "language/parser.h"

namespace sheaf::assist {
namespace {

using language::Diagnostic;
using language::Span;

// More than an editor shows.
constexpr size_t kFixesMax = 12;
// To try one is to compile the model: candidates that are not tried are not offered.
constexpr size_t kTriesMax = 40;

size_t count_of(const Document& document, const Diagnostic& wanted) {
  return static_cast<size_t>(std::count_if(
      document.diagnostics().begin(), document.diagnostics().end(),
      [&](const Diagnostic& each) { return each.id == wanted.id && each.message == wanted.message; }));
}

size_t syntax_error_count(const Document& document) {
  language::Diagnostics diagnostics;
  language::parse(document.source(), diagnostics);
  return diagnostics.error_count();
}

// What was hidden by a mistake in the syntax may come to light; other mistakes must become fewer.
bool mends(const Document& before, const Diagnostic& diagnostic, const std::vector<TextEdit>& edits) {
  const Document after(before.source().name(), applied(before.text(), edits));
  if (count_of(after, diagnostic) >= count_of(before, diagnostic)) return false;
  const size_t syntax_before = syntax_error_count(before), syntax_after = syntax_error_count(after);
  if (syntax_after != syntax_before) return syntax_after < syntax_before;
  return diagnostic.severity == language::Severity::kWarning ? after.error_count() <= before.error_count()
                                                             : after.error_count() < before.error_count();
}

}  // namespace

std::vector<Fix> fixes(const Document& document, Span range) {
  std::vector<Fix> found;
  size_t tries = 0;
  for (size_t i = 0; i < document.diagnostics().size(); ++i) {
    const Diagnostic& diagnostic = document.diagnostics()[i];
    if (diagnostic.span.begin > range.end || diagnostic.span.end < range.begin) continue;
    for (Fix& candidate : fix_candidates(document, diagnostic)) {
      if (found.size() == kFixesMax || tries == kTriesMax) return found;
      ++tries;
      const bool is_double = std::any_of(found.begin(), found.end(), [&](const Fix& other) {
        return other.diagnostic == i && other.title == candidate.title;
      });
      if (is_double || !mends(document, diagnostic, candidate.edits)) continue;
      candidate.diagnostic = i;
      found.push_back(std::move(candidate));
    }
  }
  return found;
}

}  // namespace sheaf::assist
