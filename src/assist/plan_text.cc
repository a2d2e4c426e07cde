#include "assist/plan_text.h"

#include <vector>

#include "plan/explain.h"
#include "plan/operation_plan.h"

namespace sheaf::assist {
namespace {

// Layouts with the same plan are told together.
class PlanLists {
 public:
  void add(const std::string& layout, const std::string& text) {
    if (text.empty()) return;
    for (auto& [layouts, plans] : lists_) {
      if (plans != text) continue;
      layouts += ", " + layout;
      return;
    }
    lists_.emplace_back(layout, text);
  }

  std::string text() const {
    std::string out;
    for (const auto& [layouts, plans] : lists_)
      out += (out.empty() ? "" : "\n\n") + ("In " + layouts) + "\n```text\n" + plans + "```";
    return out;
  }

 private:
  std::vector<std::pair<std::string, std::string>> lists_;
};

std::string refusal_text(const std::string& name, const plan::Refusal& refusal) {
  return name + ": " + refusal.message + "\n" + (refusal.fix.empty() ? "" : "  = " + refusal.fix + "\n");
}

}  // namespace

std::string pattern_plans(const Document& document, std::string_view name) {
  const plan::PlannedModel& planned = document.planned();
  PlanLists lists;
  for (size_t i = 0; i < planned.plans.size(); ++i) {
    const model::Layout& layout = planned.compiled.layouts[i];
    std::string text;
    for (const plan::PlannedPattern& each : planned.plans[i]) {
      if (each.pattern->name != name) continue;
      text += each.ok() ? plan::explain(planned.compiled.model, layout, std::get<plan::Plan>(each.plan))
                        : refusal_text(each.pattern->name, std::get<plan::Refusal>(each.plan));
    }
    lists.add(layout.name, text);
  }
  return lists.text();
}

std::string operation_plans(const Document& document, std::string_view name) {
  const plan::PlannedModel& planned = document.planned();
  PlanLists lists;
  for (size_t i = 0; i < planned.operations.size(); ++i) {
    std::string text;
    for (const plan::PlannedOperation& each : planned.operations[i]) {
      if (each.operation->name != name) continue;
      text += each.ok() ? plan::explain(std::get<plan::OperationPlan>(each.plan))
                        : refusal_text(each.operation->name, std::get<plan::Refusal>(each.plan));
    }
    lists.add(planned.compiled.layouts[i].name, text);
  }
  return lists.text();
}

}  // namespace sheaf::assist
