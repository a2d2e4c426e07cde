// Whether something could be had in fewer requests, and what would have to be stored otherwise. In its own
// layout a plan has the fewest: tests/plans proves that. So fewer need other keys, copies or indexes, and
// those are tried, one change at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plan/planned_model.h"
#include "plan/storage_variants.h"

namespace sheaf::plan {

struct FewerRequests {
  double requests = 0;             // that it would take
  std::string change;              // rel Department.staff via index on by_department copy department(*)
  bool keeps_keys = true;          // or else keys that are written down would have to go, too
  std::vector<std::string> worse;  // others that would take more requests, or could not be done any more
};

// Of one layout. Variants are kept, so that many questions take little longer than one.
class FewerRequestsSearch {
 public:
  // `planned` has no mistakes and outlives it.
  FewerRequestsSearch(const PlannedModel& planned, size_t layout);

  // What takes the fewest, of those what leaves the others alone, of those what keeps the keys. Nothing if no
  // single change helps: what takes one request, or none, never has less.
  std::optional<FewerRequests> find(const PlannedPattern& pattern);
  std::optional<FewerRequests> find(const PlannedOperation& operation);

 private:
  using RequestsOf = std::function<std::optional<double>(const model::CompiledModel&)>;
  // What it goes along, and of whom it has lists.
  struct Concern {
    std::vector<bool> relations;
    std::vector<bool> entities;
  };
  std::optional<FewerRequests> find(double requests, const Concern& concern, const RequestsOf& then);
  std::vector<std::string> worse(const model::CompiledModel& variant, const std::string& but) const;

  const PlannedModel& planned_;
  const size_t layout_;
  StorageVariants variants_;
  std::string name_;  // of what is looked for
};

}  // namespace sheaf::plan
