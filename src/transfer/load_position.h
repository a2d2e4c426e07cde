// How far a load is, kept in a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/table.h"

#include "transfer/record_reader.h"

namespace sheaf::transfer {

struct LoadPosition {
  std::string table;
  // What tells it from another of that name, in another database or made later.
  uint64_t table_id = 0;
  int64_t table_created_us = 0;
  std::vector<std::string> files;
  std::vector<uint64_t> file_bytes;  // of each; 0 if it is none
  size_t file = 0;                   // all before it are loaded; of this one, what lies before `place`
  Place place;
  uint64_t items = 0;  // that were acknowledged
  uint64_t there = 0;  // that stayed as they were
  uint64_t bad = 0;    // lines that were left out

  // Whether anything would be left out.
  bool has_begun() const { return file > 0 || place.bytes > 0; }
  bool is_whole() const { return file == files.size(); }
  bool is_of(const TableDescription& that) const {
    return table == that.name && table_id == that.id && table_created_us == that.created_us;
  }

  bool operator==(const LoadPosition&) const = default;
};

std::string to_json(const LoadPosition& position);
// kInvalid if it is none.
Result<LoadPosition> read_load_position(std::string_view json);

// At the beginning of these files.
LoadPosition fresh_position(const TableDescription& table, const std::vector<std::string>& files);
// What the file keeps; nothing if there is none. kInvalid if it says something else.
Result<std::optional<LoadPosition>> kept_load_position(const std::string& path);
// kInvalid, with what is different, if a load that is at `kept` cannot go on as `fresh`: then it would leave
// out what was never put. `path` is where it is kept.
Result<void> check_same_load(const std::string& path, const LoadPosition& kept, const LoadPosition& fresh);
// The same for a table that is to be made.
Result<void> check_no_load(const std::string& path, const LoadPosition& kept);

}  // namespace sheaf::transfer
