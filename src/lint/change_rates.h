// How often the operations of a model change something, as far as they say it (`rate`).
#pragma once

#include <string>
#include <vector>

#include "language/diagnostic.h"
#include "model/model.h"

namespace sheaf::lint {

struct ChangeRate {
  double per_day = 0;  // of all of them together
  std::vector<const model::Operation*> operations;

  // "move changes it 144 times a day", "rename and sync change it 264 times a day"
  std::string text() const;
  // Where they are.
  std::vector<language::Note> notes() const;
};

// Of a field that can change: by operations that set it, and by those that write the whole entity whether it
// is there or not.
ChangeRate field_changes(const model::Model& model, model::EntityId entity, model::FieldId field);
// Of what lies on edges: by operations that unlink two and link them again, with other values.
ChangeRate edge_changes(const model::Model& model, model::RelationId relation);

}  // namespace sheaf::lint
