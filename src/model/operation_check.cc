#include "model/operation_check.h"

#include <set>

namespace sheaf::model {
namespace {

using WriteKind = language::Write::Kind;
using Via = language::Via::Kind;

constexpr size_t kActionsMax = 100;

// Each item is written or checked once in a transaction.
size_t action_count(const Model& model, const Layout& layout, const Operation& operation) {
  std::set<size_t> entities;  // parameters whose items are written or checked
  size_t edges = 0;
  for (const Write& write : operation.writes) {
    const bool is_link = write.syntax->kind == WriteKind::kLink || write.syntax->kind == WriteKind::kUnlink;
    if (!is_link) {
      entities.insert(write.parameter);
      continue;
    }
    const RelationId relation = write.places.front().ends.front().relation;
    const bool has_edges = layout.is_edge({.relation = relation});
    if (has_edges) edges += layout.relations[relation].both_directions ? 2 : 1;
    // Both ends must be there when a link is made.
    const bool is_checked =
        write.syntax->kind == WriteKind::kLink && !model.relations[relation].syntax->unchecked;
    if (!has_edges || is_checked) {
      entities.insert(write.parameter);
      entities.insert(write.linked.front());
    }
  }
  return entities.size() + edges;
}

}  // namespace

void check_operations(const Model& model, const Layout& layout, Mistakes& mistakes) {
  for (const Operation& operation : model.operations) {
    const size_t count = action_count(model, layout, operation);
    if (count > kActionsMax)
      mistakes.tell("too-many-actions", operation.syntax->name.span,
                    operation.name + " writes or checks " + std::to_string(count) +
                        " items, and a transaction takes 100",
                    "split it into several operations");
  }
}

}  // namespace sheaf::model
