// Tries strategies on a model's text: whether it can then be used as before.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "assist/document.h"

namespace sheaf::cmd {

class StrategyTrials {
 public:
  // One layout of a text. Both are borrowed.
  StrategyTrials(const assist::Document& document, std::string layout);

  // What would be wrong if the relation were stored so, in the first words of it; none if nothing is that was
  // not before. Tried once each.
  std::optional<std::string> what_is_wrong(model::RelationId relation, const std::string& via);

 private:
  struct Faults {
    size_t mistakes = 0;
    size_t shortfalls = 0;
    std::string first;
  };
  static Faults look(const plan::PlannedModel& planned, const std::string& layout);

  const assist::Document& document_;
  const std::string layout_;
  const Faults before_;
  std::map<std::pair<model::RelationId, std::string>, std::optional<std::string>> tried_;
};

}  // namespace sheaf::cmd
