#include "sheaf/database.h"

#include "api/local_database.h"
#include "base/clock.h"
#include "base/try.h"
#include "store/memory_store.h"
#include "store/rocks_store.h"

namespace sheaf {
namespace {

const SystemClock kSystemClock{};

}  // namespace

Result<std::unique_ptr<Database>> Database::open(const std::string& directory, const OpenOptions& options) {
  for (const std::vector<Lag>* const lags : {&options.index_lags, &options.read_lags})
    TRY(engine::check_lags(*lags));
  auto store = TRY(store::open_rocks_store(
      {.directory = directory, .durable = options.durable, .memory_bytes = options.memory_bytes},
      kSystemClock));
  return api::make_local_database(std::move(store), kSystemClock, options);
}

std::unique_ptr<Database> Database::open_in_memory(const OpenOptions& options) {
  return api::make_local_database(store::open_memory_store(kSystemClock), kSystemClock, options);
}

Result<HeatReport> Database::heat(const AskHeat&) {
  return Error{Code::kInvalid, "Heat is not known of this database."};
}

}  // namespace sheaf
