#include "model/value_type.h"

#include <algorithm>

namespace sheaf::model {

using language::Literal;
using language::Type;
using Kind = language::Type::Kind;

namespace {

bool fits(std::string_view text, std::string_view shape) {
  if (text.size() != shape.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (shape[i] == '0' ? !is_digit : text[i] != shape[i]) return false;
  }
  return true;
}

int two_digits(std::string_view text, size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); }

constexpr size_t kDigitsMax = 38;

// Without zeros in front and behind.
size_t significant_digits(std::string_view number) {
  std::string digits;
  for (const char c : number) {
    if (c >= '0' && c <= '9' && (c != '0' || !digits.empty())) digits += c;
  }
  const size_t last = digits.find_last_not_of('0');
  return last == std::string::npos ? 0 : last + 1;
}

bool is_whole(std::string_view number) { return number.find('.') == std::string_view::npos; }

bool is_id_text(std::string_view text, Kind kind) {
  if (kind == Kind::kUlid) {
    return text.size() == 26 &&
           text.find_first_not_of("0123456789ABCDEFGHJKMNPQRSTVWXYZ") == std::string_view::npos;
  }
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_dash ? text[i] != '-'
                : std::string_view("0123456789abcdef").find(text[i]) == std::string_view::npos)
      return false;
  }
  return true;
}

std::optional<std::string> text_mismatch(const Literal& literal, const Type& type) {
  const std::string quoted = "\"" + literal.text + "\"";
  switch (type.kind) {
    case Kind::kString:
    case Kind::kBinary:
      return std::nullopt;
    case Kind::kEnum: {
      const bool found = std::any_of(type.values.begin(), type.values.end(),
                                     [&](const language::Name& value) { return value.text == literal.text; });
      if (found) return std::nullopt;
      return quoted + " is none of the values of " + text_of(type);
    }
    case Kind::kTime:
      if (is_time(literal.text)) return std::nullopt;
      return quoted + " is no time: 24 characters in UTC, like \"2026-01-31T12:00:00.000Z\"";
    case Kind::kDate:
      if (is_date(literal.text)) return std::nullopt;
      return quoted + " is no date like \"2026-01-31\"";
    case Kind::kUlid:
    case Kind::kUuid:
      if (is_id_text(literal.text, type.kind)) return std::nullopt;
      return quoted + " is no " + text_of(type);
    default:
      return quoted + " is text, and no " + text_of(type);
  }
}

std::optional<std::string> container_mismatch(const Literal& literal, const Type& type) {
  if (type.kind == Kind::kObject) {
    for (size_t i = 0; i < literal.items.size(); ++i) {
      const auto field =
          std::find_if(type.fields.begin(), type.fields.end(),
                       [&](const language::Field& each) { return each.name.text == literal.keys[i]; });
      if (field == type.fields.end()) return "there is no field " + literal.keys[i] + " in it";
      if (std::optional<std::string> inner = mismatch(literal.items[i], field->type.value_or(Type{})))
        return inner;
    }
    return std::nullopt;
  }
  for (const Literal& item : literal.items) {
    if (std::optional<std::string> inner = mismatch(item, type.element.front())) return inner;
  }
  return std::nullopt;
}

}  // namespace

std::string text_of(const Type& type) {
  switch (type.kind) {
    case Kind::kString:
      return "string";
    case Kind::kNumber:
      return "number";
    case Kind::kInt:
      return "int";
    case Kind::kBool:
      return "bool";
    case Kind::kBinary:
      return "binary";
    case Kind::kTime:
      return "time";
    case Kind::kDate:
      return "date";
    case Kind::kUlid:
      return "ulid";
    case Kind::kUuid:
      return "uuid";
    case Kind::kAny:
      return "any";
    case Kind::kList:
      return "list<" + text_of(type.element.front()) + ">";
    case Kind::kMap:
      return "map<" + text_of(type.element.front()) + ">";
    case Kind::kSet:
      return "set<" + text_of(type.element.front()) + ">";
    case Kind::kEnum: {
      std::string out = "enum(";
      for (size_t i = 0; i < type.values.size(); ++i) out += (i > 0 ? ", " : "") + type.values[i].text;
      return out + ")";
    }
    case Kind::kObject: {
      std::string out = "{ ";
      for (size_t i = 0; i < type.fields.size(); ++i) {
        out += (i > 0 ? "; " : "") + type.fields[i].name.text + " " +
               text_of(type.fields[i].type.value_or(Type{}));
        if (type.fields[i].is_optional) out += "?";
      }
      return out + " }";
    }
  }
  return {};
}

bool is_textual(const Type& type) {
  return type.kind == Kind::kString || type.kind == Kind::kEnum || type.kind == Kind::kTime ||
         type.kind == Kind::kDate || type.kind == Kind::kUlid || type.kind == Kind::kUuid;
}

bool is_numeric(const Type& type) { return type.kind == Kind::kNumber || type.kind == Kind::kInt; }

bool is_scalar(const Type& type) {
  return is_textual(type) || is_numeric(type) || type.kind == Kind::kBool || type.kind == Kind::kBinary;
}

bool has_order(const Type& type) {
  return is_textual(type) || is_numeric(type) || type.kind == Kind::kBinary;
}

bool may_be_key(const Type& type) { return is_scalar(type); }

bool is_fixed_width(const Type& type) {
  return type.kind == Kind::kTime || type.kind == Kind::kDate || type.kind == Kind::kUlid ||
         type.kind == Kind::kUuid;
}

bool are_comparable(const Type& a, const Type& b) {
  if (a.kind == Kind::kAny || b.kind == Kind::kAny) return true;
  if (a.kind == Kind::kEnum && b.kind == Kind::kEnum) {
    return std::all_of(a.values.begin(), a.values.end(), [&](const language::Name& value) {
      return std::find(b.values.begin(), b.values.end(), value) != b.values.end();
    });
  }
  if (is_textual(a) && is_textual(b)) {
    return a.kind == b.kind || a.kind == Kind::kString || b.kind == Kind::kString;
  }
  if (is_numeric(a) && is_numeric(b)) return true;
  if (a.kind != b.kind) return false;
  return a.element.empty() || are_comparable(a.element.front(), b.element.front());
}

bool is_date(std::string_view text) {
  if (!fits(text, "0000-00-00")) return false;
  const int month = two_digits(text, 5), day = two_digits(text, 8);
  if (month < 1 || month > 12 || day < 1) return false;
  const int year = two_digits(text, 0) * 100 + two_digits(text, 2);
  const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return day <= kDays[month - 1] + (month == 2 && is_leap ? 1 : 0);
}

bool is_time(std::string_view text) {
  return fits(text, "0000-00-00T00:00:00.000Z") && is_date(text.substr(0, 10)) && two_digits(text, 11) < 24 &&
         two_digits(text, 14) < 60 && two_digits(text, 17) < 60;
}

std::optional<std::string> mismatch(const Literal& literal, const Type& type) {
  if (type.kind == Kind::kAny) return std::nullopt;
  const auto wrong = [&](std::string_view what) { return std::string(what) + " is no " + text_of(type); };
  switch (literal.kind) {
    case Literal::Kind::kString:
      return text_mismatch(literal, type);
    case Literal::Kind::kNumber:
      if (significant_digits(literal.text) > kDigitsMax)
        return literal.text + " has more than the " + std::to_string(kDigitsMax) +
               " digits that a number can have";
      if (!is_numeric(type)) return wrong(literal.text);
      if (type.kind == Kind::kInt && !is_whole(literal.text)) return literal.text + " is no whole number";
      return std::nullopt;
    case Literal::Kind::kTrue:
    case Literal::Kind::kFalse:
      if (type.kind == Kind::kBool) return std::nullopt;
      return wrong(literal.kind == Literal::Kind::kTrue ? "true" : "false");
    case Literal::Kind::kNull:
      return wrong("null");
    case Literal::Kind::kNow:
      if (type.kind == Kind::kTime || type.kind == Kind::kDate || is_numeric(type)) return std::nullopt;
      return wrong("now");
    case Literal::Kind::kList:
      if (type.kind == Kind::kList || type.kind == Kind::kSet) return container_mismatch(literal, type);
      return wrong("a list");
    case Literal::Kind::kMap:
      if (type.kind == Kind::kMap || type.kind == Kind::kObject) return container_mismatch(literal, type);
      return wrong("a map");
  }
  return std::nullopt;
}

}  // namespace sheaf::model
