#include "run/pool.h"

namespace sheaf::run {
namespace {

std::pair<size_t, int> key_of(model::EndId end) { return {end.relation, end.side}; }

}  // namespace

void Pool::add(Record record) {
  auto key = std::pair(record.entity, record.identity);
  const auto [at, is_new] = records_.try_emplace(std::move(key), std::move(record));
  if (!is_new) return;
  const Record& kept = at->second;
  for (const auto& [end, parents] : kept.references) {
    for (const Identity& parent : parents) children_[{key_of(end.other()), parent}].push_back(&kept);
  }
}

void Pool::add(Edge edge) {
  if (!seen_edges_.insert(edge_text(edge)).second) return;
  const size_t id = edges_.size();
  // The first end leads from what the second leads to.
  edges_from_[{{edge.relation, 0}, edge.ends[1]}].push_back(id);
  edges_from_[{{edge.relation, 1}, edge.ends[0]}].push_back(id);
  edges_.push_back(std::move(edge));
}

const Record* Pool::find(model::EntityId entity, const Identity& identity) const {
  const auto found = records_.find({entity, identity});
  return found == records_.end() ? nullptr : &found->second;
}

const std::vector<const Record*>& Pool::children(model::EndId end, const Identity& parent) const {
  static const std::vector<const Record*> none;
  const auto found = children_.find({key_of(end), parent});
  return found == children_.end() ? none : found->second;
}

std::vector<const Edge*> Pool::edges(model::EndId end, const Identity& from) const {
  std::vector<const Edge*> edges;
  const auto found = edges_from_.find({key_of(end), from});
  if (found == edges_from_.end()) return edges;
  for (const size_t id : found->second) edges.push_back(&edges_[id]);
  return edges;
}

}  // namespace sheaf::run
