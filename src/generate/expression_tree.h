// A regular expression as a tree, with the few characters of each place that are worth making texts of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

namespace sheaf::generate {

struct ExpressionNode {
  enum class Kind { kCharacters, kSequence, kChoice, kRepeated };
  Kind kind = Kind::kSequence;
  std::u32string characters;  // kCharacters: one of these
  std::vector<ExpressionNode> parts;
  int least = 0;            // kRepeated
  std::optional<int> most;  // none: without end
};

Result<ExpressionNode> read_expression(std::string_view pattern, std::string_view forbidden);

}  // namespace sheaf::generate
