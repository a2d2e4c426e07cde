// Answers as texts that are equal where a model says that they are: whatever the layout, and the order in
// which it happens to find things.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/value.h"

#include "model/model.h"

namespace sheaf::measure {

// All documents of an answer, of all its pages. Lists are sorted, because nobody promises their order; of
// those that have an `order`, the values that they are ordered by come before it, as they were found. A list
// that is as long as its `limit` has only these, or its length: which of several equal ones are cut off is
// nobody's promise either.
std::string canonical_answer(const model::Model& model, const model::Pattern& pattern,
                             const std::vector<Value>& documents);

// Entities in the documents, nested ones among them.
uint64_t entities_in(const model::Model& model, const model::Pattern& pattern,
                     const std::vector<Value>& documents);

}  // namespace sheaf::measure
