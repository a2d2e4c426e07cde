#include "plan/planner.h"

#include <algorithm>
#include <cmath>

#include "plan/access_paths.h"
#include "plan/document_tree.h"
#include "plan/refusals.h"

namespace sheaf::plan {
namespace {

using model::Condition;

constexpr double kBatchKeys = 100;
constexpr double kPageBytes = 1 << 20;
constexpr double kUnitBytes = 4096;
// So many combinations are tried; a model that needs more has too many indexes to choose from.
constexpr size_t kCombinationsMax = 50'000;

// Everything that has one of several ways.
struct Task {
  Want want;
  std::vector<AccessPath> paths;
};

struct Evaluated {
  std::vector<Request> requests;
  Cost cost;
  bool is_legal = true;
};

bool same_bindings(const std::vector<Binding>& a, const std::vector<Binding>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Binding& x, const Binding& y) {
    return x.kind == y.kind && x.node == y.node && x.path == y.path && x.condition == y.condition;
  });
}

// The literal text around the holes: two templates with the same are the same partition for the same values.
std::string literal_shape(const model::KeyTemplate& key) {
  std::string shape;
  for (const auto& piece : key.pieces()) {
    const auto* text = std::get_if<std::string>(&piece);
    shape += text != nullptr ? *text : std::string(1, '\0');
  }
  return shape;
}

class Planner {
 public:
  Planner(const model::Model& model, const model::Layout& layout, const model::Pattern& pattern,
          const std::vector<bool>& given)
      : model_(model), layout_(layout), pattern_(pattern), given_(given) {
    is_snapshot_ = pattern.syntax->clauses.snapshot.has_value();
    is_strong_ = pattern.syntax->clauses.strong.has_value() || is_snapshot_;
    nodes_ = document_tree(model, pattern, result_);
  }

  std::variant<Plan, Refusal> run() {
    const AccessPaths paths(model_, layout_, nodes_, given_, is_strong_);
    for (size_t node = 0; node < nodes_.size(); ++node) {
      if (!add_tasks(paths, node)) return *refusal_;
    }
    choice_.assign(tasks_.size(), 0);
    try_all(0);
    if (!best_) {
      return refusal_.value_or(Refusal{.message = "no combination of requests answers it in this layout"});
    }
    Plan plan{.pattern = &pattern_,
              .given = given_,
              .nodes = nodes_,
              .result = result_,
              .requests = best_->requests,
              .is_strong = is_strong_,
              .is_snapshot = is_snapshot_,
              .cost = best_->cost};
    sort_by_round(plan.requests);
    return plan;
  }

 private:
  std::string name_of(size_t node) const {
    if (!nodes_[node].end) return model_.entities[nodes_[node].entity].name;
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
    if (nodes_[node].depth > 1)
      return refuse({.message = "following an end several times is not there yet",
                     .fix = "follow it once",
                     .id = "not-yet",
                     .span = nodes_[node].span});
    if (link == Link::kEdges) {
      Task task{.want = {.kind = Want::Kind::kEdges,
                         .node = node,
                         .item_kind = *layout_.relations[nodes_[node].end->relation].edge_kind}};
      task.paths = paths.to_edges(node);
      if (!add(paths, node, std::move(task), true)) return false;
    }
    if (!needs_item(model_, layout_, nodes_, node) && !(link == Link::kStart && !pattern_.start)) {
      if (link == Link::kEdges || paths.conditions(node).empty()) return true;
      return refuse(refusals().no_conditions({.node = node}, {}));
    }
    const auto kind = layout_.kind_of_entity[nodes_[node].entity];
    if (!kind) return true;
    Task task{.want = {.kind = Want::Kind::kItems, .node = node, .item_kind = *kind}};
    const bool is_found_by_keys = link == Link::kItems || link == Link::kStart;
    if (is_found_by_keys) task.paths = paths.to_items(node);
    const bool is_known = link != Link::kItems && !(link == Link::kStart && !pattern_.start);
    if (is_known) {
      if (auto point = paths.point(node)) task.paths.insert(task.paths.begin(), std::move(*point));
    }
    return add(paths, node, std::move(task),
               link != Link::kEdges && is_found_by_keys && (link == Link::kItems || !pattern_.start));
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

  void try_all(size_t task) {
    if (combinations_ > kCombinationsMax) return;
    if (task == tasks_.size()) {
      ++combinations_;
      return evaluate();
    }
    for (size_t i = 0; i < tasks_[task].paths.size(); ++i) {
      choice_[task] = i;
      try_all(task + 1);
    }
  }

  const AccessPath& chosen(size_t task) const { return tasks_[task].paths[choice_[task]]; }

  std::optional<size_t> task_of(size_t node, Want::Kind kind) const {
    for (size_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].want.node == node && tasks_[i].want.kind == kind) return i;
    }
    return std::nullopt;
  }

  // After which round the identities of a node are known. Tasks of parents come first, so theirs are known.
  size_t known_after(size_t node, const std::vector<size_t>& rounds) const {
    const auto round_of = [&](size_t at, Want::Kind kind) {
      const auto task = task_of(at, kind);
      return task ? rounds[*task] : 0;
    };
    switch (link_of(model_, layout_, nodes_[node])) {
      case Link::kStart:
        return pattern_.start ? 0 : round_of(node, Want::Kind::kItems);
      case Link::kItems:
        return round_of(node, Want::Kind::kItems);
      case Link::kEdges:
        return round_of(node, Want::Kind::kEdges);
      case Link::kReference:
      case Link::kEmbedded:
        return std::max(round_of(*nodes_[node].parent, Want::Kind::kItems),
                        known_after(*nodes_[node].parent, rounds));
      case Link::kIdentity:
        return known_after(*nodes_[node].parent, rounds);
      case Link::kNone:
        break;
    }
    return 0;
  }

  void evaluate() {
    Evaluated made;
    std::vector<size_t> rounds(tasks_.size(), 0);
    for (size_t task = 0; task < tasks_.size(); ++task) {
      const AccessPath& path = chosen(task);
      const size_t anchor_known =
          path.is_point ? known_after_without_item(task, rounds) : known_after(path.anchor, rounds);
      rounds[task] = anchor_known + 1;
      place(made, task, path, rounds[task]);
    }
    for (Request& request : made.requests) estimate(request);
    add_rest(made);
    for (const Request& request : made.requests) {
      made.is_legal = made.is_legal && is_bounded(request) && is_one_moment(request);
      made.cost.requests += request.calls;
      made.cost.units += request.units;
      made.cost.rounds = std::max(made.cost.rounds, static_cast<double>(request.round));
    }
    if (!made.is_legal) return;
    if (!best_ || is_cheaper(made.cost, best_->cost)) best_ = std::move(made);
  }

  // A point needs the identity, which does not come from the item itself.
  size_t known_after_without_item(size_t task, const std::vector<size_t>& rounds) const {
    const size_t node = tasks_[task].want.node;
    if (link_of(model_, layout_, nodes_[node]) == Link::kStart) return 0;
    return known_after(node, rounds);
  }

  bool is_cheaper(const Cost& a, const Cost& b) const {
    const bool prefers_units = pattern_.syntax->clauses.prefer == language::Prefer::kUnits;
    const auto key = [&](const Cost& cost) {
      return prefers_units ? std::tuple(cost.units, cost.requests, cost.rounds)
                           : std::tuple(cost.requests, cost.units, cost.rounds);
    };
    return key(a) < key(b);
  }

  // Joins a request that reads the same partition, or the points of the same round.
  void place(Evaluated& made, size_t task, const AccessPath& path, size_t round) {
    Want want = tasks_[task].want;
    want.sort = path.sort;
    for (Request& request : made.requests) {
      if (path.is_point) {
        if (request.kind != Request::Kind::kPoints || request.round != round) continue;
        request.wants.push_back(std::move(want));
        return;
      }
      if (request.kind != Request::Kind::kQuery || !(request.view == path.view) ||
          request.anchor != path.anchor)
        continue;
      if (!same_bindings(request.partition, path.partition) ||
          shapes_[&request - made.requests.data()] != literal_shape(*path.pk))
        continue;
      request.wants.push_back(std::move(want));
      request.round = std::max(request.round, round);
      return;
    }
    Request request{.kind = path.is_point ? Request::Kind::kPoints : Request::Kind::kQuery,
                    .round = round,
                    .view = path.view,
                    .anchor = path.anchor,
                    .partition = path.partition};
    request.wants.push_back(std::move(want));
    shapes_.resize(made.requests.size());
    shapes_.push_back(path.is_point ? std::string() : literal_shape(*path.pk));
    made.requests.push_back(std::move(request));
  }

  // --- What it costs

  const model::KeyTemplate* sort_key(const Request& request, size_t item_kind) const {
    const model::ItemKind& kind = layout_.item_kinds[item_kind];
    if (!request.view.index) return kind.sk ? &*kind.sk : nullptr;
    for (const model::IndexEntry& entry : kind.entries) {
      if (entry.index == *request.view.index) return entry.sk ? &*entry.sk : nullptr;
    }
    return layout_.tables[kind.table].indexes[*request.view.index].is_over_table_keys ? &kind.pk : nullptr;
  }

  std::optional<std::string> partition_shape(const Request& request, const model::ItemKind& kind) const {
    if (kind.table != request.view.table) return std::nullopt;
    if (!request.view.index) return literal_shape(kind.pk);
    for (const model::IndexEntry& entry : kind.entries) {
      if (entry.index == *request.view.index) return literal_shape(entry.pk);
    }
    if (layout_.tables[kind.table].indexes[*request.view.index].is_over_table_keys && kind.sk)
      return literal_shape(*kind.sk);
    return std::nullopt;
  }

  // How many of a want there are for one entity of the anchor.
  double count_for_one(const Request& request, const Want& want) const {
    if (want.sort.is_whole) return 1;
    if (nodes_[request.anchor].is_found && request.anchor == want.node) return nodes_[want.node].count;
    return std::max(1.0, nodes_[want.node].count / nodes_[request.anchor].count);
  }

  void estimate(Request& request) {
    if (request.kind == Request::Kind::kPoints) {
      double keys = 0;
      for (const Want& want : request.wants) keys += nodes_[want.node].count;
      request.calls = std::ceil(keys / kBatchKeys);
      request.items_read = keys;
      request.units = keys * 0.5 * (is_strong_ ? 2 : 1);
      return;
    }
    const double anchors = request.anchor == 0 && !pattern_.start ? 1 : nodes_[request.anchor].count;
    find_limit(request);
    double items = 0;
    for (const Want& want : request.wants) {
      const double count = count_for_one(request, want);
      const model::Node* const selected = nodes_[want.node].selected;
      const bool is_cut =
          request.limit && selected != nullptr && (selected->limit || selected->page) && !want.sort.is_whole;
      items +=
          is_cut ? std::min(count, static_cast<double>(selected->limit.value_or(selected->page.value_or(0))))
                 : count;
    }
    find_pollution(request);
    if (!request.limit) items += static_cast<double>(request.polluted_by.size()) * kUnsaidCount;
    const double bytes = items * kItemBytes;
    request.calls = anchors * std::max(1.0, std::ceil(bytes / kPageBytes));
    request.items_read = anchors * items;
    request.units = anchors * std::max(1.0, std::ceil(bytes / kUnitBytes)) * (is_strong_ ? 1 : 0.5);
  }

  // What an index does not hold is fetched in the next round.
  void add_rest(Evaluated& made) const {
    const size_t count = made.requests.size();
    for (size_t i = 0; i < count; ++i) {
      Request& query = made.requests[i];
      if (query.kind != Request::Kind::kQuery || !query.view.index) continue;
      const model::Index& index = layout_.tables[query.view.table].indexes[*query.view.index];
      query.is_partial = std::any_of(query.wants.begin(), query.wants.end(), [&](const Want& want) {
        return !holds_all(model_, layout_, nodes_, want, query.view.table, index);
      });
      if (!query.is_partial) continue;
      Request rest{.kind = Request::Kind::kRest,
                   .round = query.round + 1,
                   .wants = query.wants,
                   .view = {.table = query.view.table},
                   .anchor = i,
                   .calls = std::ceil(query.items_read / kBatchKeys),
                   .items_read = query.items_read,
                   .units = query.items_read * 0.5};
      made.requests.push_back(std::move(rest));
    }
  }

  bool is_one_moment(const Request& request) {
    if (!is_snapshot_ || (request.round == 1 && request.items_read <= kBatchKeys)) return true;
    refusal_ = refusals().no_snapshot(request.round > 1
                                          ? "a snapshot knows all its keys from the start, and this reads on"
                                          : "a snapshot has at most 100 keys");
    return false;
  }

  std::string leading(const Request& request, const Want& want) const {
    const model::KeyTemplate* const key = sort_key(request, want.item_kind);
    return key == nullptr ? std::string() : key->leading_text();
  }

  // Whether every key of `a` sorts before every key of `b`: they are the same text up to where one of them
  // ends, or to letters that differ.
  bool sorts_before(const Request& request, const Want& a, const Want& b) const {
    const model::KeyTemplate *const key_a = sort_key(request, a.item_kind), *const key_b = sort_key(
                                                                                request, b.item_kind);
    if (key_a == nullptr || key_b == nullptr) return false;
    size_t bound = 0;
    for (size_t i = 0;; ++i) {
      if (i == key_b->pieces().size()) return false;
      if (i == key_a->pieces().size()) return a.sort.is_whole;
      const auto &piece_a = key_a->pieces()[i], &piece_b = key_b->pieces()[i];
      const auto *text_a = std::get_if<std::string>(&piece_a), *text_b = std::get_if<std::string>(&piece_b);
      if ((text_a == nullptr) != (text_b == nullptr)) return false;
      if (text_a != nullptr) {
        if (*text_a == *text_b) continue;
        return *text_a < *text_b && !text_b->starts_with(*text_a);
      }
      if (bound == a.sort.bound.size() || bound == b.sort.bound.size()) return false;
      if (!same_bindings({a.sort.bound[bound]}, {b.sort.bound[bound]})) return false;
      ++bound;
    }
  }

  // A list with a limit can be cut by the Query if it comes last in the direction of reading.
  void find_limit(Request& request) {
    request.limit.reset();
    request.is_paged = false;
    const bool is_single = request.anchor == 0 || nodes_[request.anchor].count <= 1;
    for (const Want& want : request.wants) {
      const model::Node* const selected = nodes_[want.node].selected;
      if (selected == nullptr) continue;
      const bool is_outermost = want.node == result_;
      const std::optional<int64_t> count =
          selected->limit ? selected->limit
          : is_outermost && !want.sort.is_whole &&
                  (nodes_[want.node].count > 1 || !nodes_[want.node].is_bounded)
              ? std::optional(selected->page.value_or(100))
              : std::nullopt;
      if (!count || want.sort.is_whole || (!is_outermost && !selected->filter.empty())) continue;
      if (selected->order && !is_ordered(request, want, selected->order->first)) continue;
      // Several lists that are sorted each by itself are read whole and merged.
      if (selected->order && !is_single && !selected->limit) continue;
      const bool is_free = !selected->order;
      const bool wants_backward =
          selected->order && selected->order->second == language::Direction::kDescending;
      for (const bool is_backward : {false, true}) {
        if (!is_free && is_backward != wants_backward) continue;
        const bool comes_last =
            std::all_of(request.wants.begin(), request.wants.end(), [&](const Want& other) {
              if (&other == &want) return true;
              if (!other.sort.is_whole) return false;
              return is_backward ? sorts_before(request, want, other) : sorts_before(request, other, want);
            });
        if (!comes_last) continue;
        request.is_backward = is_backward;
        request.is_paged = is_outermost;
        request.limit = read_at_once(*selected, *count) + static_cast<int64_t>(request.wants.size()) - 1;
        return;
      }
    }
    // Without a limit the direction is only for the order.
    for (const Want& want : request.wants) {
      const model::Node* const selected = nodes_[want.node].selected;
      if (selected != nullptr && selected->order && is_ordered(request, want, selected->order->first))
        request.is_backward = selected->order->second == language::Direction::kDescending;
    }
  }

  // Behind a filter a list is read in larger pieces than are wanted of it.
  int64_t read_at_once(const model::Node& selected, int64_t count) const {
    if (selected.filter.empty()) return count;
    const auto& reads_max = pattern_.syntax->clauses.reads_max;
    const int64_t piece = std::max(count, static_cast<int64_t>(kBatchKeys));
    return reads_max ? std::min(piece, static_cast<int64_t>(reads_max->value)) : piece;
  }

  bool is_ordered(const Request& request, const Want& want, const model::Place& place) const {
    const model::KeyTemplate* const key = sort_key(request, want.item_kind);
    if (key == nullptr) return false;
    const std::vector<const model::Hole*> holes = key->holes();
    if (want.sort.bound.size() >= holes.size()) return true;
    const model::Hole& next = *holes[want.sort.bound.size()];
    if (!next.keeps_order() && key->bare_hole() == nullptr) return false;
    if (want.kind == Want::Kind::kEdges) {
      if (place.kind == model::Place::Kind::kEdgeField)
        return next.source.root == model::HoleSource::Root::kEdgeField &&
               next.source.path.field == place.field;
      return next.source.root == model::HoleSource::Root::kEdgeEnd &&
             next.source.side == nodes_[want.node].end->side &&
             next.source.path == model::FieldPath{.ends = place.ends, .field = place.field};
    }
    return place.kind == model::Place::Kind::kField &&
           next.source.path == model::FieldPath{.ends = place.ends, .field = place.field};
  }

  // Kinds that are not wanted and lie between those that are.
  void find_pollution(Request& request) {
    request.polluted_by.clear();
    std::string low, high;
    bool is_first = true;
    for (const Want& want : request.wants) {
      const std::string text = leading(request, want);
      low = is_first ? text : std::min(low, text);
      high = is_first ? text : std::max(high, text);
      is_first = false;
    }
    const std::string shape = *partition_shape(request, layout_.item_kinds[request.wants.front().item_kind]);
    for (size_t id = 0; id < layout_.item_kinds.size(); ++id) {
      const bool is_wanted = std::any_of(request.wants.begin(), request.wants.end(),
                                         [&](const Want& want) { return want.item_kind == id; });
      if (is_wanted) continue;
      const auto other = partition_shape(request, layout_.item_kinds[id]);
      if (!other || *other != shape) continue;
      const model::KeyTemplate* const key = sort_key(request, id);
      const std::string text = key == nullptr ? std::string() : key->leading_text();
      const bool lies_between = text >= low && (text < high || text.starts_with(high));
      const bool all_whole = request.wants.size() == 1 && request.wants.front().sort.is_whole;
      if (lies_between && !all_whole) request.polluted_by.push_back(id);
    }
  }

  // Nothing is read without bound: a list is bounded, cut, or the outermost one with its pages.
  bool is_bounded(const Request& request) {
    if (request.kind != Request::Kind::kQuery) return true;
    for (const Want& want : request.wants) {
      const DocumentNode& node = nodes_[want.node];
      if (node.is_bounded || want.sort.is_whole || request.limit) continue;
      if (want.node == result_ && nodes_[result_].selected->order) {
        refusal_ = refusals().no_order(want.node);
        return false;
      }
      const bool is_inside_page =
          node.parent && !nodes_[*node.parent].is_bounded &&
          (!node.end || !model_.end(*node.end).leads_to_many || model_.end(*node.end).max);
      if (is_inside_page) continue;
      refusal_ = refusals().no_bound(want.node);
      return false;
    }
    return true;
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const model::Pattern& pattern_;
  const std::vector<bool>& given_;
  bool is_strong_ = false;
  bool is_snapshot_ = false;
  std::vector<DocumentNode> nodes_;
  size_t result_ = 0;
  std::vector<Task> tasks_;
  std::vector<size_t> choice_;
  std::vector<std::string> shapes_;
  size_t combinations_ = 0;
  std::optional<Evaluated> best_;
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
