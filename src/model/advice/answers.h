// What is known of one relation: an answer to each question, with where it comes from.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/advice/question.h"
#include "model/advice/relation_use.h"
#include "model/layout_clauses.h"
#include "model/model.h"

namespace sheaf::model {

enum class AnswerSource : uint8_t {
  kDeclared,  // the model says so
  kInferred,  // it follows from patterns and operations
  kSeen,      // in data
  kTold,      // by whoever asks for advice
  kAssumed    // nobody says so
};
std::string_view name_of(AnswerSource source);

struct Answer {
  int64_t value = 0;
  AnswerSource source = AnswerSource::kAssumed;
  std::string because;  // in words that can follow "because"
  language::Span span;  // where it is declared, if it is
  // What it would be if nobody had told or seen otherwise, in words; empty if that is the same.
  std::string instead_of;

  bool is_known() const { return source != AnswerSource::kAssumed; }
};

class Answers {
 public:
  const Answer& of(QuestionId id) const { return all_[static_cast<size_t>(id)]; }
  Answer& of(QuestionId id) { return all_[static_cast<size_t>(id)]; }
  int64_t value(QuestionId id) const { return of(id).value; }
  bool is_yes(QuestionId id) const { return value(id) == kAnswerYes; }

 private:
  std::array<Answer, static_cast<size_t>(QuestionId::kC4) + 1> all_;
};

using ToldAnswers = std::map<QuestionId, int64_t>;

// What data say of the two ends of a relation.
struct SeenSizes {
  struct Side {
    uint64_t holders = 0;  // that have at least one
    uint64_t links = 0;
    uint64_t most = 0;  // of one holder
  };
  Side sides[2];
};

// What was told comes before all, and answers that follow from others follow from it, too. `seen` may be
// null. A number that was seen comes before a smaller one that is declared.
Answers gather_answers(const Model& model, const LayoutClauses& clauses, RelationId relation,
                       const ToldAnswers& told, const SeenSizes* seen);

// F3, F10, F11 and F15 for these fields, of what the ends of the relation lead to. What was told stays.
void answer_for_copied(const Model& model, RelationId relation, const std::vector<WantedField>& fields,
                       Answers& answers);

}  // namespace sheaf::model
