// Proves, for one layout, that keys do what they are for: no two kinds of items can have the same key, every
// key can be decoded, an entity's key tells one from another, and all fit the limits.
#pragma once

#include "model/layout.h"
#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

inline constexpr int64_t kPartitionKeyBytesMax = 2048;
inline constexpr int64_t kSortKeyBytesMax = 1024;

void prove_keys(const Model& model, const Layout& layout, Mistakes& mistakes);

}  // namespace sheaf::model
