// Telling what is wrong, in the words that all checks share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/diagnostic.h"
#include "language/syntax.h"

namespace sheaf::model {

class Mistakes {
 public:
  // `layout` is told with each mistake: empty for the logical half and for `default`.
  explicit Mistakes(language::Diagnostics& diagnostics, std::string layout = {})
      : diagnostics_(diagnostics), layout_(std::move(layout)) {}

  void tell(language::ErrorId id, language::Span span, std::string message, std::string fix = {},
            std::vector<language::Note> notes = {}) {
    ++count_;
    diagnostics_.add({.id = id,
                      .span = span,
                      .message = std::move(message),
                      .fix = std::move(fix),
                      .notes = std::move(notes),
                      .layout = layout_});
  }
  void warn(language::ErrorId id, language::Span span, std::string message, std::string fix = {},
            std::vector<language::Note> notes = {}) {
    diagnostics_.add({.id = id,
                      .span = span,
                      .message = std::move(message),
                      .fix = std::move(fix),
                      .notes = std::move(notes),
                      .severity = language::Severity::kWarning,
                      .layout = layout_});
  }
  // What follows from a mistake that is told already: it counts, and is not told.
  void pass_over() { ++count_; }

  // "there is no WHAT NAME", with the nearest candidate as the fix.
  void tell_unknown(language::ErrorId id, std::string_view what, const language::Name& name,
                    const std::vector<std::string_view>& candidates);
  // "there are two WHATs NAME".
  void tell_duplicate(std::string_view what, const language::Name& second, language::Span first);

  // How many were told here, without warnings.
  size_t count() const { return count_; }
  bool any() const { return count_ > 0; }

 private:
  language::Diagnostics& diagnostics_;
  std::string layout_;
  size_t count_ = 0;
};

}  // namespace sheaf::model
