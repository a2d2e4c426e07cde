// The trials that the claims of the documents are held against: small models, each in the layouts that the
// claims are about, on generated data.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "generate/generator.h"

namespace sheaf::measure {

struct Experiment {
  std::string_view name;
  std::string_view text;             // the model
  std::vector<std::string> layouts;  // the rest of its layouts is not measured
  generate::GeneratorOptions sizes;
  size_t runs = 10;
};

const std::vector<Experiment>& experiments();

}  // namespace sheaf::measure
