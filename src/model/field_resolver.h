// The fields of entities, edges and objects: names, types and what is said of them.
#pragma once

#include <vector>

#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

class FieldResolver {
 public:
  // Whose fields they are.
  enum class Owner : uint8_t { kEntity, kEdge, kObject };

  explicit FieldResolver(Mistakes& mistakes) : mistakes_(mistakes) {}

  // Without those whose name is taken, which is told.
  std::vector<Field> resolve(const std::vector<language::Field>& declared, Owner owner);

 private:
  void check(const language::Field& syntax, const Field& field, Owner owner);
  void check_id(const language::Field& syntax, const Field& field, Owner owner);
  void check_default(const language::Field& syntax, const Field& field);
  void check_text(const language::Field& syntax, const Field& field);
  void check_type(const language::Type& type);

  Mistakes& mistakes_;
};

}  // namespace sheaf::model
