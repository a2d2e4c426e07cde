// What is what in two models of the same things: entities, fields and ends by name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/result.h"

#include "model/model.h"
#include "run/change.h"
#include "run/record.h"

namespace sheaf::migrate {

// What is called otherwise in the new model: {"User", "Person"}, {"User.full", "name"}, {"User.tickets",
// "cases"}; the name of the entity is the old one.
using Renames = std::map<std::string, std::string>;

// What is asked of the model that is translated to.
enum class Asked : uint8_t {
  kHoldsAll,  // whatever the other one can hold: before anything is begun
  kFollows,   // to be written beside it, and to refuse what it cannot hold: on the way back, and once begun
};

class Translation {
 public:
  // kInvalid, with all that does not fit: what is gone, or new and cannot be filled in.
  static Result<Translation> make(const model::Model& from, const model::Model& to,
                                  const Renames& renames = {}, Asked asked = Asked::kHoldsAll);
  // The other way round; what is new has no counterpart then. kInvalid if it cannot be, as when a field is
  // gone that must be there.
  Result<Translation> reversed() const;

  const model::Model& from() const { return *from_; }
  const model::Model& to() const { return *to_; }

  // Whether the other model has it, too; only then may it be asked for.
  bool has(model::EntityId from) const { return entities_[from].has_value(); }
  bool has(model::EndId from) const { return ends_.contains(from); }
  model::EntityId entity(model::EntityId from) const { return *entities_[from]; }
  model::EndId end(model::EndId from) const { return ends_.at(from); }
  // None: it is gone.
  std::optional<model::FieldId> field(model::EntityId entity, model::FieldId from) const;
  // By name, with defaults for what is new.
  run::Fields fields(model::EntityId entity, const run::Fields& from) const;
  run::Fields edge_fields(model::RelationId relation, const run::Fields& from) const;

  // What they are in the other model; checks are left out: who asked has made them.
  std::vector<run::Change> changes(const std::vector<run::Change>& from) const;

 private:
  // A value that an operation reads; nothing if the other model does not have it.
  std::optional<run::StoredValue> stored(const run::StoredValue& from) const;
  using FieldNames = std::map<std::string, std::string>;

  Translation(const model::Model& from, const model::Model& to) : from_(&from), to_(&to) {}
  void check_end(model::EndId id, std::vector<std::string>& wrong) const;
  void check_new_relations(std::vector<std::string>& wrong) const;

  const model::Model* from_;
  const model::Model* to_;
  Renames renames_;
  std::vector<std::optional<model::EntityId>> entities_;
  std::map<model::EndId, model::EndId, run::EndOrder> ends_;
  std::vector<FieldNames> field_names_;       // one an entity
  std::vector<FieldNames> edge_field_names_;  // one a relation
};

}  // namespace sheaf::migrate
