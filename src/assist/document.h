// A model text that somebody edits, looked at from all sides. Pure: a text goes in, and answers come out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assist/symbols.h"
#include "language/diagnostic.h"
#include "language/lexer.h"
#include "language/source_text.h"
#include "plan/planned_model.h"

namespace sheaf::assist {

// One version of the text. Never changes; a change makes another. Names are looked up at once; keys are
// proven and patterns planned when somebody asks for what follows from that, which takes longer. For one
// thread.
class Document {
 public:
  // `name` is shown in messages: the path of the file.
  Document(std::string name, std::string text);

  const language::SourceText& source() const { return source_; }
  std::string_view text() const { return source_.text(); }
  // With its names looked up, as far as that could be done.
  const model::Model& model() const { return model_; }
  const Symbols& symbols() const { return symbols_; }
  // With comments, and kEnd last.
  const std::vector<language::Token>& tokens() const { return tokens_; }

  // --- What takes longer

  // It has a model of its own, with the same ids.
  const plan::PlannedModel& planned() const;
  // All that is wrong, in the order of the places.
  const std::vector<language::Diagnostic>& diagnostics() const {
    return planned().compiled.diagnostics.all();
  }
  size_t error_count() const { return planned().compiled.diagnostics.error_count(); }

 private:
  language::SourceText source_;
  model::Model model_;
  Symbols symbols_;
  std::vector<language::Token> tokens_;
  mutable std::unique_ptr<const plan::PlannedModel> planned_;
};

// Where what the name at `offset` means is declared: nothing if there is no name, or nobody declares it.
std::vector<language::Span> definition(const Document& document, uint32_t offset);
// All places that mean the same as the name at `offset`; with `with_declarations`, also where it is declared.
std::vector<language::Span> references(const Document& document, uint32_t offset, bool with_declarations);

// Replaces what is in the span.
struct TextEdit {
  language::Span span;
  std::string text;
};
// `edits` do not overlap.
std::string applied(std::string_view text, std::vector<TextEdit> edits);

// The edit that lays the text out; none if it is, or has mistakes.
std::vector<TextEdit> format_edits(const Document& document);

}  // namespace sheaf::assist
