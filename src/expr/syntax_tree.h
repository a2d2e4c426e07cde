// An expression as it is written: nothing is looked up yet, and nothing is checked but its form.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "expr/condition.h"

namespace sheaf::expr {

struct SyntaxStep {
  std::string_view name;  // as written: a name or #placeholder; empty for an index
  uint32_t index;
};

struct SyntaxNode {
  enum class Kind : uint8_t {
    kPath,
    kValue,
    kFunction,
    kCompare,
    kBetween,
    kIn,
    kAnd,
    kOr,
    kNot,
    kPlus,
    kMinus
  };

  Kind kind;
  Comparator comparator;  // of kCompare
  bool is_condition;      // of kFunction: it stands where a condition does, not where a value does
  std::string_view text;  // the placeholder, the function's name, or the operator as AWS prints it
  uint32_t first, count;  // of a path in steps, of others in children
};

// Nodes come after their parts, so a loop over them needs no recursion, and visits the parts of a condition
// in the order of the text. Lives in its own memory; borrows the expression's text.
class SyntaxTree {
 public:
  SyntaxTree() {
    // What most expressions need, so that they are read without a trip to the heap.
    nodes.reserve(16);
    children.reserve(16);
    steps.reserve(8);
  }
  SyntaxTree(const SyntaxTree&) = delete;
  SyntaxTree& operator=(const SyntaxTree&) = delete;

  std::span<const uint32_t> children_of(const SyntaxNode& node) const {
    return std::span(children).subspan(node.first, node.count);
  }
  std::span<const SyntaxStep> steps_of(const SyntaxNode& path) const {
    return std::span(steps).subspan(path.first, path.count);
  }

 private:
  std::array<std::byte, 4096> buffer_;
  std::pmr::monotonic_buffer_resource memory_{buffer_.data(), buffer_.size()};

 public:
  std::pmr::memory_resource* memory() { return &memory_; }

  std::pmr::vector<SyntaxNode> nodes{&memory_};
  std::pmr::vector<uint32_t> children{&memory_};
  std::pmr::vector<SyntaxStep> steps{&memory_};
  bool redundant_parentheses = false;
};

}  // namespace sheaf::expr
