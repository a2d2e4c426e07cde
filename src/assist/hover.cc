#include "assist/hover.h"

#include <algorithm>

#include "assist/keyword_docs.h"
#include "assist/symbol_text.h"
#include "language/error_pages.h"

namespace sheaf::assist {
namespace {

using language::Span;
using language::Token;

const Token* token_at(const Document& document, uint32_t offset) {
  for (const Token& token : document.tokens()) {
    if (token.span.begin <= offset && offset < token.span.end) return &token;
  }
  return nullptr;
}

// What is wrong at the place, if something is, and what it means.
std::string mistakes_at(const Document& document, uint32_t offset) {
  std::string out;
  for (const language::Diagnostic& each : document.diagnostics()) {
    if (offset < each.span.begin || offset >= std::max(each.span.end, each.span.begin + 1)) continue;
    const language::ErrorPage* const page = language::find_error_page(each.id.text());
    if (page == nullptr) continue;
    out += (out.empty() ? "" : "\n\n") + ("**" + std::string(each.id.text()) + "**: ") +
           std::string(page->sentence());
  }
  return out;
}

}  // namespace

std::optional<Hover> hover(const Document& document, uint32_t offset) {
  Hover found;
  const auto add = [&](Span span, const std::string& text) {
    if (text.empty()) return;
    if (found.text.empty()) found.span = span;
    found.text += (found.text.empty() ? "" : "\n\n---\n\n") + text;
  };
  const Token* const token = token_at(document, offset);
  const Occurrence* name = document.symbols().at(offset);
  // A name is pointed at, not what directly follows it.
  if (name != nullptr && offset >= name->span.end && token != nullptr) name = nullptr;
  if (name != nullptr) add(name->span, symbol_text(document, *name));
  if (name == nullptr && token != nullptr && token->kind == Token::Kind::kString)
    add(token->span, template_text(document, token->span));
  if (name == nullptr && token != nullptr && token->kind == Token::Kind::kName) {
    const std::string_view doc = keyword_doc(token->text);
    if (!doc.empty()) add(token->span, "`" + std::string(token->text) + "`: " + std::string(doc));
  }
  const std::string mistakes = mistakes_at(document, offset);
  add(token != nullptr ? token->span : Span{.begin = offset, .end = offset}, mistakes);
  if (found.text.empty()) return std::nullopt;
  return found;
}

}  // namespace sheaf::assist
