#include "model/advice/decision_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace sheaf::model {
namespace {

using Q = QuestionId;
using Said = std::map<Q, int64_t>;

// What is not said is no, 0 or the first choice.
Answers answers_of(const Said& said) {
  Answers answers;
  for (const auto& [id, value] : said) answers.of(id) = {.value = value, .source = AnswerSource::kTold};
  return answers;
}

// Few, always together, steady: what is embedded.
const Said kFewTogether = {{Q::kF8, 10}, {Q::kF12, kAnswerYes}, {Q::kF13, kAnswerYes}};

Said with(Said said, const Said& others) {
  for (const auto& [id, value] : others) said[id] = value;
  return said;
}

struct LeafCase {
  const char* name;
  const DecisionTree& (*tree)();
  Said said;
  Outcome outcome;
  std::set<Outcome> struck = {};  // what cannot be
};

DecisionPath path_of(const LeafCase& each) {
  return follow(each.tree(), answers_of(each.said), [&](Outcome outcome) {
    return each.struck.contains(outcome) ? std::optional<std::string>("no") : std::nullopt;
  });
}

const std::vector<LeafCase>& leaf_cases() {
  static const std::vector<LeafCase> kCases = {
      {"F18DataOfThePairAreEdges", one_to_many_tree, {{Q::kF18, 1}}, Outcome::kEdgesOfOne},
      {"F19NoParentIsEdges", one_to_many_tree, {{Q::kF19, kSideNeither}}, Outcome::kEdgesOfOne},
      {"F8F12F13FewTogetherAreEmbedded", one_to_many_tree, kFewTogether, Outcome::kEmbed},
      {"F8ElevenAreNotFew", one_to_many_tree, with(kFewTogether, {{Q::kF8, 11}}), Outcome::kCollection},
      {"F2UnboundedIsSplit", one_to_many_tree, with(kFewTogether, {{Q::kF2, 1}}), Outcome::kSplitCollection},
      {"F12ApartIsACollection", one_to_many_tree, with(kFewTogether, {{Q::kF12, 0}}), Outcome::kCollection},
      {"F14ByItselfIsACollection", one_to_many_tree, with(kFewTogether, {{Q::kF14, 1}}),
       Outcome::kCollection},
      {"F1ByWhatIsInsideIsACollection", one_to_many_tree, with(kFewTogether, {{Q::kF1, 1}}),
       Outcome::kCollection},
      {"F13ChangedAloneIsACollection", one_to_many_tree, with(kFewTogether, {{Q::kF13, 0}}),
       Outcome::kCollection},
      {"F5KeyTakenIsAnIndex", one_to_many_tree, {{Q::kF8, 100}, {Q::kF5, 1}, {Q::kF9, 1}}, Outcome::kIndex},
      {"F16StrongAndKeyTakenIsEdgesOfTheOne",
       one_to_many_tree,
       {{Q::kF8, 100}, {Q::kF5, 1}, {Q::kF9, 1}, {Q::kF16, 1}},
       Outcome::kEdgesOfOne},
      {"D4FifteenRelationsHaveIndexes",
       one_to_many_tree,
       {{Q::kF8, 100}, {Q::kF5, 1}, {Q::kF9, 1}, {Q::kD4, 15}},
       Outcome::kIndex},
      {"D4SixteenRelationsShareOneIndex",
       one_to_many_tree,
       {{Q::kF8, 100}, {Q::kF5, 1}, {Q::kF9, 1}, {Q::kD4, 16}},
       Outcome::kEdgesOfMany},
      {"F20FromTheManyOnlyIsARef",
       one_to_many_tree,
       {{Q::kF8, 100}, {Q::kF5, 1}, {Q::kF20, kSideSecond}},
       Outcome::kRef},
      {"F20FromTheOneOnlyIsAnIndex",
       one_to_many_tree,
       {{Q::kF8, 100}, {Q::kF5, 1}, {Q::kF20, kSideFirst}},
       Outcome::kIndex},
      {"F23BusyItemsHavePartitions", one_to_many_tree, {{Q::kF8, 100}, {Q::kF23, 1}}, Outcome::kIndex},
      {"F6F7LevelsWithAllBelowAreAPath",
       one_to_many_tree,
       {{Q::kF8, 100}, {Q::kF6, 1}, {Q::kF7, 1}},
       Outcome::kPath},
      {"F7LevelsWithoutWhatIsBelowAreACollection",
       one_to_many_tree,
       {{Q::kF8, 100}, {Q::kF6, 1}},
       Outcome::kCollection},
      {"F17SortedByAField", one_to_many_tree, {{Q::kF8, 100}, {Q::kF17, 1}}, Outcome::kSortedCollection},
      {"F22TheMostCommon", one_to_many_tree, {{Q::kF8, 100}}, Outcome::kCollection},
      {"C4DataOfThePairThatIsSearchedIsAGraph",
       one_to_many_tree,
       {{Q::kF18, 1}, {Q::kC4, 1}},
       Outcome::kGraph},
      {"C4AGraphThatCannotBeIsEdges",
       one_to_many_tree,
       {{Q::kF18, 1}, {Q::kC4, 1}},
       Outcome::kEdgesOfOne,
       {Outcome::kGraph}},
      {"C4StrongAndKeyTakenAndSearchedIsAGraph",
       one_to_many_tree,
       {{Q::kF8, 100}, {Q::kF5, 1}, {Q::kF9, 1}, {Q::kF16, 1}, {Q::kC4, 1}},
       Outcome::kGraph},
      {"C4SearchedByPartsOfWhatHasNoItemsIsAGraph",
       one_to_many_tree,
       {{Q::kF2, 1}, {Q::kF5, 1}, {Q::kF9, 1}, {Q::kC4, 1}},
       Outcome::kGraph,
       {Outcome::kIndex}},
      {"WithoutItemsOfTheManyEdgesAreOfTheOne",
       one_to_many_tree,
       {{Q::kF2, 1}, {Q::kF5, 1}, {Q::kF9, 1}},
       Outcome::kEdgesOfOne,
       {Outcome::kIndex}},
      {"WithoutItemsOfTheOneEdgesAreOfTheMany",
       one_to_many_tree,
       {{Q::kF2, 1}, {Q::kF5, 1}, {Q::kF9, 1}},
       Outcome::kEdgesOfMany,
       {Outcome::kIndex, Outcome::kEdgesOfOne}},

      {"F18OneToOneWithData", one_to_one_tree, {{Q::kF18, 1}}, Outcome::kEdgesOfOne},
      {"F19OneToOneAlike", one_to_one_tree, {{Q::kF19, kSideNeither}}, Outcome::kSymmetric},
      {"F12OneToOneTogether", one_to_one_tree, kFewTogether, Outcome::kEmbed},
      {"F14OneToOneByItself", one_to_one_tree, with(kFewTogether, {{Q::kF14, 1}}), Outcome::kCollection},
      {"F1OneToOneByWhatIsInside", one_to_one_tree, with(kFewTogether, {{Q::kF1, 1}}), Outcome::kCollection},
      {"F13OneToOneChangedAlone", one_to_one_tree, with(kFewTogether, {{Q::kF13, 0}}), Outcome::kCollection},
      {"F9OneToOneFromBothSides", one_to_one_tree, {{Q::kF5, 1}, {Q::kF9, 1}}, Outcome::kIndex},
      {"F20OneToOneFromTheSecond", one_to_one_tree, {{Q::kF5, 1}, {Q::kF20, kSideSecond}}, Outcome::kRef},
      {"F20OneToOneFromTheFirst", one_to_one_tree, {{Q::kF5, 1}, {Q::kF20, kSideFirst}}, Outcome::kIndex},
      {"F23OneToOneBusy", one_to_one_tree, {{Q::kF23, 1}}, Outcome::kIndex},
      {"OneToOneInOnePartition", one_to_one_tree, {}, Outcome::kCollection},
      {"C4OneToOneSearchedIsAGraph", one_to_one_tree, {{Q::kF18, 1}, {Q::kC4, 1}}, Outcome::kGraph},
      {"C4OneToOneSearchedByPartsIsAGraph",
       one_to_one_tree,
       {{Q::kF5, 1}, {Q::kF9, 1}, {Q::kC4, 1}},
       Outcome::kGraph,
       {Outcome::kIndex}},
      {"OneToOneWithoutItemsOfOneOfThem",
       one_to_one_tree,
       {{Q::kF5, 1}, {Q::kF9, 1}},
       Outcome::kEdgesOfMany,
       {Outcome::kIndex, Outcome::kEdgesOfOne}},
      {"F19OneToOneOfTwoNamesIsNotAlike",
       one_to_one_tree,
       {{Q::kF19, kSideNeither}, {Q::kF9, 1}},
       Outcome::kIndex,
       {Outcome::kSymmetric}},

      // F18: the five outcomes of the tree, with direction and size asked first (J16).
      {"F18AdjacencyList", many_to_many_tree, {{Q::kF8, 11}}, Outcome::kAdjacency},
      {"F18AdjacencyListWithIndex",
       many_to_many_tree,
       {{Q::kF8, 11}, {Q::kF9, 1}},
       Outcome::kAdjacencyWithIndex},
      {"F18AdjacencyListForData",
       many_to_many_tree,
       {{Q::kF8, 11}, {Q::kF18, 1}},
       Outcome::kAdjacencyWithData},
      {"F18ShallowDuplication",
       many_to_many_tree,
       {{Q::kF8, 10}, {Q::kF10, kChangesRarely}, {Q::kF15, 1}, {Q::kF11, 10}},
       Outcome::kShallow},
      {"F18Normalisation",
       many_to_many_tree,
       {{Q::kF8, 10}, {Q::kF10, kChangesOften}, {Q::kF21, 1}},
       Outcome::kNormalised},
      {"J16SparseInBothDirectionsHasTheIndex",
       many_to_many_tree,
       {{Q::kF8, 3}, {Q::kF9, 1}, {Q::kF10, kChangesOften}},
       Outcome::kAdjacencyWithIndex},
      {"J16DenseIsNeverInAnItem",
       many_to_many_tree,
       {{Q::kF8, 11}, {Q::kF10, kChangesNever}, {Q::kF15, 1}, {Q::kF11, 1000}},
       Outcome::kAdjacency},
      {"J16UnboundedIsNeverInAnItem",
       many_to_many_tree,
       {{Q::kF8, 2}, {Q::kF2, 1}, {Q::kF10, kChangesNever}, {Q::kF15, 1}, {Q::kF11, 1000}},
       Outcome::kAdjacency},
      {"F18DataOfFewAreEdgesToo",
       many_to_many_tree,
       {{Q::kF8, 3}, {Q::kF18, 1}},
       Outcome::kAdjacencyWithData},
      {"F11NineReadsAWriteAreTooFew",
       many_to_many_tree,
       {{Q::kF8, 10}, {Q::kF10, kChangesRarely}, {Q::kF15, 1}, {Q::kF11, 9}},
       Outcome::kAdjacency},
      {"F15NoOldCopies",
       many_to_many_tree,
       {{Q::kF8, 10}, {Q::kF10, kChangesRarely}, {Q::kF11, 10}},
       Outcome::kAdjacency},
      {"F21IdsLeadInOneDirection",
       many_to_many_tree,
       {{Q::kF8, 10}, {Q::kF10, kChangesOften}, {Q::kF21, 1}, {Q::kF9, 1}},
       Outcome::kAdjacencyWithIndex},
      {"F21AlikeHaveEachOther",
       many_to_many_tree,
       {{Q::kF8, 10}, {Q::kF10, kChangesOften}, {Q::kF21, 1}, {Q::kF9, 1}, {Q::kF19, kSideNeither}},
       Outcome::kNormalised},
      {"F16StrongFromBothSides",
       many_to_many_tree,
       {{Q::kF8, 11}, {Q::kF9, 1}, {Q::kF16, 1}},
       Outcome::kBothDirections},
      {"F16StrongFromBothSidesWithData",
       many_to_many_tree,
       {{Q::kF8, 11}, {Q::kF18, 1}, {Q::kF16, 1}},
       Outcome::kBothDirections},
      {"F19Friends", many_to_many_tree, {{Q::kF2, 1}, {Q::kF19, kSideNeither}}, Outcome::kSymmetric},
      {"F19TwoNamesAreNotAlike",
       many_to_many_tree,
       {{Q::kF2, 1}, {Q::kF19, kSideNeither}},
       Outcome::kAdjacency,
       {Outcome::kSymmetric}},
      {"C4SearchedIsAGraph", many_to_many_tree, {{Q::kF8, 300}, {Q::kF18, 1}, {Q::kC4, 1}}, Outcome::kGraph},
      {"C4StrongFromBothSidesIsNoGraph",
       many_to_many_tree,
       {{Q::kF8, 300}, {Q::kF18, 1}, {Q::kC4, 1}, {Q::kF16, 1}},
       Outcome::kBothDirections},
      {"C4AGraphThatCannotBeIsAnAdjacencyList",
       many_to_many_tree,
       {{Q::kF8, 300}, {Q::kF18, 1}, {Q::kC4, 1}},
       Outcome::kAdjacencyWithData,
       {Outcome::kGraph}},
      {"C4SearchedAndStrongWithoutItemsOfOneIsAGraph",
       many_to_many_tree,
       {{Q::kF8, 300}, {Q::kC4, 1}, {Q::kF9, 1}, {Q::kF16, 1}},
       Outcome::kGraph,
       {Outcome::kBothDirections}},
      {"WithoutItemsOfWhoAsksEdgesLieWithTheOther",
       many_to_many_tree,
       {{Q::kF8, 11}},
       Outcome::kAdjacencyBack,
       {Outcome::kAdjacency, Outcome::kBothDirections}},

      {"F3ImmutableIsCopied", copy_tree, {{Q::kF3, 1}}, Outcome::kCopy},
      {"F10OftenIsNotCopied",
       copy_tree,
       {{Q::kF10, kChangesOften}, {Q::kF15, 1}, {Q::kF11, 100}},
       Outcome::kNoCopy},
      {"F15NotCopiedIfOldIsWrong", copy_tree, {{Q::kF10, kChangesRarely}, {Q::kF11, 100}}, Outcome::kNoCopy},
      {"F4AThousandCopies",
       copy_tree,
       {{Q::kF10, kChangesRarely}, {Q::kF15, 1}, {Q::kF4, 1000}, {Q::kF11, 10}},
       Outcome::kCopy},
      {"F4MoreThanAThousandCopies",
       copy_tree,
       {{Q::kF10, kChangesRarely}, {Q::kF15, 1}, {Q::kF4, 1001}, {Q::kF11, 10}},
       Outcome::kNoCopy},
      {"F11CopiesNeedReads",
       copy_tree,
       {{Q::kF10, kChangesRarely}, {Q::kF15, 1}, {Q::kF11, 9}},
       Outcome::kNoCopy},
  };
  return kCases;
}

class DecisionLeaves : public testing::TestWithParam<LeafCase> {};

TEST_P(DecisionLeaves, IsWhereTheAnswersLead) {
  EXPECT_EQ(path_of(GetParam()).leaf->outcome, GetParam().outcome);
}

INSTANTIATE_TEST_SUITE_P(Advice, DecisionLeaves, testing::ValuesIn(leaf_cases()),
                         [](const auto& each) { return each.param.name; });

TEST(DecisionTrees, EveryLeafThatAnswersLeadToHasACase) {
  std::set<const DecisionLeaf*> met;
  for (const LeafCase& each : leaf_cases()) met.insert(path_of(each).leaf);
  for (const DecisionTree* tree : decision_trees()) {
    for (const DecisionLeaf& leaf : tree->leaves)
      EXPECT_TRUE(met.contains(&leaf) || leaf.is_last_resort) << tree->name << " " << leaf.reason;
  }
}

TEST(DecisionTrees, EveryNodeIsGoneThroughBothWays) {
  std::set<std::pair<const DecisionNode*, bool>> met;
  for (const LeafCase& each : leaf_cases()) {
    for (const DecisionStep& step : path_of(each).steps) met.insert({step.node, step.holds});
  }
  for (const DecisionTree* tree : decision_trees()) {
    for (size_t i = 0; i < tree->nodes.size(); ++i) {
      EXPECT_TRUE(met.contains({&tree->nodes[i], true})) << tree->name << " " << i + 1 << " yes";
      EXPECT_TRUE(met.contains({&tree->nodes[i], false})) << tree->name << " " << i + 1 << " no";
    }
  }
}

// Whatever cannot be: there is an end, and it is never what was struck, unless nothing is left.
TEST(DecisionTrees, AlwaysEndWhateverStandsInTheWay) {
  for (const DecisionTree* tree : decision_trees()) {
    for (uint32_t struck = 0; struck < 1U << 18; struck += 29) {
      const auto obstacle = [&](Outcome outcome) -> std::optional<std::string> {
        if ((struck >> static_cast<uint32_t>(outcome) & 1U) == 0) return std::nullopt;
        return "no";
      };
      for (const Said& said : {Said{}, kFewTogether, Said{{Q::kF21, 1}, {Q::kF10, kChangesOften}},
                               Said{{Q::kF18, 1}, {Q::kC4, 1}}, Said{{Q::kF19, kSideNeither}, {Q::kC4, 1}}}) {
        const DecisionPath path = follow(*tree, answers_of(said), obstacle);
        ASSERT_NE(path.leaf, nullptr);
        EXPECT_TRUE(!obstacle(path.leaf->outcome) || path.leaf->otherwise == 0);
      }
    }
  }
}

TEST(DecisionTrees, WhatCannotBeIsToldWithWhy) {
  const auto no_embedding = [](Outcome outcome) -> std::optional<std::string> {
    return outcome == Outcome::kEmbed ? std::optional<std::string>("it has a version") : std::nullopt;
  };
  const DecisionPath path = follow(one_to_many_tree(), answers_of(kFewTogether), no_embedding);
  EXPECT_EQ(path.leaf->outcome, Outcome::kCollection);
  ASSERT_EQ(path.struck.size(), 1U);
  EXPECT_EQ(path.struck[0].obstacle, "it has a version");
}

TEST(DecisionTrees, NumbersTurnAtTheirLimits) {
  EXPECT_EQ(turning_points(Q::kF8), (std::vector<int64_t>{10, 11}));
  EXPECT_EQ(turning_points(Q::kF4), (std::vector<int64_t>{1000, 1001}));
  EXPECT_EQ(turning_points(Q::kF2), std::vector<int64_t>{});
}

}  // namespace
}  // namespace sheaf::model
