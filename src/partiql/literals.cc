#include "partiql/literals.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/errors.h"
#include "base/try.h"

namespace sheaf::partiql {
namespace {

using Kind = Expression::Kind;

// What the grammar calls it.
std::string_view kind_name(const Expression& expression) {
  switch (expression.kind) {
    case Kind::kParameter:
      return "Parameter";
    case Kind::kCall:
      return expression.text;
    case Kind::kName:
      return "VariableReference";
    case Kind::kPath:
      return "Path";
    default:
      return "NAry";
  }
}

// Whether the exponent, and the number of digits behind the point less the exponent, are numbers of 32 bits.
bool has_plain_exponent(std::string_view text) {
  const size_t mark = text.find_first_of("eE");
  const size_t point = text.find('.');
  const std::string_view digits = text.substr(0, mark);
  const int64_t scale = point == std::string_view::npos ? 0 : static_cast<int64_t>(digits.size() - point - 1);
  int64_t exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view written = text.substr(mark + 1);
    if (written.starts_with('+')) written.remove_prefix(1);
    const auto [end, problem] = std::from_chars(written.data(), written.data() + written.size(), exponent);
    if (problem != std::errc() || end != written.data() + written.size()) return false;
  }
  constexpr int64_t kMin = std::numeric_limits<int32_t>::min(), kMax = std::numeric_limits<int32_t>::max();
  const int64_t shift = scale - exponent;
  return exponent >= kMin && exponent <= kMax && shift >= kMin && shift <= kMax;
}

class Folder {
 public:
  explicit Folder(std::span<const Value> parameters) : parameters_(parameters) {}

  Result<void> fold(Expression& expression) {
    switch (expression.kind) {
      case Kind::kNumber:
      case Kind::kList:
      case Kind::kBag:
      case Kind::kStruct:
        return replace(expression, TRY(read(expression)));
      case Kind::kParameter:
        return replace(expression, parameters_[expression.number]);
      case Kind::kIn:
        TRY(fold(expression.parts[0]));
        return expression.parts[1].is(Kind::kList) ? fold_parts(expression.parts[1])
                                                   : fold(expression.parts[1]);
      default:
        return fold_parts(expression);
    }
  }

  Result<void> fold(std::optional<Expression>& expression) {
    return expression ? fold(*expression) : Result<void>();
  }

  Result<void> fold_parts(Expression& expression) {
    for (Expression& part : expression.parts) TRY(fold(part));
    return {};
  }

 private:
  static Result<void> replace(Expression& expression, Value value) {
    expression.kind = Kind::kLiteral;
    expression.value = std::move(value);
    expression.parts.clear();
    return {};
  }

  Result<Value> read(const Expression& expression) {
    ValueWriter writer;
    TRY(write(expression, "root", 0, writer));
    return Value::from_encoded(TRY(writer.finish()));
  }

  Result<void> write(const Expression& expression, const std::string& path, int level, ValueWriter& writer) {
    if (level >= kNestingMax) return invalid("Nesting Levels have exceeded supported limits under " + path);
    switch (expression.kind) {
      case Kind::kLiteral:
        writer.copy(expression.value);
        return {};
      case Kind::kNumber:
        writer.number(TRY(number(expression, path)));
        return {};
      case Kind::kList:
        writer.begin_list();
        for (size_t i = 0; i < expression.parts.size(); ++i)
          TRY(write(expression.parts[i], path + "[" + std::to_string(i) + "]", level + 1, writer));
        writer.end_list();
        return {};
      case Kind::kStruct:
        return write_map(expression, path, level, writer);
      case Kind::kBag:
        return write_set(expression, path, writer);
      default:
        return invalid("Unsupported data type: " + std::string(kind_name(expression)) + " under key " + path +
                       " at " + expression.place.to_string());
    }
  }

  Result<void> write_map(const Expression& map, const std::string& path, int level, ValueWriter& writer) {
    writer.begin_map();
    for (size_t i = 0; i < map.parts.size(); i += 2) {
      const std::string_view name = TRY(attribute_name(map.parts[i]));
      writer.key(name);
      TRY(write(map.parts[i + 1], path + "." + std::string(name), level + 1, writer));
    }
    writer.end_map();
    return {};
  }

  static Result<Number> number(const Expression& expression, const std::string& path) {
    if (!has_plain_exponent(expression.text)) return not_well_formed("");
    Result<Number> read = Number::parse(expression.text);
    if (!read.ok()) return invalid(read.error().message + " under " + path);
    return read;
  }

  // Of strings or of numbers.
  Result<void> write_set(const Expression& bag, const std::string& path, ValueWriter& writer) {
    if (bag.parts.empty()) return invalid("Empty bags are not supported");
    const bool is_numbers = bag.parts[0].is(Kind::kNumber);
    std::vector<std::string> elements;
    std::string written;
    for (const Expression& part : bag.parts) {
      const bool is_string = part.is(Kind::kLiteral) && part.value.type() == Type::kString;
      if (is_numbers ? !part.is(Kind::kNumber) : !is_string) {
        if (part.is(Kind::kParameter)) return write(part, path, 0, writer);
        return invalid(
            "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags");
      }
      elements.push_back(is_numbers ? std::string(TRY(number(part, path)).encoded())
                                    : std::string(part.value.view().bytes()));
      written += (written.empty() ? "" : ", ") + (is_numbers ? part.text : elements.back());
    }
    std::vector<std::string> sorted = elements;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      return invalid("One or more parameter values were invalid: Input collection [" + written +
                     "] contains duplicates" + (is_numbers ? "! under " + path : "."));
    }
    writer.begin_set(is_numbers ? Type::kNumberSet : Type::kStringSet);
    for (const std::string& element : elements) writer.element(element);
    writer.end_set();
    return {};
  }

  static Result<std::string_view> attribute_name(const Expression& name) {
    if (name.is(Kind::kLiteral) && name.value.type() == Type::kString) return name.value.view().bytes();
    return invalid("Unexpected attribute name at " + name.place.to_string());
  }

  std::span<const Value> parameters_;
};

struct StatementFolder {
  Folder& folder;

  Result<void> operator()(Select& select) const {
    for (Expression& projected : select.projected) TRY(folder.fold_parts(projected));
    TRY(folder.fold(select.where));
    return {};
  }
  Result<void> operator()(Insert& insert) const {
    return insert.value.is(Kind::kStruct) ? folder.fold_parts(insert.value) : folder.fold(insert.value);
  }
  Result<void> operator()(UpdateStatement& update) const {
    for (UpdateStatement::Action& action : update.actions) {
      TRY(folder.fold_parts(action.path));
      TRY(folder.fold(action.value));
    }
    return folder.fold(update.where);
  }
  Result<void> operator()(DeleteStatement& statement) const { return folder.fold(statement.where); }
  Result<void> operator()(Exists& exists) const { return (*this)(exists.select); }
  Result<void> operator()(Bare&) const { return {}; }
};

}  // namespace

Result<void> fold_literals(Statement& statement, std::span<const Value> parameters) {
  if (parameters.size() != statement.parameters)
    return invalid("Number of parameters in request and statement don't match.");
  Folder folder(parameters);
  return std::visit(StatementFolder{folder}, statement.what);
}

Result<void> check_number(std::string_view text) {
  const Result<Number> number = Number::parse(text);
  const bool is_number = number.ok() || number.error().message.find("magnitude") != std::string::npos;
  if (is_number && !has_plain_exponent(text))
    return invalid("The parameter cannot be converted to a numeric value: " + std::string(text));
  // The largest exponent, with the leading digit's own place, is one too large for AWS, and turns into a
  // small one.
  const size_t mark = text.find_first_of("eE");
  if (is_number && mark != std::string_view::npos && text.substr(mark + 1) == "2147483647") {
    return invalid(
        "Number underflow. Attempting to store a number with magnitude smaller than supported range");
  }
  return number.ok() ? Result<void>() : Result<void>(number.error());
}

}  // namespace sheaf::partiql
