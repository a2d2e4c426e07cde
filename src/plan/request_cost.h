// What a request costs at the declared sizes, and whether it may be made at all.
#pragma once

#include <optional>
#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"
#include "plan/units.h"

namespace sheaf::plan {

class RequestCost {
 public:
  RequestCost(const model::Model& model, const model::Layout& layout, const model::Pattern& pattern,
              const std::vector<DocumentNode>& nodes, size_t result, ReadKind kind)
      : model_(model), layout_(layout), pattern_(pattern), nodes_(nodes), result_(result), kind_(kind) {}

  // Where the request is cut, in which direction it goes, what lies between, and its calls, items and units.
  void estimate(Request& request) const;
  // What it costs at least, whatever else joins it.
  Cost least(const Request& request) const;
  // The BatchGetItem for what the index of a query does not hold, if there is something.
  std::optional<Request> rest(Request& query, size_t place) const;
  // The node of which more would be read than somebody bounded. A list is bounded, cut, or the outermost one
  // with its pages.
  std::optional<size_t> unbounded(const Request& request) const;
  // Whether it may be made, with this or with more that joins it: of several lists none can be cut.
  bool can_be_bounded(const Request& query) const;

 private:
  double anchors(const Request& request) const;
  double keys_of(const Want& want) const;
  // Of what is followed several times.
  double followed(const Request& request) const;
  void estimate_levels(Request& request) const;
  std::optional<int64_t> level_limit(const Request& request) const;
  // Its index does not hold all that is wanted.
  bool is_partial(const Request& query) const;
  double count_for_one(const Request& request, const Want& want) const;
  double items_of_one(const Want& want) const;
  // How many of a list are kept.
  std::optional<int64_t> kept(const Want& want) const;
  // The same, if the request could stop there: it has the list's order, whatever else it reads.
  std::optional<int64_t> may_cut(const Request& request, const Want& want) const;
  // How many of them are read at once.
  int64_t read_at_once(const model::Node& selected, int64_t count) const;
  // The list that the request stops in. Sets its limit and direction.
  const Want* cut(Request& request) const;
  bool is_ordered(const Request& request, const Want& want, const model::Place& place) const;
  // Whether a hole holds what the place names.
  bool is_place(const Want& want, const model::Hole& hole, const model::Place& place) const;
  // In how many shards the first `wanted` of `count` items are looked for.
  double shards_asked(const Request& request, double wanted, double count) const;
  bool is_bounded(const Request& request, const Want& want) const;

  const model::Model& model_;
  const model::Layout& layout_;
  const model::Pattern& pattern_;
  const std::vector<DocumentNode>& nodes_;
  const size_t result_;
  const ReadKind kind_;
};

}  // namespace sheaf::plan
