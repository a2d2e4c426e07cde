// What a table would refuse, told before anything is written.
#pragma once

#include <string>

#include "sheaf/table.h"
#include "sheaf/value.h"

#include "engine/table.h"

namespace sheaf::transfer {

// Thread-safe.
class ItemJudge {
 public:
  explicit ItemJudge(const TableDescription& table);

  // The bytes of the item's key, the same for the same key. kInvalid, in the API's words, if the table or one
  // of its indexes cannot take it.
  Result<std::string> key_of(ItemView item) const;

 private:
  engine::Table table_;
};

}  // namespace sheaf::transfer
