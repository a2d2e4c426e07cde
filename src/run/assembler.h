// Puts documents together from a pool.
#pragma once

#include <vector>

#include "plan/plan.h"
#include "run/pool.h"
#include "run/reader.h"

namespace sheaf::run {

class Assembler {
 public:
  Assembler(const model::Model& model, const model::Layout& layout, const plan::Plan& plan, const Pool& pool,
            const std::vector<Argument>& arguments, Figures& figures)
      : model_(model), layout_(layout), plan_(plan), pool_(pool), arguments_(arguments), figures_(figures) {}

  struct Assembled {
    Value document;
    Identity identity;
    const Edge* edge = nullptr;  // that led to it
    std::optional<Value> order;  // what it is sorted by
  };
  // The documents of the plan's result, in their order. `start`: the identities of node 0.
  std::vector<Assembled> documents(const std::vector<Identity>& start);
  // The identities of a node, as far as they are known by now.
  std::vector<Identity> identities(size_t node, const std::vector<Identity>& start) const;

 private:
  // One entity of a node: what is known of it.
  struct Found {
    Identity identity;
    const Record* record = nullptr;
    const Edge* edge = nullptr;
    Fields fields;
  };
  std::vector<Found> follow(size_t node, const Found& parent) const;
  Found found(size_t node, Identity identity, const Edge* edge, const Fields* copies) const;
  std::optional<Value> document(size_t node, const Found& found);
  void select(size_t node, std::vector<Found>& all) const;
  std::optional<Value> order_value(size_t node, const Found& found) const;
  std::optional<Value> aggregate(const model::AggregateField& field, const std::vector<Found>& over) const;

  const model::Model& model_;
  const model::Layout& layout_;
  const plan::Plan& plan_;
  const Pool& pool_;
  const std::vector<Argument>& arguments_;
  Figures& figures_;
};

}  // namespace sheaf::run
