// The type of a field, from the values that were seen of it.
#pragma once

#include <string>
#include <vector>

#include "sheaf/value.h"

#include "language/syntax.h"

namespace sheaf::infer {

// The narrowest type of the language that all of them are values of; `any` if there is no other. A text of
// few values is an enum if there are many items: at least kEnumItemsMin, and kItemsPerValueMin for each
// value.
language::Type type_of_values(const std::vector<ValueView>& values);
// The same for texts that only keys hold.
language::Type type_of_texts(const std::vector<std::string>& texts);
// By DynamoDB's word for it: S, N, M, ... as a data model declares it.
language::Type type_of_word(std::string_view word);

inline constexpr size_t kEnumItemsMin = 20;
inline constexpr size_t kItemsPerValueMin = 5;
inline constexpr size_t kEnumValuesMax = 12;

bool is_ulid(std::string_view text);
bool is_uuid(std::string_view text);

}  // namespace sheaf::infer
