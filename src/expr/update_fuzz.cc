#include <cstddef>
#include <cstdint>

#include "expr/fuzz_request.h"
#include "expr/update.h"

// What an update makes is a well-formed item that differs from the old one only in what the update touches.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf::expr;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  FuzzRequest request;
  const auto update = Update::parse(text, request);
  if (!update.ok()) {
    require_complaint(update.error(), "UpdateExpression");
    return 0;
  }
  for (const sheaf::Item& item : fuzz_items()) {
    for (const auto& result : {update->apply(item), update->create(item)}) {
      if (!result.ok()) {
        require(result.error().code == sheaf::Code::kInvalid);
        continue;
      }
      require(sheaf::Item::decode(std::string(result->encoded())).ok());
      for (const auto [name, value] : item.view()) {
        if (update->touched().needs(name)) continue;
        const auto found = result->find(name);
        require(found && *found == value);
      }
      for (const auto [name, value] : result->view()) {
        require(item.find(name).has_value() || update->touched().needs(name));
      }
      update->touched().project(*result);
    }
  }
  return 0;
}
