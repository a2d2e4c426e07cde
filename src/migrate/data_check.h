// Whether what is stored fits a model that asks for more than the one it was written with.
#pragma once

#include "sheaf/result.h"

#include "migrate/side.h"
#include "migrate/translation.h"

namespace sheaf::migrate {

// Reads everything, if some field becomes unique or takes less than it did; otherwise nothing. kInvalid, with
// those who are in the way by name. Writes nothing; what others write meanwhile may be missed.
Result<void> check_data(const Side& stored, const Translation& there);

}  // namespace sheaf::migrate
