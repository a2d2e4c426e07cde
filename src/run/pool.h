// What the requests of one run have found.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "run/record.h"

namespace sheaf::run {

// Which edge it is, and which of its items, as one text: both ends, and those of its fields that tell it from
// others between them. An index may have no more of it.
std::string edge_text(const model::Model& model, const Edge& edge);

class Pool {
 public:
  Pool(const model::Model& model, const model::Layout& layout) : model_(model), layout_(layout) {}

  // Whether nothing was known of it.
  bool add(Record record);
  void add(Edge edge);

  const Record* find(model::EntityId entity, const Identity& identity) const;
  // The entities that the end leads to from this one, as far as their own items say so.
  const std::vector<const Record*>& children(model::EndId end, const Identity& parent) const;
  std::vector<const Edge*> edges(model::EndId end, const Identity& from) const;
  // By which an end leads to somebody.
  std::vector<const Edge*> edges_to(model::EndId end, const Identity& to) const;

 private:
  const model::Model& model_;
  const model::Layout& layout_;
  std::map<std::pair<model::EntityId, Identity>, Record> records_;
  // By the end from the parent, and the parent.
  std::map<std::pair<std::pair<size_t, int>, Identity>, std::vector<const Record*>> children_;
  using EdgesByEnd = std::map<std::pair<std::pair<size_t, int>, Identity>, std::vector<size_t>>;
  std::vector<const Edge*> edges_in(const EdgesByEnd& edges, model::EndId end,
                                    const Identity& identity) const;
  EdgesByEnd edges_from_, edges_to_;
  std::vector<Edge> edges_;
  std::map<std::string, size_t> known_edges_;  // by their text
};

}  // namespace sheaf::run
