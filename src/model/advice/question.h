// What must be known to decide how a relation is stored: the questions F1 to F23 of the five documents, and
// D4 and C4, as data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "language/syntax.h"

namespace sheaf::model {

enum class QuestionId : uint8_t {
  kF1,
  kF2,
  kF3,
  kF4,
  kF5,
  kF6,
  kF7,
  kF8,
  kF9,
  kF10,
  kF11,
  kF12,
  kF13,
  kF14,
  kF15,
  kF16,
  kF17,
  kF18,
  kF19,
  kF20,
  kF21,
  kF22,
  kF23,
  kD4,
  kC4
};

enum class AnswerKind : uint8_t { kYesNo, kNumber, kChoice, kMeasured };

inline constexpr int64_t kAnswerNo = 0, kAnswerYes = 1;
// Of kChoice: places in Question::choices.
inline constexpr int64_t kChangesNever = 0, kChangesRarely = 1, kChangesOften = 2;  // F10
inline constexpr int64_t kSideFirst = 0, kSideSecond = 1,
                         kSideNeither = 2;  // F19; F20: the ends, without kSideNeither

struct Question {
  QuestionId id = QuestionId::kF1;
  std::string_view name;  // F1
  std::string_view text;  // as it is asked
  AnswerKind kind = AnswerKind::kYesNo;
  std::span<const std::string_view> choices;
  // For which relations it matters.
  bool one_to_one = true;
  bool one_to_many = true;
  bool many_to_many = true;

  bool matters_for(language::Cardinality cardinality) const;
  // Whether somebody can be asked: measurements answer by themselves.
  bool is_asked() const { return kind != AnswerKind::kMeasured; }
};

// In the order of their ids.
std::span<const Question> questions();
const Question& question(QuestionId id);
// By its name, in capitals or not.
std::optional<QuestionId> find_question(std::string_view name);

// yes, 20, rarely
std::string answer_text(QuestionId id, int64_t value);
// What may be answered, for whoever is asked: "yes or no".
std::string answer_forms(QuestionId id);
// The other way round; y and n, too. None if it is no answer to this question.
std::optional<int64_t> read_answer(QuestionId id, std::string_view text);

}  // namespace sheaf::model
