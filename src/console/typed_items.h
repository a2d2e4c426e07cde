// Items as text: plain JSON, or DynamoDB's with a type at every value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/table.h"
#include "sheaf/value.h"

namespace sheaf::console {

enum class JsonForm : uint8_t { kPlain, kDynamo };

// One item. kMalformed or kInvalid, with what is wrong.
Result<Item> item_of(std::string_view text, JsonForm form);
// One value: 10, or {"N":"10"}.
Result<Value> value_of(std::string_view text, JsonForm form);

struct ReadItem {
  Item item;
  size_t line = 0;  // from 1 on, where it begins
};
// One item a line; or one item, or an array of them, over any number of lines. Errors name the line.
Result<std::vector<ReadItem>> items_of(std::string_view text, JsonForm form);

// On one line, without its end.
std::string text_of(ItemView item, JsonForm form);

// Whether it can be put into a table with that key. kInvalid, with the attribute that is missing or of
// another type.
Result<void> check_key(const KeySchema& key, ItemView item);

}  // namespace sheaf::console
