#include "run/list_entry.h"

#include <algorithm>

#include "base/try.h"
#include "run/guards.h"
#include "run/item_codec.h"

namespace sheaf::run {

std::string entry_name(const model::Model& model, model::EndId end, const Edge& edge) {
  Identity parts = edge.ends[end.side];
  for (const model::Field& field : model.relations[end.relation].edge_fields) {
    const auto value = edge.fields.find(field.name);
    if (field.is_id && value != edge.fields.end()) parts.push_back(key_text(value->second).value_or(""));
  }
  return joined(parts);
}

Value entry_value(const model::Model& model, model::EndId end, const Edge& edge) {
  Fields attributes;
  for (const model::Field& field : model.relations[end.relation].edge_fields) {
    const auto value = edge.fields.find(field.name);
    if (value != edge.fields.end()) attributes[field.attribute] = value->second;
  }
  const std::string& name = model.end(end).name;
  for (const auto& [field, value] : edge.copies[end.side]) attributes[name + "_" + field] = value;
  if (edge.copy_versions[end.side] > 0)
    attributes[copy_version_attribute(name)] = Value(edge.copy_versions[end.side]);
  return Value(item_of(attributes));
}

std::optional<Edge> entry_edge(const model::Model& model, const model::Layout& layout, model::EndId end,
                               std::string_view name, ValueView value) {
  if (value.type() != Type::kMap) return std::nullopt;
  const model::EntityId target = model.end(end).target;
  const ItemView entry = value.map();
  Edge edge{.relation = end.relation, .leads = end.side};
  edge.ends[end.side] = split(name);
  size_t parts = model.entities[target].identity.size();
  for (const model::Field& field : model.relations[end.relation].edge_fields) {
    if (const auto stored = entry.find(field.attribute)) edge.fields[field.name] = Value(*stored);
    if (field.is_id) ++parts;
  }
  if (edge.ends[end.side].size() != parts) return std::nullopt;
  edge.ends[end.side].resize(model.entities[target].identity.size());
  const std::string& end_name = model.end(end).name;
  for (const model::CopiedFields& copied : layout.relations[end.relation].copies) {
    if (copied.side != end.side) continue;
    for (const model::FieldId id : copied.fields) {
      const std::string& field = model.entities[target].fields[id].name;
      if (const auto stored = entry.find(end_name + "_" + field))
        edge.copies[end.side][field] = Value(*stored);
    }
    const auto version = entry.find(copy_version_attribute(end_name));
    if (!version || version->type() != Type::kNumber) continue;
    if (const auto whole = version->number().to_int64(); whole.ok()) edge.copy_versions[end.side] = *whole;
  }
  return edge;
}

Result<void> change_entries(const model::Model& model, const std::vector<EntryChange>& entries,
                            ItemChange& change) {
  const auto path_of = [&](const EntryChange& each) {
    return AttributePath{model.end(each.end).name, entry_name(model, each.end, each.edge)};
  };
  const auto changes = [&](bool is_put, const EntryChange& like, bool is_same) {
    return std::any_of(entries.begin(), entries.end(), [&](const EntryChange& each) {
      return each.is_put == is_put && each.end == like.end && (!is_same || path_of(each) == path_of(like));
    });
  };
  for (const EntryChange& each : entries) {
    const AttributePath path = path_of(each);
    if (!each.is_put) {
      change.expect(
          {.kind = Expected::Kind::kPresent, .path = path, .error = each.error, .is_race = each.is_race});
      if (!changes(true, each, true)) change.removes.push_back(path);
      continue;
    }
    Value value = entry_value(model, each.end, each.edge);
    TRY(check_nesting(value, 1));
    change.sets.emplace_back(path, std::move(value));
    if (changes(false, each, true)) continue;  // it takes the place of one that goes
    const bool is_alone = !model.end(each.end).leads_to_many && !changes(false, each, false);
    if (is_alone) {
      change.expect({.kind = Expected::Kind::kEquals,
                     .path = {model.end(each.end).name},
                     .values = {Value(Item())},
                     .error = each.taken,
                     .is_race = each.is_taken_race});
    } else {
      change.expect(
          {.kind = Expected::Kind::kMissing, .path = path, .error = each.error, .is_race = each.is_race});
    }
  }
  return {};
}

}  // namespace sheaf::run
