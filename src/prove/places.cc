#include "prove/places.h"

#include <algorithm>

namespace sheaf::prove {
namespace {

using Kind = language::Type::Kind;

class PlaceLister {
 public:
  explicit PlaceLister(const model::Model& model) : model_(model) {}

  void list(model::EntityId entity, std::optional<model::EndId> reached_by, const PlaceChoice& before,
            size_t ends_max) {
    const std::vector<model::Field>& fields = model_.entities[entity].fields;
    for (model::FieldId id = 0; id < fields.size(); ++id) {
      PlaceChoice choice = before;
      choice.place.kind = model::Place::Kind::kField;
      choice.place.field = id;
      add_field(choice, fields[id]);
    }
    if (reached_by && !model_.find_field(entity, "edge")) add_edge_fields(*reached_by, before);
    if (before.place.ends.size() >= ends_max) return;
    for (const model::EndId end : model_.entities[entity].ends) {
      if (model_.end(end).leads_to_many) continue;
      PlaceChoice choice = before;
      choice.place.kind = model::Place::Kind::kEntity;
      choice.place.ends.push_back(end);
      choice.names.push_back(model_.end(end).name);
      found.push_back(choice);
      list(model_.end(end).target, end, choice, ends_max);
    }
  }

  std::vector<PlaceChoice> found;

 private:
  void add_edge_fields(model::EndId end, const PlaceChoice& before) {
    const std::vector<model::Field>& fields = model_.relations[end.relation].edge_fields;
    for (model::FieldId id = 0; id < fields.size(); ++id) {
      PlaceChoice choice = before;
      choice.names.emplace_back("edge");
      choice.place.kind = model::Place::Kind::kEdgeField;
      choice.place.field = id;
      add_field(choice, fields[id]);
    }
  }

  void add_field(PlaceChoice choice, const model::Field& field) {
    choice.names.push_back(field.name);
    choice.place.type = field.type;
    found.push_back(choice);
    add_inside(choice, field.type);
  }

  void add_inside(const PlaceChoice& outer, const language::Type& type) {
    const auto add = [&](const std::string& name, const language::Type& inner) {
      PlaceChoice choice = outer;
      if (choice.place.kind == model::Place::Kind::kField) choice.place.kind = model::Place::Kind::kInside;
      choice.place.inside.push_back(name);
      choice.place.type = inner;
      choice.names.push_back(name);
      found.push_back(choice);
      add_inside(choice, inner);
    };
    if (type.kind == Kind::kMap) add("a", language::Type(type.element.front()));
    if (type.kind == Kind::kAny && outer.place.inside.empty()) add("b", type);
    for (const language::Field& field : type.fields)
      add(field.name.text, field.type.value_or(language::Type{}));
  }

  const model::Model& model_;
};

}  // namespace

std::vector<PlaceChoice> places_of(const model::Model& model, model::EntityId entity,
                                   std::optional<model::EndId> reached_by, size_t ends_max) {
  PlaceLister lister(model);
  lister.list(entity, reached_by, {}, ends_max);
  for (PlaceChoice& choice : lister.found) {
    choice.is_id = choice.place.kind == model::Place::Kind::kField &&
                   is_in_identity(model, entity, {.ends = choice.place.ends, .field = choice.place.field});
    choice.word = place_word(model, entity, choice.place);
  }
  return std::move(lister.found);
}

std::vector<std::string> names_of(const model::Model& model, model::EntityId entity,
                                  const model::FieldPath& path) {
  std::vector<std::string> names;
  for (const model::EndId end : path.ends) {
    names.push_back(model.end(end).name);
    entity = model.end(end).target;
  }
  names.push_back(model.entities[entity].fields[path.field].name);
  return names;
}

std::string place_word(const model::Model& model, model::EntityId start, const model::Place& place) {
  using PlaceKind = model::Place::Kind;
  if (place.kind == PlaceKind::kEntity) return place.ends.size() > 1 ? "entity over two ends" : "entity";
  if (place.kind == PlaceKind::kEdgeField)
    return place.ends.empty() ? "edge field" : "edge field over an end";
  if (place.kind == PlaceKind::kField &&
      is_in_identity(model, start, {.ends = place.ends, .field = place.field}))
    return place.ends.empty() ? "id" : "id of a parent";
  if (place.ends.size() > 1) return "over two ends";
  if (place.ends.size() == 1) return place.kind == PlaceKind::kInside ? "inside over an end" : "over one end";
  return place.kind == PlaceKind::kInside ? "inside" : "own field";
}

const PlaceChoice& any_place(Chance& chance, const std::vector<PlaceChoice>& choices) {
  std::vector<std::string> words;
  for (const PlaceChoice& each : choices) {
    if (std::find(words.begin(), words.end(), each.word) == words.end()) words.push_back(each.word);
  }
  const std::string& word = chance.of(words);
  std::vector<size_t> found;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].word == word) found.push_back(i);
  }
  return choices[chance.of(found)];
}

bool is_in_identity(const model::Model& model, model::EntityId entity, const model::FieldPath& path) {
  const std::vector<model::FieldPath>& identity = model.entities[entity].identity;
  return std::find(identity.begin(), identity.end(), path) != identity.end();
}

}  // namespace sheaf::prove
