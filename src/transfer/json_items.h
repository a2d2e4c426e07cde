// Items as lines of DynamoDB's JSON.
#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>

#include "sheaf/value.h"

#include "wire/item_reader.h"

namespace sheaf::transfer {

// Reusable; for one thread.
class TypedItemReader {
 public:
  // {"Item":{"pk":{"S":"a"}}} or {"pk":{"S":"a"}}. Where both could be meant, the first is. Beside "Item" may
  // stand what is no attribute, as in what GetItem answers. kInvalid if it is neither, in the API's words.
  Result<Item> read(std::string_view line);
  // {"S":"a"}
  Result<Value> read_value(std::string_view text);

 private:
  Result<wire::Json> parse(std::string_view text);

  simdjson::dom::parser parser_;
  std::string padded_;
  wire::ItemReader reader_;
};

// Whether a line is an item of this form rather than one of plain JSON.
bool looks_typed(std::string_view line);

// Appends {"Item":{...}} and a line end.
void append_export_line(std::string& out, ItemView item);

}  // namespace sheaf::transfer
