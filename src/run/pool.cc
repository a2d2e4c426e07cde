#include "run/pool.h"

#include <algorithm>

namespace sheaf::run {
namespace {

std::pair<size_t, int> pair_of(model::EndId end) { return {end.relation, end.side}; }

}  // namespace

std::string edge_text(const model::Model& model, const Edge& edge) {
  std::string text = std::to_string(edge.relation);
  for (const Identity& identity : edge.ends) {
    for (const std::string& part : identity) text += std::string(1, '\0') + part;
    text += '\1';
  }
  for (const model::Field& field : model.relations[edge.relation].edge_fields) {
    const auto value = edge.fields.find(field.name);
    if (field.is_id && value != edge.fields.end())
      text += field.name + std::string(value->second.view().encoded());
  }
  if (edge.leads) text += '\2' + std::to_string(*edge.leads);
  return text;
}

bool Pool::add(Record record) {
  auto key = std::pair(record.entity, record.identity);
  const auto [at, is_new] = records_.try_emplace(std::move(key), std::move(record));
  Record& kept = at->second;
  if (!is_new) {
    if (layout_.is_by_field(record.entity)) {
      kept.fields.merge(record.fields);
      kept.is_fragment = kept.is_fragment && record.is_fragment;
      return false;
    }
    // A whole one takes the place of what an index told of it.
    if (!kept.is_partial || record.is_partial) return false;
    kept = std::move(record);
  }
  for (const auto& [end, parents] : kept.references) {
    for (const Identity& parent : parents) {
      std::vector<const Record*>& children = children_[{pair_of(end.other()), parent}];
      const bool is_known = !is_new && std::find(children.begin(), children.end(), &kept) != children.end();
      if (!is_known) children.push_back(&kept);
    }
  }
  return is_new;
}

void Pool::add(Edge edge) {
  const size_t id = edges_.size();
  const auto [known, is_new] = known_edges_.emplace(edge_text(model_, edge), id);
  if (!is_new) {
    if (edges_[known->second].is_partial) edges_[known->second] = std::move(edge);
    return;
  }
  // The first end leads from what the second leads to. Of a pair with two items each is for its own
  // direction.
  for (const int side : {0, 1}) {
    if (edge.leads && *edge.leads != side) continue;
    edges_from_[{{edge.relation, side}, edge.ends[1 - side]}].push_back(id);
    edges_to_[{{edge.relation, side}, edge.ends[side]}].push_back(id);
  }
  edges_.push_back(std::move(edge));
}

const Record* Pool::find(model::EntityId entity, const Identity& identity) const {
  const auto found = records_.find({entity, identity});
  return found == records_.end() || found->second.is_fragment ? nullptr : &found->second;
}

const std::vector<const Record*>& Pool::children(model::EndId end, const Identity& parent) const {
  static const std::vector<const Record*> none;
  const auto found = children_.find({pair_of(end), parent});
  return found == children_.end() ? none : found->second;
}

std::vector<const Edge*> Pool::edges(model::EndId end, const Identity& from) const {
  return edges_in(edges_from_, end, from);
}

std::vector<const Edge*> Pool::edges_to(model::EndId end, const Identity& to) const {
  return edges_in(edges_to_, end, to);
}

std::vector<const Edge*> Pool::edges_in(const EdgesByEnd& edges, model::EndId end,
                                        const Identity& identity) const {
  std::vector<const Edge*> all;
  const auto found = edges.find({pair_of(end), identity});
  if (found == edges.end()) return all;
  for (const size_t id : found->second) all.push_back(&edges_[id]);
  return all;
}

}  // namespace sheaf::run
