#include "generate/records.h"

namespace sheaf::generate {

using model::EndId;
using model::EndStorage;
using model::EntityId;
using model::RelationId;

void Records::copy(EndId end, uint64_t target, run::Fields& fields, int64_t& version) const {
  const EntityId source = model_.end(end).target;
  for (const model::CopiedFields& copied : layout_.relations[end.relation].copies) {
    if (copied.side != end.side) continue;
    version = layout_.has_version(model_, source) ? 1 : 0;
    for (const model::FieldId id : copied.fields) {
      if (auto value = generator_.field(source, target, id))
        fields[model_.entities[source].fields[id].name] = std::move(*value);
    }
  }
}

run::Edge Records::bare_edge(RelationId relation, const EdgePlace& place, const Link& link) const {
  run::Edge edge{.relation = relation, .fields = generator_.edge_fields(relation, place)};
  for (const int side : {0, 1})
    edge.ends[side] =
        generator_.identity(model_.relations[relation].ends[side].target, link.ordinals[1 - side]);
  return edge;
}

run::Edge Records::edge(RelationId relation, const EdgePlace& place, const Link& link) const {
  run::Edge edge = bare_edge(relation, place, link);
  const bool is_symmetric = model_.relations[relation].is_symmetric;
  for (const int side : {0, 1})
    copy({.relation = relation, .side = is_symmetric ? 0 : side}, link.ordinals[1 - side], edge.copies[side],
         edge.copy_versions[side]);
  return edge;
}

void Records::add_entries(EndId end, uint64_t ordinal, run::Record& record) const {
  generator_.each_edge(end, ordinal, [&](const EdgePlace& place, uint64_t other) {
    const Link link = *generator_.links(end.relation).at(place.position);
    for (run::Edge& each : codec_.directions(bare_edge(end.relation, place, link))) {
      if (each.leads != end.side || each.ends[1 - end.side] != record.identity) continue;
      copy(end, other, each.copies[end.side], each.copy_versions[end.side]);
      record.entries[end].push_back(std::move(each));
    }
    return true;
  });
}

run::Record Records::record(EntityId entity, uint64_t ordinal) const {
  run::Record made{.entity = entity,
                   .identity = generator_.identity(entity, ordinal),
                   .fields = generator_.fields(entity, ordinal),
                   .version = layout_.has_version(model_, entity) ? 1 : 0};
  for (const EndId end : model_.entities[entity].ends) {
    const EntityId target = model_.end(end).target;
    switch (layout_.storage(end)) {
      case EndStorage::kReference:
      case EndStorage::kIds:
        generator_.each_edge(end, ordinal, [&](const EdgePlace&, uint64_t other) {
          made.references[end].push_back(generator_.identity(target, other));
          if (model_.end(end).leads_to_many) return true;
          run::Fields fields;
          int64_t version = 0;
          copy(end, other, fields, version);
          if (version != 0) {
            made.copies[end] = std::move(fields);
            made.copy_versions[end] = version;
          }
          return true;
        });
        break;
      case EndStorage::kEmbeds:
        generator_.each_edge(end, ordinal, [&](const EdgePlace&, uint64_t other) {
          made.embedded[end].push_back(generator_.fields(target, other));
          return true;
        });
        break;
      case EndStorage::kEntries:
        add_entries(end, ordinal, made);
        break;
      case EndStorage::kOther:
      case EndStorage::kEdge:
      case EndStorage::kEmbedded:
        break;
    }
  }
  return made;
}

}  // namespace sheaf::generate
