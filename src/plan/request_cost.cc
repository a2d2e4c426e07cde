#include "plan/request_cost.h"

#include <algorithm>
#include <cmath>

#include "plan/document_tree.h"
#include "plan/index_contents.h"
#include "plan/item_bytes.h"
#include "plan/key_interval.h"

namespace sheaf::plan {
namespace {

double pages(double bytes) { return std::max(1.0, std::ceil(bytes / kPageBytes)); }

// Of `count` for all parents that there can be, those of the parents that are met. First the product, which
// is whole: it is divided without a remainder.
double share(double count, double met, double parents) {
  return met == parents ? count : count * met / parents;
}

}  // namespace

void RequestCost::estimate(std::vector<Request>& requests) const {
  // Where all of them are cut is known first: who follows a list depends on it.
  std::vector<Portions> read(requests.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    Request& request = requests[i];
    if (request.kind != Request::Kind::kQuery) continue;
    request.polluted_by.clear();
    for (const Strangers& strangers : KeyInterval(layout_, request).strangers()) {
      request.polluted_by.push_back(strangers.item_kind);
      read[i].push_back({.item_kind = strangers.item_kind, .items = strangers.is_one ? 1 : kUnsaidCount});
    }
    if (request.levels == 1) cut(request);
  }
  const Met all = met(requests, false);
  for (size_t i = 0, count = requests.size(); i < count; ++i) {
    estimate(requests[i], read[i], all);
    if (auto fetched = rest(requests[i], i, read[i], all)) requests.push_back(std::move(*fetched));
  }
}

std::vector<Cost> RequestCost::least(const std::vector<Request>& requests) const {
  const Met all = met(requests, true);
  std::vector<Cost> costs;
  for (const Request& request : requests) costs.push_back(least(request, all));
  return costs;
}

RequestCost::Met RequestCost::met(const std::vector<Request>& requests, bool least) const {
  Met met;
  for (size_t id = 0; id < nodes_.size(); ++id) {
    const DocumentNode& node = nodes_[id];
    met.push_back(node.parent ? share(node.count, met[*node.parent], nodes_[*node.parent].count)
                              : node.count);
    for (const Request& request : requests) {
      if (const auto kept = kept_by(request, id, met, least)) met[id] = std::min(met[id], *kept);
    }
  }
  return met;
}

std::optional<double> RequestCost::kept_by(const Request& request, size_t id, const Met& met,
                                           bool least) const {
  if (request.kind != Request::Kind::kQuery || request.levels > 1) return std::nullopt;
  for (const Want& want : request.wants) {
    if (want.node != id || !tells(want) || want.sort.is_one) continue;
    std::optional<int64_t> count;
    if (!least) {
      if (request.limit) count = *request.limit - static_cast<int64_t>(request.wants.size()) + 1;
    } else if (const auto could = may_cut(request, want)) {
      count = read_at_once(*nodes_[id].selected, *could);
    }
    if (!count) return std::nullopt;
    const double lists = goes_on(request, want) ? 1 : anchors(request, met);
    return lists * static_cast<double>(*count);
  }
  return std::nullopt;
}

double RequestCost::all_items(const Portions& portions) {
  double items = 0;
  for (const Portion& each : portions) items += each.items;
  return items;
}

double RequestCost::bytes_of(const Portions& portions, const View& view) const {
  double bytes = 0;
  for (const Portion& each : portions)
    bytes += each.items * item_bytes(model_, layout_, each.item_kind, view);
  return bytes;
}

bool RequestCost::needs_anchor(const Request& request) const {
  const auto is_of_node = [](const Binding& binding) { return binding.kind == Binding::Kind::kNode; };
  return std::any_of(request.partition.begin(), request.partition.end(), is_of_node) ||
         std::any_of(request.wants.begin(), request.wants.end(), [&](const Want& want) {
           return std::any_of(want.sort.bound.begin(), want.sort.bound.end(), is_of_node);
         });
}

// One Query for each entity of the anchor, or one if conditions say it all.
double RequestCost::anchors(const Request& request, const Met& met) const {
  return needs_anchor(request) ? met[request.anchor] : 1;
}

double RequestCost::count_for_one(const Request& request, const Want& want) const {
  if (want.sort.is_one) return 1;
  const double each = items_of_one(want);
  if (is_search(nodes_, want)) return each * nodes_[want.node].count;
  return each * std::max(1.0, nodes_[want.node].count / nodes_[request.anchor].count);
}

// Of what is stored field by field, one for each that can be there.
double RequestCost::items_of_one(const Want& want) const {
  if (!layout_.item_kinds[want.item_kind].is_by_field()) return 1;
  const std::vector<model::Field>& fields = model_.entities[nodes_[want.node].entity].fields;
  return static_cast<double>(
      std::count_if(fields.begin(), fields.end(), [](const model::Field& field) { return !field.is_id; }));
}

double RequestCost::in_level(const DocumentNode& node, size_t level, const Met& met) const {
  return share(node.levels[level], met[*node.parent], nodes_[*node.parent].count);
}

// From whom what a request finds level by level starts: the parents, then all but those of the last level.
double RequestCost::followed(const Request& request, const Met& met) const {
  const size_t id = request.wants.front().node;
  const DocumentNode& node = nodes_[id];
  return met[*node.parent] + met[id] - in_level(node, node.levels.size() - 1, met);
}

// Of the last level, which leads to nobody any more, perhaps only ids are wanted.
double RequestCost::keys_of(const Want& want, const Met& met) const {
  const DocumentNode& node = nodes_[want.node];
  const bool is_named = node.depth > 1 && link_of(model_, layout_, node) == Link::kReference;
  if (!is_named || needs_last_item(model_, layout_, nodes_, want.node)) return met[want.node];
  return met[want.node] - in_level(node, node.levels.size() - 1, met);
}

void RequestCost::estimate_levels(Request& request, Portions& read, const Met& met) const {
  const Want& want = request.wants.front();
  const DocumentNode& node = nodes_[want.node];
  if (request.kind == Request::Kind::kPoints) {
    request.calls = request.items_read = 0;
    for (size_t level = 0; level < request.levels; ++level) {
      request.items_read += in_level(node, level, met);
      request.calls += std::ceil(in_level(node, level, met) / kBatchKeys);
    }
    const double bytes = item_bytes(model_, layout_, want.item_kind, request.view);
    request.units = request.items_read * read_units(bytes, kind_);
    return;
  }
  request.limit = level_limit(request);
  double items = want.sort.is_one ? 1 : declared_count(model_.end(*node.end));
  // If there is a limit, nothing is dropped.
  if (request.limit) items = std::min(items, static_cast<double>(*request.limit));
  read.push_back({.item_kind = want.item_kind, .items = items});
  const double lists = followed(request, met);
  const double bytes = bytes_of(read, request.view);
  request.calls = lists * pages(bytes);
  request.items_read = lists * all_items(read);
  request.units = lists * read_units(bytes, kind_);
}

// How many of each list are enough for one that is cut: what is known before may be among them, which are
// less than are wanted and those from whom it starts.
std::optional<int64_t> RequestCost::level_limit(const Request& request) const {
  const Want& want = request.wants.front();
  const DocumentNode& node = nodes_[want.node];
  if (!stops_when_full(node) || want.sort.is_one || !request.polluted_by.empty()) return std::nullopt;
  const std::vector<model::Field>& fields = model_.relations[node.end->relation].edge_fields;
  // Parallel edges lead to the same ones.
  if (std::any_of(fields.begin(), fields.end(), [](const model::Field& field) { return field.is_id; }))
    return std::nullopt;
  return 2 * *node.selected->limit + static_cast<int64_t>(std::ceil(nodes_[*node.parent].count));
}

void RequestCost::estimate(Request& request, Portions& read, const Met& met) const {
  if (request.levels > 1) return estimate_levels(request, read, met);
  if (request.kind == Request::Kind::kPoints) {
    request.items_read = request.units = 0;
    for (const Want& want : request.wants) {
      const double keys = keys_of(want, met);
      request.items_read += keys;
      request.units += keys * read_units(item_bytes(model_, layout_, want.item_kind, request.view), kind_);
    }
    request.calls = std::ceil(request.items_read / kBatchKeys);
    return;
  }
  // What is dropped is read only where nothing is cut.
  if (request.limit) read.clear();
  double shards = request.shards();
  for (const Want& want : request.wants) {
    double items = count_for_one(request, want);
    // Beside a list that is cut there are single items alone.
    if (request.limit && !want.sort.is_one) {
      const auto kept_at_once = static_cast<double>(read_at_once(*nodes_[want.node].selected, *kept(want)));
      // Of a list without bound there is as much as is asked for, in every shard.
      const bool is_bounded = nodes_[want.node].is_bounded;
      shards = shards_asked(request, kept_at_once, is_bounded ? items : kept_at_once * shards);
      const double most = request.is_merged ? shards * kept_at_once : kept_at_once;
      items = is_bounded || !request.is_merged ? std::min(items, most) : most;
    }
    read.push_back({.item_kind = want.item_kind, .items = items});
  }
  const double lists = anchors(request, met);
  const double bytes = bytes_of(read, request.view) / shards;
  request.calls = lists * shards * pages(bytes);
  request.items_read = lists * all_items(read);
  request.units = lists * shards * read_units(bytes, kind_);
}

// Merged, they are all asked; one after the other, until there are enough.
double RequestCost::shards_asked(const Request& request, double wanted, double count) const {
  const double shards = request.shards();
  if (request.is_merged) return shards;
  return std::clamp(std::ceil(wanted / std::max(1.0, count / shards)), 1.0, shards);
}

// Lists may be cut, and what lies between may be wanted later.
Cost RequestCost::least(const Request& request, const Met& met) const {
  if (request.levels > 1) {
    Request whole = request;
    Portions read;
    estimate_levels(whole, read, met);
    return {.requests = whole.calls, .units = whole.units};
  }
  if (request.kind == Request::Kind::kPoints) {
    Request whole = request;
    Portions read;
    estimate(whole, read, met);
    return {.requests = whole.calls, .units = whole.units};
  }
  Portions read;
  for (const Want& want : request.wants) {
    const double count = count_for_one(request, want);
    const auto list = may_cut(request, want);
    read.push_back(
        {.item_kind = want.item_kind, .items = list ? std::min(count, static_cast<double>(*list)) : count});
  }
  const bool may_stop = std::any_of(request.wants.begin(), request.wants.end(), [&](const Want& want) {
    return may_cut(request, want) && !nodes_[want.node].selected->order;
  });
  const double lists = anchors(request, met);
  const double shards = may_stop ? 1 : request.shards();
  const double bytes = bytes_of(read, request.view);
  Cost cost{.requests = lists * shards * pages(bytes / shards), .units = lists * read_units(bytes, kind_)};
  if (is_partial(request)) {
    cost.requests += std::ceil(lists * all_items(read) / kBatchKeys);
    cost.units += lists * all_items(read) * read_units(kItemBytes, kind_);
  }
  return cost;
}

bool RequestCost::is_partial(const Request& query) const {
  if (query.kind != Request::Kind::kQuery || !query.view.index) return false;
  const IndexContents contents(model_, layout_, nodes_, query.view);
  return std::any_of(query.wants.begin(), query.wants.end(),
                     [&](const Want& want) { return !contents.hold_all(want); });
}

std::optional<Request> RequestCost::rest(Request& query, size_t place, const Portions& read,
                                         const Met& met) const {
  query.is_partial = is_partial(query);
  if (!query.is_partial) return std::nullopt;
  // Of what several shards have to offer the first few are taken.
  const double keys =
      query.is_merged ? std::min(query.items_read, anchors(query, met) * static_cast<double>(*query.limit))
                      : query.items_read;
  Request rest{.kind = Request::Kind::kRest,
               .round = query.last_round() + 1,
               .wants = query.wants,
               .view = {.table = query.view.table},
               .anchor = place,
               .calls = std::ceil(keys / kBatchKeys),
               .items_read = keys};
  for (const Portion& each : read)
    rest.units += each.items * keys / all_items(read) *
                  read_units(item_bytes(model_, layout_, each.item_kind, rest.view), kind_);
  return rest;
}

bool RequestCost::tells(const Want& want) const {
  return want.kind == Want::Kind::kEdges || is_search(nodes_, want) ||
         link_of(model_, layout_, nodes_[want.node]) == Link::kItems;
}

std::optional<int64_t> RequestCost::kept(const Want& want) const {
  const model::Node* const selected = nodes_[want.node].selected;
  const bool is_by_field = layout_.item_kinds[want.item_kind].is_by_field();  // limits are of items
  if (selected == nullptr || want.sort.is_one || is_by_field || !tells(want)) return std::nullopt;
  if (selected->limit) return selected->limit;
  const bool is_list = nodes_[want.node].count > 1 || !nodes_[want.node].is_bounded;
  if (want.node == result_ && is_list) return selected->page.value_or(kPageDefault);
  return std::nullopt;
}

bool RequestCost::is_one_query(const Request& request) const {
  if (!needs_anchor(request)) return true;
  size_t at = request.anchor;
  for (; nodes_[at].parent; at = *nodes_[at].parent) {
    if (nodes_[at].depth > 1 || model_.end(*nodes_[at].end).leads_to_many) return false;
  }
  return !nodes_[at].is_found || pattern_.one;
}

bool RequestCost::goes_on(const Request& request, const Want& want) const {
  return want.node == result_ && (!nodes_[want.node].selected->order || is_one_query(request));
}

bool RequestCost::is_of_one_parent(const Request& request, const Want& want) const {
  for (std::optional<size_t> at = nodes_[want.node].parent; at && at != request.anchor;
       at = nodes_[*at].parent) {
    if (nodes_[*at].depth > 1 || (nodes_[*at].end && model_.end(*nodes_[*at].end).leads_to_many))
      return false;
  }
  return true;
}

std::optional<int64_t> RequestCost::may_cut(const Request& request, const Want& want) const {
  const std::optional<int64_t> count = kept(want);
  if (!count || nodes_[want.node].depth > 1) return std::nullopt;
  const model::Node& selected = *nodes_[want.node].selected;
  if (nodes_[want.node].is_whole) return std::nullopt;
  if (want.node != result_ && !is_of_one_parent(request, want)) return std::nullopt;
  if (goes_on(request, want)) {
    const bool is_in_order = !selected.order || is_ordered(request, want, selected.order->first);
    return is_in_order ? count : std::nullopt;
  }
  // The first few of each list, if it ends: of one that has pages, those that follow are wanted, too.
  if (!selected.limit || !selected.filter.empty()) return std::nullopt;
  return !selected.order || is_ordered(request, want, selected.order->first) ? count : std::nullopt;
}

// Behind a filter a list is read in larger pieces than are wanted of it.
int64_t RequestCost::read_at_once(const model::Node& selected, int64_t count) const {
  if (selected.filter.empty()) return count;
  const auto& reads_max = pattern_.syntax->clauses.reads_max;
  const int64_t piece = std::max(count, static_cast<int64_t>(kBatchKeys));
  return reads_max ? std::min(piece, static_cast<int64_t>(reads_max->value)) : piece;
}

// A list can be cut if it comes last in the direction of reading. What is dropped on the way would count,
// too: only the outermost list can go on behind it, but then without what came before.
void RequestCost::cut(Request& request) const {
  request.limit.reset();
  request.is_paged = false;
  request.is_backward = false;
  request.is_merged = false;
  const KeyInterval interval(layout_, request);
  for (const Want& want : request.wants) {
    const std::optional<int64_t> count = may_cut(request, want);
    const bool is_paged = goes_on(request, want);
    if (!count || (is_paged ? request.wants.size() > 1 : !request.polluted_by.empty())) continue;
    const model::Node& selected = *nodes_[want.node].selected;
    for (const bool is_backward : {false, true}) {
      const bool is_asked = selected.order && selected.order->second == language::Direction::kDescending;
      if (selected.order && is_backward != is_asked) continue;
      if (!interval.comes_last(want, is_backward)) continue;
      request.is_backward = is_backward;
      request.is_paged = is_paged;
      request.is_merged = selected.order && request.shards() > 1;
      request.limit = read_at_once(selected, *count) + static_cast<int64_t>(request.wants.size()) - 1;
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

bool RequestCost::is_ordered(const Request& request, const Want& want, const model::Place& place) const {
  const model::KeyTemplate* const key = sort_key(layout_, request.view, layout_.item_kinds[want.item_kind]);
  if (key == nullptr) return false;
  const std::vector<const model::Hole*> holes = key->holes();
  if (want.sort.bound.size() >= holes.size()) return want.sort.is_one;
  const model::Hole& next = *holes[want.sort.bound.size()];
  if (!next.keeps_order() && key->bare_hole() == nullptr) return false;
  // Buckets follow each other in the order of their time, and of nothing else.
  if (const model::Hole* const bucket = request.bucket();
      bucket != nullptr && !is_place(want, *bucket, place))
    return false;
  return is_place(want, next, place);
}

bool RequestCost::is_place(const Want& want, const model::Hole& hole, const model::Place& place) const {
  if (want.kind == Want::Kind::kEdges)
    return edge_source(nodes_[want.node], place) ==
           plain_source(hole.source, nodes_[want.node].end->relation);
  return place.kind == model::Place::Kind::kField &&
         hole.source.path == model::FieldPath{.ends = place.ends, .field = place.field};
}

// For one entity of the anchor: what there are of those is counted there.
bool RequestCost::is_bounded(const Request& request, const Want& want) const {
  if (want.sort.is_one || nodes_[want.node].is_bounded) return true;
  for (size_t at = want.node; at != request.anchor; at = *nodes_[at].parent) {
    const model::End& end = model_.end(*nodes_[at].end);
    if (end.leads_to_many && !end.max) return false;
  }
  return want.node != request.anchor || !is_search(nodes_, want);
}

bool RequestCost::can_be_bounded(const Request& query) const {
  const auto is_list = [](const Want& want) { return !want.sort.is_one; };
  if (std::count_if(query.wants.begin(), query.wants.end(), is_list) < 2) return true;
  return !unbounded(query);
}

std::optional<size_t> RequestCost::unbounded(const Request& request) const {
  if (request.levels > 1) {
    const DocumentNode& node = nodes_[request.wants.front().node];
    const model::End& end = model_.end(*node.end);
    const bool is_query = request.kind == Request::Kind::kQuery;
    const bool is_bounded = !end.leads_to_many || end.max || pattern_.syntax->clauses.reads_max ||
                            (is_query ? request.limit.has_value() : stops_when_full(node));
    return is_bounded ? std::nullopt : std::optional(request.wants.front().node);
  }
  if (request.kind != Request::Kind::kQuery || request.limit) return std::nullopt;
  for (const Want& want : request.wants) {
    if (!is_bounded(request, want)) return want.node;
  }
  return std::nullopt;
}

}  // namespace sheaf::plan
