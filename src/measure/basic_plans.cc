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

std::string quoted_name(const std::string& name) { return "`" + name + "`"; }

bool is_changeable(const model::Field& field) {
  return !field.is_id && field.kept == model::Kept::kNo && !field.count_of && !field.syntax->is_immutable;
}

std::string move_text(const model::Model& model, const model::Entity& entity, model::EndId end) {
  return "(x: " + quoted_name(entity.name) +
         ", y: " + quoted_name(model.entities[model.end(end).target].name) + ") = set $x." +
         quoted_name(model.end(end).name) + " = $y";
}

// `set`, `add` and `remove` as a model declares them: one for each field and end that they can change.
std::vector<std::string> member_texts(const model::Model& model, const model::Entity& entity,
                                      const std::string& verb) {
  std::vector<std::string> texts;
  const std::string head = "(x: " + quoted_name(entity.name) + ") = " + verb + " $x.";
  for (const model::EndId end : entity.ends) {
    const model::End& declared = model.end(end);
    if (declared.leads_to_many || entity.within == end) continue;
    if (verb == "set") texts.push_back(move_text(model, entity, end));
    if (verb == "remove" && !declared.is_required) texts.push_back(head + quoted_name(declared.name));
  }
  for (const model::Field& field : entity.fields) {
    const std::string name = quoted_name(field.name);
    if (!is_changeable(field)) continue;
    if (verb == "set") texts.push_back(head + name + " = $x." + name);
    if (verb == "add" && field.type.kind == language::Type::Kind::kInt) texts.push_back(head + name + " = 1");
    if (verb == "remove" && field.is_optional) texts.push_back(head + name);
  }
  return texts;
}

// The operation as a model declares it, without its name; several if it depends on the field.
std::vector<std::string> declared_texts(const model::Model& model, const std::vector<std::string>& parts) {
  const auto entity = model.find_entity(parts[1]);
  if (!entity) return {};
  const std::string type = quoted_name(parts[1]);
  if (parts.size() == 2) {
    const bool is_whole = parts[0] == "put" || parts[0] == "upsert" || parts[0] == "delete";
    if (is_whole) return {"(x: " + type + ") = " + parts[0] + " $x"};
    return member_texts(model, model.entities[*entity], parts[0]);
  }
  const auto end = model.find_end(*entity, parts[2]);
  if (!end) return {};
  if (parts[0] == "move") return {move_text(model, model.entities[*entity], *end)};
  const std::string& target = model.entities[model.end(*end).target].name;
  return {"(x: " + type + ", y: " + quoted_name(target) + ") = " + parts[0] + " $x." + quoted_name(parts[2]) +
          " $y"};
}

std::optional<std::string> refusal_of(const PlannedLayout& layout, const std::string& declared) {
  std::string text = language::to_text(layout.model().syntax());
  text.insert(text.rfind('}'), std::string("op ") + kTriedName + declared + "\n");
  const model::CompiledModel compiled = model::compile("tried.sheaf", text);
  const model::Layout* const stored = compiled.find_layout(layout.stored().name);
  const model::Operation* const tried = compiled.model.find_operation(kTriedName);
  if (!compiled.ok() || stored == nullptr || tried == nullptr) return std::nullopt;
  const auto planned = plan::plan_operation(compiled.model, *stored, *tried);
  if (const auto* refusal = std::get_if<plan::Refusal>(&planned)) return refusal->message;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> basic_refusal(const PlannedLayout& layout, const std::string& name) {
  for (const std::string& declared : declared_texts(layout.model(), dotted_parts(name))) {
    if (auto why = refusal_of(layout, declared)) return why;
  }
  return std::nullopt;
}

}  // namespace sheaf::measure
