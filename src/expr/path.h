// A document path: a top-level attribute, and the way into it: a.b[2].c
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sheaf/value.h"

namespace sheaf::expr {

// One step into a document: the member of a map, or the element of a list.
class PathElement {
 public:
  explicit PathElement(std::string name) : name_(std::move(name)), index_(kNoIndex) {}
  explicit PathElement(uint32_t index) : index_(index) {}

  bool is_index() const { return index_ != kNoIndex; }
  uint32_t index() const { return index_; }
  const std::string& name() const { return name_; }

  // Indexes before names.
  friend std::strong_ordering operator<=>(const PathElement& a, const PathElement& b) {
    if (a.index_ != b.index_) return a.index_ <=> b.index_;
    return a.name_ <=> b.name_;
  }
  friend bool operator==(const PathElement& a, const PathElement& b) = default;

 private:
  static constexpr uint32_t kNoIndex = UINT32_MAX;
  std::string name_;
  uint32_t index_;
};

// An owned path. One without steps costs no allocation beyond its name.
class Path {
 public:
  explicit Path(std::string attribute) : attribute_(std::move(attribute)) {}
  Path(std::string attribute, std::vector<PathElement> steps)
      : attribute_(std::move(attribute)), steps_(std::move(steps)) {}

  // The top-level attribute.
  const std::string& attribute() const { return attribute_; }
  std::span<const PathElement> steps() const { return steps_; }
  bool is_nested() const { return !steps_.empty(); }

  // What lies there, if anything does. Reads the flat form in place; the view lives as long as `item`'s
  // bytes.
  std::optional<ValueView> find(ItemView item) const;

  // As AWS prints it: "[a, b, [2], c]".
  std::string to_string() const;

  friend std::strong_ordering operator<=>(const Path& a, const Path& b);
  friend bool operator==(const Path& a, const Path& b) = default;

 private:
  std::string attribute_;
  std::vector<PathElement> steps_;
};

enum class PathClash : uint8_t {
  kNone,
  kOverlap,  // the same, or one inside the other
  kConflict  // one takes a list where the other takes a map
};
PathClash clash_of(const Path& a, const Path& b);

// AWS's complaint about the first two paths that overlap, or else about the first two that conflict; nothing
// if all are apart.
std::optional<std::string> find_clash(std::span<const Path> paths);

}  // namespace sheaf::expr
