// Files of foreign origin: any bytes must be read or refused, and what is read must come back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "transfer/byte_source.h"
#include "transfer/csv_items.h"
#include "transfer/format.h"
#include "transfer/json_items.h"
#include "transfer/plain_items.h"
#include "transfer/record_reader.h"

namespace {

using namespace sheaf;
using namespace sheaf::transfer;

void expect(bool holds) {
  if (!holds) std::abort();
}

void check_record(std::string_view text, TypedItemReader& reader) {
  if (const Result<Item> item = reader.read(text); item.ok()) {
    std::string line;
    append_export_line(line, *item);
    const Result<Item> again = reader.read(line);
    expect(again.ok() && *again == *item);
  }
  if (const Result<Item> item = read_plain_item(text); item.ok()) {
    std::string line;
    append_plain_line(line, *item);
    const Result<Item> again = read_plain_item(line);
    expect(again.ok() && *again == *item);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const int form : {0, 1, 2}) {
    const bool is_csv = form == 1;
    RecordReader records(unpacked(source_of(bytes, 64)));
    if (is_csv) records.read_csv();
    if (form == 2) records.read_documents();
    TypedItemReader reader;
    std::vector<Column> columns;
    while (true) {
      const Result<std::optional<Record>> record = records.next();
      if (!record.ok() || !*record) break;
      const std::string_view text = (*record)->text;
      static_cast<void>(format_of_beginning(text));
      static_cast<void>(begins_document(text));
      if (!is_csv) {
        check_record(text, reader);
      } else if (columns.empty()) {
        Result<std::vector<Column>> header = read_header(text, {{"*", {.kind = ColumnType::Kind::kGuess}}});
        if (!header.ok()) break;
        columns = std::move(*header);
      } else {
        static_cast<void>(read_row(text, columns, reader));
      }
    }
  }
  return 0;
}
