#include "wire/legacy_entries.h"

#include <algorithm>

#include "api/expressions.h"
#include "base/try.h"

namespace sheaf::wire {
namespace {

constexpr size_t kNameBytesMax = 65535;

}  // namespace

Result<std::vector<LegacyEntry>> read_entries(simdjson::dom::object map) {
  std::vector<LegacyEntry> entries;
  entries.reserve(map.size());
  for (const auto& [name, json] : map) {
    if (json.is_null()) continue;
    TRY(check_attribute_name(name));
    entries.push_back({name, json});
  }
  // Backwards, so that of equal names the last comes first and is the one that stays.
  std::reverse(entries.begin(), entries.end());
  std::ranges::stable_sort(entries, {}, &LegacyEntry::attribute);
  const auto same_name = [](const LegacyEntry& a, const LegacyEntry& b) {
    return a.attribute == b.attribute;
  };
  entries.erase(std::unique(entries.begin(), entries.end(), same_name), entries.end());
  return entries;
}

Result<void> check_attribute_name(std::string_view name) {
  if (name.empty()) return invalid("Empty attribute name");
  if (name.size() > kNameBytesMax)
    return invalid("Attribute name is too large, must be less than 65536 bytes");
  return {};
}

}  // namespace sheaf::wire
