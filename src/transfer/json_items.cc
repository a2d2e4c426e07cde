#include "transfer/json_items.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/errors.h"
#include "base/try.h"
#include "value/value_json.h"

namespace sheaf::transfer {
namespace {

using simdjson::dom::object;

constexpr std::array<std::string_view, 10> kTypeNames{"S", "N", "B",  "BOOL", "NULL",
                                                      "M", "L", "SS", "NS",   "BS"};

Result<object> object_in(wire::Json json) {
  object found;
  if (json.get_object().get(found) != simdjson::SUCCESS) return invalid("this is no object of JSON");
  return found;
}

// {"S":...}
bool is_typed_value(wire::Json json) {
  object found;
  if (json.get_object().get(found) != simdjson::SUCCESS || found.size() != 1) return false;
  return std::find(kTypeNames.begin(), kTypeNames.end(), (*found.begin()).key) != kTypeNames.end();
}

bool all_are_typed(object attributes) {
  return std::all_of(attributes.begin(), attributes.end(),
                     [](const auto& attribute) { return is_typed_value(attribute.value); });
}

// The item in {"Item":{...}}.
std::optional<wire::Json> item_inside(object whole) {
  wire::Json inside;
  object attributes;
  if (whole.at_key("Item").get(inside) != simdjson::SUCCESS) return std::nullopt;
  if (inside.get_object().get(attributes) != simdjson::SUCCESS || !all_are_typed(attributes))
    return std::nullopt;
  if (whole.size() > 1 && all_are_typed(whole)) return std::nullopt;
  return inside;
}

}  // namespace

Result<wire::Json> TypedItemReader::parse(std::string_view text) {
  padded_.assign(text);
  padded_.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  wire::Json json;
  // The library's words would be about its calls; whoever knows the line tells it.
  if (parser_.parse(padded_.data(), text.size(), false).get(json) != simdjson::SUCCESS)
    return invalid("this is no JSON");
  return json;
}

Result<Item> TypedItemReader::read(std::string_view line) {
  const wire::Json json = TRY(parse(line));
  const object whole = TRY(object_in(json));
  if (const std::optional<wire::Json> inside = item_inside(whole)) {
    Result<Item> item = reader_.item(*inside);
    if (item.ok() || !is_typed_value(*inside)) return item;
  }
  return reader_.item(json);
}

Result<Value> TypedItemReader::read_value(std::string_view text) { return reader_.value(TRY(parse(text))); }

bool looks_typed(std::string_view line) {
  simdjson::dom::parser parser;
  object whole;
  if (parser.parse(line.data(), line.size(), true).get_object().get(whole) != simdjson::SUCCESS) return false;
  return item_inside(whole) || (whole.size() > 0 && all_are_typed(whole));
}

void append_export_line(std::string& out, ItemView item) {
  out += "{\"Item\":";
  append_json(out, item);
  out += "}\n";
}

}  // namespace sheaf::transfer
