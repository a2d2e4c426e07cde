// Other ways to store a model than one of its layouts: another strategy for one relation, copies, an index
// that holds all, sort keys in the order of a list. Each is compiled as a model of its own whose layout is
// `default`, alone or with others; those with mistakes are none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/compiled_model.h"
#include "plan/storage_edit.h"

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
  // Whether they can be had at once: both keep the keys, or neither does, and they change different things.
  bool fit_together(size_t first, size_t second) const;
  // All of these at once, each of which fits the others. None if that has mistakes.
  std::optional<model::CompiledModel> compiled_together(const std::vector<size_t>& chosen) const;

 private:
  struct Held {
    Variant told;
    StorageEdit edit;
    std::optional<model::CompiledModel> compiled;
    bool is_tried = false;
  };

  void add_projections();
  void add_relation(model::RelationId relation, bool keeps_keys);
  // As it is stored now, so that it can be written down with a change of its own.
  language::Via present(const std::optional<language::Via>& said, model::RelationId relation) const;
  void add_via(model::RelationId relation, const language::Via& via, bool keeps_keys);
  size_t place_of(model::RelationId relation) const;

  const model::Model& model_;
  const model::Layout& layout_;
  // With the clauses of the layout in the bodies, and no other layout; and without tables, keys and
  // strategies, all of which Sheaf chooses.
  const language::Model flat_, free_;
  std::vector<Held> variants_;
};

}  // namespace sheaf::plan
