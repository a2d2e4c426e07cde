#include "infer/id_types.h"

#include <algorithm>

#include "infer/shape_alignment.h"

namespace sheaf::infer {
namespace {

using TypeKind = language::Type::Kind;

// 7 and -12, not 007: that would be put together again as 7.
bool is_written_as_number(std::string_view text) {
  constexpr size_t kDigitsMax = 18;
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || text.size() > kDigitsMax) return false;
  if (text.find_first_not_of("0123456789") != std::string_view::npos) return false;
  return text.front() != '0' || text.size() == 1;
}

bool are_numbers(const KeyValue& value) {
  return std::all_of(value.texts.begin(), value.texts.end(),
                     [](const auto& text) { return text && *text != "-0" && is_written_as_number(*text); });
}

}  // namespace

void find_id_types(std::vector<Kind>& kinds) {
  for (Kind& kind : kinds) {
    const std::vector<size_t> identity = kind.identity();
    for (const Kind& other : kinds) {
      for (const IndexShape& index : other.indexes) {
        if (!index.pk.has_word()) continue;
        const std::vector<size_t> values = identity_in_index(kind, other, index);
        for (size_t part = 0; part < values.size(); ++part) {
          KeyValue& id = kind.values[identity[part]];
          const KeyValue& theirs = other.values[values[part]];
          const bool is_stored = !theirs.attribute.empty() && theirs.type.kind == TypeKind::kInt;
          if (is_stored && id.attribute.empty() && are_numbers(id)) id.type = {.kind = TypeKind::kInt};
        }
      }
    }
  }
}

}  // namespace sheaf::infer
