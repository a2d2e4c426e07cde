// What the keys of all layouts of a model ask of its fields: values fit into every layout.
#pragma once

#include <vector>

#include "generate/field_values.h"
#include "model/compiled_model.h"

namespace sheaf::generate {

struct ModelNeeds {
  std::vector<std::vector<KeyNeeds>> entities;   // by entity and field
  std::vector<std::vector<KeyNeeds>> relations;  // by relation and edge field
};

ModelNeeds key_needs(const model::CompiledModel& compiled);

}  // namespace sheaf::generate
