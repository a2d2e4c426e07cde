// Patterns made by chance for a model, each with the views that would serve it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "prove/places.h"
#include "prove/random_conditions.h"

namespace sheaf::prove {

// Keys that serve a list: led by what it is found by, then by its order.
struct View {
  model::EntityId entity = 0;       // of the elements
  std::optional<model::EndId> end;  // along which they are found; none if they are searched among all
  std::vector<PlaceChoice> equal;
  std::optional<PlaceChoice> sorted;
  std::string when;  // conditions with literals, which an index can be restricted to
};

struct PatternDraft {
  std::string name;
  std::string text;  // the whole declaration
  std::vector<View> views;
  std::vector<ParameterDraft> parameters;
};

std::vector<PatternDraft> random_patterns(Draw& draw, const model::Model& model,
                                          std::set<std::string>& taken);

}  // namespace sheaf::prove
