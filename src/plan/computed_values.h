// Whether DynamoDB can compute and test the values of an operation in its write, or whether what is stored
// must be read first.
#pragma once

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::plan {

// What the write gives to its place number `place`.
bool is_computed_in_update(const model::Model& model, const model::Layout& layout,
                           const model::Operation& operation, const model::Write& write, size_t place);

// A condition of a check. What it compares with other entities' values is known by then.
bool is_tested_in_write(const model::Model& model, const model::Layout& layout,
                        const model::Operation& operation, const model::Write& write,
                        const model::Condition& condition);

// Whether an operand is a field of the entity of this parameter, and no part of its identity.
bool is_own_field(const model::Model& model, const model::Operation& operation, const model::Operand& operand,
                  size_t parameter);

// Whether an operand is stored in another entity, and must be read.
bool is_stored_elsewhere(const model::Model& model, const model::Operation& operation,
                         const model::Operand& operand, size_t parameter);

}  // namespace sheaf::plan
