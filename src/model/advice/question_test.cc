#include "model/advice/question.h"

#include <gtest/gtest.h>

namespace sheaf::model {
namespace {

TEST(AdviceQuestions, F1ToF23AreThereInOrderAndEachMattersForSomething) {
  for (int number = 1; number <= 23; ++number) {
    const auto id = find_question("F" + std::to_string(number));
    ASSERT_TRUE(id) << number;
    EXPECT_EQ(static_cast<int>(*id), number - 1);
    const Question& asked = question(*id);
    EXPECT_TRUE(asked.text.ends_with("?")) << asked.name;
    EXPECT_TRUE(asked.one_to_one || asked.one_to_many || asked.many_to_many) << asked.name;
    EXPECT_EQ(asked.kind == AnswerKind::kChoice, !asked.choices.empty()) << asked.name;
  }
  EXPECT_FALSE(find_question("F0"));
  EXPECT_FALSE(find_question("F24"));
  EXPECT_EQ(find_question("f8"), QuestionId::kF8);
  EXPECT_EQ(find_question("D4"), QuestionId::kD4);
  EXPECT_EQ(find_question("C4"), QuestionId::kC4);
}

TEST(AdviceQuestions, MeasurementsAreNotAskedFor) {
  for (const Question& asked : questions()) EXPECT_EQ(asked.is_asked(), asked.id != QuestionId::kF22);
}

TEST(AdviceQuestions, AnswersAreReadAsTheyAreWritten) {
  for (const Question& asked : questions()) {
    if (!asked.is_asked()) continue;
    const int64_t values = asked.kind == AnswerKind::kYesNo    ? 2
                           : asked.kind == AnswerKind::kNumber ? 25
                                                               : static_cast<int64_t>(asked.choices.size());
    for (int64_t value = 0; value < values; ++value)
      EXPECT_EQ(read_answer(asked.id, answer_text(asked.id, value)), value) << asked.name;
  }
  EXPECT_EQ(read_answer(QuestionId::kF2, "Y"), kAnswerYes);
  EXPECT_EQ(read_answer(QuestionId::kF2, "n"), kAnswerNo);
}

TEST(AdviceQuestions, WhatIsNoAnswerIsNot) {
  EXPECT_FALSE(read_answer(QuestionId::kF2, "maybe"));
  EXPECT_FALSE(read_answer(QuestionId::kF2, ""));
  EXPECT_FALSE(read_answer(QuestionId::kF8, "-1"));
  EXPECT_FALSE(read_answer(QuestionId::kF8, "1.5"));
  EXPECT_FALSE(read_answer(QuestionId::kF8, ""));
  EXPECT_EQ(read_answer(QuestionId::kF8, std::string(15, '9')), 999'999'999'999'999);
  EXPECT_FALSE(read_answer(QuestionId::kF8, std::string(16, '9')));
  EXPECT_FALSE(read_answer(QuestionId::kF10, "sometimes"));
  EXPECT_FALSE(read_answer(QuestionId::kF20, "neither"));
  EXPECT_EQ(read_answer(QuestionId::kF19, "neither"), kSideNeither);
}

}  // namespace
}  // namespace sheaf::model
