#include <cstddef>
#include <cstdint>

#include "expr/fuzz_request.h"
#include "expr/key_condition.h"

namespace {

using sheaf::Type;
using namespace sheaf::expr;

constexpr KeyAttribute kOne[] = {{"a", Type::kString}};
constexpr KeyAttribute kTwo[] = {{"a", Type::kString}, {"b", Type::kNumber}};
constexpr KeyAttribute kSort[] = {{"c", Type::kNumber}};
constexpr KeyAttribute kSorts[] = {{"c", Type::kString}, {"d", Type::kBinary}, {"e", Type::kNumber}};

}  // namespace

// What is bound has a value for each partition attribute and no more than the schema has room for.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  FuzzRequest request;
  const auto clauses = parse_key_condition(text, request);
  if (!clauses.ok()) {
    require_complaint(clauses.error(), "KeyConditionExpression");
    return 0;
  }
  for (const KeySchema& schema : {KeySchema{kOne, {}}, KeySchema{kOne, kSort}, KeySchema{kTwo, kSorts}}) {
    const auto bound = bind_key_condition(*clauses, schema);
    if (!bound.ok()) continue;
    require(bound->partition.size() == schema.partition.size());
    require(bound->sort_equals.size() + (bound->range ? 1 : 0) <= schema.sort.size());
    require(clauses->size() == bound->partition.size() + bound->sort_equals.size() + (bound->range ? 1 : 0));
    for (size_t i = 0; i < bound->partition.size(); ++i) {
      require(bound->partition[i].type() == schema.partition[i].type);
    }
    if (bound->range) require(bound->range->value.type() == schema.sort[bound->sort_equals.size()].type);
  }
  return 0;
}
