// The operations that every model has, by name: put.ENTITY, link.ENTITY.END, ...
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "run/change.h"

namespace sheaf::run {

// kNotFound if there is none of this name; kInvalid if the arguments do not fit.
Result<Change> basic_change(const model::Model& model, const model::Layout& layout, std::string_view name,
                            const std::vector<Value>& arguments, std::chrono::system_clock::time_point now);

}  // namespace sheaf::run
