// Tries strategies on a model's text: whether it can then be used as before.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assist/document.h"

namespace sheaf::cmd {

class StrategyTrials {
 public:
  // One layout of a text. Both are borrowed.
  StrategyTrials(const assist::Document& document, std::string layout);

  // What would be wrong if the relation were stored so, in the first words of it; none if nothing is that was
  // not before. Tried once each.
  std::optional<std::string> what_is_wrong(model::RelationId relation, const std::string& via);

  // What the linter would say of the relation if it were stored so, a line each; with no `via`, what it says
  // as it is. Nothing where the model has mistakes.
  std::vector<std::string> findings(model::RelationId relation, const std::optional<std::string>& via) const;

 private:
  struct Faults {
    std::vector<std::string> mistakes;    // of the model and its layouts
    std::vector<std::string> shortfalls;  // of plans
  };
  static Faults look(std::string text, const std::string& layout);
  // The first of what was not there before.
  std::optional<std::string> first_new(const Faults& after) const;
  std::string text_with(model::RelationId relation, const std::string& via) const;

  const assist::Document& document_;
  const std::string layout_;
  const Faults before_;
  std::map<std::pair<model::RelationId, std::string>, std::optional<std::string>> tried_;
};

}  // namespace sheaf::cmd
