// AttributesToGet.
#include <unordered_set>

#include "api/expressions.h"
#include "base/try.h"
#include "wire/legacy.h"
#include "wire/legacy_entries.h"

namespace sheaf::wire {

Result<std::optional<expr::Projection>> read_attributes_to_get(const Input& input, size_t attributes) {
  if (!input.has(attributes)) return std::optional<expr::Projection>();
  std::vector<std::string> names;
  std::unordered_set<std::string_view> seen;
  for (const Json json : input.fields().list(attributes)) {
    if (json.is_null()) continue;
    const std::string_view name = json.get_string().value_unsafe();
    TRY(check_attribute_name(name));
    if (!seen.insert(name).second)
      return invalid_parameter("Duplicate value in attribute name: " + std::string(name));
    names.emplace_back(name);
  }
  if (names.empty()) return std::optional<expr::Projection>();
  return std::optional(expr::Projection::of_names(std::move(names)));
}

}  // namespace sheaf::wire
