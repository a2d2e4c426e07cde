// How patterns and operations use a relation.
#pragma once

#include <optional>
#include <vector>

#include "model/model.h"

namespace sheaf::model {

// A field of what an end leads to, which is wanted together with what leads there.
struct WantedField {
  int side = 0;  // the end
  FieldId field = 0;

  bool operator==(const WantedField&) const = default;
};

// Everything borrows from the model. `many` is what the first end leads to, `one` what the second does.
struct RelationUse {
  std::vector<const Pattern*> along[2];         // that go along an end
  std::vector<const Pattern*> strong[2];        // of these, those that say strong
  std::vector<const Pattern*> strong_shows[2];  // of these, those that show fields of what the end leads to
  std::vector<const Pattern*> many_alone;       // begin with one of the many, or find them by their fields
  std::vector<const Pattern*> one_of_many;      // of these, those that begin with one
  std::vector<const Pattern*> without_one;      // walk to the many and leave the one behind
  std::vector<const Pattern*> by_inside;        // find others by fields of the many
  std::vector<const Pattern*> sorted;           // order, or pick, the many of a one by fields that are no ids
  // Levels: patterns from above the one down to it, without and with the many, and from the one to the many.
  std::vector<const Pattern*> level_above_only;
  std::vector<const Pattern*> level_above_through;
  std::vector<const Operation*> many_changes;  // that put, change or delete one of the many
  // Of these, those that can change the same one again and again.
  std::vector<const Operation*> one_of_many_changes;
  std::vector<WantedField> wanted;  // what copies would save a read of
};

RelationUse relation_use(const Model& model, RelationId relation);

// Operations that set one of these fields, or link, unlink, move or put along the relation: what writes
// copies of them.
std::vector<const Operation*> writes_of_copies(const Model& model, RelationId relation,
                                               const std::vector<WantedField>& copied);

// How often a day, if its rate is said.
std::optional<double> per_day(const language::Clauses& clauses);

}  // namespace sheaf::model
