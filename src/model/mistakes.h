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
  explicit Mistakes(language::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void tell(language::ErrorId id, language::Span span, std::string message, std::string fix = {}) {
    diagnostics_.add({.id = id, .span = span, .message = std::move(message), .fix = std::move(fix)});
  }
  void tell(language::ErrorId id, language::Span span, std::string message, std::string fix,
            std::vector<language::Note> notes) {
    diagnostics_.add({.id = id,
                      .span = span,
                      .message = std::move(message),
                      .fix = std::move(fix),
                      .notes = std::move(notes)});
  }
  void warn(language::ErrorId id, language::Span span, std::string message, std::string fix = {}) {
    diagnostics_.add({.id = id,
                      .span = span,
                      .message = std::move(message),
                      .fix = std::move(fix),
                      .severity = language::Severity::kWarning});
  }

  // "there is no WHAT NAME", with the nearest candidate as the fix.
  void tell_unknown(language::ErrorId id, std::string_view what, const language::Name& name,
                    const std::vector<std::string_view>& candidates);
  // "there are two WHATs NAME".
  void tell_duplicate(std::string_view what, const language::Name& second, language::Span first);

  bool any() const { return diagnostics_.has_errors(); }

 private:
  language::Diagnostics& diagnostics_;
};

}  // namespace sheaf::model
