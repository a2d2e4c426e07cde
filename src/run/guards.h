// Guard items, in the system table: each is there as long as its promise is taken.
//   unique  a value of a unique field, by the entity that has it
//   one     an entity that leads to one other, where neither item nor key can say so
//   id      an identity that the primary key does not tell
#pragma once

#include <vector>

#include "sheaf/value.h"

#include "model/layout.h"
#include "model/model.h"
#include "run/record.h"

namespace sheaf::run {

inline constexpr std::string_view kGuardOwner = "owner";

struct Guard {
  Item key;         // in the system table
  Identity owner;   // by whom it is taken
  std::string why;  // what to say if it is taken by somebody else
};

Guard unique_guard(const model::Model& model, const model::Layout& layout, const Record& owner,
                   model::FieldId field, ValueView value);
// `holder` leads to `target` by this end, and to nobody else.
Guard one_guard(const model::Model& model, const model::Layout& layout, model::EndId end,
                const Identity& holder, const Identity& target);
Guard identity_guard(const model::Model& model, const model::Layout& layout, const Record& record);

// Of a record by itself: its unique fields and its identity.
std::vector<Guard> guards_of(const model::Model& model, const model::Layout& layout, const Record& record);

// The item that is put.
Item guard_item(const Guard& guard);
// By whom a guard item is taken.
Identity guard_owner(ItemView item);

// A text from which the identity could be told again.
std::string joined(const Identity& identity);
Identity split(std::string_view joined);
// The identity as people write it.
std::string shown(const Identity& identity);

}  // namespace sheaf::run
