// Query and Scan.
#pragma once

#include "sheaf/request.h"

#include "engine/engine.h"

namespace sheaf::api {

Result<Page> query(engine::Engine& engine, const Query& request);
Result<Page> scan(engine::Engine& engine, const Scan& request);

}  // namespace sheaf::api
