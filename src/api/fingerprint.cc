#include "api/fingerprint.h"

#include <xxhash.h>

namespace sheaf::api {

std::string fingerprint(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {reinterpret_cast<const char*>(&hash), sizeof(hash)};
}

}  // namespace sheaf::api
