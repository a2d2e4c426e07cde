// Many items into one table.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "console/typed_items.h"

namespace sheaf::cmd {

// The items that texts are, or, for "-", that the standard input has. In plain JSON, what it has no form for
// is marked as transfer/plain_items.h says. Each is looked at before any is put: kInvalid or kMalformed, with
// the line or the number, if one is no item or lacks what `key` wants.
Result<std::vector<console::ReadItem>> given_items(const std::vector<std::string>& texts,
                                                   console::JsonForm form, const KeySchema& key);

struct PutOptions {
  std::string table;
  KeySchema key;
  std::function<void(uint64_t)> progress;  // how many were put; one thread at a time
  std::function<bool()> is_ended;          // somebody has seen enough; empty: never
};

// In batches of 25, from several threads: of two with the same key the later one stays. What is not taken at
// once is offered again, until none was taken for about a minute. Errors say how many are there already.
Result<Capacity> put_in_batches(Database& database, const PutOptions& options,
                                const std::vector<console::ReadItem>& items);

}  // namespace sheaf::cmd
