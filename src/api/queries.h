// Query and Scan.
#pragma once

#include <string_view>

#include "sheaf/request.h"

#include "api/expressions.h"
#include "engine/engine.h"
#include "engine/read_items.h"

namespace sheaf::api {

// What DynamoDB looks at first in a Query: its limit, and what Select goes with. `projection` is the
// parameter that names the wanted attributes, empty if there is none.
Result<void> check_query(const Query& request, std::string_view projection);

// kWouldBlock if `options` ask not to wait for the disk and it is needed.
Result<Page> query(engine::Engine& engine, const Query& request, LegacyExpressions legacy,
                   const engine::ReadOptions& options);
Result<Page> scan(engine::Engine& engine, const Scan& request, LegacyExpressions legacy,
                  const engine::ReadOptions& options);

}  // namespace sheaf::api
