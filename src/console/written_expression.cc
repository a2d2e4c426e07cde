#include "console/written_expression.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "base/errors.h"
#include "base/try.h"
#include "expr/reserved_words.h"
#include "run/plain_json.h"
#include "value/utf8.h"

namespace sheaf::console {
namespace {

constexpr const char* kSetForm = "a set is written <<'a', 'b'>> or <<1, 2>>";

bool begins_word(char letter) {
  return std::isalpha(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool goes_on_with_word(char letter) { return begins_word(letter) || is_digit(letter); }

bool is_same_word(std::string_view word, std::string_view capitals) {
  return std::equal(word.begin(), word.end(), capitals.begin(), capitals.end(), [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) == static_cast<unsigned char>(b);
  });
}

bool is_operator_word(std::string_view word) {
  for (const std::string_view each : {"AND", "OR", "NOT", "BETWEEN", "IN"})
    if (is_same_word(word, each)) return true;
  return false;
}

// Walks over an expression and writes it anew.
class Rewriter {
 public:
  Rewriter(std::string_view text, bool has_pairs, WrittenExpressions& written)
      : text_(text), has_pairs_(has_pairs), written_(written) {}

  Result<std::string> run() {
    while (place_ < text_.size()) TRY(step());
    return std::move(out_);
  }

 private:
  char letter(size_t ahead = 0) const { return place_ + ahead < text_.size() ? text_[place_ + ahead] : '\0'; }

  Result<void> step() {
    const char now = letter();
    if (begins_word(now)) return word();
    if (now == '`') return quoted_name();
    if (now == '#' || now == ':') return placeholder();
    const bool is_negative = now == '-' && is_digit(letter(1)) && (has_pairs_ || !is_behind_operand_);
    if (is_digit(now) || is_negative) return number();
    if (now == '\'' || now == '"') return put(TRY(quoted_text()));
    if (now == '{' || (now == '[' && !is_behind_operand_)) return json();
    if (now == '[') return position();
    if (now == '<' && letter(1) == '<') return set();
    if (now == ')') is_behind_operand_ = true;
    if (std::string_view("=<>,(+-").find(now) != std::string_view::npos) is_behind_operand_ = false;
    out_ += now;
    ++place_;
    return {};
  }

  Result<void> put(const Value& value) {
    out_ += written_.value(value);
    is_behind_operand_ = true;
    return {};
  }

  std::string_view taken(size_t length) {
    const std::string_view all = text_.substr(place_, length);
    place_ += all.size();
    return all;
  }

  Result<void> word() {
    size_t length = 1;
    while (goes_on_with_word(letter(length))) ++length;
    const std::string_view word = taken(length);
    size_t behind = 0;
    while (letter(behind) == ' ') ++behind;
    const bool is_part = !out_.empty() && out_.back() == '.';
    if (letter(behind) == '(' || (!is_part && is_operator_word(word))) {
      out_ += word;
      is_behind_operand_ = false;
      return {};
    }
    if (!is_part && letter(behind) != '.') {
      if (is_same_word(word, "TRUE")) return put(Value(true));
      if (is_same_word(word, "FALSE")) return put(Value(false));
      if (is_same_word(word, "NULL")) return put(Value());
    }
    out_ += expr::is_reserved_word(word) || word.front() == '_' ? written_.name(word) : std::string(word);
    is_behind_operand_ = true;
    return {};
  }

  Result<void> quoted_name() {
    const size_t end = text_.find('`', place_ + 1);
    if (end == std::string_view::npos) return wrong("a name that begins with ` has no end");
    out_ += written_.name(text_.substr(place_ + 1, end - place_ - 1));
    place_ = end + 1;
    is_behind_operand_ = true;
    return {};
  }

  Result<void> placeholder() {
    size_t length = 1;
    while (goes_on_with_word(letter(length))) ++length;
    out_ += taken(length);
    is_behind_operand_ = true;
    return {};
  }

  Result<void> number() {
    size_t length = letter() == '-' ? 1 : 0;
    while (is_digit(letter(length)) || letter(length) == '.') ++length;
    if (letter(length) == 'e' || letter(length) == 'E') {
      const size_t sign = letter(length + 1) == '+' || letter(length + 1) == '-' ? 2 : 1;
      if (is_digit(letter(length + sign))) length += sign;
      while (is_digit(letter(length))) ++length;
    }
    return put(Value(TRY(number_of(taken(length)))));
  }

  Result<Number> number_of(std::string_view text) const {
    const Result<Number> number = Number::parse(text);
    if (!number.ok()) return wrong(std::string(text) + ": " + number.error().message);
    return *number;
  }

  // A quote in a text is doubled.
  Result<Value> quoted_text() {
    const char quote = letter();
    std::string text;
    for (++place_; place_ < text_.size(); ++place_) {
      if (letter() == quote && letter(1) != quote) {
        ++place_;
        if (!is_utf8(text)) return wrong("a text is no UTF-8");
        return Value(text);
      }
      if (letter() == quote) ++place_;
      text += letter();
    }
    return wrong("a text that begins with " + std::string(1, quote) + " has no end");
  }

  // a[0] stays.
  Result<void> position() {
    const size_t end = std::min(text_.find(']', place_), text_.size() - 1);
    out_ += taken(end - place_ + 1);
    is_behind_operand_ = true;
    return {};
  }

  Result<void> json() {
    const size_t begin = place_;
    size_t depth = 0;
    bool is_text = false;
    for (; place_ < text_.size(); ++place_) {
      const char now = letter();
      if (is_text) {
        if (now == '\\') ++place_;
        is_text = now != '"';
        continue;
      }
      is_text = now == '"';
      if (now == '{' || now == '[') ++depth;
      if ((now == '}' || now == ']') && --depth == 0) break;
    }
    if (place_ >= text_.size()) return wrong("a value that begins with { or [ has no end");
    ++place_;
    const std::string_view all = text_.substr(begin, place_ - begin);
    const Result<Value> value = run::from_plain_json(all);
    if (!value.ok()) return wrong(std::string(all) + ": " + value.error().message);
    return put(*value);
  }

  void skip_spaces() {
    while (letter() == ' ' && place_ < text_.size()) ++place_;
  }

  Result<void> set() {
    place_ += 2;
    std::vector<Value> elements;
    for (skip_spaces();; skip_spaces()) {
      if (letter() == '\'' || letter() == '"') {
        elements.push_back(TRY(quoted_text()));
      } else {
        size_t length = 0;
        while (goes_on_with_word(letter(length)) || letter(length) == '-' || letter(length) == '+' ||
               letter(length) == '.')
          ++length;
        if (length == 0) return wrong(kSetForm);
        elements.push_back(Value(TRY(number_of(taken(length)))));
      }
      skip_spaces();
      if (letter() != ',') break;
      ++place_;
    }
    if (letter() != '>' || letter(1) != '>') return wrong(kSetForm);
    place_ += 2;
    return put(TRY(set_of(elements)));
  }

  Result<Value> set_of(const std::vector<Value>& elements) const {
    const Type type = elements.front().type();
    ValueWriter writer;
    writer.begin_set(type == Type::kString ? Type::kStringSet : Type::kNumberSet);
    for (const Value& element : elements) {
      if (element.type() != type) return wrong("all of a set are texts, or all are numbers");
      writer.element(type == Type::kString ? element.view().bytes() : element.view().number().encoded());
    }
    writer.end_set();
    Result<std::string> encoded = writer.finish();
    if (!encoded.ok()) return wrong(encoded.error().message);
    return Value::from_encoded(std::move(*encoded));
  }

  Error wrong(const std::string& why) const { return invalid("in " + std::string(text_) + ": " + why); }

  const std::string_view text_;
  const bool has_pairs_;
  WrittenExpressions& written_;
  size_t place_ = 0;
  bool is_behind_operand_ = false;
  std::string out_;
};

// The two sides of "a=b".
std::optional<std::pair<std::string_view, std::string_view>> sides_of(std::string_view text, char begin) {
  const size_t place = text.find('=');
  if (place == std::string_view::npos || place < 2 || text.front() != begin) return std::nullopt;
  return std::pair(text.substr(0, place), text.substr(place + 1));
}

}  // namespace

Result<std::string> WrittenExpressions::add(std::string_view text, Kind kind) {
  return Rewriter(text, kind == Kind::kPairs, *this).run();
}

std::string WrittenExpressions::name(std::string_view name) {
  for (const auto& [placeholder, known] : names_)
    if (known == name && placeholder.starts_with("#sheaf")) return placeholder;
  std::string placeholder = "#sheaf" + std::to_string(++name_count_);
  names_.emplace_back(placeholder, name);
  return placeholder;
}

std::string WrittenExpressions::value(ValueView value) {
  std::string placeholder = ":sheaf" + std::to_string(++value_count_);
  values_.set(placeholder, value);
  return placeholder;
}

Result<void> add_given_value(Item& values, std::string_view text) {
  const auto sides = sides_of(text, ':');
  if (!sides) return invalid("--value " + std::string(text) + ": it wants :name=value, as in :min=10");
  Result<Value> value = run::from_plain_json(sides->second);
  if (!value.ok() && !is_utf8(sides->second)) return invalid("--value: this is no UTF-8");
  values.set(sides->first, value.ok() ? value->view() : Value(sides->second).view());
  return {};
}

Result<void> add_given_name(Names& names, std::string_view text) {
  const auto sides = sides_of(text, '#');
  if (!sides) return invalid("--name " + std::string(text) + ": it wants #name=attribute, as in #s=status");
  names.emplace_back(sides->first, sides->second);
  return {};
}

}  // namespace sheaf::console
