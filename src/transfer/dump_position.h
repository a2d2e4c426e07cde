// How far a dump is, kept in a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/value.h"

#include "transfer/csv_items.h"
#include "transfer/format.h"

namespace sheaf::transfer {

struct DumpPosition {
  struct Segment {
    bool is_done = false;
    std::optional<Item> last_key;
    uint64_t items = 0;
    uint64_t bytes = 0;  // of its own file, if each has one

    bool operator==(const Segment&) const = default;
  };

  std::string table;
  std::string out;
  Format format = Format::kDynamoJson;
  Compression compression = Compression::kNone;
  std::string id;               // of an export
  int64_t begin_us = 0;         // since 1970
  uint64_t bytes = 0;           // of the file that all segments share
  std::vector<Column> columns;  // of CSV
  std::vector<Segment> segments;
};

std::string to_json(const DumpPosition& position);
// kInvalid if it is none.
Result<DumpPosition> read_dump_position(std::string_view json);

}  // namespace sheaf::transfer
