#include "expr/path.h"

#include <algorithm>

namespace sheaf::expr {
namespace {

// Enough paths that comparing each with each costs more than sorting them.
constexpr size_t kPathsToSort = 16;

// Where two paths first differ, counted in elements; the length of the shorter one if it begins the other.
size_t common_elements(const Path& a, const Path& b) {
  if (a.attribute() != b.attribute()) return 0;
  const auto [left, right] = std::ranges::mismatch(a.steps(), b.steps());
  return 1 + static_cast<size_t>(left - a.steps().begin());
}

bool any_clash(std::span<const Path> paths) {
  if (paths.size() < kPathsToSort) {
    for (size_t i = 1; i < paths.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (clash_of(paths[j], paths[i]) != PathClash::kNone) return true;
      }
    }
    return false;
  }
  // Sorted, a path is followed by what lies inside it, and the elements of a list by the members of a map of
  // the same name: so if any two paths clash, two neighbours do.
  std::vector<const Path*> sorted;
  sorted.reserve(paths.size());
  for (const Path& path : paths) sorted.push_back(&path);
  std::ranges::sort(sorted, [](const Path* a, const Path* b) { return *a < *b; });
  return std::ranges::adjacent_find(sorted, [](const Path* a, const Path* b) {
           return clash_of(*a, *b) != PathClash::kNone;
         }) != sorted.end();
}

std::string complaint(std::string_view verb, const Path& one, const Path& two) {
  return "Two document paths " + std::string(verb) +
         " with each other; must remove or rewrite one of these paths; path one: " + one.to_string() +
         ", path two: " + two.to_string();
}

}  // namespace

std::optional<ValueView> Path::find(ItemView item) const {
  std::optional<ValueView> value = item.find(attribute_);
  for (const PathElement& step : steps_) {
    if (!value) break;
    if (step.is_index()) {
      value = value->type() == Type::kList ? value->list().at(step.index()) : std::nullopt;
    } else {
      value = value->type() == Type::kMap ? value->map().find(step.name()) : std::nullopt;
    }
  }
  return value;
}

std::string Path::to_string() const {
  std::string text = "[" + attribute_;
  for (const PathElement& step : steps_) {
    text += ", ";
    text += step.is_index() ? "[" + std::to_string(step.index()) + "]" : step.name();
  }
  return text + "]";
}

std::strong_ordering operator<=>(const Path& a, const Path& b) {
  if (const auto order = a.attribute_ <=> b.attribute_; order != 0) return order;
  return a.steps_ <=> b.steps_;
}

PathClash clash_of(const Path& a, const Path& b) {
  const size_t common = common_elements(a, b);
  if (common == 0) return PathClash::kNone;
  if (common > a.steps().size() || common > b.steps().size()) return PathClash::kOverlap;
  const bool both_kinds = a.steps()[common - 1].is_index() != b.steps()[common - 1].is_index();
  return both_kinds ? PathClash::kConflict : PathClash::kNone;
}

std::optional<std::string> find_clash(std::span<const Path> paths) {
  if (!any_clash(paths)) return std::nullopt;
  std::optional<std::string> conflict;
  for (size_t i = 1; i < paths.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const PathClash clash = clash_of(paths[j], paths[i]);
      if (clash == PathClash::kOverlap) return complaint("overlap", paths[j], paths[i]);
      if (clash == PathClash::kConflict && !conflict) conflict = complaint("conflict", paths[j], paths[i]);
    }
  }
  return conflict;
}

}  // namespace sheaf::expr
