#include "cmd/strategy_trials.h"

#include "assist/strategy_edit.h"
#include "plan/shortfalls.h"

namespace sheaf::cmd {

StrategyTrials::StrategyTrials(const assist::Document& document, std::string layout)
    : document_(document), layout_(std::move(layout)), before_(look(document.planned(), layout_)) {}

StrategyTrials::Faults StrategyTrials::look(const plan::PlannedModel& planned, const std::string& layout) {
  Faults faults{.mistakes = planned.compiled.diagnostics.error_count()};
  for (const language::Diagnostic& each : planned.compiled.diagnostics.all()) {
    if (each.severity != language::Severity::kError) continue;
    faults.first = each.message;
    break;
  }
  for (size_t i = 0; i < planned.compiled.layouts.size() && i < planned.plans.size(); ++i) {
    if (planned.compiled.layouts[i].name != layout || !planned.compiled.layouts[i].is_sound) continue;
    const std::vector<std::string> lines = plan::shortfalls(planned, i);
    faults.shortfalls = lines.size();
    if (faults.first.empty() && !lines.empty()) faults.first = lines.front();
  }
  return faults;
}

std::optional<std::string> StrategyTrials::what_is_wrong(model::RelationId relation, const std::string& via) {
  const auto [found, is_new] = tried_.try_emplace({relation, via});
  if (!is_new) return found->second;
  const std::string text =
      assist::applied(document_.text(), assist::strategy_edits(document_, layout_, relation, via));
  const Faults after = look(plan::plan_model(model::compile("trial", text)), layout_);
  if (after.mistakes > before_.mistakes || after.shortfalls > before_.shortfalls) found->second = after.first;
  return found->second;
}

}  // namespace sheaf::cmd
