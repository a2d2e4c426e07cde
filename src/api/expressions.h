// The expressions of one request, read with one set of placeholders.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/request.h"

#include "base/errors.h"
#include "engine/table.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/placeholders.h"
#include "expr/projection.h"
#include "expr/update.h"

namespace sheaf::api {

// Expressions that did not come as text: what the legacy parameters of the JSON protocol say. A request has
// one or the other.
struct LegacyExpressions {
  std::optional<expr::Condition> condition;                   // Expected, QueryFilter, ScanFilter
  std::optional<expr::Update> update;                         // AttributeUpdates
  std::optional<expr::Projection> projection;                 // AttributesToGet
  std::optional<std::vector<expr::KeyClause>> key_condition;  // KeyConditions
};

// Which expressions a request has.
struct ExpressionsGiven {
  bool any = false;
  bool with_values = false;  // any but a projection, in which there is no place for values
};

// Borrows the request's names and values.
class ExpressionReader {
 public:
  ExpressionReader(const Names& names, ItemView values);

  // What must hold before any expression is read. First: placeholders only with something to use them in;
  // `parameters` names the expressions that the operation could have had, for the message. Then: each of them
  // well-formed.
  Result<void> check_wanted(ExpressionsGiven given, std::string_view parameters) const;
  Result<void> check_placeholders() const { return placeholders_.check(); }

  Result<std::optional<expr::Condition>> condition(
      const std::optional<std::string>& text, expr::ExpressionKind kind = expr::ExpressionKind::kCondition);
  Result<std::optional<expr::Projection>> projection(const std::optional<std::string>& text);
  Result<std::optional<expr::Update>> update(const std::optional<std::string>& text);
  Result<std::vector<expr::KeyClause>> key_condition(std::string_view text);

  // After the last expression: error if a placeholder was not used.
  Result<void> end() const { return placeholders_.check_all_used(); }

 private:
  std::vector<expr::NamePlaceholder> names_;
  bool has_values_;
  expr::Placeholders placeholders_;
};

// Key attributes have no parts: error for a path into one, of the table or of an index.
Result<void> check_key_path(const engine::Table& table, const expr::Path& path);

// Placeholders without an expression to use them in; `parameters` names those that there could have been.
Error names_not_wanted();
Error values_not_wanted(std::string_view parameters);

}  // namespace sheaf::api
