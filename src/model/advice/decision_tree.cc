#include "model/advice/decision_tree.h"

#include <algorithm>

namespace sheaf::model {
namespace {

using Q = QuestionId;
using Is = AnswerTest::Is;

// G2: one to few.
constexpr int64_t kFew = 10;
// G5: from here on an index for each relation comes near the 20 of a table.
constexpr int64_t kIndexedRelations = 15;
// G9: thousands of copies.
constexpr int64_t kCopiesFew = 1000;
// Read-heavy: reads for each write.
constexpr int64_t kReadHeavy = 9;

constexpr BranchId leaf(int number) { return -1 - number; }

// C4: before edges wherever they are come to.
constexpr std::string_view kLedBySearch = "plain edges are found by all of an id, and by no data of the pair";
constexpr std::string_view kSearchReason = "it is searched by a part of an id, or by data of the pair";

// --- 1--*

constexpr DecisionNode kOneToMany[] = {
    /* 0 */ {{Q::kF18}, 18, 1, "data of the pair have no room on either of the two"},
    /* 1 */ {{Q::kF19, Is::kChoice, kSideNeither}, 18, 2, "a collection needs a clear parent (F23)"},
    /* 2 */ {{Q::kF2}, 8, 3, "an item ends at 400 KB"},
    /* 3 */ {{Q::kF8, Is::kAtMost, kFew}, 4, 8, "one to few"},
    /* 4 */ {{Q::kF12}, 5, 8, "who reads the parent reads all of them"},
    /* 5 */ {{Q::kF14}, 8, 6, "no key leads into an item"},
    /* 6 */ {{Q::kF1}, 8, 7, "no index holds what is inside a map or a list"},
    /* 7 */ {{Q::kF13}, leaf(1), 8, "a change of one writes all"},
    /* 8 */ {{Q::kF5}, 9, 12, "a child lies in one partition"},
    /* 9 */ {{Q::kF9}, 10, 13, "who is asked from both sides must be found from both"},
    /* 10 */ {{Q::kF16}, 20, 11, "no index answers strongly; edges in the partition of the one do"},
    /* 11 */
    {{Q::kD4, Is::kMoreThan, kIndexedRelations},
     leaf(3),
     leaf(4),
     "an index for each relation, of 20 in all; edges share one"},
    /* 12 */ {{Q::kF23}, leaf(4), 14, "a partition bears the load of all that lie in it"},
    /* 13 */ {{Q::kF20, Is::kChoice, kSideSecond}, leaf(5), 10, "an index that nobody reads is paid for"},
    /* 14 */ {{Q::kF6}, 15, 16, "composite sort keys pay from three levels on (G6)"},
    /* 15 */ {{Q::kF7}, leaf(6), 16, "below a path all that is deeper lies between"},
    /* 16 */
    {{Q::kF2},
     leaf(7),
     17,
     "growth without bound ends at what a partition bears (J10: 10 GB are a limit only "
     "with a local index)"},
    /* 17 */ {{Q::kF17}, leaf(8), leaf(9), "a collection is in the order of its sort key"},
    /* 18 */ {{Q::kC4}, leaf(11), leaf(0), kLedBySearch},
    /* 19: where nothing else can be */ {{Q::kC4}, leaf(12), leaf(10), kLedBySearch},
    /* 20 */ {{Q::kC4}, leaf(13), leaf(2), kLedBySearch},
};
constexpr DecisionLeaf kOneToManyLeaves[] = {
    /* 0 */ {.outcome = Outcome::kEdgesOfOne,
             .reason = "its edges have fields of their own",
             .reason_of = Q::kF18,
             .otherwise = 2},
    /* 1 */ {.outcome = Outcome::kEmbed, .reason = "few, always read with their parent", .otherwise = 8},
    /* 2 */
    {.outcome = Outcome::kEdgesOfOne,
     .reason = "strong reads, and the key of the many is used elsewhere",
     .otherwise = 11},
    /* 3 */
    {.outcome = Outcome::kEdgesOfMany, .reason = "many relations share one index", .otherwise = leaf(4)},
    /* 4 */
    {.outcome = Outcome::kIndex,
     .reason = "its own key is used for something else",
     .reason_of = Q::kF5,
     .otherwise = 19},
    /* 5 */ {.outcome = Outcome::kRef, .reason = "it is only asked for from the many", .otherwise = 10},
    /* 6 */
    {.outcome = Outcome::kPath, .reason = "levels that are searched with all below them", .otherwise = 16},
    /* 7 */
    {.outcome = Outcome::kSplitCollection,
     .reason = "the most common: parent and children in one partition, read by one Query",
     .otherwise = leaf(4)},
    /* 8 */
    {.outcome = Outcome::kSortedCollection,
     .reason = "the most common: parent and children in one partition, read by one Query",
     .otherwise = leaf(4)},
    /* 9 */
    {.outcome = Outcome::kCollection,
     .reason = "the most common: parent and children in one partition, read by one Query",
     .otherwise = leaf(4)},
    /* 10 */
    {.outcome = Outcome::kEdgesOfOne,
     .reason = "nothing else can store it",
     .is_last_resort = true,
     .otherwise = leaf(14)},
    /* 11 */
    {.outcome = Outcome::kGraph, .reason = kSearchReason, .reason_of = Q::kC4, .otherwise = leaf(0)},
    /* 12 */
    {.outcome = Outcome::kGraph, .reason = kSearchReason, .reason_of = Q::kC4, .otherwise = leaf(10)},
    /* 13 */
    {.outcome = Outcome::kGraph, .reason = kSearchReason, .reason_of = Q::kC4, .otherwise = leaf(2)},
    /* 14 */
    {.outcome = Outcome::kEdgesOfMany, .reason = "nothing else can store it", .is_last_resort = true},
};

// --- 1--1

constexpr DecisionNode kOneToOne[] = {
    /* 0 */ {{Q::kF18}, 10, 1, "data of the pair have no room on either of the two"},
    /* 1 */ {{Q::kF19, Is::kChoice, kSideNeither}, leaf(1), 2, "neither of the two is the parent"},
    /* 2 */ {{Q::kF12}, 3, 6, "who reads the one reads the other"},
    /* 3 */ {{Q::kF14}, 6, 4, "no key leads into an item"},
    /* 4 */ {{Q::kF1}, 6, 5, "no index holds what is inside a map"},
    /* 5 */ {{Q::kF13}, leaf(2), 6, "a change of one writes both"},
    /* 6 */ {{Q::kF5}, 7, 9, "it lies in one partition"},
    /* 7 */ {{Q::kF9}, leaf(3), 8, "who is asked from both sides must be found from both"},
    /* 8 */
    {{Q::kF20, Is::kChoice, kSideSecond},
     leaf(4),
     leaf(5),
     "the id lies on the second; from the first an index leads"},
    /* 9 */ {{Q::kF23}, leaf(3), leaf(6), "a partition bears the load of all that lie in it"},
    /* 10 */ {{Q::kC4}, leaf(8), leaf(0), kLedBySearch},
    /* 11: where nothing else can be */ {{Q::kC4}, leaf(9), leaf(7), kLedBySearch},
};
constexpr DecisionLeaf kOneToOneLeaves[] = {
    /* 0 */ {.outcome = Outcome::kEdgesOfOne,
             .reason = "its edges have fields of their own",
             .reason_of = Q::kF18,
             .otherwise = 2},
    /* 1 */
    {.outcome = Outcome::kSymmetric,
     .reason = "neither of the two is the parent: an item with each of them",
     .otherwise = 7},
    /* 2 */ {.outcome = Outcome::kEmbed, .reason = "one, always read with its parent", .otherwise = 6},
    /* 3 */
    {.outcome = Outcome::kIndex, .reason = "one to one, asked for from both sides", .otherwise = 11},
    /* 4 */
    {.outcome = Outcome::kRef, .reason = "one to one: the id of the other on one of them", .otherwise = 11},
    /* 5 */
    {.outcome = Outcome::kIndex,
     .reason = "one to one, asked for from the side without the id",
     .otherwise = 11},
    /* 6 */
    {.outcome = Outcome::kCollection, .reason = "both in one partition, read by one Query", .otherwise = 7},
    /* 7 */
    {.outcome = Outcome::kEdgesOfOne,
     .reason = "nothing else can store it",
     .is_last_resort = true,
     .otherwise = leaf(10)},
    /* 8 */ {.outcome = Outcome::kGraph, .reason = kSearchReason, .reason_of = Q::kC4, .otherwise = leaf(0)},
    /* 9 */ {.outcome = Outcome::kGraph, .reason = kSearchReason, .reason_of = Q::kC4, .otherwise = leaf(7)},
    /* 10 */
    {.outcome = Outcome::kEdgesOfMany, .reason = "nothing else can store it", .is_last_resort = true},
};

// --- *--*

constexpr DecisionNode kManyToMany[] = {
    /* 0 */ {{Q::kF2}, 1, 2, "J16: size first; entries in an item must not grow without bound"},
    /* 1 */
    {{Q::kF19, Is::kChoice, kSideNeither}, leaf(0), 14, "both ends alike: who asks is in either place"},
    /* 2 */ {{Q::kF8, Is::kAtMost, kFew}, 3, 1, "J16: few on both sides, or not in an item"},
    /* 3 */ {{Q::kF18}, 1, 4, "data of the pair belong on an item of the pair"},
    /* 4 */ {{Q::kF10, Is::kChoice, kChangesOften}, 6, 5, "copies of what changes often are never right"},
    /* 5 */ {{Q::kF15}, 10, 6, "copies are old until they are brought in step"},
    /* 6 */ {{Q::kF21}, 13, 1, "a second request for what ids name"},
    /* 7 */ {{Q::kF18}, 12, 8, "data of the pair belong on an item of the pair"},
    /* 8 */ {{Q::kF9}, 11, leaf(2), "J16: direction before density; without an index one direction is left"},
    /* 9 */ {{Q::kF9}, leaf(5), leaf(4), "a list of ids leads in one direction"},
    /* 10 */ {{Q::kF11, Is::kMoreThan, kReadHeavy}, leaf(6), 6, "copies pay where reads are many"},
    /* 11 */ {{Q::kF16}, leaf(3), leaf(5), "no index answers strongly"},
    /* 12 */ {{Q::kF16}, leaf(3), leaf(1), "no index answers strongly"},
    /* 13 */
    {{Q::kF19, Is::kChoice, kSideNeither},
     leaf(4),
     9,
     "each of two that are alike has the other in its list"},
    /* 14 */ {{Q::kC4}, 15, 7, kLedBySearch},
    /* 15 */ {{Q::kF16}, 7, leaf(7), "no index answers strongly, and one of the two directions is one"},
    /* 16: where no two items can be */ {{Q::kC4}, leaf(10), leaf(8), kLedBySearch},
};
constexpr DecisionLeaf kManyToManyLeaves[] = {
    /* 0 */ {.outcome = Outcome::kSymmetric,
             .reason = "neither of the two is the parent: an item with each of them",
             .otherwise = 14},
    /* 1 */
    {.outcome = Outcome::kAdjacencyWithData,
     .reason = "many to many, with data of the pair: one item a pair",
     .otherwise = leaf(3)},
    /* 2 */ {.outcome = Outcome::kAdjacency, .reason = "many to many: one item a pair", .otherwise = leaf(3)},
    /* 3 */
    {.outcome = Outcome::kBothDirections,
     .reason = "many to many, strong from both sides: two items a pair",
     .otherwise = 16},
    /* 4 */
    {.outcome = Outcome::kNormalised,
     .reason = "few, seldom read, in one direction: a list of ids",
     .otherwise = 1},
    /* 5 */
    {.outcome = Outcome::kAdjacencyWithIndex,
     .reason = "many to many: one item a pair, read from both sides",
     .otherwise = leaf(3)},
    /* 6 */
    {.outcome = Outcome::kShallow,
     .reason = "few and steady, read much more than written: entries on both",
     .otherwise = 6},
    /* 7 */ {.outcome = Outcome::kGraph, .reason = kSearchReason, .reason_of = Q::kC4, .otherwise = 7},
    /* 8 */
    {.outcome = Outcome::kAdjacencyBack,
     .reason = "nothing else can store it",
     .is_last_resort = true,
     .otherwise = leaf(9)},
    /* 9 */
    {.outcome = Outcome::kAdjacency, .reason = "nothing else can store it", .is_last_resort = true},
    /* 10 */
    {.outcome = Outcome::kGraph, .reason = kSearchReason, .reason_of = Q::kC4, .otherwise = leaf(8)},
};

// --- Copies

constexpr DecisionNode kCopies[] = {
    /* 0 */ {{Q::kF3}, leaf(0), 1, "what never changes is copied without risk"},
    /* 1 */ {{Q::kF10, Is::kChoice, kChangesOften}, leaf(1), 2, "every change writes all copies"},
    /* 2 */ {{Q::kF15}, 3, leaf(2), "copies are old until they are brought in step"},
    /* 3 */ {{Q::kF4, Is::kAtMost, kCopiesFew}, 4, leaf(3), "thousands of writes for one change (G9)"},
    /* 4 */ {{Q::kF11, Is::kMoreThan, kReadHeavy}, leaf(4), leaf(5), "copies save reads and cost writes"},
};
constexpr DecisionLeaf kCopyLeaves[] = {
    /* 0 */ {.outcome = Outcome::kCopy, .reason = "it never changes"},
    /* 1 */ {.outcome = Outcome::kNoCopy, .reason = "it may change often"},
    /* 2 */ {.outcome = Outcome::kNoCopy, .reason = "a copy may be old, and reads must not be"},
    /* 3 */ {.outcome = Outcome::kNoCopy, .reason = "too many items would hold it"},
    /* 4 */ {.outcome = Outcome::kCopy, .reason = "it changes rarely, few items hold it, and reads are many"},
    /* 5 */ {.outcome = Outcome::kNoCopy, .reason = "reads are too few to pay for the writes"},
};

constexpr DecisionTree kOneToOneTree{
    .name = "1--1", .title = "One to one", .nodes = kOneToOne, .leaves = kOneToOneLeaves};
constexpr DecisionTree kOneToManyTree{
    .name = "1--*", .title = "One to many", .nodes = kOneToMany, .leaves = kOneToManyLeaves};
constexpr DecisionTree kManyToManyTree{
    .name = "*--*", .title = "Many to many", .nodes = kManyToMany, .leaves = kManyToManyLeaves};
constexpr DecisionTree kCopyTree{.name = "copy",
                                 .title = "Copies of the fields that are wanted beside",
                                 .nodes = kCopies,
                                 .leaves = kCopyLeaves};

}  // namespace

bool AnswerTest::holds(const Answers& answers) const {
  const int64_t said = answers.value(question);
  switch (is) {
    case Is::kYes:
      return said == kAnswerYes;
    case Is::kNo:
      return said == kAnswerNo;
    case Is::kAtMost:
      return said <= value;
    case Is::kMoreThan:
      return said > value;
    case Is::kChoice:
      return said == value;
    case Is::kOtherChoice:
      return said != value;
  }
  return false;
}

std::string AnswerTest::text() const {
  const std::string name(model::question(question).name);
  switch (is) {
    case Is::kYes:
      return name + " is yes";
    case Is::kNo:
      return name + " is no";
    case Is::kAtMost:
      return name + " is at most " + std::to_string(value);
    case Is::kMoreThan:
      return name + " is more than " + std::to_string(value);
    case Is::kChoice:
      return name + " is " + answer_text(question, value);
    case Is::kOtherChoice:
      return name + " is not " + answer_text(question, value);
  }
  return name;
}

const DecisionTree& one_to_one_tree() { return kOneToOneTree; }
const DecisionTree& one_to_many_tree() { return kOneToManyTree; }
const DecisionTree& many_to_many_tree() { return kManyToManyTree; }
const DecisionTree& copy_tree() { return kCopyTree; }

std::span<const DecisionTree* const> decision_trees() {
  static constexpr const DecisionTree* kAll[] = {&kOneToManyTree, &kOneToOneTree, &kManyToManyTree,
                                                 &kCopyTree};
  return kAll;
}

const DecisionTree& tree_for(const Relation& relation) {
  switch (relation.cardinality) {
    case language::Cardinality::kOneToOne:
      return kOneToOneTree;
    case language::Cardinality::kOneToMany:
      return kOneToManyTree;
    case language::Cardinality::kManyToMany:
      break;
  }
  return kManyToManyTree;
}

DecisionPath follow(const DecisionTree& tree, const Answers& answers, const Obstacle& obstacle) {
  DecisionPath path;
  for (BranchId at = 0;;) {
    if (at >= 0) {
      const DecisionNode& node = tree.nodes[static_cast<size_t>(at)];
      const bool holds = node.test.holds(answers);
      path.steps.push_back({.node = &node, .holds = holds});
      at = holds ? node.yes : node.no;
      continue;
    }
    path.leaf = &tree.leaves[static_cast<size_t>(-1 - at)];
    const std::optional<std::string> found = obstacle ? obstacle(path.leaf->outcome) : std::nullopt;
    if (!found || path.leaf->otherwise == 0) return path;
    path.struck.push_back({.leaf = path.leaf, .obstacle = *found});
    at = path.leaf->otherwise;
  }
}

std::vector<int64_t> turning_points(QuestionId question) {
  std::vector<int64_t> found;
  for (const DecisionTree* tree : decision_trees()) {
    for (const DecisionNode& node : tree->nodes) {
      const bool is_number = node.test.is == Is::kAtMost || node.test.is == Is::kMoreThan;
      if (node.test.question != question || !is_number) continue;
      found.push_back(node.test.value);
      found.push_back(node.test.value + 1);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace sheaf::model
