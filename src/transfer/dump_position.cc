#include "transfer/dump_position.h"

#include "base/errors.h"
#include "base/try.h"
#include "transfer/csv_fields.h"
#include "transfer/json_items.h"
#include "transfer/kept_json.h"
#include "value/value_json.h"
#include "wire/json_object.h"

namespace sheaf::transfer {

std::string to_json(const DumpPosition& position) {
  std::string out;
  {
    wire::JsonObject object(out);
    object.text("dump", position.table);
    object.text("out", position.out);
    object.text("format", name_of(position.format));
    object.text("compression", name_of(position.compression));
    object.text("id", position.id);
    object.integer("begin_us", position.begin_us);
    object.integer("bytes", static_cast<int64_t>(position.bytes));
    std::string& columns = object.member("columns");
    wire::append_json_list(columns, position.columns, [&](const Column& column) {
      append_json_string(columns, to_text(ColumnTypes{{column_key(column.name), column.type}}));
    });
    std::string& segments = object.member("segments");
    wire::append_json_list(segments, position.segments, [&](const DumpPosition::Segment& segment) {
      wire::JsonObject each(segments);
      each.integer("done", segment.is_done ? 1 : 0);
      each.integer("items", static_cast<int64_t>(segment.items));
      each.integer("bytes", static_cast<int64_t>(segment.bytes));
      if (segment.last_key) each.text("last_key", segment.last_key->to_json());
    });
  }
  return out + "\n";
}

Result<DumpPosition> read_dump_position(std::string_view json) {
  const KeptJson kept = TRY(KeptJson::read(json));
  DumpPosition position;
  position.table = TRY(kept.text("dump"));
  position.out = TRY(kept.text("out"));
  const std::optional<Format> format = format_of(TRY(kept.text("format")));
  const std::optional<Compression> compression = compression_of(TRY(kept.text("compression")));
  if (!format || !compression) return invalid("its format is unknown");
  position.format = *format;
  position.compression = *compression;
  position.id = TRY(kept.text("id"));
  position.begin_us = static_cast<int64_t>(TRY(kept.count("begin_us")));
  position.bytes = TRY(kept.count("bytes"));
  for (const std::string& column : TRY(kept.texts("columns"))) {
    const ColumnTypes type = TRY(parse_column_types(column));
    if (type.size() != 1) return invalid("its columns are wrong");
    position.columns.push_back({.name = column_of_key(type.begin()->first), .type = type.begin()->second});
  }
  TypedItemReader reader;
  for (const KeptJson& each : TRY(kept.objects("segments"))) {
    DumpPosition::Segment segment;
    segment.is_done = TRY(each.count("done")) == 1;
    segment.items = TRY(each.count("items"));
    segment.bytes = TRY(each.count("bytes"));
    if (each.has("last_key")) {
      const std::string key = TRY(each.text("last_key"));
      segment.last_key = TRY(reader.read(key));
    }
    position.segments.push_back(std::move(segment));
  }
  if (position.segments.empty()) return invalid("it has no segments");
  return position;
}

}  // namespace sheaf::transfer
