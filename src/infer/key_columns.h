// The texts of one key attribute, cut into columns: the first part of every item's key, the second, ...
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "infer/kind.h"

namespace sheaf::infer {

struct Column {
  Texts texts;          // as the key has them
  std::string literal;  // before it: the delimiter

  std::set<std::string> distinct() const;
  // The text that all have.
  std::optional<std::string> constant() const;
};

// Nothing if the keys are no texts, or cut in different places. Items that do not have the attribute have no
// text in any column.
std::optional<std::vector<Column>> columns_of(const std::vector<Item>& items, const std::string& attribute);

// An ending that all texts have, from a _ on: _relationship. Empty if there is none, or if what is before it
// is not told apart from it.
std::string common_ending(const std::set<std::string>& texts);

// Numbers with zeros before them, all as wide; 0 if they are not.
size_t digits_width(const std::set<std::string>& texts);
std::string without_zeros(const std::string& digits);

// The length of a part of a time that is cut to a bucket: 4 for a year, 7, 10, 13 for an hour; 0 if some are
// no such text.
size_t bucket_bytes(const std::set<std::string>& texts);

}  // namespace sheaf::infer
