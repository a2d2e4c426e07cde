#include "partiql/paths.h"

#include "base/try.h"
#include "expr/limits.h"

namespace sheaf::partiql {
namespace {

using Kind = Expression::Kind;

Result<expr::PathElement> to_step(const Expression& step) {
  if (step.is(Kind::kName) && !step.is_index) return expr::PathElement(step.text);
  if (!step.is(Kind::kLiteral) || step.value.type() != Type::kNumber)
    return not_well_formed("Invalid path component for simple path");
  const Result<int64_t> index = step.value.view().number().to_int64();
  if (index.ok() && *index >= 0 && *index <= expr::kListIndexMax)
    return expr::PathElement(static_cast<uint32_t>(*index));
  return Error{Code::kInvalid, "List index is not within the allowable range; index: [" +
                                   step.value.view().number().to_string() + "] at " + step.place.to_string()};
}

}  // namespace

bool is_path(const Expression& expression) {
  return expression.is(Kind::kName) || (expression.is(Kind::kPath) && expression.parts[0].is(Kind::kName));
}

Result<expr::Path> to_path(const Expression& expression) {
  if (expression.is(Kind::kName)) return expr::Path(expression.text);
  std::vector<expr::PathElement> steps;
  for (size_t i = 1; i < expression.parts.size(); ++i) steps.push_back(TRY(to_step(expression.parts[i])));
  return expr::Path(expression.parts[0].text, std::move(steps));
}

std::string column_name(const expr::Path& path) {
  std::string name = path.attribute();
  for (const expr::PathElement& step : path.steps()) {
    if (step.is_index()) {
      name += "[" + std::to_string(step.index()) + "]";
    } else {
      name = step.name();
    }
  }
  return name;
}

}  // namespace sheaf::partiql
