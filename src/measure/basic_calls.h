// Arguments for the operations that every model has.
#pragma once

#include <string>
#include <vector>

#include "sheaf/value.h"

#include "generate/generator.h"
#include "measure/script.h"

namespace sheaf::measure {

struct BasicCalls {
  std::string name;  // put.Order, move.Order.customer
  std::vector<std::vector<Value>> arguments;
};

// Of each entity put, set (of its first field that changes) and delete; of each relation, from the side that
// leads to one, move, or of many to many link and unlink. As many as options.runs of each, where there is
// somebody to do it to. Of options.relation alone if it is said: the relation itself and its two entities.
std::vector<BasicCalls> basic_calls(const generate::Generator& generator, const ScriptOptions& options);

}  // namespace sheaf::measure
