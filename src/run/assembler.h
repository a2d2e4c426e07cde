// Puts documents together from a pool.
#pragma once

#include <vector>

#include "plan/plan.h"
#include "run/item_codec.h"
#include "run/pool.h"
#include "run/reader.h"

namespace sheaf::run {

class Assembler {
 public:
  Assembler(const model::Model& model, const plan::Plan& plan, const Pool& pool,
            const std::vector<Argument>& arguments, std::chrono::system_clock::time_point now,
            Figures& figures)
      : model_(model), plan_(plan), pool_(pool), arguments_(arguments), now_(now), figures_(figures) {}

  struct Assembled {
    Value document;
    Identity identity;
    const Edge* edge = nullptr;  // that led to it
    std::optional<Value> order;  // what it is sorted by
    Identity place;              // among those that have the same there; no other has it
  };
  // The documents of the plan's result, in their order. `start`: the identities of node 0.
  Result<std::vector<Assembled>> documents(const std::vector<Identity>& start);
  // One from whom the entity of a node was reached; empty if nobody is known.
  Identity parent_of(size_t node, const Identity& identity, const std::vector<Identity>& start) const;
  // The identities of a node, as far as they are known by now.
  std::vector<Identity> identities(size_t node, const std::vector<Identity>& start) const {
    return identities(node, start, plan_.nodes[node].depth);
  }
  // Of what is followed several times: up to this level; 0 are those from whom it starts.
  std::vector<Identity> identities(size_t node, const std::vector<Identity>& start, int64_t level_max) const;
  // Whether a list over several levels that is cut has all that it can hold.
  bool is_full(size_t node, const std::vector<Identity>& start) const;

 private:
  // One entity of a node: what is known of it.
  struct Found {
    Identity identity;
    const Record* record = nullptr;
    const Edge* edge = nullptr;
    const Found* from = nullptr;       // from whom it was reached, unless over several levels
    int64_t level = 1;                 // of several, where it was met first
    Fields own;                        // where there is no record of its own
    const Fields* embedded = nullptr;  // in its parent's record

    const Fields& fields() const {
      return record != nullptr ? record->fields : embedded != nullptr ? *embedded : own;
    }
  };
  // To all that the node stands for: also over several levels. They borrow `parent`.
  std::vector<Found> follow(size_t node, const Found& parent) const;
  std::vector<Found> follow_once(size_t node, const Found& parent) const;
  std::vector<Found> follow_levels(size_t node, std::vector<Found> from, int64_t level_max) const;
  bool holds_where(size_t node, const Found& each) const;
  // Whether a pattern walks over the node; others are nested, and lists of their own for each parent.
  bool is_walked(size_t node) const { return node <= plan_.result; }
  Found found(size_t node, Identity identity, const Edge* edge, const Fields* copies) const;
  Found found_root(const Identity& identity) const;
  // Without the edge that led to it, unless conditions found it.
  Found found_again(size_t node, const Identity& identity) const;
  // What its item, or the edge that conditions have found it by, tells of those to whom it leads. In `room`,
  // if no record has it.
  const Record& told(size_t node, const Found& each, Record& room) const;
  // What a condition or an order of a node looks at, which may be another entity's.
  std::optional<Value> value(size_t node, const Found& each, const model::Place& place) const;
  Result<void> write(size_t node, const Found& found);
  Result<void> write_below(size_t node, const Found& found);
  void write_parent(size_t node, const Found& found);
  // The parent in the identity of an entity, if it has one, is told by where the entity stands in the
  // document.
  bool is_parent_evident(size_t node) const;
  // Its item was to be read and is not there.
  bool is_missing(size_t node, const Found& found) const;
  // Counts them.
  void drop_missing(size_t node, std::vector<Found>& all);
  void select(size_t node, std::vector<Found>& all) const;
  void sort(size_t node, std::vector<Found>& all) const;
  // Who it is, and by which edge, if those say something of their own.
  Identity place(size_t node, const Found& found) const;
  std::optional<Value> order_value(size_t node, const Found& found) const;
  Result<std::optional<Value>> aggregate(const model::AggregateField& field,
                                         const std::vector<Found>& over) const;
  // One step of the walk to the result.
  std::vector<Found> walk(size_t node, const std::vector<Found>& from) const;

  const model::Model& model_;
  const plan::Plan& plan_;
  const Pool& pool_;
  const std::vector<Argument>& arguments_;
  const std::chrono::system_clock::time_point now_;
  Figures& figures_;
  ValueWriter writer_{kDocumentNestingMax};
};

}  // namespace sheaf::run
