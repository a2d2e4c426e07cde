// How a relation should be stored, why, what that costs, and what would change it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/advice/answers.h"
#include "model/advice/decision_tree.h"
#include "model/advice/relation_use.h"
#include "model/advice/summary_table.h"

namespace sheaf::model {

// What a strategy took on data, for one run of the mix of patterns and operations.
struct MeasuredStrategy {
  std::string via;  // as via_text writes it
  double requests = 0;
  double units = 0;
  double bytes = 0;  // that are stored
};

struct AdviceInputs {
  ToldAnswers told;
  const SeenSizes* seen = nullptr;  // may be null
  std::vector<MeasuredStrategy> measured;
  // What else stands in the way of a strategy, as it is written behind `via`: that no plan answers a pattern,
  // say. May be empty.
  std::function<std::optional<std::string>(const std::string& via)> trial;
};

struct RejectedStrategy {
  language::Via::Kind via = language::Via::Kind::kAuto;
  std::string reason;
  bool is_impossible = false;
};

// Another answer, and what it would lead to.
struct AnswerChange {
  QuestionId question = QuestionId::kF1;
  int64_t value = 0;
  Outcome outcome = Outcome::kEmbed;
  std::string via;
};

struct CopyAdvice {
  bool is_advised = false;
  std::string reason;
  std::vector<WantedField> fields;  // that patterns want; empty: there is nothing to copy
  Answers answers;                  // as they are for these fields
  DecisionPath path;
  std::vector<AnswerChange> changes;  // to kCopy or kNoCopy; `via` is empty
  std::vector<QuestionId> open;       // not known, and alone or with others could change it
};

struct Recommendation {
  RelationId relation = 0;
  Outcome outcome = Outcome::kEmbed;
  std::string via;                 // as it is written
  std::string reason;              // in one line
  std::vector<std::string> notes;  // what else to do
  Answers answers;
  DecisionPath path;
  std::vector<const SummaryRow*> rows_for;      // that name this outcome's strategy
  std::vector<const SummaryRow*> rows_against;  // that name another one, or speak against this
  std::vector<RejectedStrategy> rejected;
  std::vector<AnswerChange> changes;
  // Not known, and alone or with another one could change it; behind these, those that are open of copies.
  std::vector<QuestionId> open;
  CopyAdvice copies;
  std::vector<std::string> contradictions;  // of measurements (F22)

  // What is assumed of a question that is open.
  const Answer& assumed(QuestionId id) const;
};

// Pure. The strategy can be stored if there is one that can.
Recommendation recommend(const Model& model, const LayoutClauses& clauses, RelationId relation,
                         const AdviceInputs& inputs);

// The same without what would change it: for whoever only wants the choice.
struct Decision {
  Outcome outcome = Outcome::kEmbed;
  int along = 0;  // as via_of takes it
  std::string reason;
  DecisionPath path;
};
Decision decide(const Model& model, const LayoutClauses& clauses, RelationId relation, const Answers& answers,
                const AdviceInputs& inputs);

// What was written down, beside the advice.
struct WrittenVerdict {
  enum class Kind : uint8_t { kAgrees, kDiffers, kContradicted };
  Kind kind = Kind::kAgrees;
  bool is_same_strategy = false;        // as advised; only its copies can then be wrong
  std::vector<std::string> objections;  // what speaks against it; of kContradicted at least one
};
WrittenVerdict judge(const Model& model, const Recommendation& recommendation, const language::Via& written);

}  // namespace sheaf::model
