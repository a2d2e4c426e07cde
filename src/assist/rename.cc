#include "assist/rename.h"

#include <algorithm>

#include "base/try.h"
#include "language/written_parts.h"

namespace sheaf::assist {
namespace {

using language::Span;

bool is_plain(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
  });
}

bool fits_in_template(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

Error refusal(std::string message) { return {Code::kInvalid, std::move(message)}; }

// An index that includes an attribute which is also one of other fields: whose it is cannot be told.
Result<void> check_included(const Document& document, const Symbol& symbol) {
  if (symbol.kind != SymbolKind::kField || !symbol.field || symbol.field_syntax->stored_as) return {};
  const auto check = [&](const language::Table& table) -> Result<void> {
    for (const language::Gsi& gsi : table.indexes) {
      for (const language::Name& name : gsi.included) {
        const bool is_known = std::find(symbol.references.begin(), symbol.references.end(), name.span) !=
                              symbol.references.end();
        if (name.text == symbol.name && !is_known)
          return refusal("the index " + gsi.name.text + " includes the attribute " + name.text +
                         ", which several entities have: write `stored as " + name.text +
                         "` behind the field first");
      }
    }
    return {};
  };
  const language::Model& syntax = document.model().syntax();
  for (const language::Table& table : syntax.tables) TRY(check(table));
  for (const language::Layout& layout : syntax.layouts) {
    for (const language::Table& table : layout.tables) TRY(check(table));
  }
  return {};
}

std::vector<TextEdit> edits_for(const Document& document, SymbolId symbol, std::string_view name,
                                bool with_backquotes) {
  std::vector<TextEdit> edits;
  for (const Occurrence& each : document.symbols().occurrences()) {
    if (each.symbol != symbol) continue;
    const bool is_quoted = with_backquotes && !each.is_in_template;
    edits.push_back(
        {.span = each.span, .text = is_quoted ? "`" + std::string(name) + "`" : std::string(name)});
  }
  return edits;
}

// Where a place is after the edits, which are in order.
uint32_t moved(uint32_t offset, const std::vector<TextEdit>& edits) {
  int64_t by = 0;
  for (const TextEdit& edit : edits) {
    if (edit.span.begin >= offset) break;
    by += static_cast<int64_t>(edit.text.size()) - static_cast<int64_t>(edit.span.end - edit.span.begin);
  }
  return static_cast<uint32_t>(offset + by);
}

// Whether every name means the same after the edits as it did before.
bool means_the_same(const Document& before, const Document& after, const std::vector<TextEdit>& edits) {
  const auto& old_names = before.symbols().occurrences();
  const auto& new_names = after.symbols().occurrences();
  if (old_names.size() != new_names.size()) return false;
  for (size_t i = 0; i < old_names.size(); ++i) {
    if (new_names[i].span.begin != moved(old_names[i].span.begin, edits) ||
        new_names[i].declaration.begin != moved(old_names[i].declaration.begin, edits) ||
        new_names[i].is_declaration != old_names[i].is_declaration)
      return false;
  }
  return true;
}

// Empty, or why the edits cannot be made.
std::string objection(const Document& before, const std::vector<TextEdit>& edits, std::string_view name) {
  const Document after(before.source().name(), applied(before.text(), edits));
  if (after.error_count() > before.error_count()) {
    // The mistake that was not there before.
    for (const language::Diagnostic& each : after.diagnostics()) {
      const bool is_old = std::any_of(
          before.diagnostics().begin(), before.diagnostics().end(), [&](const language::Diagnostic& old) {
            return old.id == each.id && moved(old.span.begin, edits) == each.span.begin;
          });
      if (!is_old && each.severity == language::Severity::kError) return each.message;
    }
    return "the model would have more mistakes";
  }
  if (!means_the_same(before, after, edits)) return std::string(name) + " means something else already";
  return {};
}

}  // namespace

std::optional<Span> renamable(const Document& document, uint32_t offset) {
  const Occurrence* const found = document.symbols().at(offset);
  return found == nullptr ? std::nullopt : std::optional(found->span);
}

Result<std::vector<TextEdit>> rename(const Document& document, uint32_t offset, std::string_view name) {
  const Occurrence* const found = document.symbols().at(offset);
  if (found == nullptr) return refusal("there is no name here that is declared in this model");
  const Symbol& symbol = document.symbols().symbol(*found);
  if (!language::is_name(name)) return refusal("a name is not empty, and has no backquotes and line ends");
  const std::vector<Occurrence>& all = document.symbols().occurrences();
  const bool is_in_template = std::any_of(all.begin(), all.end(), [&](const Occurrence& each) {
    return each.symbol == found->symbol && each.is_in_template;
  });
  if (is_in_template && !fits_in_template(name))
    return refusal(symbol.name + " is used in keys, where a name has letters, digits and _ only");
  TRY(check_included(document, symbol));
  if (name == symbol.name) return std::vector<TextEdit>();

  // A word that could be a keyword is one; whether it could, the parser knows.
  std::string why;
  if (is_plain(name)) {
    std::vector<TextEdit> edits = edits_for(document, found->symbol, name, false);
    why = objection(document, edits, name);
    if (why.empty()) return edits;
  }
  std::vector<TextEdit> edits = edits_for(document, found->symbol, name, true);
  const std::string also = objection(document, edits, name);
  if (also.empty()) return edits;
  return refusal("it cannot be named " + std::string(name) + ": " + also);
}

}  // namespace sheaf::assist
