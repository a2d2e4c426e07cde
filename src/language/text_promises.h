// What holds for every text, for tests and the fuzz target.
#pragma once

#include <string>
#include <vector>

#include "language/format.h"
#include "language/lexer.h"
#include "language/parser.h"
#include "language/syntax_json.h"
#include "language/syntax_text.h"

namespace sheaf::language {

// Its tokens, without the `;` that format may add or drop and what cannot be seen at the end of comments.
inline std::vector<std::string> lasting_tokens(const SourceText& source) {
  Diagnostics ignored;
  std::vector<std::string> texts;
  for (const Token& token : tokens_of(source, ignored)) {
    std::string text(token.text);
    if (is_comment(token)) text.resize(text.find_last_not_of(" \t\r") + 1);
    if (text != ";") texts.push_back(std::move(text));
  }
  return texts;
}

// Empty, or how the text of a model differs from it.
inline std::string broken_promise_of_text(const Model& model) {
  const SourceText text("text", to_text(model));
  Diagnostics mistakes;
  const Model again = parse(text, mistakes);
  if (mistakes.has_errors()) return "to_text makes no model: " + render(text, mistakes.all()[0]);
  if (to_json(again) != to_json(model)) return "to_text changes what it means:\n" + std::string(text.text());
  if (format(text) != text.text()) return "to_text is not formatted:\n" + std::string(text.text());
  return {};
}

// Empty, or which promise was broken, for a text without mistakes.
inline std::string broken_promise_of_model(const SourceText& source, const Model& model) {
  const std::string json = to_json(model);

  const SourceText formatted("formatted", format(source));
  Diagnostics mistakes;
  const Model again = parse(formatted, mistakes);
  if (mistakes.has_errors())
    return "formatting breaks it: " + render(formatted, mistakes.all()[0]) + std::string(formatted.text());
  if (to_json(again) != json) return "formatting changes what it means:\n" + std::string(formatted.text());
  if (format(formatted) != formatted.text())
    return "formatting twice changes it:\n" + std::string(formatted.text()) + "\n" + format(formatted);
  if (lasting_tokens(formatted) != lasting_tokens(source))
    return "formatting loses tokens:\n" + std::string(formatted.text());

  const Result<Model> read = model_from_json(json);
  if (!read.ok()) return "its JSON cannot be read: " + read.error().message;
  if (to_json(*read) != json) return "its JSON means something else:\n" + json + to_json(*read);
  return broken_promise_of_text(*read);
}

// Empty, or which promise was broken, for any bytes at all.
inline std::string broken_promise(const SourceText& source) {
  Diagnostics diagnostics;
  const Model model = parse(source, diagnostics);
  diagnostics.sort();
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const Span span = diagnostic.span;
    if (span.begin > span.end || span.end > source.text().size())
      return "outside of the text: " + diagnostic.message;
    if (render(source, diagnostic).empty() || diagnostic.message.empty()) return "says nothing";
  }
  return diagnostics.has_errors() ? std::string() : broken_promise_of_model(source, model);
}

// Likewise, for any bytes as JSON.
inline std::string broken_promise_of_json(std::string_view json) {
  const Result<Model> read = model_from_json(json);
  if (!read.ok())
    return read.error().message.starts_with("$") ? "" : "names no place: " + read.error().message;
  return broken_promise_of_text(*read);
}

}  // namespace sheaf::language
