#include "measure/basic_plans.h"

#include <vector>

#include "language/syntax_text.h"
#include "plan/operation_plan.h"

namespace sheaf::measure {
namespace {

constexpr const char* kTriedName = "triedHere";

std::vector<std::string> dotted_parts(const std::string& name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// The operation as a model declares it; empty if it is one that every layout can.
std::string declared_text(const model::Model& model, const std::vector<std::string>& parts) {
  const std::string head = std::string("op ") + kTriedName;
  if (parts[0] == "delete") return head + "(x: `" + parts[1] + "`) = delete $x";
  if (parts.size() != 3) return "";
  const auto entity = model.find_entity(parts[1]);
  const auto end = entity ? model.find_end(*entity, parts[2]) : std::nullopt;
  if (!end) return "";
  const std::string& target = model.entities[model.end(*end).target].name;
  const std::string both = head + "(x: `" + parts[1] + "`, y: `" + target + "`) = ";
  const std::string path = "$x.`" + parts[2] + "`";
  if (parts[0] == "move") return both + "set " + path + " = $y";
  return both + parts[0] + " " + path + " $y";
}

}  // namespace

std::optional<std::string> basic_refusal(const PlannedLayout& layout, const std::string& name) {
  const std::string operation = declared_text(layout.model(), dotted_parts(name));
  if (operation.empty()) return std::nullopt;
  std::string text = language::to_text(layout.model().syntax());
  text.insert(text.rfind('}'), operation + "\n");
  const model::CompiledModel compiled = model::compile("tried.sheaf", text);
  const model::Layout* const stored = compiled.find_layout(layout.stored().name);
  const model::Operation* const tried = compiled.model.find_operation(kTriedName);
  if (!compiled.ok() || stored == nullptr || tried == nullptr) return std::nullopt;
  const auto planned = plan::plan_operation(compiled.model, *stored, *tried);
  if (const auto* refusal = std::get_if<plan::Refusal>(&planned)) return refusal->message;
  return std::nullopt;
}

}  // namespace sheaf::measure
