#include "language/json_tree.h"

#include <simdjson.h>

#include <algorithm>
#include <unordered_set>

#include "base/try.h"

namespace sheaf::language {
namespace {

namespace ondemand = simdjson::ondemand;

Error no_json(std::string_view reason) {
  return {Code::kInvalid, "$: this is no JSON: " + std::string(reason)};
}

// Where this was, read_json says: the library's own words are for those who call it.
Result<void> check(simdjson::error_code code) {
  if (code != simdjson::SUCCESS) return Error{Code::kMalformed, ""};
  return {};
}

Error no_json_from(std::string_view text, size_t place) {
  const std::string_view before = text.substr(0, place);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t column = place - (before.rfind('\n') + 1) + 1;
  return no_json("it goes wrong at line " + std::to_string(line) + ", column " + std::to_string(column));
}

template <typename T>
Result<T> checked(simdjson::simdjson_result<T> result) {
  T value;
  TRY(check(std::move(result).get(value)));
  return value;
}

std::string_view without_json_space(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

// -1.5e+10
bool is_json_number(std::string_view text) {
  const auto take = [&](char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
  };
  const auto take_digits = [&] {
    const size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
  };
  take('-');
  const bool begins_with_zero = text.starts_with('0');
  const size_t whole = take_digits();
  if (whole == 0 || (begins_with_zero && whole > 1)) return false;
  if (take('.') && take_digits() == 0) return false;
  if (take('e') || take('E')) {
    if (!take('+')) take('-');
    if (take_digits() == 0) return false;
  }
  return text.empty();
}

Result<Json> tree_of(ondemand::value value, int level);

Result<void> add_items(ondemand::value value, int level, Json& json) {
  ondemand::array array = TRY(checked(value.get_array()));
  for (auto item : array) json.items.push_back(TRY(tree_of(TRY(checked(item)), level + 1)));
  return {};
}

Result<void> add_members(ondemand::value value, int level, Json& json) {
  ondemand::object object = TRY(checked(value.get_object()));
  for (auto member : object) {
    ondemand::field field = TRY(checked(std::move(member)));
    json.names.emplace_back(TRY(checked(field.unescaped_key())));
    json.items.push_back(TRY(tree_of(field.value(), level + 1)));
  }
  return {};
}

Result<Json> tree_of(ondemand::value value, int level) {
  if (level > kJsonLevelsMax) {
    return Error{Code::kInvalid,
                 "$: this is nested more than " + std::to_string(kJsonLevelsMax) + " levels deep"};
  }
  Json json;
  switch (TRY(checked(value.type()))) {
    case ondemand::json_type::array:
      json.kind = Json::Kind::kArray;
      TRY(add_items(value, level, json));
      return json;
    case ondemand::json_type::object:
      json.kind = Json::Kind::kObject;
      TRY(add_members(value, level, json));
      return json;
    case ondemand::json_type::string:
      json.kind = Json::Kind::kString;
      json.text = TRY(checked(value.get_string()));
      return json;
    case ondemand::json_type::number:
    case ondemand::json_type::boolean:
    case ondemand::json_type::null:
      break;
  }
  // simdjson does not look at these before they are asked for.
  const std::string_view token = without_json_space(value.raw_json_token());
  if (is_json_number(token)) {
    json.kind = Json::Kind::kNumber;
    json.text = token;
  } else if (token == "true") {
    json.kind = Json::Kind::kTrue;
  } else if (token == "false") {
    json.kind = Json::Kind::kFalse;
  } else if (token == "null") {
    json.kind = Json::Kind::kNull;
  } else {
    return no_json(std::string(token.substr(0, 40)) + " means nothing");
  }
  return json;
}

}  // namespace

Result<Json> read_json(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return no_json("it is empty");
  if (text[begin] != '{' && text[begin] != '[') return no_json("it begins with neither { nor [");
  const simdjson::padded_string padded(text);
  ondemand::parser parser;
  ondemand::document document;
  const simdjson::error_code code = parser.iterate(padded).get(document);
  if (code == simdjson::UTF8_ERROR) return no_json("it is no UTF-8");
  if (code == simdjson::UNCLOSED_STRING) return no_json("a text in it has no end");
  if (code != simdjson::SUCCESS) return no_json("it cannot be read");
  ondemand::value value;
  Result<Json> read = Error{Code::kMalformed, ""};
  if (document.get_value().get(value) == simdjson::SUCCESS) read = tree_of(value, 0);
  if (!read.ok() && read.error().code == Code::kMalformed) {
    const char* place = nullptr;
    if (document.current_location().get(place) != simdjson::SUCCESS) return no_json("it ends too early");
    return no_json_from(text, static_cast<size_t>(place - padded.data()));
  }
  Json json = TRY(std::move(read));
  if (document.current_location().error() != simdjson::OUT_OF_BOUNDS)
    return no_json("there is something behind its end");
  return json;
}

std::string JsonPlace::path() const {
  if (outer_ == nullptr) return "$";
  const std::string outer = outer_->path();
  if (outer_->kind() == Json::Kind::kArray) return outer + "[" + std::to_string(index_) + "]";
  return outer + "." + outer_->json_->names[index_];
}

Error JsonPlace::error(std::string_view message) const {
  return {Code::kInvalid, path() + ": " + std::string(message)};
}

Result<JsonMembers> JsonMembers::of(const JsonPlace& place) {
  if (place.kind() != Json::Kind::kObject) return place.error("this must be an object");
  std::unordered_set<std::string_view> names;
  for (size_t i = 0; i < place.size(); ++i) {
    if (!names.insert(place.json().names[i]).second) return place.at(i).error("this member is there twice");
  }
  return JsonMembers(place);
}

bool JsonMembers::has(std::string_view name) const {
  const std::vector<std::string>& names = place_->json().names;
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<JsonPlace> JsonMembers::find(std::string_view name) {
  const std::vector<std::string>& names = place_->json().names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  const auto i = static_cast<size_t>(found - names.begin());
  is_known_[i] = true;
  return place_->at(i);
}

Result<JsonPlace> JsonMembers::get(std::string_view name) {
  const std::optional<JsonPlace> found = find(name);
  if (!found) return place_->error("the member " + std::string(name) + " is missing");
  return *found;
}

Result<void> JsonMembers::finish() const {
  for (size_t i = 0; i < is_known_.size(); ++i) {
    if (!is_known_[i]) return place_->at(i).error("a member of this name has no meaning here");
  }
  return {};
}

}  // namespace sheaf::language
