// The places that conditions, orders and operands of a model can name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "prove/chance.h"

namespace sheaf::prove {

struct PlaceChoice {
  model::Place place;
  std::vector<std::string> names;  // the path
  bool is_id = false;              // of the identity of the entity that it starts from
  std::string word;                // place_word
};

// All that a path from the entity reaches over at most `ends_max` ends that lead to one. `reached_by` is the
// end whose edge fields can be named. Entities are among them (Place::Kind::kEntity) behind at least one end.
std::vector<PlaceChoice> places_of(const model::Model& model, model::EntityId entity,
                                   std::optional<model::EndId> reached_by, size_t ends_max);

// The names of a path to a field: ends, then the field.
std::vector<std::string> names_of(const model::Model& model, model::EntityId entity,
                                  const model::FieldPath& path);

// id, id of a parent, own field, inside, over one end, over two ends, inside over an end, edge field, edge
// field over an end, entity, entity over two ends.
std::string place_word(const model::Model& model, model::EntityId start, const model::Place& place);

// One of the places: first which kind of place it is, so that the rare kinds come as often as the others.
const PlaceChoice& any_place(Chance& chance, const std::vector<PlaceChoice>& choices);

bool is_in_identity(const model::Model& model, model::EntityId entity, const model::FieldPath& path);

}  // namespace sheaf::prove
