#include <cstddef>
#include <cstdint>

#include "expr/condition.h"
#include "expr/fuzz_request.h"

// Any text is refused with a complaint, or is a condition that has an answer for every item, the opposite of
// which is that of its negation.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf::expr;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  FuzzRequest request;
  const auto condition = Condition::parse(text, request);
  if (!condition.ok()) {
    require_complaint(condition.error(), "ConditionExpression");
    return 0;
  }
  const auto negation = Condition::parse("NOT (" + std::string(text) + ")", request);
  for (const sheaf::Item& item : fuzz_items()) {
    const bool answer = condition->matches(item);
    if (negation.ok()) require(negation->matches(item) != answer);
  }
  return 0;
}
