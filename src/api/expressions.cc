#include "api/expressions.h"

#include "base/try.h"

namespace sheaf::api {
namespace {

std::vector<expr::NamePlaceholder> borrow(const Names& names) {
  std::vector<expr::NamePlaceholder> borrowed;
  borrowed.reserve(names.size());
  for (const auto& [placeholder, name] : names)
    borrowed.push_back({.placeholder = placeholder, .name = name});
  return borrowed;
}

template <typename T, typename Parse>
Result<std::optional<T>> parse_if_given(const std::optional<std::string>& text, Parse parse) {
  if (!text) return std::optional<T>();
  return std::optional<T>(TRY(parse(*text)));
}

}  // namespace

Error names_not_wanted() {
  return invalid("ExpressionAttributeNames can only be specified when using expressions");
}

Error values_not_wanted(std::string_view parameters) {
  return invalid("ExpressionAttributeValues can only be specified when using expressions: " +
                 std::string(parameters));
}

ExpressionReader::ExpressionReader(const Names& names, ItemView values)
    : names_(borrow(names)), has_values_(!values.empty()), placeholders_(names_, values) {}

Result<void> ExpressionReader::check_wanted(ExpressionsGiven given, std::string_view parameters) const {
  if (!given.any && !names_.empty()) return names_not_wanted();
  if (!given.with_values && has_values_) return values_not_wanted(parameters);
  return {};
}

Result<std::optional<expr::Condition>> ExpressionReader::condition(const std::optional<std::string>& text,
                                                                   expr::ExpressionKind kind) {
  return parse_if_given<expr::Condition>(
      text, [&](const std::string& given) { return expr::Condition::parse(given, placeholders_, kind); });
}

Result<std::optional<expr::Projection>> ExpressionReader::projection(const std::optional<std::string>& text) {
  return parse_if_given<expr::Projection>(
      text, [&](const std::string& given) { return expr::Projection::parse(given, placeholders_); });
}

Result<std::optional<expr::Update>> ExpressionReader::update(const std::optional<std::string>& text) {
  return parse_if_given<expr::Update>(
      text, [&](const std::string& given) { return expr::Update::parse(given, placeholders_); });
}

Result<std::vector<expr::KeyClause>> ExpressionReader::key_condition(std::string_view text) {
  return expr::parse_key_condition(text, placeholders_);
}

Result<void> check_key_path(const engine::Table& table, const expr::Path& path) {
  if (!path.is_nested()) return {};
  const auto refuse = [&](std::string_view what) {
    return invalid(
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: " +
        std::string(what) + ": " + path.attribute());
  };
  if (engine::contains(table.settings.key, path.attribute())) return refuse("Key");
  for (const engine::IndexSettings& index : table.settings.indexes) {
    if (index.status == IndexStatus::kDeleting) continue;
    if (engine::contains(index.key, path.attribute())) return refuse("IndexKey");
  }
  return {};
}

}  // namespace sheaf::api
