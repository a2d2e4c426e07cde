// Any bytes as a model, checked from end to end: the checker comes to an end and tells of places inside the
// text.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "language/example_models.h"
#include "plan/planned_model.h"

namespace {

// An example with changes, three bytes each: where, and which piece of the examples takes its place.
std::string changed_example(const uint8_t* data, size_t size) {
  constexpr size_t kPieceBytes = 12;
  const auto& examples = sheaf::language::kExampleModels;
  std::string text(examples[data[0] % examples.size()]);
  for (size_t i = 1; i + 3 < size && !text.empty(); i += 4) {
    const size_t place = (size_t{data[i]} << 8 | data[i + 1]) % text.size();
    const std::string_view source = examples[data[i + 2] % examples.size()];
    const size_t from = data[i + 3] * source.size() / 256;
    text.replace(place, std::min(kPieceBytes, text.size() - place), source.substr(from, kPieceBytes));
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text = data[0] < 128 ? changed_example(data, size)
                                         : std::string(reinterpret_cast<const char*>(data + 1), size - 1);
  const sheaf::plan::PlannedModel planned =
      sheaf::plan::plan_model(sheaf::model::compile("fuzz.sheaf", text));
  for (const sheaf::language::Diagnostic& each : planned.compiled.diagnostics.all()) {
    if (each.span.begin <= each.span.end && each.span.end <= text.size()) continue;
    std::fprintf(stderr, "outside of the text: %s\nin:\n%s\n", each.message.c_str(), text.c_str());
    std::abort();
  }
  return 0;
}
