#include "plan/answer_size.h"

#include <algorithm>

#include "plan/document_tree.h"

namespace sheaf::plan {
namespace {

// Of what is looked for by conditions no more can be found than is read: one, if keys say so.
double found_at_most(const Plan& plan) {
  for (const Request& request : plan.requests) {
    for (const Want& want : request.wants) {
      if (is_search(plan.nodes, want)) return want.sort.is_one ? 1 : request.items_read;
    }
  }
  return plan.nodes.front().count;
}

}  // namespace

double entities_returned(const Plan& plan) {
  std::vector<double> returned(plan.nodes.size(), 0);
  double sum = 0;
  for (size_t id = plan.result; id < plan.nodes.size(); ++id) {
    const DocumentNode& node = plan.nodes[id];
    // Only walked through, or summed up.
    if (node.selected == nullptr) continue;
    if (id == plan.result) {
      const int64_t page = node.selected->limit.value_or(node.selected->page.value_or(kPageDefault));
      const double all = node.is_found ? std::min(node.count, found_at_most(plan)) : node.count;
      returned[id] = std::min(all, static_cast<double>(page));
    } else {
      const double parents = plan.nodes[*node.parent].count;
      double each = node.count / parents;
      if (node.selected->limit) each = std::min(each, static_cast<double>(*node.selected->limit));
      returned[id] = returned[*node.parent] * each;
    }
    sum += returned[id];
  }
  return sum;
}

}  // namespace sheaf::plan
