#include "assist/document.h"

#include <algorithm>

#include "language/format.h"
#include "language/parser.h"
#include "model/resolver.h"

namespace sheaf::assist {

using language::Span;

namespace {

std::vector<language::Token> lexed(const language::SourceText& source) {
  language::Diagnostics ignored;
  return language::tokens_of(source, ignored);
}

model::Model resolved(const language::SourceText& source) {
  language::Diagnostics ignored;
  return model::resolve(language::parse(source, ignored), ignored).model;
}

}  // namespace

Document::Document(std::string name, std::string text)
    : source_(std::move(name), std::move(text)),
      model_(resolved(source_)),
      symbols_(Symbols::of(model_)),
      tokens_(lexed(source_)) {}

const plan::PlannedModel& Document::planned() const {
  if (planned_ == nullptr)
    planned_ = std::make_unique<const plan::PlannedModel>(
        plan::plan_model(model::compile(source_.name(), std::string(source_.text()))));
  return *planned_;
}

std::vector<Span> definition(const Document& document, uint32_t offset) {
  const Occurrence* const found = document.symbols().at(offset);
  if (found == nullptr) return {};
  return {found->declaration};
}

std::vector<Span> references(const Document& document, uint32_t offset, bool with_declarations) {
  const Occurrence* const found = document.symbols().at(offset);
  if (found == nullptr) return {};
  const Symbol& symbol = document.symbols().symbol(*found);
  std::vector<Span> spans = symbol.references;
  if (with_declarations) spans.insert(spans.end(), symbol.declarations.begin(), symbol.declarations.end());
  std::sort(spans.begin(), spans.end(), [](Span one, Span other) { return one.begin < other.begin; });
  return spans;
}

std::string applied(std::string_view text, std::vector<TextEdit> edits) {
  std::sort(edits.begin(), edits.end(),
            [](const TextEdit& one, const TextEdit& other) { return one.span.begin < other.span.begin; });
  std::string out;
  size_t at = 0;
  for (const TextEdit& edit : edits) {
    out += text.substr(at, edit.span.begin - at);
    out += edit.text;
    at = edit.span.end;
  }
  out += text.substr(at);
  return out;
}

std::vector<TextEdit> format_edits(const Document& document) {
  std::string formatted = language::format(document.source());
  const std::string_view text = document.text();
  if (formatted == text) return {};
  // Only what differs, so that editors keep what is folded and marked.
  size_t before = 0;
  while (before < text.size() && before < formatted.size() && text[before] == formatted[before]) ++before;
  size_t after = 0;
  while (after < text.size() - before && after < formatted.size() - before &&
         text[text.size() - 1 - after] == formatted[formatted.size() - 1 - after])
    ++after;
  // No half characters.
  const auto is_inside = [](std::string_view whole, size_t at) {
    return at < whole.size() && (static_cast<unsigned char>(whole[at]) & 0xC0) == 0x80;
  };
  while (before > 0 && is_inside(text, before)) --before;
  while (after > 0 && is_inside(text, text.size() - after)) --after;
  return {
      {.span = {.begin = static_cast<uint32_t>(before), .end = static_cast<uint32_t>(text.size() - after)},
       .text = formatted.substr(before, formatted.size() - before - after)}};
}

}  // namespace sheaf::assist
