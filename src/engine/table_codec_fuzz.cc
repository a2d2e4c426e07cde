// Any bytes as a table's settings: refused as damaged, or settings that can be used and written back.
#include "engine/fuzz_checks.h"
#include "engine/table.h"

namespace sheaf::engine {
namespace {

TableSettings right_settings() {
  TableSettings settings;
  settings.id = 1;
  settings.name = "table";
  settings.key = {.partition = {{.name = "PK"}}, .sort = {{.name = "SK", .type = Type::kNumber}}};
  settings.indexes = {{.id = 2,
                       .name = "index",
                       .key = settings.key,
                       .projection = ProjectionKind::kInclude,
                       .included = {"a", "b"}}};
  settings.streams = {{.id = 3, .created_us = 5, .closed_us = 7}};
  settings.ttl = {.attribute = "expires", .enabled = true, .changed_us = 8, .id = 4};
  settings.insights = {.enabled = true, .changed_us = 9, .enabled_us = 9};
  settings.tags = {{"key", "value"}};
  return settings;
}

void check(std::string row) {
  const Result<TableSettings> settings = decode_settings(std::move(row));
  if (!settings.ok()) return require_corrupt(settings.error());
  const Item written = encode_settings(*settings);
  const Result<TableSettings> again = decode_settings(std::string(written.encoded()));
  require(again.ok() && *again == *settings);
  const Table table(*settings, store::Version{1});
  require(table.indexes.size() == settings->indexes.size());
  for (const Index& index : table.indexes) require(table.find_index(index.settings->name) != nullptr);
}

}  // namespace
}  // namespace sheaf::engine

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf::engine;
  static const sheaf::Item right = encode_settings(right_settings());
  check(std::string(reinterpret_cast<const char*>(data), size));
  check(with_bytes_changed(std::string(right.encoded()), data, size));
  check(std::string(with_attributes_changed(right, data, size).encoded()));
  return 0;
}
