#include "plan/tested_nodes.h"

#include <algorithm>

#include "plan/document_tree.h"

namespace sheaf::plan {
namespace {

using model::EndId;
using model::Place;

class TestedNodes {
 public:
  TestedNodes(const model::Model& model, const model::Layout& layout, std::vector<DocumentNode>& nodes)
      : model_(model), layout_(layout), nodes_(nodes) {}

  void add(size_t node, const Place& place, language::Span span) {
    if (place.ends.empty()) return;
    Way way{.place = &place};
    size_t at = node;
    for (size_t i = 0; i < place.ends.size(); ++i) {
      const bool is_last = i + 1 == place.ends.size();
      const size_t next = step(at, place.ends[i], is_last ? &place : nullptr, span);
      // The link between two nodes belongs to the lower one of them.
      if (is_last && place.kind == Place::Kind::kEdgeField) nodes_[std::max(at, next)].tests_edge = true;
      way.nodes.push_back(next);
      at = next;
    }
    if (place.kind == Place::Kind::kField || place.kind == Place::Kind::kInside)
      nodes_[at].tested.push_back(place.field);
    nodes_[node].ways.push_back(std::move(way));
  }

 private:
  // `last`: the place, if the end is its last one.
  size_t step(size_t at, EndId end, const Place* last, language::Span span) {
    for (size_t below = at + 1; below < nodes_.size(); ++below) {
      if (nodes_[below].parent == at && nodes_[below].end == end && nodes_[below].depth == 1) return below;
    }
    if (leads_back(at, end) && !(last != nullptr && has_copy(end, *last))) return *nodes_[at].parent;
    const bool is_named_by_finder = !nodes_[at].parent && nodes_[at].end && end == nodes_[at].end->other();
    nodes_.push_back({.parent = at,
                      .end = end,
                      .entity = model_.end(end).target,
                      .count = nodes_[at].count,
                      .is_bounded = nodes_[at].is_bounded,
                      .span = span,
                      .is_named_by_finder = is_named_by_finder});
    return nodes_.size() - 1;
  }

  // To the one from whom the node was reached. Of several levels nobody knows from whom.
  bool leads_back(size_t at, EndId end) const {
    const DocumentNode& node = nodes_[at];
    return node.parent && node.depth == 1 && model_.back(*node.end) == end;
  }

  // The item that has the reference has the field, too.
  bool has_copy(EndId end, const Place& place) const {
    const model::EndStorage storage = layout_.storage(end);
    if (storage != model::EndStorage::kReference && storage != model::EndStorage::kEntries) return false;
    const std::vector<model::FieldId> copied = copied_fields(layout_, {.end = end});
    return std::find(copied.begin(), copied.end(), place.field) != copied.end();
  }

  const model::Model& model_;
  const model::Layout& layout_;
  std::vector<DocumentNode>& nodes_;
};

}  // namespace

void add_tested_nodes(const model::Model& model, const model::Layout& layout, const std::vector<bool>& given,
                      std::vector<DocumentNode>& nodes) {
  TestedNodes tested(model, layout, nodes);
  for (size_t node = 0, count = nodes.size(); node < count; ++node) {
    const model::Node* const selected = nodes[node].selected;
    if (selected == nullptr) continue;
    for (const model::Condition& condition : selected->filter) {
      if (is_in_force(condition, given)) tested.add(node, condition.place, condition.syntax->path.span);
    }
    if (selected->order) tested.add(node, selected->order->first, nodes[node].span);
  }
}

const Way* way_to(const DocumentNode& node, const Place& place) {
  const auto found =
      std::find_if(node.ways.begin(), node.ways.end(), [&](const Way& way) { return way.place == &place; });
  return found == node.ways.end() ? nullptr : &*found;
}

}  // namespace sheaf::plan
