// Any bytes as a row of the change log: refused as damaged, or an event with a key.
#include "engine/change_record.h"
#include "engine/fuzz_checks.h"

namespace sheaf::engine {
namespace {

std::string right_row() {
  TableSettings settings;
  settings.name = "table";
  settings.key = {.partition = {{.name = "PK"}}, .sort = {}};
  const Item before{{"PK", "p"}, {"n", 1}};
  const Item after{{"PK", "p"}, {"list", Value::list({1, "two"})}};
  return encode_change(Table(settings, store::Version{1}), StreamView::kNewAndOldImages, before, after,
                       ChangeCause::kRequest);
}

// A string of its own, so that reading behind the end is noticed.
void check(const std::string& row) {
  const Result<ChangeEvent> event = decode_change(row, {.stamp = 1, .position = 2});
  if (!event.ok()) return require_corrupt(event.error());
  using Kind = ChangeEvent::Kind;
  require(event->kind == Kind::kInsert || event->kind == Kind::kModify || event->kind == Kind::kRemove);
  require(!event->key.to_json().empty());
  if (event->old_image) require(!event->old_image->to_json().empty());
  if (event->new_image) require(!event->new_image->to_json().empty());
}

}  // namespace
}  // namespace sheaf::engine

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf::engine;
  static const std::string right = right_row();
  check(std::string(reinterpret_cast<const char*>(data), size));
  check(with_bytes_changed(right, data, size));
  return 0;
}
