// The ways to store a relation: for each a model that stores it so, and all else as the user's, or the reason
// why there is none.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/result.h"

#include "measure/script.h"
#include "plan/planned_model.h"

namespace sheaf::measure {

// What of the user's keys had to be left to Sheaf for a strategy, because they say another one.
enum class Freed : uint8_t { kNothing, kOwnKeys, kAllKeys };

struct Candidate {
  std::string name;  // a layout of the model; or `Department.staff via edges pk many`
  Freed freed = Freed::kNothing;
  // If it was made: the model with this in its bodies, for users to take.
  std::string text;
  std::unique_ptr<plan::PlannedModel> made;
  PlannedLayout stored;  // of the model that was given, or of the one that was made

  // Patterns and operations that it cannot do.
  std::vector<std::string> unserved() const;
};

struct Rejected {
  std::string name;
  std::string reason;  // the first mistake; or which other one it is the same as
  bool is_same = false;
};

struct Candidates {
  std::vector<Candidate> legal;
  std::vector<Rejected> rejected;
};

// Of the model's own; kInvalid if there is no such layout.
Result<Candidates> named_layouts(const plan::PlannedModel& planned, const std::vector<std::string>& names);

// Every strategy for one relation, in `base`, a layout of `planned`: references and indexes, collections and
// paths, embedded, ids on either side, lists on both, edges from either side and from both, graphs; with and
// without copies of what patterns read over the relation.
Candidates all_strategies(const plan::PlannedModel& planned, size_t base, model::RelationId relation);
// Those that are said.
Candidates strategies(const plan::PlannedModel& planned, size_t base, model::RelationId relation,
                      const std::vector<language::Via>& ways);

// What the model says that is to be compared: layouts, or ways for a relation. Nothing if it says nothing.
Candidates declared_comparison(const plan::PlannedModel& planned, size_t base);

// ENTITY.END, of either end. kNotFound tells which there are.
Result<model::RelationId> find_relation(const model::Model& model, const std::string& name);
// Department.staff
std::string relation_name(const model::Model& model, model::RelationId relation);
// edges pk many copy staff(name)
std::string via_text(const language::Via& via);

}  // namespace sheaf::measure
