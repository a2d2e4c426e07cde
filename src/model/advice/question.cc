#include "model/advice/question.h"

#include <algorithm>
#include <cctype>

namespace sheaf::model {
namespace {

constexpr std::string_view kFrequencies[] = {"never", "rarely", "often"};
constexpr std::string_view kSides[] = {"first", "second", "neither"};
constexpr std::string_view kDirections[] = {"first", "second"};

constexpr Question kQuestions[] = {
    {.id = QuestionId::kF1,
     .name = "F1",
     .text = "Is something found by values inside of the many?",
     .one_to_one = true,
     .many_to_many = false},
    {.id = QuestionId::kF2, .name = "F2", .text = "Can they grow without bound?", .one_to_one = false},
    {.id = QuestionId::kF3,
     .name = "F3",
     .text = "Is what would be copied immutable?",
     .kind = AnswerKind::kYesNo},
    {.id = QuestionId::kF4,
     .name = "F4",
     .text = "How many items hold a copy, and are written when it changes?",
     .kind = AnswerKind::kNumber},
    {.id = QuestionId::kF5,
     .name = "F5",
     .text = "Is the primary key of the many needed for something else?",
     .many_to_many = false},
    {.id = QuestionId::kF6,
     .name = "F6",
     .text = "Are there more than two levels, searched at several of them?",
     .one_to_one = false,
     .many_to_many = false},
    {.id = QuestionId::kF7,
     .name = "F7",
     .text = "Does a search at a level want all that is below it?",
     .one_to_one = false,
     .many_to_many = false},
    {.id = QuestionId::kF8,
     .name = "F8",
     .text = "How many has one at most?",
     .kind = AnswerKind::kNumber,
     .one_to_one = false},
    {.id = QuestionId::kF9, .name = "F9", .text = "Is it asked for in both directions?"},
    {.id = QuestionId::kF10,
     .name = "F10",
     .text = "How often does what would be copied change?",
     .kind = AnswerKind::kChoice,
     .choices = kFrequencies},
    {.id = QuestionId::kF11,
     .name = "F11",
     .text = "How many reads are there for each write?",
     .kind = AnswerKind::kNumber},
    {.id = QuestionId::kF12,
     .name = "F12",
     .text = "Are the many always read together with their one?",
     .many_to_many = false},
    {.id = QuestionId::kF13,
     .name = "F13",
     .text = "Are the many rarely changed on their own?",
     .many_to_many = false},
    {.id = QuestionId::kF14,
     .name = "F14",
     .text = "Is one of the many asked for by itself?",
     .many_to_many = false},
    {.id = QuestionId::kF15, .name = "F15", .text = "May copies be a little old?"},
    {.id = QuestionId::kF16, .name = "F16", .text = "Must the newest links be seen at once (strong reads)?"},
    {.id = QuestionId::kF17,
     .name = "F17",
     .text = "Are the many sorted or found by fields of their own?",
     .one_to_one = false,
     .many_to_many = false},
    {.id = QuestionId::kF18, .name = "F18", .text = "Does a pair have data of its own, a role or a date?"},
    {.id = QuestionId::kF19,
     .name = "F19",
     .text = "Which of the two is the parent?",
     .kind = AnswerKind::kChoice,
     .choices = kSides},
    {.id = QuestionId::kF20,
     .name = "F20",
     .text = "If one direction is enough: along which of the two ends?",
     .kind = AnswerKind::kChoice,
     .choices = kDirections},
    {.id = QuestionId::kF21,
     .name = "F21",
     .text = "Is it read by background jobs or seldom, so that a second request does no harm?"},
    {.id = QuestionId::kF22,
     .name = "F22",
     .text = "Does what was measured contradict the tables?",
     .kind = AnswerKind::kMeasured},
    {.id = QuestionId::kF23,
     .name = "F23",
     .text = "Are single ones of the many so busy that each needs a partition of its own?",
     .many_to_many = false},
    {.id = QuestionId::kD4,
     .name = "D4",
     .text = "In how many relations does it have one of something, this one among them?",
     .kind = AnswerKind::kNumber,
     .one_to_one = false,
     .many_to_many = false},
    {.id = QuestionId::kC4,
     .name = "C4",
     .text = "Is it searched by a part of the id of what it connects, or by data of the pair?"},
};

std::string small_letters(std::string_view text) {
  std::string made(text);
  for (char& c : made) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return made;
}

}  // namespace

bool Question::matters_for(language::Cardinality cardinality) const {
  switch (cardinality) {
    case language::Cardinality::kOneToOne:
      return one_to_one;
    case language::Cardinality::kOneToMany:
      return one_to_many;
    case language::Cardinality::kManyToMany:
      return many_to_many;
  }
  return false;
}

std::span<const Question> questions() { return kQuestions; }

const Question& question(QuestionId id) { return kQuestions[static_cast<size_t>(id)]; }

std::optional<QuestionId> find_question(std::string_view name) {
  for (const Question& each : kQuestions) {
    if (small_letters(each.name) == small_letters(name)) return each.id;
  }
  return std::nullopt;
}

std::string answer_text(QuestionId id, int64_t value) {
  const Question& asked = question(id);
  switch (asked.kind) {
    case AnswerKind::kYesNo:
      return value == kAnswerYes ? "yes" : "no";
    case AnswerKind::kChoice:
      return std::string(asked.choices[static_cast<size_t>(value)]);
    case AnswerKind::kNumber:
      return std::to_string(value);
    case AnswerKind::kMeasured:
      break;
  }
  return "not measured";
}

std::string answer_forms(QuestionId id) {
  const Question& asked = question(id);
  if (asked.kind == AnswerKind::kYesNo) return "yes or no";
  if (asked.kind == AnswerKind::kNumber) return "a whole number";
  std::string forms;
  for (size_t i = 0; i < asked.choices.size(); ++i) {
    if (i > 0) forms += i + 1 == asked.choices.size() ? " or " : ", ";
    forms += asked.choices[i];
  }
  return forms;
}

std::optional<int64_t> read_answer(QuestionId id, std::string_view text) {
  const Question& asked = question(id);
  const std::string said = small_letters(text);
  if (asked.kind == AnswerKind::kYesNo) {
    if (said == "yes" || said == "y") return kAnswerYes;
    if (said == "no" || said == "n") return kAnswerNo;
    return std::nullopt;
  }
  if (asked.kind == AnswerKind::kNumber) {
    constexpr size_t kDigitsMax = 15;
    const bool is_number = !said.empty() && said.size() <= kDigitsMax &&
                           said.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? std::optional<int64_t>(std::stoll(said)) : std::nullopt;
  }
  for (size_t i = 0; i < asked.choices.size(); ++i) {
    if (said == asked.choices[i]) return static_cast<int64_t>(i);
  }
  return std::nullopt;
}

}  // namespace sheaf::model
