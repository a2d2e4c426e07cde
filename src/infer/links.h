// Which kinds of items are related, as their keys and attributes show.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "infer/evidence.h"
#include "infer/kind.h"
#include "infer/observed.h"

namespace sheaf::infer {

using IdentityText = std::vector<std::string>;

struct Link {
  enum class How {
    kCollection,  // children in the parent's partition
    kPath,        // there, behind the parent's sort key
    kIndex,       // an index with a partition for each parent
    kRef,         // the parent's id on the child
    kEdges,       // an item a pair
    kIds,         // a list of ids on the parent
    kLists,       // entries on the items of both
    kEmbedMap,    // maps on the parent, by their ids
    kEmbedList,   // a list of maps on the parent
  };
  How how = How::kCollection;
  size_t parent = 0;
  size_t child = 0;  // not of what is embedded
  Evidence evidence;

  // --- Where the child, or the edge, has the parts of the parent's identity, in its order
  std::vector<size_t> values;           // of the child's; of edges: of the edge's, for the parent
  std::vector<std::string> attributes;  // kRef, and kIndex of what is no part of the child's own identity
  std::string end;                      // how those attributes call the parent
  std::optional<size_t> index;          // kIndex: of the table
  bool is_within = false;               // the parent's identity is part of the child's
  bool is_complete = true;              // each child leads to a parent that was seen

  // --- kEdges: between `parent`, in whose partition they lie, and `child`
  size_t edge = 0;
  std::vector<size_t> child_values;  // of the edge's, for the child
  bool is_symmetric = false;

  // --- kIds, kLists and embedded ones
  std::string attribute;
  std::string other_attribute;            // kLists: of the child
  std::vector<std::string> copied;        // kLists: fields of the child that entries have
  std::vector<std::string> other_copied;  // kLists: fields of the parent that the child's entries have
  std::string id_field;                   // kEmbedList: of the elements
};

// How its child or edge leads to its parent, and how many there are.
struct Found {
  std::vector<Link> links;
  std::vector<bool> is_edge;                  // one a kind
  std::vector<std::optional<size_t>> within;  // one a kind: the link that leads to its parent
  // One a kind: others of its table were not read. That somebody is not among the items says nothing then.
  std::vector<bool> is_sampled;
  std::vector<std::map<IdentityText, size_t>> identities;  // one a kind: in which item each is
};

// What an item has in these values; nothing if one is missing.
std::optional<IdentityText> tuple_of(const Kind& kind, const std::vector<size_t>& values, size_t item);

// The field of a target that an attribute is a copy of, END_FIELD, and the name of the end: in every item the
// two have the same, or neither is there. `targets`: the item of `target` that each item leads to; if others
// were not read, those that lead nowhere say nothing.
struct CopiedField {
  std::string end;
  std::string field;
};
std::optional<CopiedField> copied_field(const Kind& kind, const std::string& attribute, const Kind& target,
                                        const std::vector<std::optional<size_t>>& targets, bool is_sampled);
std::vector<std::optional<size_t>> targets_of(const Found& found, const Kind& kind,
                                              const std::vector<size_t>& values, size_t target);

// Kinds without items, first, whose partition key is that of another kind, second, which it identifies: what
// nobody can look at can be asked about.
std::vector<std::pair<size_t, size_t>> shared_partitions(const std::vector<Kind>& kinds, const Found& found);

// Edges, then children in their parents' partitions or indexes.
Found find_links(const Observed& observed, const std::vector<Kind>& kinds);

}  // namespace sheaf::infer
