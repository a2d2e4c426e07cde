// Looks up the names of a model and checks what can be checked without a layout.
#pragma once

#include "language/diagnostic.h"
#include "language/syntax.h"
#include "model/model.h"

namespace sheaf::model {

// What is wrong is told to `diagnostics`; the Model is then not to be used, except to find more mistakes.
Model resolve(language::Model syntax, language::Diagnostics& diagnostics);

}  // namespace sheaf::model
