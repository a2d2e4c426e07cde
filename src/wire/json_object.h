// Writing JSON objects and lists of an answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "value/value_json.h"
#include "wire/answer.h"

namespace sheaf::wire {

// An object being appended to a text, member by member; closed when this goes out of scope. Members' names
// need no escaping.
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }
  ~JsonObject() { out_ += '}'; }
  JsonObject(const JsonObject&) = delete;
  JsonObject& operator=(const JsonObject&) = delete;

  // The text, for the value of a member to be appended.
  std::string& member(std::string_view name) {
    if (!first_) out_ += ',';
    first_ = false;
    out_ += '"';
    out_ += name;
    out_ += "\":";
    return out_;
  }
  void text(std::string_view name, std::string_view value) { append_json_string(member(name), value); }
  void integer(std::string_view name, int64_t value) { member(name) += std::to_string(value); }
  void flag(std::string_view name, bool value) { member(name) += value ? "true" : "false"; }
  // A time: seconds since 1970, to the millisecond.
  void time(std::string_view name, int64_t time_us) {
    const int64_t time_ms = time_us / 1000;
    const std::string fraction = std::to_string(1000 + time_ms % 1000);
    member(name) += std::to_string(time_ms / 1000) + '.' + fraction.substr(1);
  }

 private:
  std::string& out_;
  bool first_ = true;
};

// {...}: `fill(object)` adds its members.
template <typename Fill>
Answer object_answer(Fill fill) {
  Answer answer;
  {
    JsonObject object(answer.body);
    fill(object);
  }
  return answer;
}

// Appends a list; `append(element)` appends each of its elements.
template <typename Elements, typename Append>
void append_json_list(std::string& out, const Elements& elements, Append append) {
  out += '[';
  bool first = true;
  for (const auto& element : elements) {
    if (!first) out += ',';
    first = false;
    append(element);
  }
  out += ']';
}

}  // namespace sheaf::wire
