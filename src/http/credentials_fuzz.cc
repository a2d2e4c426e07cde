// A credentials file of any content is read or refused, and errors do not grow with what stands in it.
#include <cstdlib>
#include <string>

#include "http/credentials.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Half of the runs get past the names of keys, with the rest of a file around the input.
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string in_place =
      "[name]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = " + std::string(input);
  for (const std::string_view text : {input, std::string_view(in_place)}) {
    const auto set = sheaf::http::parse_credentials(text);
    if (set.ok()) {
      if (set->size() == 0) std::abort();
    } else if (set.error().message.size() > 150) {
      std::abort();
    }
  }
  return 0;
}
