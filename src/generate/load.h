// All that a Generator makes, into a database: piece by piece, so that it needs no more memory for more data.
#pragma once

#include <cstdint>
#include <functional>

#include "sheaf/database.h"

#include "generate/generator.h"
#include "model/layout.h"

namespace sheaf::generate {

struct LoadOptions {
  size_t threads = 1;
  // Called now and then, by one thread at a time: entities and edges that are done, of all.
  std::function<void(uint64_t done, uint64_t all)> progress;
  // Asked between batches, by any thread; true: no other begins. May be empty.
  std::function<bool()> is_ended;
};

struct Loaded {
  uint64_t items = 0;     // without guards
  uint64_t entities = 0;  // of pieces that are whole
  uint64_t edges = 0;     // likewise, that are items
  bool is_ended = false;  // before all was loaded
};

// kInvalid if times would lie in the future and the model does not allow for it.
Result<void> check_times(const Generator& generator);

// Into tables of an applied layout; what they hold of it is written over. Errors are those of check_times, or
// what the database says. Where it is ended, no guard is there without what it guards.
Result<Loaded> load(Database& database, const model::Layout& layout, const Generator& generator,
                    const LoadOptions& options = {});

}  // namespace sheaf::generate
