// Reading change streams, and the sizes of item collections.
#pragma once

#include <string_view>

#include "sheaf/stream.h"
#include "sheaf/table.h"

#include "engine/engine.h"
#include "engine/read_items.h"

namespace sheaf::api {

Result<StreamRead> read_stream(engine::Engine& engine, const ReadStream& request,
                               const engine::ReadOptions& options);

// `partition_key` has the table's partition attribute and no other.
Result<CollectionSize> collection_size(engine::Engine& engine, std::string_view table,
                                       const Item& partition_key);

}  // namespace sheaf::api
