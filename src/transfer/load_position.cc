#include "transfer/load_position.h"

#include "base/errors.h"
#include "base/try.h"
#include "transfer/kept_json.h"
#include "value/value_json.h"
#include "wire/json_object.h"

namespace sheaf::transfer {

std::string to_json(const LoadPosition& position) {
  std::string out;
  {
    wire::JsonObject object(out);
    object.text("load", position.table);
    std::string& files = object.member("files");
    wire::append_json_list(files, position.files,
                           [&](const std::string& file) { append_json_string(files, file); });
    object.integer("file", static_cast<int64_t>(position.file));
    object.integer("bytes", static_cast<int64_t>(position.place.bytes));
    object.integer("lines", static_cast<int64_t>(position.place.lines));
    object.integer("items", static_cast<int64_t>(position.items));
    object.integer("bad", static_cast<int64_t>(position.bad));
  }
  return out + "\n";
}

Result<LoadPosition> read_load_position(std::string_view json) {
  const KeptJson kept = TRY(KeptJson::read(json));
  LoadPosition position;
  position.table = TRY(kept.text("load"));
  position.files = TRY(kept.texts("files"));
  position.file = TRY(kept.count("file"));
  position.place.bytes = TRY(kept.count("bytes"));
  position.place.lines = TRY(kept.count("lines"));
  position.items = TRY(kept.count("items"));
  position.bad = TRY(kept.count("bad"));
  if (position.file > position.files.size()) return invalid("it names a file that is not in its list");
  return position;
}

}  // namespace sheaf::transfer
