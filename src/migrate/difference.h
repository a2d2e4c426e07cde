// What differs between a model as it is stored and as it is to be, in lines for people.
#pragma once

#include <string>
#include <vector>

#include "migrate/translation.h"
#include "model/layout.h"

namespace sheaf::migrate {

struct Stored {
  const model::Model& model;
  const model::Layout& layout;
};

struct Difference {
  std::vector<std::string> model;    // what is new, gone, called otherwise, or takes other values
  std::vector<std::string> storage;  // where and how things lie
  // Whether items that are there, or the guards of what is unique, would have to be written anew. If not, it
  // is enough to apply the new one.
  bool moves = false;
};
Difference difference(const Stored& from, const Stored& to, const Renames& renames);

}  // namespace sheaf::migrate
