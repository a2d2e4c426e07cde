// Reading the JSON of answers. An endpoint may leave out and add what it likes; but a member of another type
// than DynamoDB gives it makes the whole answer unreadable, rather than being taken for something that it is
// not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "wire/item_reader.h"

namespace sheaf::remote {

using wire::Json;

// What is read of one answer, and the first thing that could not be.
class AnswerReader {
 public:
  // "Query": for messages.
  explicit AnswerReader(std::string_view operation) : operation_(operation) {}
  AnswerReader(const AnswerReader&) = delete;
  AnswerReader& operator=(const AnswerReader&) = delete;

  // A map of attribute values; an empty one if it is none.
  Item item(Json json) {
    if (!json.is_object()) return note("an item is no object"), Item();
    Result<Item> read = items_.item(json);
    if (!read.ok()) return note("an item cannot be read: " + read.error().message), Item();
    return std::move(*read);
  }

  void note(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

  // `value`, if nothing was wrong; otherwise kCorrupt.
  template <typename T>
  Result<T> finish(T value) const {
    if (problem_.empty()) return value;
    return Error{Code::kCorrupt, "the answer of " + std::string(operation_) + " cannot be read: " + problem_};
  }

 private:
  const std::string_view operation_;
  wire::ItemReader items_;
  std::string problem_;
};

// The members of an object. What is not there, or null, is what is returned without it.
class Members {
 public:
  // None if it is no object.
  Members(AnswerReader& reader, Json json) : reader_(&reader) {
    if (json.get(object_) == simdjson::SUCCESS) {
      is_there_ = true;
    } else {
      reader.note("something is no object");
    }
  }

  bool has(std::string_view name) const { return find(name).has_value(); }

  std::string text(std::string_view name) const {
    std::string_view value;
    read(name, value);
    return std::string(value);
  }
  bool flag(std::string_view name) const {
    bool value = false;
    read(name, value);
    return value;
  }
  double number(std::string_view name) const {
    double value = 0;
    read(name, value);
    return value;
  }
  // Some write 5 as 5.0.
  int64_t integer(std::string_view name) const {
    const std::optional<Json> json = find(name);
    int64_t value = 0;
    if (!json || json->get(value) == simdjson::SUCCESS) return value;
    const double rounded = number(name);
    return rounded > -9e18 && rounded < 9e18 ? static_cast<int64_t>(rounded) : 0;
  }
  // A time in seconds since 1970, as microseconds.
  int64_t time_us(std::string_view name) const {
    const double seconds = number(name);
    return seconds > 0 && seconds < 9e12 ? static_cast<int64_t>(seconds * 1e3 + 0.5) * 1000 : 0;
  }
  std::optional<Item> item(std::string_view name) const {
    const std::optional<Json> json = find(name);
    if (!json) return std::nullopt;
    return reader_->item(*json);
  }
  std::optional<Members> object(std::string_view name) const {
    const std::optional<Json> json = find(name);
    if (!json) return std::nullopt;
    return Members(*reader_, *json);
  }
  // Calls `take(json)` with each element of a list.
  template <typename Take>
  void list(std::string_view name, Take take) const {
    simdjson::dom::array array;
    if (!read(name, array)) return;
    for (const Json element : array) take(element);
  }
  // The same with the members of each.
  template <typename Take>
  void objects(std::string_view name, Take take) const {
    list(name, [&](Json element) { take(Members(*reader_, element)); });
  }
  // Calls `take(name, json)` with each entry of a map.
  template <typename Take>
  void map(std::string_view name, Take take) const {
    simdjson::dom::object entries;
    if (!read(name, entries)) return;
    for (const auto& [key, json] : entries) take(std::string(key), json);
  }

  AnswerReader& reader() const { return *reader_; }

 private:
  std::optional<Json> find(std::string_view name) const {
    Json json;
    if (!is_there_ || object_[name].get(json) != simdjson::SUCCESS || json.is_null()) return std::nullopt;
    return json;
  }
  template <typename T>
  bool read(std::string_view name, T& value) const {
    const std::optional<Json> json = find(name);
    if (!json) return false;
    if (json->get(value) == simdjson::SUCCESS) return true;
    reader_->note(std::string(name) + " is of another type");
    return false;
  }

  AnswerReader* reader_;
  simdjson::dom::object object_;
  bool is_there_ = false;
};

}  // namespace sheaf::remote
