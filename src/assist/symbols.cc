#include "assist/symbols.h"

#include <algorithm>
#include <array>

#include "assist/symbol_writer.h"

namespace sheaf::assist {

using language::Name;
using language::Span;

std::string_view word_for(SymbolKind kind) {
  static constexpr std::array<std::string_view, 11> kWords = {"model", "table",     "index",    "entity",
                                                              "field", "end",       "layout",   "pattern",
                                                              "op",    "parameter", "aggregate"};
  return kWords[static_cast<size_t>(kind)];
}

const Occurrence* Symbols::at(uint32_t offset) const {
  const auto next =
      std::upper_bound(occurrences_.begin(), occurrences_.end(), offset,
                       [](uint32_t at, const Occurrence& each) { return at < each.span.begin; });
  if (next == occurrences_.begin()) return nullptr;
  const Occurrence& found = *(next - 1);
  return offset <= found.span.end ? &found : nullptr;
}

std::optional<SymbolId> SymbolWriter::find(Span declaration) const {
  const auto found = declared_.find(declaration.begin);
  return found == declared_.end() ? std::nullopt : std::optional(found->second);
}

SymbolId SymbolWriter::root(SymbolId symbol) const {
  while (merged_into_[symbol] != symbol) symbol = merged_into_[symbol];
  return symbol;
}

void SymbolWriter::add(const Name& name, SymbolId symbol, Occurrence occurrence) {
  if (name.text.empty() || name.span.begin >= name.span.end) return;
  occurrence.span = name.span;
  occurrence.symbol = symbol;
  occurrences_.emplace(name.span.begin, occurrence);
}

Symbol* SymbolWriter::declare(SymbolKind kind, const Name& name, std::string owner) {
  if (name.text.empty() || name.span.begin >= name.span.end) return nullptr;
  const SymbolId id = symbols_.size();
  if (!declared_.emplace(name.span.begin, id).second) return nullptr;
  symbols_.push_back({.kind = kind, .name = name.text, .owner = std::move(owner)});
  merged_into_.push_back(id);
  add(name, id, {.is_declaration = true, .declaration = name.span});
  return &symbols_.back();
}

void SymbolWriter::declare_again(Span declaration, const Name& name) {
  const auto symbol = find(declaration);
  if (!symbol || name.span.begin >= name.span.end || !declared_.emplace(name.span.begin, *symbol).second)
    return;
  add(name, *symbol, {.is_declaration = true, .declaration = name.span});
}

void SymbolWriter::refer(const Name& name, Span declaration, bool is_in_template) {
  const auto symbol = find(declaration);
  if (symbol) add(name, *symbol, {.is_in_template = is_in_template, .declaration = declaration});
}

void SymbolWriter::merge(Span one, Span other) {
  const auto first = find(one), second = find(other);
  if (first && second) merged_into_[root(*second)] = root(*first);
}

Symbols SymbolWriter::finish() {
  Symbols made;
  // What was merged into another is left out.
  std::vector<SymbolId> new_ids(symbols_.size());
  for (SymbolId id = 0; id < symbols_.size(); ++id) {
    if (root(id) != id) continue;
    new_ids[id] = made.symbols_.size();
    made.symbols_.push_back(std::move(symbols_[id]));
  }
  uint32_t end = 0;
  for (auto& [begin, occurrence] : occurrences_) {
    if (begin < end) continue;
    end = occurrence.span.end;
    occurrence.symbol = new_ids[root(occurrence.symbol)];
    Symbol& symbol = made.symbols_[occurrence.symbol];
    (occurrence.is_declaration ? symbol.declarations : symbol.references).push_back(occurrence.span);
    made.occurrences_.push_back(occurrence);
  }
  return made;
}

}  // namespace sheaf::assist
