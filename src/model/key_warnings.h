// Keys that are legal and probably not meant so.
#pragma once

#include "model/layout.h"
#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

// Warns of partition keys that are the same for all items of a kind, and of keys that differ from others in
// large and small letters alone.
void warn_of_keys(const Layout& layout, Mistakes& mistakes);

}  // namespace sheaf::model
