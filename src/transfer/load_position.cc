#include "transfer/load_position.h"

#include <filesystem>

#include "base/errors.h"
#include "base/try.h"
#include "transfer/kept_json.h"
#include "transfer/whole_file.h"
#include "value/value_json.h"
#include "wire/json_object.h"

namespace sheaf::transfer {

std::string to_json(const LoadPosition& position) {
  std::string out;
  {
    wire::JsonObject object(out);
    object.text("load", position.table);
    object.integer("table_id", static_cast<int64_t>(position.table_id));
    object.integer("table_created_us", position.table_created_us);
    std::string& files = object.member("files");
    wire::append_json_list(files, position.files,
                           [&](const std::string& file) { append_json_string(files, file); });
    std::string& sizes = object.member("file_bytes");
    wire::append_json_list(sizes, position.file_bytes,
                           [&](uint64_t bytes) { sizes += std::to_string(bytes); });
    object.integer("file", static_cast<int64_t>(position.file));
    object.integer("bytes", static_cast<int64_t>(position.place.bytes));
    object.integer("lines", static_cast<int64_t>(position.place.lines));
    object.integer("items", static_cast<int64_t>(position.items));
    object.integer("there", static_cast<int64_t>(position.there));
    object.integer("bad", static_cast<int64_t>(position.bad));
  }
  return out + "\n";
}

Result<LoadPosition> read_load_position(std::string_view json) {
  const KeptJson kept = TRY(KeptJson::read(json));
  LoadPosition position;
  position.table = TRY(kept.text("load"));
  position.table_id = TRY(kept.count("table_id"));
  position.table_created_us = static_cast<int64_t>(TRY(kept.count("table_created_us")));
  position.files = TRY(kept.texts("files"));
  position.file_bytes = TRY(kept.counts("file_bytes"));
  position.file = TRY(kept.count("file"));
  position.place.bytes = TRY(kept.count("bytes"));
  position.place.lines = TRY(kept.count("lines"));
  position.items = TRY(kept.count("items"));
  position.there = TRY(kept.count("there"));
  position.bad = TRY(kept.count("bad"));
  if (position.file_bytes.size() != position.files.size())
    return invalid("it has not the sizes of all files");
  if (position.file > position.files.size()) return invalid("it names a file that is not in its list");
  return position;
}

LoadPosition fresh_position(const TableDescription& table, const std::vector<std::string>& files) {
  LoadPosition fresh{
      .table = table.name, .table_id = table.id, .table_created_us = table.created_us, .files = files};
  for (const std::string& file : files) {
    std::error_code none;
    const uint64_t bytes = std::filesystem::file_size(file, none);
    fresh.file_bytes.push_back(none ? 0 : bytes);
  }
  return fresh;
}

Result<std::optional<LoadPosition>> kept_load_position(const std::string& path) {
  if (!TRY(is_there(path))) return std::optional<LoadPosition>();
  const std::string text = TRY(read_whole_file(path));
  Result<LoadPosition> kept = read_load_position(text);
  if (!kept.ok()) return invalid(path + " does not say how far a load is: " + kept.error().message);
  return std::optional<LoadPosition>(std::move(*kept));
}

Result<void> check_same_load(const std::string& path, const LoadPosition& kept, const LoadPosition& fresh) {
  if (kept.table != fresh.table || kept.files != fresh.files)
    return invalid(path + " is of another load: of " + kept.table +
                   ", from other files or in another order; remove it to begin anew");
  // Nothing is left out yet.
  if (!kept.has_begun()) return {};
  const auto other = [&](const std::string& what) {
    return invalid(path + " is of another load: " + what +
                   " is not the one of then; remove it to begin anew");
  };
  if (kept.table_id != fresh.table_id || kept.table_created_us != fresh.table_created_us)
    return other("the table " + kept.table);
  for (size_t i = 0; i < kept.files.size(); ++i) {
    if (kept.file_bytes[i] != fresh.file_bytes[i]) return other("the file " + kept.files[i]);
  }
  return {};
}

Result<void> check_no_load(const std::string& path, const LoadPosition& kept) {
  if (!kept.has_begun()) return {};
  return invalid(path + " is of another load: the table " + kept.table +
                 " of then is not there any more; remove it to begin anew");
}

}  // namespace sheaf::transfer
