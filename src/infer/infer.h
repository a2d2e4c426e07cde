// A model that describes tables, from their descriptions and items alone.
#pragma once

#include <string>
#include <vector>

#include "infer/design.h"
#include "infer/evidence.h"
#include "infer/observed.h"

namespace sheaf::infer {

struct Inferred {
  std::string text;  // in the model language, with the evidence as comments; it compiles
  std::vector<Inference> inferences;
  std::vector<Question> questions;
  std::vector<std::string> given_up;  // what was seen and could not be said, and why
};

// Every item that was seen is explained by the model, with values of the types that it says and with the
// index keys that it gives. Whatever does not come out like that is said more plainly, down to one entity a
// table whose keys are taken whole. Pure.
Inferred infer_model(const Observed& observed);

}  // namespace sheaf::infer
