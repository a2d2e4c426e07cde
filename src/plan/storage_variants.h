// Other ways to store a model than one of its layouts: another strategy for one relation, copies, an index
// that holds all, sort keys in the order of a list. Each is compiled as a model of its own whose layout is
// `default`; those with mistakes are none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/compiled_model.h"

namespace sheaf::plan {

class StorageVariants {
 public:
  // `compiled` has no mistakes and outlives it.
  StorageVariants(const model::CompiledModel& compiled, size_t layout);

  struct Variant {
    std::string text;                           // rel Department.staff via index copy department(*)
    std::optional<model::RelationId> relation;  // that is stored otherwise
    std::optional<model::EntityId> entity;      // whose keys are others; neither: an index
    bool keeps_keys = true;                     // or else all keys are allocated anew
  };
  size_t size() const { return variants_.size(); }
  const Variant& operator[](size_t i) const { return variants_[i].told; }
  // Null if it has mistakes. It is made when it is first asked for, and lives as long as this.
  const model::CompiledModel* compiled(size_t i);

 private:
  struct Held {
    Variant told;
    language::Model syntax;
    std::optional<model::CompiledModel> compiled;
    bool is_tried = false;
  };

  void add_projections(const language::Model& flat);
  void add_relation(const language::Model& base, model::RelationId relation, bool keeps_keys);
  // As it is stored now, so that it can be written down with a change of its own.
  language::Via present(const std::optional<language::Via>& said, model::RelationId relation) const;
  void add_via(const language::Model& base, model::RelationId relation, const language::Via& via,
               bool keeps_keys);

  const model::Model& model_;
  const model::Layout& layout_;
  std::vector<Held> variants_;
};

}  // namespace sheaf::plan
