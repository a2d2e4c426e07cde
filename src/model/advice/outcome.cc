#include "model/advice/outcome.h"

namespace sheaf::model {
namespace {

using Via = language::Via::Kind;

constexpr OutcomeText kOutcomes[] = {
    {.outcome = Outcome::kEmbed,
     .name = "embed",
     .title = "a map or list on the item of the one",
     .points = "B1",
     .via = Via::kEmbed},
    {.outcome = Outcome::kCollection,
     .name = "collection",
     .title = "parent and children in one partition",
     .points = "B3",
     .via = Via::kCollection},
    {.outcome = Outcome::kSplitCollection,
     .name = "split-collection",
     .title = "a collection, in parts",
     .points = "B13 B14 B16",
     .via = Via::kCollection,
     .note = "split the partition before it is too large: a bucket of time or a shard in its key, and an "
             "archive"},
    {.outcome = Outcome::kSortedCollection,
     .name = "sorted-collection",
     .title = "a collection in the order of a field",
     .points = "B3 B4",
     .via = Via::kCollection,
     .note = "put the field into the sort key before the id, or give it an index"},
    {.outcome = Outcome::kPath,
     .name = "path",
     .title = "sort keys that go on behind their parent's",
     .points = "B5 B11",
     .via = Via::kPath},
    {.outcome = Outcome::kIndex,
     .name = "index",
     .title = "the id of the one on the many, and an index by it",
     .points = "B4 B6",
     .via = Via::kIndex},
    {.outcome = Outcome::kRef,
     .name = "ref",
     .title = "the id of the other, and no way back",
     .points = "B6",
     .via = Via::kRef},
    {.outcome = Outcome::kEdgesOfOne,
     .name = "method-3",
     .title = "an item a link, in the partition of the one",
     .points = "B8",
     .via = Via::kEdges},
    {.outcome = Outcome::kEdgesOfMany,
     .name = "method-4",
     .title = "an item a link, in the partition of the many",
     .points = "B9",
     .via = Via::kEdges},
    {.outcome = Outcome::kAdjacency,
     .name = "adjacency-list",
     .title = "an item a pair, in the partition of who asks",
     .points = "C1",
     .via = Via::kEdges,
     .note =
         "edges have an index for the other direction in any case: it costs writes, and is there when it is "
         "needed"},
    {.outcome = Outcome::kAdjacencyWithIndex,
     .name = "adjacency-list-with-index",
     .title = "an item a pair, and an index for the other direction",
     .points = "C1 C2",
     .via = Via::kEdges},
    {.outcome = Outcome::kAdjacencyWithData,
     .name = "adjacency-list-with-data",
     .title = "an item a pair, with the data of the pair",
     .points = "C1 C3",
     .via = Via::kEdges},
    {.outcome = Outcome::kBothDirections,
     .name = "both-directions",
     .title = "two items a pair, one in the partition of each",
     .points = "C7",
     .via = Via::kEdges},
    {.outcome = Outcome::kSymmetric,
     .name = "symmetric-pair",
     .title = "two items a pair, because both ends are alike",
     .points = "C7 C9",
     .via = Via::kEdges},
    {.outcome = Outcome::kAdjacencyBack,
     .name = "adjacency-list-of-the-other",
     .title = "an item a pair, in the partition of the other one, and an index for who asks",
     .points = "C1 C2",
     .via = Via::kEdges},
    {.outcome = Outcome::kGraph,
     .name = "materialised-graph",
     .title = "an item a pair, with keys that are led by what is searched by",
     .points = "C4",
     .via = Via::kGraph,
     .note =
         "Sheaf makes these keys from the patterns; keys of your own go behind it: key \"..\" / \"..\" index "
         "GSI1 \"..\" / \"..\""},
    {.outcome = Outcome::kShallow,
     .name = "shallow-duplication",
     .title = "an entry on the items of both, with copies",
     .points = "C5",
     .via = Via::kLists},
    {.outcome = Outcome::kNormalised,
     .name = "normalised",
     .title = "a list of ids, and a second request for what they name",
     .points = "C6",
     .via = Via::kIds},
    {.outcome = Outcome::kCopy, .name = "copy", .title = "copy what is wanted", .points = "B2 B7"},
    {.outcome = Outcome::kNoCopy, .name = "no-copy", .title = "read it where it is", .points = "B6"},
};

constexpr TradeOff kTradeOffs[] = {
    {Via::kEmbed, true, "one request brings parent and children, strongly consistent", "K1"},
    {Via::kEmbed, true, "parent and children change in one write", "K1"},
    {Via::kEmbed, false, "no key leads to a child", "K1"},
    {Via::kEmbed, false, "all of them share the 400 KB of one item", "K1"},
    {Via::kEmbed, false, "all of them are read and written for one", "K1"},
    {Via::kCollection, true, "one Query brings parent and children, strongly consistent", "K3"},
    {Via::kCollection, true, "thousands of children, in pages, each written by itself", "K3"},
    {Via::kCollection, false, "a child is found only by whoever knows its parent", "K3"},
    {Via::kCollection, false, "no order by fields that are not in the key", "K3"},
    {Via::kCollection, false, "one partition bears the size and the load of a parent with all its children",
     "K3"},
    {Via::kPath, true, "any level, with all below it, by one Query", "K5"},
    {Via::kPath, false, "sort keys grow with the levels", "K5"},
    {Via::kPath, false, "a level that moves takes all below it along: every key changes", "K5"},
    {Via::kIndex, true, "both directions, and by fields of the many", "K4"},
    {Via::kIndex, true, "the primary key is free for something else", "K4"},
    {Via::kIndex, false, "the index is eventually consistent", "K4"},
    {Via::kIndex, false, "every write of an index key is paid again", "K4"},
    {Via::kIndex, false, "one of the 20 indexes of a table for each such relation of an entity", "K9"},
    {Via::kRef, true, "no index to pay for, strong from the side that has the id", "K8"},
    {Via::kRef, false, "nothing leads from the one to the many", "K8"},
    {Via::kEdges, true, "both directions, with data of the pair", "K6"},
    {Via::kEdges, true, "links come and go without a write of either entity", "K6"},
    {Via::kEdges, true, "one index for all relations of a table", "K9"},
    {Via::kEdges, false, "an item more for every link", "K6"},
    {Via::kEdges, false, "a transaction over three items where both must be there", "K6"},
    {Via::kEdges, false, "details of the others are a further request, unless they are copied", "K6"},
    {Via::kLists, true, "both directions without an index, and summaries come with the item", "K7"},
    {Via::kLists, false, "copies in the entries are old until they are brought in step", "K7"},
    {Via::kLists, false, "all entries share the 400 KB of one item", "K7"},
    {Via::kIds, true, "nothing is stored twice, and reads can be strong", "K8"},
    {Via::kIds, false, "a second request for what the ids name", "K8"},
    {Via::kIds, false, "the two requests are of two moments", "K8"},
    {Via::kGraph, true, "type and hierarchy are searched from both ends", "K12"},
    {Via::kGraph, false, "keys are made for what is searched by: another search needs another index", "K12"},
    {Via::kAuto, true, "no request for the one when the many are read", "K2"},
    {Via::kAuto, false, "a change of the one writes all copies", "K2"},
    {Via::kAuto, false, "copies take storage, and are old until they are brought in step", "K2"},
};

// one and many are for 1--*.
std::string edges_at(const Relation& relation, int side) {
  if (relation.cardinality == language::Cardinality::kOneToMany) return side == 1 ? "one" : "many";
  return relation.ends[side].name;
}

// What follows the word: the end, one, many or both. Empty for none.
std::string place_of(Outcome outcome, const Relation& relation, int along) {
  switch (outcome) {
    case Outcome::kEdgesOfOne:
      return relation.is_symmetric ? "" : edges_at(relation, 1);
    case Outcome::kEdgesOfMany:
      return relation.is_symmetric ? "" : edges_at(relation, 0);
    case Outcome::kAdjacency:
    case Outcome::kAdjacencyWithIndex:
    case Outcome::kAdjacencyWithData:
      return relation.is_symmetric ? "" : edges_at(relation, 1 - along);
    case Outcome::kAdjacencyBack:
      return relation.is_symmetric ? "" : edges_at(relation, along);
    case Outcome::kBothDirections:
      return relation.is_symmetric ? "" : "both";
    case Outcome::kNormalised:
      return relation.ends[along].name;
    default:
      return "";
  }
}

}  // namespace

std::span<const OutcomeText> outcomes() { return kOutcomes; }

const OutcomeText& text_of(Outcome outcome) { return kOutcomes[static_cast<size_t>(outcome)]; }

std::string_view via_word(Via kind) {
  switch (kind) {
    case Via::kAuto:
      return "auto";
    case Via::kRef:
      return "ref";
    case Via::kCollection:
      return "collection";
    case Via::kPath:
      return "path";
    case Via::kGraph:
      return "graph";
    case Via::kLists:
      return "lists";
    case Via::kEmbed:
      return "embed";
    case Via::kIndex:
      return "index";
    case Via::kIds:
      return "ids";
    case Via::kEdges:
      return "edges";
  }
  return "auto";
}

std::string via_text(Outcome outcome, const Relation& relation, int along) {
  const std::string place = place_of(outcome, relation, along);
  const std::string word(via_word(text_of(outcome).via));
  if (place.empty()) return word;
  return word + (outcome == Outcome::kNormalised ? " " : " pk ") + place;
}

language::Via via_of(Outcome outcome, const Relation& relation, int along) {
  language::Via via{.kind = text_of(outcome).via};
  const std::string place = place_of(outcome, relation, along);
  if (place.empty()) return via;
  (outcome == Outcome::kNormalised ? via.ids : via.pk) = language::Name{.text = place};
  return via;
}

std::span<const TradeOff> trade_offs() { return kTradeOffs; }

bool is_said_of(Via said, Via kind) { return said == kind || (said == Via::kEdges && kind == Via::kGraph); }

}  // namespace sheaf::model
