#include "run/kept_values.h"

#include <algorithm>
#include <string>

#include "run/document.h"
#include "run/list_entry.h"

namespace sheaf::run {
namespace {

using model::EndId;

void take_made(const Fields& there, const std::set<std::string>& made, Fields& fields) {
  for (const std::string& name : made) {
    if (const auto value = there.find(name); value != there.end()) fields[name] = value->second;
  }
}

void take_embedded(const model::Model& model, const Record& there, Record& record) {
  for (auto& [end, children] : record.embedded) {
    const auto theirs = there.embedded.find(end);
    const auto made = record.embedded_made.find(end);
    if (theirs == there.embedded.end() || made == record.embedded_made.end()) continue;
    const model::EntityId child = model.end(end).target;
    for (size_t i = 0; i < children.size() && i < made->second.size(); ++i) {
      const std::string name = embedded_name(model, child, children[i]);
      const auto same = [&](const Fields& other) { return embedded_name(model, child, other) == name; };
      const auto old = std::find_if(theirs->second.begin(), theirs->second.end(), same);
      if (old != theirs->second.end()) take_made(*old, made->second[i], children[i]);
    }
  }
}

// Calls `on_pair` for the entries that both have.
template <typename OnPair>
void each_entry(const model::Model& model, const Record& there, Record& record, OnPair on_pair) {
  for (auto& [end, entries] : record.entries) {
    const auto theirs = there.entries.find(end);
    if (theirs == there.entries.end()) continue;
    for (Edge& entry : entries) {
      const std::string name = entry_name(model, end, entry);
      const auto same = [&, to = end](const Edge& other) { return entry_name(model, to, other) == name; };
      const auto old = std::find_if(theirs->second.begin(), theirs->second.end(), same);
      if (old != theirs->second.end()) on_pair(*old, entry, end.side);
    }
  }
}

void take_copy(const Edge& there, int their_side, Edge& edge, int side) {
  edge.copies[side] = there.copies[their_side];
  edge.copy_versions[side] = there.copy_versions[their_side];
}

bool leads_to_the_same(const Record& there, const Record& record, EndId end) {
  const auto one = there.references.find(end), other = record.references.find(end);
  return one != there.references.end() && other != record.references.end() && one->second == other->second;
}

}  // namespace

void take_kept(const model::Model& model, const Record& there, Record& record) {
  take_made(there.fields, record.made, record.fields);
  take_embedded(model, there, record);
  for (const auto& [end, fields] : there.copies) {
    if (record.copies.contains(end) || !leads_to_the_same(there, record, end)) continue;
    record.copies[end] = fields;
    if (const auto version = there.copy_versions.find(end); version != there.copy_versions.end())
      record.copy_versions[end] = version->second;
  }
  each_entry(model, there, record, [](const Edge& old, Edge& entry, int side) {
    if (entry.copy_versions[side] == 0) take_copy(old, side, entry, side);
  });
  if (record.version > 0) set_version(model, record, std::max<int64_t>(there.version, 1));
}

void take_copies(const model::Model& model, const Record& there, Record& record) {
  record.copies = there.copies;
  record.copy_versions = there.copy_versions;
  each_entry(model, there, record,
             [](const Edge& old, Edge& entry, int side) { take_copy(old, side, entry, side); });
}

void take_kept(const model::Model& model, const Edge& there, Edge& edge) {
  const bool is_symmetric = model.relations[edge.relation].is_symmetric;
  for (const int side : {0, 1}) {
    for (const int other : {0, 1}) {
      const bool is_its = (is_symmetric || side == other) && there.ends[other] == edge.ends[side];
      if (is_its && edge.copy_versions[side] == 0 && there.copy_versions[other] > 0)
        take_copy(there, other, edge, side);
    }
  }
}

void set_version(const model::Model& model, Record& record, int64_t version) {
  record.version = version;
  for (const model::Field& field : model.entities[record.entity].fields) {
    if (field.kept == model::Kept::kVersion) record.fields[field.name] = Value(version);
  }
}

}  // namespace sheaf::run
