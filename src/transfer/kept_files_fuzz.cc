// Files that load and dump keep, and the declaration of a table in an export: any bytes must be read or
// refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "transfer/csv_items.h"
#include "transfer/dump_position.h"
#include "transfer/load_position.h"
#include "transfer/table_declaration.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf;
  using namespace sheaf::transfer;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const Result<LoadPosition> read = read_load_position(text); read.ok()) {
    const Result<LoadPosition> again = read_load_position(to_json(*read));
    if (!again.ok() || *again != *read) std::abort();
  }
  if (const Result<DumpPosition> read = read_dump_position(text); read.ok()) {
    const Result<DumpPosition> again = read_dump_position(to_json(*read));
    if (!again.ok() || to_json(*again) != to_json(*read)) std::abort();
  }
  if (const Result<CreateTable> read = read_declaration(text); read.ok()) {
    const Result<CreateTable> again = read_declaration(to_json(*read));
    if (!again.ok() || to_json(*again) != to_json(*read)) std::abort();
  }
  static_cast<void>(parse_column_types(text));
  static_cast<void>(parse_key(text));
  return 0;
}
