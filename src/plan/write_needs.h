// What an operation must know of an entity that is stored already, before it can write it.
#pragma once

#include <vector>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::plan {

// One entity, and what an operation changes of it.
struct EntityChange {
  model::EntityId entity = 0;
  std::vector<model::FieldId> fields;
  std::vector<model::EndId> ends;  // whose references lie on its own item
  bool is_deleted = false;
  bool is_upserted = false;
};

// Whether its item must be read first: because its key, or an index key, or a guard, or a count elsewhere
// depends on what is stored. Otherwise it can be written blindly, in one request.
bool needs_stored(const model::Model& model, const model::Layout& layout, const EntityChange& change);

// Whether the identity of an entity tells its primary key.
bool has_known_key(const model::Model& model, const model::Layout& layout, model::EntityId entity);

// Whether some field of the end's target counts those who lead to it.
bool is_counted(const model::Model& model, model::EndId end);

// Whether a key or an index key of the entity's items holds the field.
bool is_in_some_key(const model::Layout& layout, model::EntityId entity, model::FieldId field);

// Whether an entry in an index has other keys then, or comes or goes.
bool moves_entry(const EntityChange& change, const model::IndexEntry& entry);

// Whether an end that leads to one needs a guard for it: neither item nor key can say so.
bool needs_one_guard(const model::Model& model, const model::Layout& layout, model::EndId end);
// Whether an identity needs one: the primary key does not tell it, and it is not generated.
bool needs_identity_guard(const model::Model& model, const model::Layout& layout, model::EntityId entity);

// The ends of an entity whose other sides must be looked for when it is deleted: what they keep of it is not
// in its own item, and no count says that there is nobody.
std::vector<model::EndId> dependant_ends(const model::Model& model, const model::Layout& layout,
                                         model::EntityId entity);

}  // namespace sheaf::plan
