#include "prove/coverage.h"

#include <algorithm>

#include "prove/feature_walk.h"

namespace sheaf::prove {

std::set<std::string> features_of(const model::Model& model) {
  std::set<std::string> found;
  add_declared_features(model, found);
  add_storage_features(model, found);
  add_pattern_features(model, found);
  add_operation_features(model, found);
  return found;
}

Coverage::Coverage() {
  for (const std::string& name : feature_names()) ids_.emplace(name, ids_.size());
  counts_.resize(ids_.size());
  pairs_.resize(ids_.size() * ids_.size());
}

void Coverage::add(const model::Model& model) {
  ++models_;
  std::vector<size_t> found;
  for (const std::string& name : features_of(model)) {
    const auto id = ids_.find(name);
    if (id == ids_.end()) {
      unlisted_.insert(name);
    } else {
      found.push_back(id->second);
    }
  }
  std::sort(found.begin(), found.end());
  for (size_t i = 0; i < found.size(); ++i) {
    ++counts_[found[i]];
    for (size_t j = i + 1; j < found.size(); ++j) pairs_[found[i] * ids_.size() + found[j]] = true;
  }
}

size_t Coverage::drawn() const {
  return static_cast<size_t>(
      std::count_if(counts_.begin(), counts_.end(), [](size_t count) { return count > 0; }));
}

size_t Coverage::pairs_drawn() const {
  return static_cast<size_t>(std::count(pairs_.begin(), pairs_.end(), true));
}

size_t Coverage::pairs() const { return ids_.size() * (ids_.size() - 1) / 2; }

std::vector<std::string> Coverage::missing() const {
  std::vector<std::string> names;
  for (const auto& [name, id] : ids_) {
    if (counts_[id] == 0) names.push_back(name);
  }
  return names;
}

std::string Coverage::report() const {
  std::string text = std::to_string(drawn()) + " of " + std::to_string(ids_.size()) + " features, " +
                     std::to_string(pairs_drawn()) + " of " + std::to_string(pairs()) + " pairs in " +
                     std::to_string(models_) + " models\n";
  for (const auto& [name, id] : ids_) text += std::to_string(counts_[id]) + " " + name + "\n";
  return text;
}

}  // namespace sheaf::prove
