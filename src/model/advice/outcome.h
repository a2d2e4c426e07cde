// What a decision can come to: the strategies of the documents, as Sheaf stores them, and what each costs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "language/syntax.h"
#include "model/model.h"

namespace sheaf::model {

enum class Outcome : uint8_t {
  kEmbed,
  kCollection,
  kSplitCollection,
  kSortedCollection,
  kPath,
  kIndex,
  kRef,
  kEdgesOfOne,
  kEdgesOfMany,
  kAdjacency,
  kAdjacencyWithIndex,
  kAdjacencyWithData,
  kBothDirections,
  kSymmetric,
  kAdjacencyBack,
  kGraph,
  kShallow,
  kNormalised,
  kCopy,
  kNoCopy
};

struct OutcomeText {
  Outcome outcome = Outcome::kEmbed;
  std::string_view name;                                 // shallow-duplication
  std::string_view title;                                // in a few words
  std::string_view points;                               // of the list that Sheaf is measured against: "C5"
  language::Via::Kind via = language::Via::Kind::kAuto;  // kAuto: of copies
  std::string_view note;                                 // what else to do; may be empty
};
std::span<const OutcomeText> outcomes();
const OutcomeText& text_of(Outcome outcome);

// As it is written behind `via` for this relation: "edges pk many". `along` is the end along which it is
// asked for first: 0 or 1.
std::string via_text(Outcome outcome, const Relation& relation, int along);
// The same, as if it were read from a file. No spans.
language::Via via_of(Outcome outcome, const Relation& relation, int along);
// embed, ids ..., as `via` names the strategy.
std::string_view via_word(language::Via::Kind kind);

// What a strategy gives and takes.
struct TradeOff {
  language::Via::Kind via = language::Via::Kind::kAuto;
  bool is_gain = false;
  std::string_view text;
  std::string_view points;  // K1
};
std::span<const TradeOff> trade_offs();
// Edges of a graph are edges: what is said of these is said of them, too.
bool is_said_of(language::Via::Kind said, language::Via::Kind kind);

}  // namespace sheaf::model
