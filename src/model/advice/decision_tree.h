// The decision trees of the documents, as data that a reader can follow, and the way through one.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/advice/answers.h"
#include "model/advice/outcome.h"

namespace sheaf::model {

// A yes or no about one answer.
struct AnswerTest {
  enum class Is : uint8_t { kYes, kNo, kAtMost, kMoreThan, kChoice, kOtherChoice };
  QuestionId question = QuestionId::kF1;
  Is is = Is::kYes;
  int64_t value = 0;

  bool holds(const Answers& answers) const;
  // "F8 is at most 10", "F2 is yes"
  std::string text() const;
};

// A number: a node, or, below 0, a leaf: -1 is the first.
using BranchId = int;

struct DecisionNode {
  AnswerTest test;
  BranchId yes = 0;
  BranchId no = 0;
  std::string_view why;  // what the documents say, or where they are wrong
};

struct DecisionLeaf {
  Outcome outcome = Outcome::kEmbed;
  std::string_view reason;              // why one comes here
  std::optional<QuestionId> reason_of;  // whose answer says it better
  bool is_last_resort = false;          // then what stood in the way says it better
  BranchId otherwise = 0;               // where it goes on if a relation cannot be stored so; 0: nowhere
};

struct DecisionTree {
  std::string_view name;
  std::string_view title;
  std::span<const DecisionNode> nodes;
  std::span<const DecisionLeaf> leaves;
};

const DecisionTree& one_to_one_tree();
const DecisionTree& one_to_many_tree();
const DecisionTree& many_to_many_tree();
const DecisionTree& copy_tree();
std::span<const DecisionTree* const> decision_trees();
const DecisionTree& tree_for(const Relation& relation);

struct DecisionStep {
  const DecisionNode* node = nullptr;
  bool holds = false;
};
// A leaf that was come to and cannot be.
struct StruckLeaf {
  const DecisionLeaf* leaf = nullptr;
  std::string obstacle;
};
struct DecisionPath {
  std::vector<DecisionStep> steps;
  std::vector<StruckLeaf> struck;
  const DecisionLeaf* leaf = nullptr;
};

// Why a relation cannot be stored so; none if it can.
using Obstacle = std::function<std::optional<std::string>(Outcome outcome)>;
// The way to the first leaf that can be; the last one on the way if none can.
DecisionPath follow(const DecisionTree& tree, const Answers& answers, const Obstacle& obstacle);

// The numbers at which tests of this question turn, on both sides: 10 and 11.
std::vector<int64_t> turning_points(QuestionId question);

}  // namespace sheaf::model
