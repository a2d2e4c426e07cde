// A Database over any store and any clock: what Database::open makes, and what tests open over stores of
// their own.
#pragma once

#include <memory>

#include "sheaf/database.h"

#include "base/clock.h"
#include "store/store.h"

namespace sheaf::api {

// `clock` must outlive the database.
std::unique_ptr<Database> make_local_database(std::unique_ptr<store::Store> store, const Clock& clock,
                                              const OpenOptions& options);

}  // namespace sheaf::api
