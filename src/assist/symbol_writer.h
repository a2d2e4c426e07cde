// Collects the names of a model, one by one.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "assist/symbols.h"

namespace sheaf::assist {

class SymbolWriter {
 public:
  // A name that is declared. A place declares at most one thing: what came first stays.
  Symbol* declare(SymbolKind kind, const language::Name& name, std::string owner = {});
  // One more declaration of the same thing.
  void declare_again(language::Span declaration, const language::Name& name);
  // A name that means what is declared at `declaration`.
  void refer(const language::Name& name, language::Span declaration, bool is_in_template = false);
  // What the two places declare is one thing.
  void merge(language::Span one, language::Span other);

  Symbols finish();

 private:
  std::optional<SymbolId> find(language::Span declaration) const;
  SymbolId root(SymbolId symbol) const;
  void add(const language::Name& name, SymbolId symbol, Occurrence occurrence);

  std::vector<Symbol> symbols_;
  std::vector<SymbolId> merged_into_;
  std::map<uint32_t, SymbolId> declared_;  // by where the declaration begins
  std::map<uint32_t, Occurrence> occurrences_;
};

}  // namespace sheaf::assist
