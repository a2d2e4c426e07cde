// What `sheaf model check` tells: the same, under the same ids, with the points that it is about.
#include "lint/rule.h"

namespace sheaf::lint {

std::span<const Rule> checked_rules() {
  static constexpr Rule kRules[] = {
      {.id = "constant-partition",
       .points = "H1 G10",
       .why = "One partition takes a thousand writes a second, however large the table is."},
      {.id = "mutable-copy",
       .points = "H10",
       .why = "An entity may have thousands of edges: a change writes all of them again."},
      {.id = "similar-keys", .why = "Letters count in keys: what is meant to lie together does not."},
      {.id = "unserved-parameters", .why = "Whoever leaves them out is refused when the pattern is run."},
      {.id = "unused-parameter",
       .why = "Probably a condition is missing, and the answer is not what was meant."},
      {.id = "unbounded-list",
       .points = "H6",
       .why = "It grows until a write is refused.",
       .severity = Severity::kError},
      {.id = "item-too-large",
       .points = "G1 G2",
       .why = "An item holds 400 KB.",
       .severity = Severity::kError},
      {.id = "too-many-indexes",
       .points = "G5",
       .why = "There are 20 at most.",
       .severity = Severity::kError},
      {.id = "key-too-long",
       .points = "G12",
       .why = "A partition key has 2,048 bytes at most, a sort key 1,024.",
       .severity = Severity::kError},
      {.id = "unserved-pattern",
       .points = "H3 H11 H12",
       .why = "It could be answered by a Scan alone.",
       .severity = Severity::kError},
      {.id = "not-strong",
       .points = "H14",
       .why = "Indexes are eventually consistent.",
       .severity = Severity::kError},
  };
  return kRules;
}

}  // namespace sheaf::lint
