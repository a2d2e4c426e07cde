// AttributeUpdates.
#include "api/expressions.h"
#include "base/try.h"
#include "wire/legacy.h"
#include "wire/legacy_entries.h"

namespace sheaf::wire {
namespace {

enum UpdateMember : size_t { kAction, kNewValue };

constexpr std::array<std::string_view, 3> kActions = {"ADD", "PUT", "DELETE"};

constexpr Member kUpdateMembers[] = {{"Action", &kString, {.values = kActions}}, {"Value", &kValue}};
constexpr Shape kUpdateShape{.kind = Kind::kStructure,
                             .class_name = "com.amazonaws.dynamodb.v20120810.AttributeValueUpdate",
                             .members = kUpdateMembers};

bool is_set(Type type) {
  return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet;
}

bool can_be_added(Type type) { return is_set(type) || type == Type::kNumber || type == Type::kList; }

Result<expr::UpdateAction> read_action(const Input& input, const LegacyEntry& entry) {
  const Fields fields(entry.json, kUpdateShape);
  const std::string_view action = fields.has(kAction) ? fields.text(kAction) : "PUT";
  expr::Path path{std::string(entry.attribute)};
  if (!fields.has(kNewValue)) {
    if (action == "DELETE") return expr::UpdateAction::remove(std::move(path));
    return invalid_parameter("Only DELETE action is allowed when no attribute value is specified");
  }
  Value value = TRY(input.value(fields.json(kNewValue)));
  const std::string type(type_name(value.type()));
  if (action == "DELETE") {
    if (!is_set(value.type()))
      return invalid_parameter("DELETE action with value is not supported for the type " + type);
    return expr::UpdateAction::take(std::move(path), std::move(value));
  }
  if (action == "ADD") {
    if (!can_be_added(value.type()))
      return invalid_parameter("ADD action is not supported for the type " + type);
    return expr::UpdateAction::add(std::move(path), std::move(value));
  }
  return expr::UpdateAction::set(std::move(path), expr::SetValue::of(value));
}

}  // namespace

constexpr Shape kAttributeUpdateMap{.kind = Kind::kMap, .element = &kUpdateShape};

Result<std::optional<expr::Update>> read_attribute_updates(const Input& input, size_t updates) {
  if (!input.has(updates)) return std::optional<expr::Update>();
  const std::vector<LegacyEntry> entries = TRY(read_entries(input.fields().map(updates)));
  std::vector<expr::UpdateAction> actions;
  for (const LegacyEntry& entry : entries) actions.push_back(TRY(read_action(input, entry)));
  if (actions.empty()) return std::optional<expr::Update>();
  return std::optional(expr::Update::of_actions(std::move(actions), expr::UpdateDialect::kAttributeUpdates));
}

}  // namespace sheaf::wire
