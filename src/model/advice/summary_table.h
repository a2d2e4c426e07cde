// The summary tables of the documents as rules: when a strategy is used, and when it is avoided.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/advice/decision_tree.h"

namespace sheaf::model {

struct SummaryRow {
  std::string_view name;   // quick-reference/gsi
  std::string_view table;  // which document
  std::string_view says;   // the row, in our words
  // For which relations it is.
  bool one_to_many = true;  // 1--1, too
  bool many_to_many = false;
  Outcome outcome = Outcome::kEmbed;
  std::span<const AnswerTest> use;    // all must hold; none: always
  std::span<const AnswerTest> avoid;  // together they speak against it
};

std::span<const SummaryRow> summary_rows();

enum class RowVerdict : uint8_t { kFor, kAgainst, kSilent };
// kSilent: it is of another cardinality, or does not apply.
RowVerdict verdict(const SummaryRow& row, const Relation& relation, const Answers& answers);

// What speaks against a strategy.
struct Objection {
  language::Via::Kind via = language::Via::Kind::kAuto;  // kAuto: copies
  std::span<const AnswerTest> when;                      // all of them
  std::string_view text;
  bool is_grave = true;  // or it only costs more than need be
  bool one_to_many = true;
  bool many_to_many = true;

  bool holds(const Relation& relation, const Answers& answers) const;
  // Whether all that it rests on is known, and nothing assumed.
  bool is_known(const Answers& answers) const;
};
std::span<const Objection> objections();

}  // namespace sheaf::model
