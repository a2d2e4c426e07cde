// Why a pattern cannot be answered in a layout, and the line that would help.
#pragma once

#include <string>
#include <vector>

#include "plan/access_paths.h"
#include "plan/plan.h"

namespace sheaf::plan {

class Refusals {
 public:
  Refusals(const model::Model& model, const model::Layout& layout, const model::Pattern& pattern,
           const std::vector<DocumentNode>& nodes, const std::vector<bool>& given, bool is_strong)
      : model_(model),
        layout_(layout),
        pattern_(pattern),
        nodes_(nodes),
        given_(given),
        is_strong_(is_strong) {}

  // No key leads to what is wanted.
  Refusal no_path(const Want& want) const;
  // These ways lead there, and none serves all conditions on it.
  Refusal no_conditions(const Want& want, const std::vector<AccessPath>& paths) const;
  // The ways that there are find others', too.
  Refusal no_exact_path(size_t node) const;
  // What the pattern starts from has no item of its own.
  Refusal no_item(size_t node) const;
  // A list that nobody bounded would be read whole.
  Refusal no_bound(size_t node) const;
  // The same, because no key has its order.
  Refusal no_order(size_t node) const;
  // Not all of it is of one moment.
  Refusal no_snapshot(std::string message) const;

 private:
  std::string name_of(size_t node) const;
  // The ways to the same items if indexes were allowed.
  std::vector<AccessPath> weaker_paths(const Want& want) const;
  Refusal not_strong(std::string message) const;
  // A number without width in a sort key, if the order is by that.
  const model::Hole* unordered_key(size_t node) const;
  Refusal unordered(const AccessPath& path, const std::vector<const model::Condition*>& conditions) const;
  language::Span order_span(size_t node) const;
  std::string fix_for(const model::Condition& condition, const std::string& names, size_t node) const;

  const model::Model& model_;
  const model::Layout& layout_;
  const model::Pattern& pattern_;
  const std::vector<DocumentNode>& nodes_;
  const std::vector<bool>& given_;
  const bool is_strong_;
};

}  // namespace sheaf::plan
