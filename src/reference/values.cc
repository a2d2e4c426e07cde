#include "reference/values.h"

#include <algorithm>
#include <regex>
#include <set>

#include "value/base64.h"

namespace sheaf::reference {
namespace {

using language::Literal;
using TypeKind = language::Type::Kind;

bool is_digits(std::string_view text, size_t from, size_t count) {
  const auto digits = text.substr(from, count);
  return digits.size() == count &&
         std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  if (!is_digits(text, 0, 4) || !is_digits(text, 5, 2) || !is_digits(text, 8, 2)) return false;
  const int year = std::stoi(std::string(text.substr(0, 4))),
            month = std::stoi(std::string(text.substr(5, 2))),
            day = std::stoi(std::string(text.substr(8, 2)));
  if (month < 1 || month > 12 || day < 1) return false;
  const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const int days[] = {31, is_leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return day <= days[month - 1];
}

bool is_time(std::string_view text) {
  return text.size() == 24 && is_date(text.substr(0, 10)) && text[10] == 'T' && is_digits(text, 11, 2) &&
         text.substr(11, 2) < "24" && text[13] == ':' && is_digits(text, 14, 2) &&
         text.substr(14, 2) < "60" && text[16] == ':' && is_digits(text, 17, 2) &&
         text.substr(17, 2) < "60" && text[19] == '.' && is_digits(text, 20, 3) && text[23] == 'Z';
}

bool fits_text(std::string_view text, const language::Type& type) {
  switch (type.kind) {
    case TypeKind::kTime:
      return is_time(text);
    case TypeKind::kDate:
      return is_date(text);
    case TypeKind::kUlid:
      return text.size() == 26 &&
             text.find_first_not_of("0123456789ABCDEFGHJKMNPQRSTVWXYZ") == std::string::npos;
    case TypeKind::kUuid: {
      static const std::regex uuid("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");
      return std::regex_match(std::string(text), uuid);
    }
    case TypeKind::kEnum:
      return std::any_of(type.values.begin(), type.values.end(),
                         [&](const language::Name& name) { return name.text == text; });
    default:
      return true;
  }
}

bool is_whole(NumberView number) {
  const std::string text = number.to_string();
  return text.find_first_of(".E") == std::string::npos;
}

bool is_set(Type type) {
  return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet;
}

Value map_value(const Fields& fields) {
  Item item;
  for (const auto& [name, value] : fields) item.set(name, value);
  return Value(item);
}

std::optional<Value> stored_set(ValueView given, const language::Type& element) {
  if (given.type() != Type::kList || given.list().empty()) return std::nullopt;
  std::set<std::string> seen;
  ValueWriter writer;
  const bool is_numbers = element.kind == TypeKind::kNumber || element.kind == TypeKind::kInt;
  writer.begin_set(is_numbers                          ? Type::kNumberSet
                   : element.kind == TypeKind::kBinary ? Type::kBinarySet
                                                       : Type::kStringSet);
  for (const ValueView each : given.list()) {
    const auto one = stored_value(each, element);
    if (!one) return std::nullopt;
    const std::string bytes(is_numbers ? one->view().number().encoded() : one->view().bytes());
    if (!seen.insert(bytes).second) return std::nullopt;
  }
  for (const std::string& bytes : seen) writer.element(bytes);
  writer.end_set();
  auto made = writer.finish();
  return made.ok() ? std::optional(Value::from_encoded(std::move(*made))) : std::nullopt;
}

std::optional<Value> stored_object(ValueView given, const language::Type& type) {
  if (given.type() != Type::kMap) return std::nullopt;
  Fields fields;
  for (const Attribute part : given.map()) {
    const auto declared =
        std::find_if(type.fields.begin(), type.fields.end(),
                     [&](const language::Field& field) { return field.name.text == part.name; });
    if (declared == type.fields.end()) return std::nullopt;
    if (part.value.type() == Type::kNull && declared->is_optional) continue;
    auto value = stored_value(part.value, declared->type.value_or(language::Type{}));
    if (!value) return std::nullopt;
    fields[std::string(part.name)] = std::move(*value);
  }
  for (const language::Field& field : type.fields) {
    if (fields.contains(field.name.text)) continue;
    if (field.default_value) {
      const language::Type inner = field.type.value_or(language::Type{});
      fields[field.name.text] = literal_value(*field.default_value, inner, "");
    } else if (!field.is_optional) {
      return std::nullopt;
    }
  }
  return map_value(fields);
}

}  // namespace

std::optional<Value> stored_value(ValueView given, const language::Type& type) {
  switch (type.kind) {
    case TypeKind::kAny:
      return Value(given);
    case TypeKind::kNumber:
    case TypeKind::kInt:
      if (given.type() != Type::kNumber || (type.kind == TypeKind::kInt && !is_whole(given.number())))
        return std::nullopt;
      return Value(given);
    case TypeKind::kBool:
      return given.type() == Type::kBool ? std::optional(Value(given)) : std::nullopt;
    case TypeKind::kBinary: {
      std::string bytes;
      if (given.type() == Type::kBinary) return Value(given);
      if (given.type() != Type::kString || !decode_base64(bytes, given.bytes())) return std::nullopt;
      return Value::binary(bytes);
    }
    case TypeKind::kList: {
      if (given.type() != Type::kList) return std::nullopt;
      std::vector<Value> elements;
      for (const ValueView each : given.list()) {
        auto one = stored_value(each, type.element.front());
        if (!one) return std::nullopt;
        elements.push_back(std::move(*one));
      }
      return Value::list(elements);
    }
    case TypeKind::kSet:
      if (is_set(given.type())) return Value(given);
      return stored_set(given, type.element.front());
    case TypeKind::kMap: {
      if (given.type() != Type::kMap) return std::nullopt;
      Fields fields;
      for (const Attribute part : given.map()) {
        auto value = stored_value(part.value, type.element.front());
        if (!value) return std::nullopt;
        fields[std::string(part.name)] = std::move(*value);
      }
      return map_value(fields);
    }
    case TypeKind::kObject:
      return stored_object(given, type);
    default:
      if (given.type() != Type::kString || !fits_text(given.bytes(), type)) return std::nullopt;
      return Value(given);
  }
}

bool fits(ValueView value, const Field& field, const Moment& now) {
  if (!stored_value(value, field.type)) return false;
  if (field.syntax == nullptr) return true;
  const language::Field& syntax = *field.syntax;
  if (syntax.max) {
    const auto max = static_cast<size_t>(syntax.max->value);
    if ((value.type() == Type::kString || value.type() == Type::kBinary) && value.bytes().size() > max)
      return false;
    if (value.type() == Type::kList && value.list().size() > max) return false;
    if (value.type() == Type::kNumber && order_of(Value(value), Value(syntax.max->value)).value_or(0) > 0)
      return false;
  }
  if (syntax.matches && value.type() == Type::kString &&
      !std::regex_match(std::string(value.bytes()), std::regex(syntax.matches->text)))
    return false;
  if (syntax.since && value.type() == Type::kString) {
    const std::string_view text = value.bytes(), since = syntax.since->text;
    if (text.substr(0, since.size()) < since.substr(0, text.size())) return false;
    // The moments that the generator draws are either past or far in the future: the tolerance decides
    // nothing.
    if (text.substr(0, 10) > std::string_view(now).substr(0, 10)) return false;
  }
  return true;
}

std::optional<Value> stored_value(ValueView given, const Field& field, const Moment& now) {
  auto stored = stored_value(given, field.type);
  return stored && fits(*stored, field, now) ? stored : std::nullopt;
}

Value literal_value(const Literal& literal, const language::Type& type, const Moment& now) {
  const auto element = [&] {
    return type.element.empty() ? language::Type{.kind = TypeKind::kAny} : type.element.front();
  };
  Value value;
  switch (literal.kind) {
    case Literal::Kind::kString:
      value = Value(literal.text);
      break;
    case Literal::Kind::kNumber:
      value = Value(*Number::parse(literal.text));
      break;
    case Literal::Kind::kTrue:
      return Value(true);
    case Literal::Kind::kFalse:
      return Value(false);
    case Literal::Kind::kNow:
      return Value(type.kind == TypeKind::kDate ? now.substr(0, 10) : now);
    case Literal::Kind::kNull:
      return Value();
    case Literal::Kind::kList: {
      std::vector<Value> elements;
      for (const Literal& each : literal.items) elements.push_back(literal_value(each, element(), now));
      value = Value::list(elements);
      break;
    }
    case Literal::Kind::kMap: {
      Fields fields;
      for (size_t i = 0; i < literal.items.size(); ++i)
        fields[literal.keys[i]] = literal_value(literal.items[i], {.kind = TypeKind::kAny}, now);
      value = map_value(fields);
      break;
    }
  }
  auto stored = stored_value(value, type);
  return stored ? std::move(*stored) : value;
}

std::optional<int> order_of(const Value& a, const Value& b) {
  if (a == b) return 0;
  const auto order = compare(a, b);
  if (!order) return std::nullopt;
  return *order < 0 ? -1 : *order > 0 ? 1 : 0;
}

int list_order(const std::optional<Value>& a, const std::optional<Value>& b) {
  if (!a || !b) return a ? 1 : b ? -1 : 0;
  return order_of(*a, *b).value_or(0);
}

bool passes(language::Condition::Test test, const std::optional<Value>& found,
            const std::vector<std::optional<Value>>& operands) {
  using Test = language::Condition::Test;
  if (test == Test::kExists) return found.has_value();
  if (test == Test::kMissing) return !found.has_value();
  if (!found) return false;
  if (std::any_of(operands.begin(), operands.end(), [](const auto& each) { return !each; })) return false;
  const auto order = [&](size_t i) { return order_of(*found, *operands[i]); };
  const bool has_order =
      found->type() == Type::kNumber || found->type() == Type::kString || found->type() == Type::kBinary;
  switch (test) {
    case Test::kEqual:
      return *found == *operands[0];
    case Test::kNotEqual:
      return !(*found == *operands[0]);
    case Test::kLess:
      return has_order && order(0) && *order(0) < 0;
    case Test::kLessOrEqual:
      return has_order && order(0) && *order(0) <= 0;
    case Test::kGreater:
      return has_order && order(0) && *order(0) > 0;
    case Test::kGreaterOrEqual:
      return has_order && order(0) && *order(0) >= 0;
    case Test::kBetween:
      return has_order && order(0) && order(1) && *order(0) >= 0 && *order(1) <= 0;
    case Test::kBegins:
      return found->type() == Type::kString && operands[0]->type() == Type::kString &&
             found->view().bytes().starts_with(operands[0]->view().bytes());
    default:
      return std::any_of(operands.begin(), operands.end(), [&](const auto& each) { return *each == *found; });
  }
}

std::optional<Value> inside(std::optional<Value> value, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!value || value->type() != Type::kMap) return std::nullopt;
    const auto member = value->view().map().find(name);
    if (!member) return std::nullopt;
    value = Value(*member);
  }
  return value;
}

Computed compute(const language::Expression& expression,
                 const std::function<std::optional<Value>(const language::Operand&)>& value_of) {
  using Outcome = Computed::Outcome;
  // Terms that are added or subtracted; each is a product.
  std::vector<std::pair<char, Value>> terms;
  std::optional<Value> first = value_of(expression.first);
  if (!first) return {};
  terms.emplace_back('+', *first);
  for (const auto& [mark, operand] : expression.rest) {
    const std::optional<Value> value = value_of(operand);
    if (!value) return {};
    if (value->type() != Type::kNumber || terms.back().second.type() != Type::kNumber)
      return {.outcome = Outcome::kNoNumber};
    if (mark != '*') {
      terms.emplace_back(mark, *value);
      continue;
    }
    const auto product = multiply(terms.back().second.view().number(), value->view().number());
    if (!product.ok()) return {.outcome = Outcome::kTooLarge};
    terms.back().second = Value(*product);
  }
  Value sum = terms.front().second;
  for (size_t i = 1; i < terms.size(); ++i) {
    const NumberView a = sum.view().number(), b = terms[i].second.view().number();
    const auto next = terms[i].first == '+' ? add(a, b) : subtract(a, b);
    if (!next.ok()) return {.outcome = Outcome::kTooLarge};
    sum = Value(*next);
  }
  return {.outcome = Outcome::kValue, .value = std::move(sum)};
}

}  // namespace sheaf::reference
