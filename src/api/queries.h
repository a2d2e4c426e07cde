// Query and Scan.
#pragma once

#include "sheaf/request.h"

#include "api/expressions.h"
#include "engine/engine.h"
#include "engine/read_items.h"

namespace sheaf::api {

// kWouldBlock if `options` ask not to wait for the disk and it is needed.
Result<Page> query(engine::Engine& engine, const Query& request, LegacyExpressions legacy,
                   const engine::ReadOptions& options);
Result<Page> scan(engine::Engine& engine, const Scan& request, LegacyExpressions legacy,
                  const engine::ReadOptions& options);

}  // namespace sheaf::api
