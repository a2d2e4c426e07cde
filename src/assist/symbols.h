// Everything in a model that has a name: where it is declared, and where it is meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/source_text.h"
#include "model/model.h"

namespace sheaf::assist {

enum class SymbolKind : uint8_t {
  kModel,
  kTable,
  kIndex,
  kEntity,
  kField,  // of an entity, of an edge, or inside another
  kEnd,
  kLayout,
  kPattern,
  kOperation,
  kParameter,
  kAggregate,
};
std::string_view word_for(SymbolKind kind);

using SymbolId = size_t;

struct Symbol {
  SymbolKind kind = SymbolKind::kEntity;
  std::string name;
  std::string owner;  // whose it is, for people: the entity of a field; may be empty
  // Several layouts can declare the same table or index: they are one, as they have one name.
  std::vector<language::Span> declarations;  // of the name
  std::vector<language::Span> references;
  // What it is in the model, if it was found there.
  std::optional<model::EntityId> entity;      // kEntity; kField, kEnd: the holder
  std::optional<model::FieldId> field;        // kField of an entity
  std::optional<model::EndId> end;            // kEnd
  std::optional<model::RelationId> relation;  // kField of an edge
  const language::Field* field_syntax = nullptr;
  const language::Parameter* parameter = nullptr;
};

// One place where a name is written.
struct Occurrence {
  language::Span span;
  SymbolId symbol = 0;
  bool is_declaration = false;
  bool is_in_template = false;  // in a hole, where names have no backquotes
  language::Span declaration;   // the one that is meant here
};

class Symbols {
 public:
  // Of a text with mistakes, what can be found. Points into `model`.
  static Symbols of(const model::Model& model);

  const std::vector<Symbol>& all() const { return symbols_; }
  // In the order of their places; no two overlap.
  const std::vector<Occurrence>& occurrences() const { return occurrences_; }
  // The name that a place is in, or directly behind.
  const Occurrence* at(uint32_t offset) const;
  const Symbol& symbol(const Occurrence& occurrence) const { return symbols_[occurrence.symbol]; }

 private:
  friend class SymbolWriter;

  std::vector<Symbol> symbols_;
  std::vector<Occurrence> occurrences_;
};

}  // namespace sheaf::assist
