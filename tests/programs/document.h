// Items taken apart into plain containers: what the reference database computes with, so that it shares
// nothing with the flat form but its accessors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sheaf/value.h"

namespace sheaf::programs {

// A place in an item: an attribute, then members of maps and elements of lists.
struct DocumentPath {
  using Step = std::variant<std::string, uint32_t>;

  std::string attribute;
  std::vector<Step> steps;

  bool is_nested() const { return !steps.empty(); }
  bool operator==(const DocumentPath&) const = default;
};

// Whether DynamoDB refuses both paths in one expression: one leads through the other, or one takes for a list
// what the other takes for a map.
bool paths_clash(const DocumentPath& a, const DocumentPath& b);

// A map, a list, or a value that has no parts.
struct Document {
  enum class Kind : uint8_t { kLeaf, kMap, kList };
  Kind kind = Kind::kLeaf;
  Value leaf;
  std::map<std::string, Document> members;
  std::vector<Document> elements;

  static Document of(ValueView value);
  static Document of(ItemView item);
  Value to_value() const;
  Item to_item() const;  // of a map
};

// The value at `path`, or nothing. Lives as long as the item.
std::optional<ValueView> value_at(ItemView item, const DocumentPath& path);

// The parts of `item` that `paths` name. Lists close up; what has no part that was found is left out.
Item project_paths(ItemView item, const std::vector<DocumentPath>& paths);
Item project_names(ItemView item, const std::vector<std::string>& names);

// DynamoDB's count of bytes.
uint32_t bytes_of_number(std::string text);
uint32_t bytes_of(ValueView value);
uint32_t bytes_of(ItemView item);

}  // namespace sheaf::programs
