// Arguments with which the patterns and operations of a model have something to do in the data that a
// Generator makes: ids that are there, the popular ones more often, and values that conditions find.
#pragma once

#include <optional>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "generate/generator.h"
#include "plan/planned_model.h"

namespace sheaf::generate {

// As run::Session::read and write take them: one for each parameter, null for those that are left out.
using ArgumentValues = std::vector<Value>;

// For those parameters that are `given`, one each; those that are not optional are. With them the pattern
// finds at least one document, if there are entities at all the ends that it goes along; where a few dozen
// entities that were tried have none, what it begins with exists at least. kInvalid if there is no entity.
Result<ArgumentValues> arguments(const Generator& generator, const model::Pattern& pattern,
                                 const std::vector<bool>& given, Chance& chance);

// With some of the optional parameters: those of a plan that the layout has. kInvalid if it has none.
Result<ArgumentValues> arguments(const Generator& generator, const plan::PlannedModel& planned, size_t layout,
                                 const model::Pattern& pattern, Chance& chance);

// As the generated data is: what is put is new, what is linked is not linked yet, if somebody is found who is
// not, and what is unlinked is linked. After others have written, an operation can be refused all the same.
// kInvalid if ids have no more values, or there is nobody.
Result<ArgumentValues> arguments(const Generator& generator, const model::Operation& operation,
                                 Chance& chance);

}  // namespace sheaf::generate
