// Counts which parts of the model language models use: productions, kinds of operands in each place, formats
// of keys, options of strategies, and which of them meet in one model.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace sheaf::prove {

// All features, by name: "where = parameter", "hole month in index sk". The list is closed: a feature that a
// model uses and that is not in it is a mistake of this module.
const std::vector<std::string>& feature_names();

// Those of one model.
std::set<std::string> features_of(const model::Model& model);

class Coverage {
 public:
  Coverage();

  void add(const model::Model& model);

  size_t models() const { return models_; }
  size_t drawn() const;
  // Pairs of features that some model has both of, and how many there are.
  size_t pairs_drawn() const;
  size_t pairs() const;
  // Features that no model has.
  std::vector<std::string> missing() const;
  // Features of models that feature_names() leaves out.
  const std::set<std::string>& unlisted() const { return unlisted_; }
  // A line for each feature, with the number of models that have it.
  std::string report() const;

 private:
  std::map<std::string, size_t> ids_;
  std::vector<size_t> counts_;
  std::vector<bool> pairs_;  // first * features + second, where first < second
  std::set<std::string> unlisted_;
  size_t models_ = 0;
};

}  // namespace sheaf::prove
