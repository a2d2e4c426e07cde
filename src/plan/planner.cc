#include "plan/planner.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "plan/access_paths.h"
#include "plan/document_tree.h"
#include "plan/index_contents.h"
#include "plan/key_interval.h"
#include "plan/refusals.h"
#include "plan/request_cost.h"
#include "plan/tested_nodes.h"

namespace sheaf::plan {
namespace {

using model::Condition;

// So many combinations are tried; a model that needs more has too many indexes to choose from.
constexpr size_t kCombinationsMax = 50'000;

// Everything that has one of several ways.
struct Task {
  Want want;
  std::vector<AccessPath> paths;
};

// Requests for the first tasks.
struct Draft {
  std::vector<Request> requests;
  std::vector<const model::KeyTemplate*> partitions;  // one a request; null for points
  // Of each task: its way, the request that it is done by, and after which round.
  std::vector<const AccessPath*> paths;
  std::vector<size_t> done_by;
  std::vector<size_t> rounds;
};

class Planner {
 public:
  Planner(const model::Model& model, const model::Layout& layout, const model::Pattern& pattern,
          const std::vector<bool>& given)
      : model_(model),
        layout_(layout),
        pattern_(pattern),
        given_(given),
        is_snapshot_(pattern.syntax->clauses.snapshot.has_value()),
        is_strong_(pattern.syntax->clauses.strong.has_value() || is_snapshot_),
        nodes_(tree(model, layout, pattern, given, result_)),
        costs_(model, layout, pattern, nodes_, result_,
               is_snapshot_ ? ReadKind::kTransactional
               : is_strong_ ? ReadKind::kStrong
                            : ReadKind::kEventual) {}

  std::variant<Plan, Refusal> run() {
    const AccessPaths paths(model_, layout_, nodes_, given_, is_strong_);
    for (size_t node = 0; node < nodes_.size(); ++node) {
      if (!add_tasks(paths, node)) return *refusal_;
    }
    for (const Task& task : tasks_) rounds_max_ += levels_of(task.want) + 1;
    try_all({});
    if (!best_) {
      return refusal_.value_or(Refusal{.message = "no combination of requests answers it in this layout"});
    }
    Plan plan{.pattern = &pattern_,
              .given = given_,
              .nodes = nodes_,
              .result = result_,
              .requests = *best_,
              .is_strong = is_strong_,
              .is_snapshot = is_snapshot_,
              .cost = best_cost_};
    sort_by_round(plan.requests);
    drop_assured(plan);
    for (size_t node = 0; node < nodes_.size(); ++node) {
      plan.nodes[node].link = link_of(model_, layout_, nodes_[node]);
      plan.nodes[node].needs_item = needs_item(model_, layout_, nodes_, node);
      plan.nodes[node].needs_last_item = needs_last_item(model_, layout_, nodes_, node);
    }
    return plan;
  }

 private:
  static std::vector<DocumentNode> tree(const model::Model& model, const model::Layout& layout,
                                        const model::Pattern& pattern, const std::vector<bool>& given,
                                        size_t& result) {
    std::vector<DocumentNode> nodes = document_tree(model, pattern, result);
    find_by_edges(layout, given, nodes.front());
    for (DocumentNode& node : nodes) node.where = conditions_in_force(node, given);
    add_tested_nodes(model, layout, given, nodes);
    return nodes;
  }

  // What the index assures is not tested on what it finds: it may not even hold the field.
  void drop_assured(Plan& plan) const {
    for (const Request& request : plan.requests) {
      for (const Want& want : request.wants) {
        if (is_read_elsewhere(nodes_, want)) continue;
        std::erase_if(plan.nodes[want.node].where, [&](const Condition* condition) {
          return std::find(want.assured.begin(), want.assured.end(), condition) != want.assured.end();
        });
      }
    }
  }

  std::string name_of(size_t node) const {
    if (!nodes_[node].parent) return model_.entities[nodes_[node].entity].name;
    return model_.end(*nodes_[node].end).name;
  }

  // A kRest comes right behind its query, which it names by its place.
  static void sort_by_round(std::vector<Request>& requests) {
    std::vector<size_t> order;
    for (size_t i = 0; i < requests.size(); ++i) {
      if (requests[i].kind != Request::Kind::kRest) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return requests[a].round < requests[b].round; });
    std::vector<Request> sorted;
    for (const size_t at : order) {
      sorted.push_back(requests[at]);
      for (const Request& rest : requests) {
        if (rest.kind != Request::Kind::kRest || rest.anchor != at) continue;
        const size_t query = sorted.size() - 1;
        sorted.push_back(rest);
        sorted.back().anchor = query;
      }
    }
    requests = std::move(sorted);
  }

  bool refuse(Refusal refusal) {
    refusal_ = std::move(refusal);
    return false;
  }

  Refusals refusals() const { return {model_, layout_, pattern_, nodes_, given_, is_strong_}; }

  // What is embedded is found through its parent; of what has no items only a known id can be told.
  bool is_readable_alone(size_t node) const {
    const model::EntityId entity = nodes_[node].entity;
    if (layout_.kind(entity) != nullptr) return true;
    if (!pattern_.start) return false;
    return !layout_.embedding_end(model_, entity);
  }

  // What has to be fetched for a node, and how it can be.
  bool add_tasks(const AccessPaths& paths, size_t node) {
    const Link link = link_of(model_, layout_, nodes_[node]);
    if (link == Link::kStart && !is_readable_alone(node)) return refuse(refusals().no_item(node));
    if (link == Link::kNone) {
      return refuse({.message = "under this strategy " + name_of(node) + " cannot be found from " +
                                model_.entities[model_.end(*nodes_[node].end).holder].name,
                     .fix = "use via edges or via index",
                     .span = nodes_[node].span});
    }
    if (link == Link::kEdges) {
      Task task{.want = {.kind = Want::Kind::kEdges,
                         .node = node,
                         .item_kind = layout_.edge_kind(*nodes_[node].end)}};
      task.paths = paths.to_edges(node);
      if (!add(paths, node, std::move(task), true)) return false;
    }
    const bool is_found = is_search(nodes_, {.kind = Want::Kind::kItems, .node = node});
    const bool is_searched = link == Link::kItems || is_found;
    if (!is_searched && link != Link::kEdges && !paths.conditions(node).empty())
      return refuse(refusals().no_conditions({.node = node}, {}));
    if (!needs_item(model_, layout_, nodes_, node) && !is_found) return true;
    const auto kind = layout_.kind_of_entity[nodes_[node].entity];
    if (!kind) return true;
    Task task{.want = {.kind = Want::Kind::kItems, .node = node, .item_kind = *kind}};
    // Where items name the next level, all of a level are fetched at once, by their addresses.
    const bool is_read_by_level = link == Link::kReference && nodes_[node].depth > 1;
    if (!is_read_by_level) task.paths = paths.to_items(node);
    if (!is_searched) {
      if (auto point = paths.point(node)) task.paths.insert(task.paths.begin(), std::move(*point));
    }
    return add(paths, node, std::move(task), is_searched);
  }

  // Keeps the paths that serve all conditions, if they must.
  bool add(const AccessPaths& paths, size_t node, Task task, bool must_serve) {
    const std::vector<const Condition*> conditions = paths.conditions(node);
    if (task.paths.empty()) {
      return refuse(conditions.empty() ? refusals().no_path(task.want)
                                       : refusals().no_conditions(task.want, {}));
    }
    if (must_serve && !conditions.empty()) {
      const std::vector<AccessPath> all = task.paths;
      std::erase_if(task.paths, [&](const AccessPath& path) {
        return !std::all_of(conditions.begin(), conditions.end(), [&](const Condition* condition) {
          return std::find(path.served.begin(), path.served.end(), condition) != path.served.end();
        });
      });
      if (task.paths.empty()) return refuse(refusals().no_conditions(task.want, all));
    }
    const bool has_exact = std::any_of(task.paths.begin(), task.paths.end(),
                                       [](const AccessPath& path) { return path.is_exact; });
    if (!has_exact && !pattern_.syntax->clauses.reads_max) {
      return refuse(refusals().no_exact_path(node));
    }
    if (has_exact) std::erase_if(task.paths, [](const AccessPath& path) { return !path.is_exact; });
    if (is_snapshot_) {
      std::erase_if(task.paths, [](const AccessPath& path) { return !path.is_point; });
      if (task.paths.empty())
        return refuse(
            refusals().no_snapshot(name_of(node) + " would be found by a Query, which is no snapshot"));
    }
    tasks_.push_back(std::move(task));
    return true;
  }

  // In how many rounds a task is done: levels of what is followed several times wait for each other.
  size_t levels_of(const Want& want) const {
    const DocumentNode& node = nodes_[want.node];
    if (node.depth == 1) return 1;
    const Link link = link_of(model_, layout_, node);
    const auto depth = static_cast<size_t>(node.depth);
    if (want.kind == Want::Kind::kEdges || link == Link::kItems) return depth;
    if (link != Link::kReference) return 1;
    return needs_last_item(model_, layout_, nodes_, want.node) ? depth : depth - 1;
  }

  // Every way of the next task, in a request of its own or together with what is planned already.
  void try_all(const Draft& draft) {
    if (combinations_ > kCombinationsMax || is_hopeless(draft)) return;
    const size_t task = draft.rounds.size();
    if (task == tasks_.size()) {
      ++combinations_;
      return evaluate(draft.requests);
    }
    for (const AccessPath& path : tasks_[task].paths) {
      // What is likely to be cheap comes first: others are given up early then.
      const bool is_cheap_apart = prefers_units() && !path.is_point;
      if (is_cheap_apart) try_apart(draft, path);
      try_joined(draft, path);
      if (!is_cheap_apart) try_apart(draft, path);
    }
  }

  Want wanted(const Draft& draft, const AccessPath& path) const {
    Want want = tasks_[draft.rounds.size()].want;
    want.sort = path.sort;
    want.assured = path.assured;
    return want;
  }

  void try_joined(const Draft& draft, const AccessPath& path) {
    if (levels_of(tasks_[draft.rounds.size()].want) > 1) return;
    for (size_t at = 0; at < draft.requests.size(); ++at) {
      if (!can_join(draft, at, path)) continue;
      Draft joined = draft;
      joined.requests[at].wants.push_back(wanted(draft, path));
      if (!costs_.can_be_bounded(joined.requests[at])) continue;
      if (set_rounds(joined, path, at)) try_all(joined);
    }
  }

  void try_apart(const Draft& draft, const AccessPath& path) {
    Draft apart = draft;
    apart.requests.push_back({.kind = path.is_point ? Request::Kind::kPoints : Request::Kind::kQuery,
                              .levels = levels_of(tasks_[draft.rounds.size()].want),
                              .wants = {wanted(draft, path)},
                              .view = path.view,
                              .anchor = path.anchor,
                              .partition = path.partition});
    apart.partitions.push_back(path.is_point ? nullptr : path.pk);
    if (set_rounds(apart, path, apart.requests.size() - 1)) try_all(apart);
  }

  // Points of one batch, or what lies in the same partition.
  bool can_join(const Draft& draft, size_t at, const AccessPath& path) const {
    const Request& request = draft.requests[at];
    if (request.levels > 1) return false;
    if (path.is_point) return request.kind == Request::Kind::kPoints;
    // What is spread over partitions is read by itself.
    return request.kind == Request::Kind::kQuery && !request.is_spread() && request.view == path.view &&
           request.anchor == path.anchor && same_bindings(request.partition, path.partition) &&
           literal_shape(*draft.partitions[at]) == literal_shape(*path.pk);
  }

  // Adds the next task, by the request `at`, and has every request in the first round in which all that it
  // needs is known. A batch waits for those who join it, a query does not. False if there is no such round:
  // two that share a request need each other, or a query would have to wait.
  bool set_rounds(Draft& draft, const AccessPath& path, size_t at) const {
    draft.paths.push_back(&path);
    draft.done_by.push_back(at);
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      draft.rounds.clear();  // a task needs those before it only
      for (size_t task = 0; task < draft.paths.size(); ++task) {
        Request& request = draft.requests[draft.done_by[task]];
        const size_t first = first_round(task, draft);
        if (request.round < first) {
          if (first > rounds_max_ || !may_wait(draft, task)) return false;
          request.round = first;
          has_changed = true;
        }
        draft.rounds.push_back(request.last_round());
      }
    }
    return true;
  }

  // The first round in which a task can be done.
  size_t first_round(size_t task, const Draft& draft) const {
    const AccessPath& path = *draft.paths[task];
    return 1 + (path.is_point ? known_after_without_item(task, draft) : known_after(path.anchor, draft));
  }

  // Whether the request that does a task can be later for it.
  bool may_wait(const Draft& draft, size_t task) const {
    const size_t at = draft.done_by[task];
    if (draft.requests[at].kind == Request::Kind::kPoints) return true;
    return std::find(draft.done_by.begin(), draft.done_by.end(), at) - draft.done_by.begin() ==
           static_cast<ptrdiff_t>(task);
  }

  // It cannot become better than the best plan.
  bool is_hopeless(const Draft& draft) const {
    if (!best_) return false;
    Cost least;
    const std::vector<Cost> costs = costs_.least(draft.requests);
    for (size_t i = 0; i < costs.size(); ++i) {
      least.requests += costs[i].requests;
      least.units += costs[i].units;
      least.rounds = std::max(least.rounds, static_cast<double>(draft.requests[i].last_round()));
    }
    return !is_better(least, waiting(draft.requests));
  }

  // Of two that cost the same, the one that reads early.
  bool is_better(const Cost& cost, size_t waiting) const {
    if (!best_ || is_cheaper(cost, best_cost_)) return true;
    return !is_cheaper(best_cost_, cost) && waiting < best_waiting_;
  }

  static size_t waiting(const std::vector<Request>& requests) {
    size_t sum = 0;
    for (const Request& request : requests) sum += request.round * request.wants.size();
    return sum;
  }

  std::optional<size_t> task_of(size_t node, Want::Kind kind) const {
    for (size_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].want.node == node && tasks_[i].want.kind == kind) return i;
    }
    return std::nullopt;
  }

  // After which round a task is done; 0 if there is none.
  size_t done_after(size_t node, Want::Kind kind, const Draft& draft) const {
    const auto task = task_of(node, kind);
    return task && *task < draft.rounds.size() ? draft.rounds[*task] : 0;
  }

  // After which round the identities of a node are known. Tasks of parents come first, so theirs are known.
  size_t known_after(size_t node, const Draft& draft) const {
    const std::optional<size_t>& parent = nodes_[node].parent;
    switch (link_of(model_, layout_, nodes_[node])) {
      case Link::kStart:
        return pattern_.start ? 0 : done_after(node, Want::Kind::kItems, draft);
      case Link::kItems:
        return done_after(node, Want::Kind::kItems, draft);
      case Link::kEdges: {
        // Edges may be read before it is known from whom they lead.
        const size_t read = done_after(node, Want::Kind::kEdges, draft);
        return parent ? std::max(read, known_after(*parent, draft)) : read;
      }
      case Link::kReference:
      case Link::kEmbedded: {
        const size_t read = done_after(*parent, Want::Kind::kItems, draft);
        const bool is_late = read > 0 && is_named_late(node, draft);
        const size_t first = std::max(read + (is_late ? 1 : 0), known_after(*parent, draft));
        // The items of each level name the next one.
        return nodes_[node].depth > 1 ? std::max(first, done_after(node, Want::Kind::kItems, draft)) : first;
      }
      case Link::kIdentity:
      case Link::kFinder:
        return known_after(*parent, draft);
      case Link::kNone:
        break;
    }
    return 0;
  }

  // The index in which its parent is found does not name it: that is fetched after.
  bool is_named_late(size_t node, const Draft& draft) const {
    const View& view = draft.paths[*task_of(*nodes_[node].parent, Want::Kind::kItems)]->view;
    return view.index && !IndexContents(model_, layout_, nodes_, view).name(node);
  }

  void evaluate(std::vector<Request> requests) {
    costs_.estimate(requests);
    for (const Request& request : requests) {
      const auto node = costs_.unbounded(request);
      if (!node) continue;
      const bool is_sorted = *node == result_ && nodes_[*node].selected->order;
      refusal_ = is_sorted ? refusals().no_order(*node) : refusals().no_bound(*node);
      return;
    }
    Cost cost;
    for (const Request& request : requests) {
      if (!is_one_moment(request)) return;
      cost.requests += request.calls;
      cost.units += request.units;
      cost.rounds = std::max(cost.rounds, static_cast<double>(request.last_round()));
    }
    if (!is_better(cost, waiting(requests))) return;
    best_waiting_ = waiting(requests);
    best_ = std::move(requests);
    best_cost_ = cost;
  }

  // A point needs the identity, which does not come from the item itself.
  size_t known_after_without_item(size_t task, const Draft& draft) const {
    const size_t node = tasks_[task].want.node;
    return nodes_[node].end ? known_after(node, draft) : 0;
  }

  bool prefers_units() const { return pattern_.syntax->clauses.prefer == language::Prefer::kUnits; }

  bool is_cheaper(const Cost& a, const Cost& b) const {
    const auto key = [&](const Cost& cost) {
      return prefers_units() ? std::tuple(cost.units, cost.requests, cost.rounds)
                             : std::tuple(cost.requests, cost.units, cost.rounds);
    };
    return key(a) < key(b);
  }

  bool is_one_moment(const Request& request) {
    if (!is_snapshot_ || (request.last_round() == 1 && request.items_read <= kBatchKeys)) return true;
    refusal_ = refusals().no_snapshot(request.last_round() > 1
                                          ? "a snapshot knows all its keys from the start, and this reads on"
                                          : "a snapshot has at most 100 keys");
    return false;
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const model::Pattern& pattern_;
  const std::vector<bool>& given_;
  const bool is_snapshot_;
  const bool is_strong_;
  size_t result_ = 0;
  const std::vector<DocumentNode> nodes_;
  const RequestCost costs_;
  std::vector<Task> tasks_;
  size_t combinations_ = 0;
  std::optional<std::vector<Request>> best_;
  Cost best_cost_;
  size_t rounds_max_ = 0;  // more are needed only by what waits for itself
  size_t best_waiting_ = 0;
  std::optional<Refusal> refusal_;
};

}  // namespace

std::variant<Plan, Refusal> plan_pattern(const model::Model& model, const model::Layout& layout,
                                         const model::Pattern& pattern, const std::vector<bool>& given) {
  return Planner(model, layout, pattern, given).run();
}

std::vector<std::vector<bool>> parameter_subsets(const model::Pattern& pattern) {
  std::vector<std::vector<bool>> subsets = {std::vector<bool>(pattern.parameters.size(), true)};
  for (size_t i = 0; i < pattern.parameters.size(); ++i) {
    if (!pattern.parameters[i].is_optional) continue;
    const size_t count = subsets.size();
    for (size_t j = 0; j < count; ++j) {
      subsets.push_back(subsets[j]);
      subsets.back()[i] = false;
    }
  }
  return subsets;
}

}  // namespace sheaf::plan
