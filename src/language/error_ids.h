// The ids of everything that can be wrong with a model: one list, and doc/errors has a page for each.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace sheaf::language {

// In the order of the alphabet.
// clang-format off
inline constexpr auto kErrorIds = std::to_array<std::string_view>({
    "ambiguous-key",
    "attribute-clash",
    "bad-character",
    "bad-expression",
    "bad-hole",
    "bad-id",
    "bad-name",
    "bad-number",
    "bad-operand",
    "bad-text",
    "bad-ttl",
    "bad-within",
    "constant-partition",
    "contradiction",
    "empty-key",
    "immutable-field",
    "item-too-large",
    "key-collision",
    "key-not-unique",
    "key-too-long",
    "misplaced-id",
    "missing-end",
    "missing-id",
    "missing-in-key",
    "missing-key",
    "missing-on-delete",
    "missing-table",
    "mutable-copy",
    "nested-page",
    "nested-too-deep",
    "no-snapshot",
    "not-strong",
    "not-yet",
    "number-width",
    "over-budget",
    "required-field",
    "reserved-name",
    "restrict-needs-count",
    "said-twice",
    "similar-keys",
    "too-many-actions",
    "too-many-indexes",
    "too-many-parameters",
    "unbounded-list",
    "unbounded-read",
    "unexpected-end",
    "unexpected-text",
    "unfinished-string",
    "unknown-end",
    "unknown-entity",
    "unknown-field",
    "unknown-index",
    "unknown-layout",
    "unknown-parameter",
    "unknown-pattern",
    "unknown-strategy",
    "unknown-table",
    "unknown-type",
    "unreachable-field",
    "unserved-operation",
    "unserved-parameters",
    "unserved-pattern",
    "unserved-where",
    "unused-parameter",
    "wrong-arguments",
    "wrong-order",
    "wrong-strategy",
    "wrong-type",
});
// clang-format on

// One of them, written where it is told: `tell("unknown-field", ...)`. An id that is not in the list does not
// compile, so there is none without its page.
class ErrorId {
 public:
  consteval ErrorId(const char* text) : text_(text) {
    if (!std::binary_search(kErrorIds.begin(), kErrorIds.end(), text_)) throw "kErrorIds has no such id";
  }

  constexpr std::string_view text() const { return text_; }
  bool operator==(const ErrorId&) const = default;

 private:
  std::string_view text_;
};

}  // namespace sheaf::language
