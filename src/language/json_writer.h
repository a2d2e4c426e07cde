// Writes JSON for people: a member a line, two spaces a level.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::language {

class JsonWriter {
 public:
  // `fill()` adds the members, each with member() and then a value.
  template <typename Fill>
  void object(Fill fill) {
    nest('{', '}', fill);
  }
  // `fill()` adds the values.
  template <typename Fill>
  void array(Fill fill) {
    nest('[', ']', fill);
  }
  void member(std::string_view name) {
    text(name);
    out_ += ": ";
    is_behind_name_ = true;
  }
  void text(std::string_view value) {
    begin_value();
    out_ += '"';
    for (const char c : value) append(c);
    out_ += '"';
  }
  // A number, true, false or null.
  void word(std::string_view value) {
    begin_value();
    out_ += value;
  }

  std::string take() { return std::move(out_) + "\n"; }

 private:
  template <typename Fill>
  void nest(char begin, char end, Fill fill) {
    begin_value();
    out_ += begin;
    is_empty_.push_back(true);
    fill();
    const bool is_empty = is_empty_.back();
    is_empty_.pop_back();
    if (!is_empty) new_line();
    out_ += end;
  }

  void begin_value() {
    if (std::exchange(is_behind_name_, false) || is_empty_.empty()) return;
    if (!is_empty_.back()) out_ += ',';
    is_empty_.back() = false;
    new_line();
  }

  void new_line() {
    out_ += '\n';
    out_.append(2 * is_empty_.size(), ' ');
  }

  void append(char c) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    static constexpr std::string_view kShort = "\"\\\b\f\n\r\t";
    static constexpr std::string_view kLetters = "\"\\bfnrt";
    const size_t found = kShort.find(c);
    const auto code = static_cast<unsigned char>(c);
    if (found != std::string_view::npos) {
      out_ += '\\';
      out_ += kLetters[found];
    } else if (code < 0x20) {
      out_ += "\\u00";
      out_ += kDigits[code >> 4];
      out_ += kDigits[code & 15];
    } else {
      out_ += c;
    }
  }

  std::string out_;
  std::vector<bool> is_empty_;  // one a level
  bool is_behind_name_ = false;
};

}  // namespace sheaf::language
