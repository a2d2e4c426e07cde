// Keys of items as they are typed, one word an attribute: of the type that the table's or index's key has.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/request.h"
#include "sheaf/result.h"
#include "sheaf/table.h"

#include "console/written_expression.h"

namespace sheaf::console {

// A text as it is, a number, or base64. kInvalid, with the attribute's name, if it is not of that type.
Result<Value> key_value(const KeyAttribute& attribute, std::string_view text);

// The whole key of an item. kInvalid, with the names of the key's attributes, if there are too few or too
// many.
Result<Item> item_key(std::string_view table, const KeySchema& key, std::span<const std::string> words);

// "PK and SK", as messages name a key.
std::string names_of(const KeySchema& key);

// The key by which a table, or the index of it that is named, is read. kNotFound with the indexes that there
// are.
Result<KeySchema> key_of_view(const TableDescription& table, const std::optional<std::string>& index);

// Which items of a collection, by the sort attribute behind those that are given whole.
struct SortRange {
  std::optional<std::string> begins;
  std::optional<std::string> from;    // this and what is behind it
  std::optional<std::string> to;      // this and what is before it
  std::optional<std::string> after;   // what is behind this
  std::optional<std::string> before;  // what is before this
};

// Partition attributes, then any of the sort attributes that must be equal; a range of the next one. kInvalid
// if words are missing, or DynamoDB has no such range.
Result<std::string> key_condition_of(const KeySchema& key, std::span<const std::string> words,
                                     const SortRange& range, WrittenExpressions& written);

// "a,b.c" and more of them: what is wanted of each item; empty if that is all.
Result<std::string> projection_of(std::span<const std::string> attributes, WrittenExpressions& written);

}  // namespace sheaf::console
