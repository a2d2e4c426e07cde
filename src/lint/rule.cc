#include "lint/rule.h"

namespace sheaf::lint {

std::span<const Rule> rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> joined;
    for (const std::span<const Rule> theme :
         {key_rules(), growth_rules(), copy_rules(), edge_rules(), direction_rules(), read_rules(),
          index_rules(), checked_rules()})
      joined.insert(joined.end(), theme.begin(), theme.end());
    return joined;
  }();
  return all;
}

const Rule* find_rule(std::string_view id) {
  for (const Rule& rule : rules()) {
    if (rule.id == id) return &rule;
  }
  return nullptr;
}

}  // namespace sheaf::lint
