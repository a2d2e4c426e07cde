// Tables that only one may write for now, as api::TableWriters says, are closed to all others.
#pragma once

#include <optional>
#include <string_view>

#include "wire/operation.h"
#include "wire/shape.h"

namespace sheaf::wire {

// Why the caller may not write the table: ResourceInUseException.
std::optional<Answer> refuse_locked(const Call& call, std::string_view table);

// Of a request that writes items or deletes a table, by the tables that it names. Statements name theirs in
// their text: whoever reads them asks for each.
std::optional<Answer> refuse_locked(const Call& call, const Operation& operation, Json request);

}  // namespace sheaf::wire
