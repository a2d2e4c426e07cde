// A store that forgets everything when it goes: for tests and throw-away servers.
#pragma once

#include <memory>

#include "base/clock.h"
#include "store/store.h"

namespace sheaf::store {

std::unique_ptr<Store> open_memory_store(const Clock& clock);

}  // namespace sheaf::store
