// A file of questions and answers, as `sheaf model test` reads it, as a script for a trial.
#pragma once

#include <string_view>

#include "sheaf/result.h"

#include "measure/script.h"

namespace sheaf::cmd {

// All steps that are to succeed, in their order, at the last of the times that they name. kInvalid if it is
// no such file, or has no such step.
Result<measure::Script> answers_script(const model::Model& model, std::string_view json);

}  // namespace sheaf::cmd
