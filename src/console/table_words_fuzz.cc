// Any text is an index or is refused; what is one is written so that the same is read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "console/table_words.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)console::units_of(text).ok();
  const Result<IndexDeclaration> index = console::added_index_of(text, TableDescription{});
  if (!index.ok()) return 0;
  const IndexDescription description{
      .name = index->name, .key = index->key, .projection = index->projection, .included = index->included};
  const Result<IndexDeclaration> again =
      console::added_index_of(console::words_of(description), TableDescription{});
  if (!again.ok() || again->name != index->name || again->key != index->key ||
      again->projection != index->projection || again->included != index->included)
    std::abort();
  return 0;
}
