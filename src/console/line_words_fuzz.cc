// Any line has words; those of a line that is cut anywhere are never more.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "console/line_words.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf;
  if (size > 1024) return 0;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const console::LineWords whole = console::words_of_line(line);
  const console::LineWords half = console::words_of_line(line.substr(0, size / 2));
  if (half.words.size() > whole.words.size() || whole.last_begin > size) std::abort();
  const auto statement = console::whole_statement(line);
  if (statement && statement->text.size() + statement->rest.size() + 1 != size) std::abort();
  return 0;
}
