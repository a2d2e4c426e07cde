// How a pattern is answered in one layout: which requests, in which rounds, at what cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "language/diagnostic.h"
#include "model/layout.h"
#include "model/model.h"

namespace sheaf::plan {

// How a node is found from its parent in a layout.
enum class Link : uint8_t {
  kStart,      // node 0
  kItems,      // its own items know their parent
  kEdges,      // edges lead to it
  kReference,  // the parent's item names it
  kIdentity,   // the parent's identity contains its own
  kEmbedded,   // it lies in the parent's item
  kFinder,     // the edge by which conditions found the parent names it
  kNone,       // this layout cannot
};

// Where a condition or an order of a node looks at another node's entity: the nodes to go through, each above
// or below the one before.
struct Way {
  const model::Place* place = nullptr;
  std::vector<size_t> nodes;
};

// The entities of a document as a tree. Node 0 is where the pattern starts; then come the steps that it
// walks, then what it selects.
struct DocumentNode {
  std::optional<size_t> parent;
  std::optional<model::EndId> end;  // by which it is reached from there
  // How often the end is followed, breadth first: then it stands for all levels, each entity once.
  int64_t depth = 1;
  std::vector<double> levels;  // how many each level adds, if there are several
  model::EntityId entity = 0;
  const model::Node* selected = nullptr;  // null: only walked through
  // How many there can be for all their parents together. Sizes that nobody said count as `kUnsaidCount`.
  double count = 1;
  bool is_bounded = true;
  language::Span span;  // where the pattern names it
  // By conditions: nothing of it is known before. If these are served by edges, it has the end that leads to
  // it from what they name, and no parent.
  bool is_found = false;
  bool is_named_by_finder = false;             // by the edge that found its parent
  bool is_whole = false;                       // all of it is read, also if the document shows the first few
  std::vector<const model::Condition*> where;  // those that are in force, and that no index assures
  std::vector<Way> ways;                       // of its conditions and its order, to other nodes
  std::vector<model::FieldId> tested;          // fields that conditions and orders of other nodes look at
  bool tests_edge = false;                     // likewise the fields of the edge that leads to it
  // In a plan, for who puts documents together:
  Link link = Link::kNone;
  bool needs_item = false;       // its own item is read
  bool needs_last_item = false;  // likewise of those of the last level
};

inline constexpr double kUnsaidCount = 100;
inline constexpr double kItemBytes = 400;

// A table, or one of its indexes.
struct View {
  size_t table = 0;
  std::optional<size_t> index;

  bool operator==(const View&) const = default;
};

// Where the value of a hole comes from when a request is made.
struct Binding {
  enum class Kind : uint8_t {
    kNode,       // a field of the identity of an entity that is known by then
    kCondition,  // the operand of an equality in the pattern
    kEach,       // nobody knows which bucket or shard: there is a request for each
  };
  Kind kind = Kind::kNode;
  size_t node = 0;
  model::FieldPath path;                        // kNode: from that node's entity
  const model::Condition* condition = nullptr;  // kCondition
  const model::Hole* hole = nullptr;            // kEach
  std::vector<const model::Condition*> limits;  // kEach: of buckets, what the pattern says of their time
};

// The sort keys of one kind of items in a partition: all that begin with a prefix, or a part of those.
struct SortRange {
  std::vector<Binding> bound;               // the leading holes whose values are known
  bool is_whole = false;                    // all holes are bound: one key
  bool is_one = false;                      // which one item at most has
  const model::Condition* range = nullptr;  // on the first hole that is not bound
};

// What a request is to find.
struct Want {
  enum class Kind : uint8_t {
    kItems,  // the items of a node's entities
    kEdges,  // the edges between a node's parents and its entities
  };
  Kind kind = Kind::kItems;
  size_t node = 0;
  size_t item_kind = 0;  // of the layout
  SortRange sort;        // for queries
  // Conditions of `where` that are true of all that is found: the `when` of the index says so.
  std::vector<const model::Condition*> assured;
};

struct Request {
  enum class Kind : uint8_t {
    kPoints,  // GetItem or BatchGetItem: addresses known from identities
    kQuery,   // one for each entity of `anchor`
    kRest,    // BatchGetItem of what a query found in an index that does not hold all of it
  };
  Kind kind = Kind::kQuery;
  size_t round = 1;
  // It is made once for each level, each for what the one before has found: so many rounds.
  size_t levels = 1;
  std::vector<Want> wants;
  View view;  // of kPoints, that of the first want: each lies in the table of its kind
  // kQuery
  size_t anchor = 0;  // kRest: the query, in the plan's requests
  std::vector<Binding> partition;
  bool is_backward = false;
  std::optional<int64_t> limit;  // of a list that ends there
  bool is_paged = false;         // it is the outermost list, which goes on at its last key
  // The shards are read side by side, and what they hold is put in the order of its sort keys.
  bool is_merged = false;
  // Its index does not hold all that is wanted: the kRest that follows fetches it.
  bool is_partial = false;
  // Other kinds of items that lie between those that are wanted, and are read and dropped.
  std::vector<size_t> polluted_by;
  double calls = 1;       // at the declared sizes
  double items_read = 1;  // in all calls together
  double units = 0;       // eventually consistent

  size_t last_round() const { return round + levels - 1; }
  // Over buckets or shards.
  bool is_spread() const;
  // Over how many shards.
  double shards() const;
  // The bucket that differs; null if there is none.
  const model::Hole* bucket() const;
};

struct Cost {
  double requests = 0;
  double rounds = 0;
  double units = 0;
};

struct Plan {
  const model::Pattern* pattern = nullptr;
  std::vector<bool> given;  // one a parameter: the optional ones that are left out are false
  std::vector<DocumentNode> nodes;
  size_t result = 0;  // the node whose entities are the answer
  std::vector<Request> requests;
  bool is_strong = false;
  bool is_snapshot = false;  // all items are of one moment
  Cost cost;
};

// Why there is none.
struct Refusal {
  std::string message;
  std::string fix;
  language::ErrorId id = "unserved-pattern";
  std::optional<language::Span> span;  // what in the pattern cannot be had; none: the pattern itself
  std::vector<language::Note> notes;
};

}  // namespace sheaf::plan
