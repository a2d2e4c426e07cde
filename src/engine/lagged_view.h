// Views for reads that may be late.
#pragma once

#include <memory>

#include "engine/capacity.h"
#include "engine/engine.h"
#include "engine/table.h"
#include "store/store.h"

namespace sheaf::engine {

struct ReadKind {
  const Table& table;
  const Index* index = nullptr;  // null: the table itself
  ReadMode mode = ReadMode::kEventual;
};

// The store as a reader of one moment sees it that may be late.
std::unique_ptr<store::View> open_lagged_view(Engine& engine, const store::ViewOptions& options);

// The view for such a read: the store's own, unless the read may be late.
inline std::unique_ptr<store::View> open_view(Engine& engine, const ReadKind& read,
                                              const store::ViewOptions& options) {
  if (engine.past == nullptr) return engine.store.view(options);
  const TableLags* const lags = engine.past->lags().of(read.table.settings.name);
  const bool is_late = lags != nullptr && lags->is_late(read.index, read.mode);
  return is_late ? open_lagged_view(engine, options) : engine.store.view(options);
}

}  // namespace sheaf::engine
