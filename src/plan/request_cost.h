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

  // Of all requests of a plan: where each is cut, in which direction it goes, what lies between, and its
  // calls, items and units. Adds the BatchGetItems for what the indexes of queries do not hold.
  void estimate(std::vector<Request>& requests) const;
  // What each costs at least, whatever else joins it, and whatever comes after.
  std::vector<Cost> least(const std::vector<Request>& requests) const;
  // The node of which more would be read than somebody bounded. A list is bounded, cut, or the outermost one
  // with its pages.
  std::optional<size_t> unbounded(const Request& request) const;
  // Whether it may be made, with this or with more that joins it: of several lists none can be cut.
  bool can_be_bounded(const Request& query) const;

 private:
  // How many entities of each node a plan meets. Who follows a list that a Query has cut follows what that
  // kept; what is cut only afterwards, by values or between pages, was followed already.
  using Met = std::vector<double>;
  // `least`: also of lists that are not cut, but could be.
  Met met(const std::vector<Request>& requests, bool least) const;
  // How many of a node one request keeps, of which it tells who they are; none: all.
  std::optional<double> kept_by(const Request& request, size_t node, const Met& met, bool least) const;
  // So many items of a kind.
  struct Portion {
    size_t item_kind = 0;
    double items = 0;
  };
  using Portions = std::vector<Portion>;
  static double all_items(const Portions& portions);
  double bytes_of(const Portions& portions, const View& view) const;
  // `read`: first what is dropped in one partition, then all that is read in one.
  void estimate(Request& request, Portions& read, const Met& met) const;
  Cost least(const Request& request, const Met& met) const;
  // The BatchGetItem for what the index of a query does not hold, if there is something.
  std::optional<Request> rest(Request& query, size_t place, const Portions& read, const Met& met) const;
  bool needs_anchor(const Request& request) const;
  double anchors(const Request& request, const Met& met) const;
  double keys_of(const Want& want, const Met& met) const;
  // Of what is followed several times.
  double in_level(const DocumentNode& node, size_t level, const Met& met) const;
  double followed(const Request& request, const Met& met) const;
  void estimate_levels(Request& request, Portions& read, const Met& met) const;
  std::optional<int64_t> level_limit(const Request& request) const;
  // Its index does not hold all that is wanted.
  bool is_partial(const Request& query) const;
  double count_for_one(const Request& request, const Want& want) const;
  double items_of_one(const Want& want) const;
  // How many of a list are kept.
  // Whether it says who is in a list; otherwise it fetches those of whom something else has told.
  bool tells(const Want& want) const;
  std::optional<int64_t> kept(const Want& want) const;
  // Whether there is one such Query whatever the data, not one for each of several.
  bool is_one_query(const Request& request) const;
  // Whether the list is the outermost one, and goes on behind its last key. One in an order that several
  // Queries have each for itself does not: all of them are read before it is known which come first.
  bool goes_on(const Request& request, const Want& want) const;
  // Whether one Query has the list of one parent alone: others would use up its limit.
  bool is_of_one_parent(const Request& request, const Want& want) const;
  // How many are kept, if the request could stop there: it has the list's order, whatever else it reads.
  std::optional<int64_t> may_cut(const Request& request, const Want& want) const;
  // How many of them are read at once.
  int64_t read_at_once(const model::Node& selected, int64_t count) const;
  // Sets where the request stops, and its direction.
  void cut(Request& request) const;
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
