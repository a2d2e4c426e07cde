#include "model/advice/summary_table.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace sheaf::model {
namespace {

using Q = QuestionId;
using Settings = std::map<Q, int64_t>;
constexpr auto kFor = RowVerdict::kFor, kAgainst = RowVerdict::kAgainst, kSilent = RowVerdict::kSilent;

Answers told(const Settings& settings, AnswerSource source = AnswerSource::kTold) {
  Answers answers;
  for (const auto& [id, value] : settings) answers.of(id) = {.value = value, .source = source};
  return answers;
}

Relation relation_of(language::Cardinality cardinality) {
  Relation made;
  made.cardinality = cardinality;
  return made;
}

struct RowCase {
  const char* row;
  Settings settings;
  RowVerdict verdict;
  bool is_net = false;
};

// F22: every row of the summary tables, where it speaks for its strategy, where against it, and where not.
const std::vector<RowCase>& row_cases() {
  static const std::vector<RowCase> kCases = {
      {"strategies/complex-attribute", {}, kFor},
      {"strategies/complex-attribute", {{Q::kF2, 1}}, kAgainst},
      {"strategies/complex-attribute", {{Q::kF14, 1}}, kSilent},
      {"strategies/duplicate", {{Q::kF10, kChangesRarely}}, kFor},
      {"strategies/duplicate", {{Q::kF10, kChangesNever}}, kFor},
      {"strategies/duplicate", {{Q::kF10, kChangesOften}}, kAgainst},
      {"strategies/primary-key", {}, kFor},
      {"strategies/primary-key", {{Q::kF5, 1}}, kAgainst},
      {"strategies/secondary-index", {{Q::kF5, 1}}, kFor},
      {"strategies/secondary-index", {}, kSilent},
      {"strategies/composite-sort-key", {{Q::kF6, 1}, {Q::kF7, 1}}, kFor},
      {"strategies/composite-sort-key", {{Q::kF6, 1}}, kSilent},
      {"quick-reference/complex-attribute", {{Q::kF8, 10}, {Q::kF12, 1}, {Q::kF13, 1}}, kFor},
      {"quick-reference/complex-attribute", {{Q::kF8, 11}, {Q::kF12, 1}, {Q::kF13, 1}}, kSilent},
      {"quick-reference/complex-attribute",
       {{Q::kF8, 10}, {Q::kF12, 1}, {Q::kF13, 1}, {Q::kF14, 1}},
       kAgainst},
      {"quick-reference/composite-key", {}, kFor},
      {"quick-reference/composite-key", {{Q::kF5, 1}}, kAgainst},
      {"quick-reference/index", {{Q::kF9, 1}}, kFor},
      {"quick-reference/index", {}, kAgainst},
      {"quick-reference/index", {{Q::kF5, 1}}, kSilent},
      {"quick-reference/composite-sort-key", {{Q::kF6, 1}, {Q::kF7, 1}}, kFor},
      {"quick-reference/composite-sort-key", {}, kAgainst},
      {"quick-reference/adjacency-list", {{Q::kF18, 1}}, kFor, true},
      {"quick-reference/adjacency-list", {{Q::kF8, 10}}, kAgainst, true},
      {"quick-reference/adjacency-list", {{Q::kF8, 11}}, kSilent, true},
      {"quick-reference/adjacency-list", {{Q::kF18, 1}}, kSilent, false},
      {"quick-reference/shallow-duplication", {{Q::kF11, 10}}, kFor, true},
      {"quick-reference/shallow-duplication", {{Q::kF11, 9}}, kSilent, true},
      {"quick-reference/shallow-duplication", {{Q::kF11, 10}, {Q::kF10, kChangesOften}}, kAgainst, true},
      {"quick-reference/normalisation", {{Q::kF21, 1}}, kFor, true},
      {"quick-reference/normalisation", {}, kSilent, true},
      {"quick-reference/normalisation", {{Q::kF21, 1}, {Q::kF2, 1}}, kAgainst, true},
      {"methods/1", {{Q::kD4, 1}}, kFor},
      {"methods/1", {{Q::kD4, 2}}, kAgainst},
      {"methods/2", {{Q::kF10, kChangesRarely}}, kFor},
      {"methods/2", {{Q::kF10, kChangesOften}}, kAgainst},
      {"methods/3", {{Q::kF16, 1}}, kFor},
      {"methods/3", {}, kSilent},
      {"methods/4", {{Q::kD4, 2}}, kFor},
      {"methods/4", {{Q::kD4, 1}}, kSilent},
      // F23: when not to use collections.
      {"no-collection/many-to-many", {}, kFor, true},
      {"no-collection/many-to-many", {}, kSilent, false},
      {"no-collection/unbounded", {{Q::kF2, 1}}, kFor},
      {"no-collection/unbounded", {}, kSilent},
      {"no-collection/across-partitions", {{Q::kF5, 1}}, kFor},
      {"no-collection/across-partitions", {}, kSilent},
      {"no-collection/no-parent", {{Q::kF19, kSideNeither}}, kFor},
      {"no-collection/no-parent", {{Q::kF19, kSideNeither}}, kFor, true},
      {"no-collection/no-parent", {}, kSilent},
      {"no-collection/busy-items", {{Q::kF23, 1}}, kFor},
      {"no-collection/busy-items", {}, kSilent},
  };
  return kCases;
}

const SummaryRow& row_named(std::string_view name) {
  for (const SummaryRow& row : summary_rows()) {
    if (row.name == name) return row;
  }
  ADD_FAILURE() << "no row " << name;
  return summary_rows().front();
}

TEST(SummaryTables, F22EachRowSpeaksAsTheDocumentDoes) {
  for (const RowCase& each : row_cases()) {
    const Relation relation =
        relation_of(each.is_net ? language::Cardinality::kManyToMany : language::Cardinality::kOneToMany);
    EXPECT_EQ(verdict(row_named(each.row), relation, told(each.settings)), each.verdict)
        << each.row << " " << (&each - row_cases().data());
  }
}

TEST(SummaryTables, F22NoRowIsWithoutACaseThatSpeaksForIt) {
  std::set<std::string_view> spoken;
  for (const RowCase& each : row_cases()) {
    if (each.verdict == kFor) spoken.insert(each.row);
  }
  for (const SummaryRow& row : summary_rows()) EXPECT_TRUE(spoken.contains(row.name)) << row.name;
  EXPECT_EQ(summary_rows().size(), 21U);
}

TEST(SummaryTables, ObjectionsHoldWhereAllTheyRestOnDoes) {
  const Relation one_to_many = relation_of(language::Cardinality::kOneToMany);
  for (const Objection& objection : objections()) {
    Settings settings;
    // Everything the other way round, then as it says.
    for (const AnswerTest& test : objection.when) {
      using Is = AnswerTest::Is;
      settings[test.question] = test.is == Is::kYes        ? kAnswerYes
                                : test.is == Is::kNo       ? kAnswerNo
                                : test.is == Is::kMoreThan ? test.value + 1
                                                           : test.value;
    }
    const Relation relation =
        objection.one_to_many ? one_to_many : relation_of(language::Cardinality::kManyToMany);
    EXPECT_TRUE(objection.holds(relation, told(settings))) << objection.text;
    EXPECT_TRUE(objection.is_known(told(settings)));
    EXPECT_FALSE(objection.is_known(told(settings, AnswerSource::kAssumed))) << objection.text;
    const AnswerTest& first = objection.when.front();
    settings[first.question] = first.is == AnswerTest::Is::kMoreThan ? first.value
                               : first.is == AnswerTest::Is::kAtMost ? first.value + 1
                               : first.is == AnswerTest::Is::kChoice ? (first.value + 1) % 2
                                                                     : 1 - settings[first.question];
    EXPECT_FALSE(objection.holds(relation, told(settings))) << objection.text;
  }
}

}  // namespace
}  // namespace sheaf::model
