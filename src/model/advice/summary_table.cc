#include "model/advice/summary_table.h"

#include <algorithm>

namespace sheaf::model {
namespace {

using Q = QuestionId;
using Is = AnswerTest::Is;
using Via = language::Via::Kind;

constexpr int64_t kFewMost = 10, kFewWithRoom = 20, kCopiesMost = 1000, kReads = 9;

constexpr AnswerTest kUnbounded[] = {{Q::kF2}};
constexpr AnswerTest kNotFew[] = {{Q::kF8, Is::kMoreThan, kFewWithRoom}};
constexpr AnswerTest kAlone[] = {{Q::kF14}};
constexpr AnswerTest kInside[] = {{Q::kF1}};
constexpr AnswerTest kOwnChanges[] = {{Q::kF13, Is::kNo}};
constexpr AnswerTest kKeyTaken[] = {{Q::kF5}};
constexpr AnswerTest kKeyFree[] = {{Q::kF5, Is::kNo}};
constexpr AnswerTest kBusy[] = {{Q::kF23}};
constexpr AnswerTest kShallowLevels[] = {{Q::kF6, Is::kNo}};
constexpr AnswerTest kLevels[] = {{Q::kF6}, {Q::kF7}};
constexpr AnswerTest kMixedLevels[] = {{Q::kF7, Is::kNo}};
constexpr AnswerTest kStrong[] = {{Q::kF16}};
constexpr AnswerTest kOneWay[] = {{Q::kF9, Is::kNo}, {Q::kF5, Is::kNo}};
constexpr AnswerTest kBothWays[] = {{Q::kF9}};
constexpr AnswerTest kForwardOnly[] = {{Q::kF9, Is::kNo}, {Q::kF20, Is::kChoice, kSideFirst}};
constexpr AnswerTest kOftenChanged[] = {{Q::kF10, Is::kChoice, kChangesOften}};
constexpr AnswerTest kNoOldCopies[] = {{Q::kF15, Is::kNo}};
constexpr AnswerTest kOldCopiesOfChanging[] = {{Q::kF15, Is::kNo}, {Q::kF3, Is::kNo}};
constexpr AnswerTest kThousands[] = {{Q::kF4, Is::kMoreThan, kCopiesMost}, {Q::kF3, Is::kNo}};
constexpr AnswerTest kData[] = {{Q::kF18}};
constexpr AnswerTest kSimple[] = {{Q::kF18, Is::kNo}, {Q::kF2, Is::kNo}, {Q::kF8, Is::kAtMost, kFewMost}};
constexpr AnswerTest kBounded[] = {{Q::kF2, Is::kNo}, {Q::kF14, Is::kNo}, {Q::kF1, Is::kNo}};
constexpr AnswerTest kTogether[] = {{Q::kF8, Is::kAtMost, kFewMost}, {Q::kF2, Is::kNo}, {Q::kF12}, {Q::kF13}};
constexpr AnswerTest kSteady[] = {{Q::kF10, Is::kOtherChoice, kChangesOften}};
constexpr AnswerTest kSteadyReads[] = {{Q::kF11, Is::kMoreThan, kReads},
                                       {Q::kF10, Is::kOtherChoice, kChangesOften}};
constexpr AnswerTest kOneRelation[] = {{Q::kD4, Is::kAtMost, 1}};
constexpr AnswerTest kSeveralRelations[] = {{Q::kD4, Is::kMoreThan, 1}};
constexpr AnswerTest kAlike[] = {{Q::kF19, Is::kChoice, kSideNeither}};
constexpr AnswerTest kSeldom[] = {{Q::kF21}};
constexpr AnswerTest kSearched[] = {{Q::kC4}};
constexpr AnswerTest kNotSearched[] = {{Q::kC4, Is::kNo}};

constexpr std::string_view kStrategies = "strategies for one to many", kReference = "quick reference",
                           kMethods = "four methods", kCollections = "when not to use collections";

constexpr SummaryRow kRows[] = {
    {.name = "strategies/complex-attribute",
     .table = kStrategies,
     .says = "bounded, and not asked for directly: a complex attribute",
     .outcome = Outcome::kEmbed,
     .use = kBounded,
     .avoid = kUnbounded},
    {.name = "strategies/duplicate",
     .table = kStrategies,
     .says = "what is immutable or changes rarely: duplicates of it",
     .many_to_many = true,
     .outcome = Outcome::kCopy,
     .use = kSteady,
     .avoid = kOftenChanged},
    {.name = "strategies/primary-key",
     .table = kStrategies,
     .says = "the most common, for patterns of the parent and of what is related: primary key and Query",
     .outcome = Outcome::kCollection,
     .use = kKeyFree,
     .avoid = kKeyTaken},
    {.name = "strategies/secondary-index",
     .table = kStrategies,
     .says = "the primary key is needed for something else: secondary index and Query",
     .outcome = Outcome::kIndex,
     .use = kKeyTaken},
    {.name = "strategies/composite-sort-key",
     .table = kStrategies,
     .says = "deep hierarchies, searched at several levels: composite sort key",
     .outcome = Outcome::kPath,
     .use = kLevels},
    {.name = "quick-reference/complex-attribute",
     .table = kReference,
     .says = "one to few, always together, rarely changed: complex attribute; not if they are queried apart",
     .outcome = Outcome::kEmbed,
     .use = kTogether,
     .avoid = kAlone},
    {.name = "quick-reference/composite-key",
     .table = kReference,
     .says = "one to many, the most common: composite key and Query; not if the child comes first",
     .outcome = Outcome::kCollection,
     .avoid = kKeyTaken},
    {.name = "quick-reference/index",
     .table = kReference,
     .says = "one to many from both ends: index; not if only the parent comes first",
     .outcome = Outcome::kIndex,
     .use = kBothWays,
     .avoid = kOneWay},
    {.name = "quick-reference/composite-sort-key",
     .table = kReference,
     .says = "a hierarchy of several levels: composite sort key; not if it is shallow",
     .outcome = Outcome::kPath,
     .use = kLevels,
     .avoid = kShallowLevels},
    {.name = "quick-reference/adjacency-list",
     .table = kReference,
     .says = "many to many with data of the pair: adjacency list; not for simple connections",
     .one_to_many = false,
     .many_to_many = true,
     .outcome = Outcome::kAdjacencyWithData,
     .use = kData,
     .avoid = kSimple},
    {.name = "quick-reference/shallow-duplication",
     .table = kReference,
     .says = "many to many, read much, steady: shallow duplication; not with frequent changes",
     .one_to_many = false,
     .many_to_many = true,
     .outcome = Outcome::kShallow,
     .use = kSteadyReads,
     .avoid = kOftenChanged},
    {.name = "quick-reference/normalisation",
     .table = kReference,
     .says = "background jobs, administration, low traffic: ids and several requests",
     .one_to_many = false,
     .many_to_many = true,
     .outcome = Outcome::kNormalised,
     .use = kSeldom,
     .avoid = kUnbounded},
    {.name = "methods/1",
     .table = kMethods,
     .says = "foreign key and index: easy to move and to list; not for several relations of one entity",
     .outcome = Outcome::kIndex,
     .use = kOneRelation,
     .avoid = kSeveralRelations},
    {.name = "methods/2",
     .table = kMethods,
     .says = "the same with copies: the one comes with the many; each change of it writes all of them",
     .outcome = Outcome::kCopy,
     .use = kSteady,
     .avoid = kOftenChanged},
    {.name = "methods/3",
     .table = kMethods,
     .says = "an item a link, in the partition of the one: J15, the many of a one are read strongly",
     .outcome = Outcome::kEdgesOfOne,
     .use = kStrong},
    {.name = "methods/4",
     .table = kMethods,
     .says = "an item a link, in the partition of the many, recommended: any number of relations, one index",
     .outcome = Outcome::kEdgesOfMany,
     .use = kSeveralRelations},
    {.name = "no-collection/many-to-many",
     .table = kCollections,
     .says = "many to many: a table of links, or an index",
     .one_to_many = false,
     .many_to_many = true,
     .outcome = Outcome::kAdjacencyWithIndex},
    {.name = "no-collection/unbounded",
     .table = kCollections,
     .says = "growth without bound: partitions by time",
     .outcome = Outcome::kSplitCollection,
     .use = kUnbounded,
     .avoid = kKeyTaken},
    {.name = "no-collection/across-partitions",
     .table = kCollections,
     .says = "queries across partitions: an index, or a table of its own",
     .outcome = Outcome::kIndex,
     .use = kKeyTaken},
    {.name = "no-collection/no-parent",
     .table = kCollections,
     .says = "two of equal weight: there is no parent to lie with",
     .many_to_many = true,
     .outcome = Outcome::kSymmetric,
     .use = kAlike},
    {.name = "no-collection/busy-items",
     .table = kCollections,
     .says = "single items that are busy: a partition for each",
     .outcome = Outcome::kIndex,
     .use = kBusy},
};

constexpr Objection kObjections[] = {
    {Via::kEmbed, kUnbounded, "without bound they do not fit an item of 400 KB"},
    {Via::kEmbed, kNotFew, "more than 20 are not few: all are read and written for one"},
    {Via::kEmbed, kAlone, "one of them is asked for by itself, and no key leads into an item"},
    {Via::kEmbed, kInside, "something is found by what is inside, and no index holds that"},
    {Via::kEmbed, kOwnChanges, "they change on their own, and each change writes the whole item"},
    {Via::kCollection, kKeyTaken, "the primary key of the many is needed for something else"},
    {Via::kCollection, kBusy, "single ones are busy, and share the partition of their parent"},
    {Via::kPath, kKeyTaken, "the primary key of the many is needed for something else"},
    {Via::kPath, kShallowLevels, "the hierarchy is shallow: a collection does", false},
    {Via::kPath, kMixedLevels, "a search at a level does not want what is below, and reads past it"},
    {Via::kIndex, kStrong, "strong reads cannot use an index"},
    {Via::kIndex, kOneWay, "the parent always comes first: a collection does without the index"},
    {Via::kIndex, kSeveralRelations, "edges would share one index among all relations", false},
    {Via::kRef, kBothWays, "nothing leads back, and it is asked for in both directions"},
    {Via::kRef, kForwardOnly, "nothing leads from the one to the many", true, true, false},
    {Via::kEdges, kSimple, "few simple connections: entries or ids on the items do", false, false, true},
    {Via::kEdges, kSearched, "plain edges are found by all of an id, and by no data of the pair", false},
    {Via::kGraph, kSimple, "few simple connections: entries or ids on the items do", false, false, true},
    {Via::kGraph, kNotSearched, "nothing is searched by a part of an id, or by data of the pair: edges do",
     false},
    {Via::kLists, kUnbounded, "without bound they do not fit an item of 400 KB"},
    {Via::kLists, kOftenChanged, "what entries have copies of changes often", false},
    {Via::kLists, kNoOldCopies, "copies in entries may be old, and reads must not be", false},
    {Via::kIds, kUnbounded, "without bound they do not fit an item of 400 KB"},
    {Via::kIds, kBothWays, "a list of ids leads in one direction, and it is asked for in both"},
    {Via::kAuto, kOftenChanged, "what is copied changes often"},
    {Via::kAuto, kOldCopiesOfChanging, "copies may be old, and reads must not be"},
    {Via::kAuto, kThousands, "one change would write thousands of copies"},
};

bool is_for(bool one_to_many, bool many_to_many, const Relation& relation) {
  return relation.cardinality == language::Cardinality::kManyToMany ? many_to_many : one_to_many;
}

bool all_hold(std::span<const AnswerTest> tests, const Answers& answers) {
  return std::all_of(tests.begin(), tests.end(), [&](const AnswerTest& test) { return test.holds(answers); });
}

}  // namespace

std::span<const SummaryRow> summary_rows() { return kRows; }

RowVerdict verdict(const SummaryRow& row, const Relation& relation, const Answers& answers) {
  if (!is_for(row.one_to_many, row.many_to_many, relation)) return RowVerdict::kSilent;
  if (!row.avoid.empty() && all_hold(row.avoid, answers)) return RowVerdict::kAgainst;
  return all_hold(row.use, answers) ? RowVerdict::kFor : RowVerdict::kSilent;
}

bool Objection::holds(const Relation& relation, const Answers& answers) const {
  if (!is_for(one_to_many, many_to_many, relation)) return false;
  // Of two that are alike each has the other in its list.
  if (relation.is_symmetric && via == Via::kIds && when.data() == kBothWays) return false;
  return all_hold(when, answers);
}

bool Objection::is_known(const Answers& answers) const {
  return std::all_of(when.begin(), when.end(),
                     [&](const AnswerTest& test) { return answers.of(test.question).is_known(); });
}

std::span<const Objection> objections() { return kObjections; }

}  // namespace sheaf::model
