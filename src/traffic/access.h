// What traffic goes to, and which way.
#pragma once

#include <cstdint>

namespace sheaf::traffic {

// Of a table or an index, never used again for another.
using ResourceId = uint32_t;

enum class Access : uint8_t { kRead, kWrite };

}  // namespace sheaf::traffic
