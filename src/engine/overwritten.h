// What a change of an item overwrites, for readers that may be late.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/past.h"
#include "engine/store_keys.h"
#include "engine/table.h"
#include "store/store.h"

namespace sheaf::engine {

struct ChangeInBatch {
  const Table& table;
  const ItemPlace& place;
  const store::Batch& batch;
  size_t first;  // of the batch's entries
};

// Nothing if the change writes nothing, or if no reader of its table may be late. `view` is the one that the
// change was decided with; errors are its.
Result<std::optional<Overwritten>> overwritten_by(const ChangeInBatch& change, store::View& view,
                                                  const Lags& lags);

}  // namespace sheaf::engine
