#include "console/typed_items.h"

#include <simdjson.h>

#include <algorithm>

#include "base/errors.h"
#include "base/try.h"
#include "run/plain_json.h"
#include "wire/item_reader.h"
#include "wire/shape.h"

namespace sheaf::console {
namespace {

Error no_object() { return invalid("an item is a JSON object: {\"name\": value, ...}"); }

Result<Item> dynamo_item(wire::Json json) {
  if (!json.is_object()) return no_object();
  for (const auto& [name, value] : wire::object_of(json)) {
    if (!value.is_object())
      return invalid(std::string(name) + ": in DynamoDB's JSON each value has its type: {\"S\": \"text\"}");
  }
  wire::ItemReader reader;
  return reader.item(json);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

Error at_line(size_t line, const Error& error) {
  return {error.code, "line " + std::to_string(line) + ": " + error.message};
}

Result<std::vector<ReadItem>> by_lines(std::string_view text, JsonForm form) {
  std::vector<ReadItem> items;
  for (size_t line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view one = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (one.empty()) continue;
    Result<Item> item = item_of(one, form);
    if (!item.ok()) return at_line(line, item.error());
    items.push_back({.item = std::move(*item), .line = line});
  }
  return items;
}

Result<std::vector<ReadItem>> of_array(std::string_view text, JsonForm form) {
  std::vector<ReadItem> items;
  if (form == JsonForm::kPlain) {
    const Value all = TRY(run::from_plain_json(text));
    for (const ValueView each : all.view().list()) {
      if (each.type() != Type::kMap) return no_object();
      items.push_back({.item = Item(each.map()), .line = 1});
    }
    return items;
  }
  simdjson::dom::parser parser;
  wire::Json json;
  if (parser.parse(text).get(json) || !json.is_array()) return invalid("this is no JSON");
  for (const wire::Json each : wire::array_of(json)) {
    Item item = TRY(dynamo_item(each));
    items.push_back({.item = std::move(item), .line = 1});
  }
  return items;
}

}  // namespace

Result<Item> item_of(std::string_view text, JsonForm form) {
  if (form == JsonForm::kPlain) {
    if (!trimmed(text).starts_with('{')) return no_object();
    const Value value = TRY(run::from_plain_json(text));
    if (value.type() != Type::kMap) return no_object();
    return Item(value.view().map());
  }
  simdjson::dom::parser parser;
  wire::Json json;
  if (parser.parse(text).get(json)) return Error{Code::kMalformed, "this is no JSON"};
  return dynamo_item(json);
}

Result<Value> value_of(std::string_view text, JsonForm form) {
  if (form == JsonForm::kPlain) return run::from_plain_json(text);
  simdjson::dom::parser parser;
  wire::Json json;
  if (parser.parse(text).get(json) || !json.is_object())
    return invalid("in DynamoDB's JSON each value has its type: {\"S\": \"text\"}");
  wire::ItemReader reader;
  return reader.value(json);
}

Result<std::vector<ReadItem>> items_of(std::string_view text, JsonForm form) {
  const std::string_view all = trimmed(text);
  if (all.starts_with('[')) return of_array(all, form);
  Result<std::vector<ReadItem>> items = by_lines(text, form);
  if (items.ok()) return items;
  // One item over several lines, as people write it. If it is none, the line is what helps.
  Result<Item> whole = item_of(all, form);
  if (!whole.ok()) return items;
  std::vector<ReadItem> one;
  one.push_back({.item = std::move(*whole), .line = 1});
  return one;
}

std::string text_of(ItemView item, JsonForm form) {
  return form == JsonForm::kPlain ? run::to_plain_json(Value(Item(item))) : item.to_json();
}

namespace {

// {"S": "a"} where a text should be.
bool is_typed_value(ValueView value) {
  if (value.type() != Type::kMap || value.map().size() != 1) return false;
  const Attribute only = *value.map().begin();
  return only.value.type() == Type::kString && (only.name == "S" || only.name == "N" || only.name == "B");
}

}  // namespace

Result<void> check_key(const KeySchema& key, ItemView item) {
  for (const auto* side : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *side) {
      const std::optional<ValueView> value = item.find(attribute.name);
      if (!value) return invalid("the item has no " + attribute.name + ", which is of the table's key");
      if (value->type() == attribute.type) continue;
      return invalid(attribute.name + " is of the table's key and of type " +
                     std::string(type_name(attribute.type)) + ", and not " +
                     std::string(type_name(value->type())) +
                     (is_typed_value(*value) ? "; if this is DynamoDB's JSON, add --dynamodb-json" : ""));
    }
  }
  return {};
}

}  // namespace sheaf::console
