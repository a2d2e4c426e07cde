// For fuzz targets: rows that are nearly right, and what must hold of those that were taken.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>

#include "sheaf/result.h"
#include "sheaf/value.h"

namespace sheaf::engine {

inline void require(bool condition) {
  if (!condition) std::abort();
}

// Stored bytes are refused for one reason only.
inline void require_corrupt(const Error& error) {
  require(error.code == Code::kCorrupt && !error.message.empty());
}

// A row that was right, with bytes changed as the input says: two bytes for the place, one for the value.
inline std::string with_bytes_changed(std::string row, const uint8_t* data, size_t size) {
  for (size_t i = 0; i + 2 < size; i += 3) {
    row[(size_t{data[i]} << 8 | data[i + 1]) % row.size()] = static_cast<char>(data[i + 2]);
  }
  return row;
}

// An item that was right, with attributes replaced by values of other types, or removed, as the input says.
inline Item with_attributes_changed(Item item, const uint8_t* data, size_t size) {
  static const std::array<Value, 9> replacements = {Value(),
                                                    Value(true),
                                                    Value(-1),
                                                    Value("text"),
                                                    Value(77),
                                                    Value::binary("bytes"),
                                                    Value(Item{}),
                                                    Value::list({1, "x", Item{{"id", 1}}}),
                                                    Value::string_set({"a"})};
  for (size_t i = 0; i + 1 < size && !item.empty(); i += 2) {
    auto at = item.view().begin();
    std::advance(at, data[i] % item.view().size());
    const std::string name((*at).name);
    const size_t replacement = data[i + 1] % (replacements.size() + 1);
    if (replacement == replacements.size()) {
      item.remove(name);
    } else {
      item.set(name, replacements[replacement]);
    }
  }
  return item;
}

}  // namespace sheaf::engine
