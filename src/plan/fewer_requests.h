// Whether something could be had in fewer requests, and what would have to be stored otherwise. In its own
// layout a plan has the fewest: tests/plans proves that. So fewer need other keys, copies or indexes. Those
// are tried: each change alone, then the most promising ones together. Who finds none knows no more than
// that.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plan/planned_model.h"
#include "plan/storage_variants.h"

namespace sheaf::plan {

struct FewerRequests {
  double requests = 0;  // that it would take
  // rel Department.staff via index on by_department copy department(*); several are made together.
  std::vector<std::string> changes;
  bool keeps_keys = true;          // or else keys that are written down would have to go, too
  std::vector<std::string> worse;  // others that would take more requests, or could not be done any more

  // All changes as a layout has them.
  std::string text() const;
};

// How many other ways to store it were looked at. Those that cannot be are none.
struct WaysTried {
  size_t alone = 0;     // one change
  size_t together = 0;  // several
};

// Of one layout. Variants are kept, so that many questions take little longer than one.
class FewerRequestsSearch {
 public:
  // `planned` has no mistakes and outlives it.
  FewerRequestsSearch(const PlannedModel& planned, size_t layout);

  // What takes the fewest, of those what leaves the others alone, of those what keeps the keys; several
  // changes only if they take less than each alone. Nothing if no change that was tried helps: what takes one
  // request, or none, never has less.
  std::optional<FewerRequests> find(const PlannedPattern& pattern);
  std::optional<FewerRequests> find(const PlannedOperation& operation);
  // By the last `find`.
  const WaysTried& tried() const { return tried_; }

 private:
  using CostOf = std::function<std::optional<Cost>(const model::CompiledModel&)>;
  // What it goes along, and of whom it has lists.
  struct Concern {
    std::vector<bool> relations;
    std::vector<bool> entities;
  };
  // A variant that can be, and what the plan costs then.
  struct Candidate {
    size_t variant = 0;
    Cost cost;
  };
  using Candidates = std::vector<Candidate>;

  void find(double requests, const Concern& concern, const CostOf& then);
  // The cheapest few of those that keep the keys, or do not: a list for each relation, entity or index that
  // they change, the cheapest list first.
  std::vector<Candidates> most_promising(const Candidates& all, bool keeps_keys) const;
  // Looks for several changes that take less than `requests` together. First one after the other is added as
  // long as that does not cost more, then there are pairs; so many in all.
  void find_together(const std::vector<Candidates>& subjects, double requests, const CostOf& then);
  // Keeps them if they are better than what was found. None: they cannot be, or enough was tried.
  std::optional<Cost> try_together(std::vector<size_t> chosen, double requests, const CostOf& then);
  void note(FewerRequests found);
  std::vector<std::string> worse(const model::CompiledModel& variant, const std::string& but) const;

  const PlannedModel& planned_;
  const size_t layout_;
  StorageVariants variants_;
  std::string name_;  // of what is looked for
  std::optional<FewerRequests> best_;
  WaysTried tried_;
  std::map<std::vector<size_t>, std::optional<Cost>> together_;  // of the present question
};

}  // namespace sheaf::plan
