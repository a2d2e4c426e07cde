// Any text is rewritten or refused; every value that is taken out of it has its place in it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "console/written_expression.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf;
  using Kind = console::WrittenExpressions::Kind;
  if (size == 0 || size > 4096) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  console::WrittenExpressions written;
  const Result<std::string> expression = written.add(text, data[0] % 2 == 0 ? Kind::kUsual : Kind::kPairs);
  if (!expression.ok()) return 0;
  for (const Attribute& each : written.values().view())
    if (expression->find(each.name) == std::string::npos) std::abort();
  for (const auto& [placeholder, name] : written.names())
    if (expression->find(placeholder) == std::string::npos) std::abort();
  return 0;
}
