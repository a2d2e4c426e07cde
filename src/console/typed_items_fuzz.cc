// Any text is items or is refused; what was read is written so that the same is read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "console/typed_items.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf;
  if (size == 0) return 0;
  const auto form = data[0] % 2 == 0 ? console::JsonForm::kPlain : console::JsonForm::kDynamo;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  (void)console::value_of(text, form).ok();
  const Result<std::vector<console::ReadItem>> items = console::items_of(text, form);
  if (!items.ok()) return 0;
  for (const console::ReadItem& each : *items) {
    const Result<Item> again = console::item_of(console::text_of(each.item, form), form);
    if (!again.ok() || !(*again == each.item)) std::abort();
  }
  return 0;
}
