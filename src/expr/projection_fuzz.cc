#include <cstddef>
#include <cstdint>

#include "expr/fuzz_request.h"
#include "expr/projection.h"

// What is projected is a well-formed item of attributes that were asked for.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf::expr;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  FuzzRequest request;
  const auto projection = Projection::parse(text, request);
  if (!projection.ok()) {
    require_complaint(projection.error(), "ProjectionExpression");
    return 0;
  }
  for (const sheaf::Item& item : fuzz_items()) {
    const sheaf::Item projected = projection->project(item);
    require(sheaf::Item::decode(std::string(projected.encoded())).ok());
    for (const auto [name, value] : projected.view()) {
      require(projection->needs(name));
      require(item.find(name).has_value());
    }
  }
  return 0;
}
