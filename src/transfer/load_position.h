// How far a load is, kept in a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "transfer/record_reader.h"

namespace sheaf::transfer {

struct LoadPosition {
  std::string table;
  std::vector<std::string> files;
  size_t file = 0;  // all before it are loaded; of this one, what lies before `place`
  Place place;
  uint64_t items = 0;  // that were acknowledged
  uint64_t bad = 0;    // lines that were left out

  bool operator==(const LoadPosition&) const = default;
};

std::string to_json(const LoadPosition& position);
// kInvalid if it is none.
Result<LoadPosition> read_load_position(std::string_view json);

}  // namespace sheaf::transfer
