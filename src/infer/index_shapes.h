// What the keys of indexes are made of.
#pragma once

#include <optional>
#include <string>

#include "infer/kind.h"
#include "infer/observed.h"

namespace sheaf::infer {

// After the primary key was found: keys of global indexes out of its values and of attributes; which items
// are in an index, by what is missing in the others or by a condition. What cannot be said so is taken whole.
void find_index_shapes(const ObservedTable& table, Kind& kind);
void take_indexes_whole(const ObservedTable& table, Kind& kind);

// Whether the language has a word for it: one attribute for each of the two keys.
bool is_expressible(const ObservedIndex& index);
// Its keys are the table's own: it holds every item.
bool is_over_table_keys(const ObservedTable& table, const ObservedIndex& index);

// The attribute that equals these texts in all items.
std::optional<std::string> attribute_with(const Kind& kind, const Texts& texts);
// A time or date of which these texts are the first bytes: a value, made of an attribute if need be.
std::optional<size_t> bucket_source(Kind& kind, const Texts& texts, size_t bytes);

}  // namespace sheaf::infer
