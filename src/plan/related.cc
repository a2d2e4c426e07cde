#include "plan/related.h"

#include <algorithm>

#include "plan/access_paths.h"
#include "plan/document_tree.h"

namespace sheaf::plan {
namespace {

Plan plan_of(std::vector<DocumentNode> nodes, const AccessPath& path, Want want) {
  Plan plan{.nodes = std::move(nodes), .result = want.node, .is_strong = !path.view.index};
  want.sort = path.sort;
  Request request{
      .kind = Request::Kind::kQuery, .view = path.view, .anchor = path.anchor, .partition = path.partition};
  request.wants.push_back(std::move(want));
  plan.requests.push_back(std::move(request));
  return plan;
}

bool is_spread(const AccessPath& path) {
  return std::any_of(path.partition.begin(), path.partition.end(),
                     [](const Binding& binding) { return binding.kind == Binding::Kind::kEach; });
}

const AccessPath* best(const std::vector<AccessPath>& paths) {
  const AccessPath* found = nullptr;
  for (const AccessPath& path : paths) {
    if (path.is_point || path.anchor != 0 || !path.is_exact) continue;
    const auto rank = [](const AccessPath& each) {
      return std::pair(each.view.index.has_value(), is_spread(each));
    };
    if (found == nullptr || rank(path) < rank(*found)) found = &path;
  }
  return found;
}

}  // namespace

std::optional<Plan> related_plan(const model::Model& model, const model::Layout& layout, model::EndId end) {
  const model::End& declared = model.end(end);
  std::vector<DocumentNode> nodes(2);
  nodes[0].entity = declared.holder;
  nodes[1] = {.parent = 0, .end = end, .entity = declared.target};
  const Link link = link_of(model, layout, nodes[1]);
  const std::vector<bool> given;
  const AccessPaths paths(model, layout, nodes, given, false);
  Want want{.node = 1};
  std::vector<AccessPath> found;
  if (link == Link::kEdges) {
    want.kind = Want::Kind::kEdges;
    want.item_kind = layout.edge_kind(end);
    found = paths.to_edges(1);
  } else if (link == Link::kItems) {
    want.item_kind = *layout.kind_of_entity[declared.target];
    found = paths.to_items(1);
  }
  const AccessPath* const path = best(found);
  if (path == nullptr) return std::nullopt;
  return plan_of(nodes, *path, std::move(want));
}

std::optional<Plan> lookup_plan(const model::Model& model, const model::Layout& layout,
                                model::EntityId entity) {
  if (layout.kind(entity) == nullptr) return std::nullopt;
  std::vector<DocumentNode> nodes(1);
  nodes[0].entity = entity;
  const std::vector<bool> given;
  const AccessPaths paths(model, layout, nodes, given, false);
  std::vector<AccessPath> found = paths.to_items(0);
  std::erase_if(found, is_spread);
  const AccessPath* const path = best(found);
  if (path == nullptr) return std::nullopt;
  return plan_of(nodes, *path, {.node = 0, .item_kind = *layout.kind_of_entity[entity]});
}

}  // namespace sheaf::plan
