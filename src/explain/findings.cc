#include <algorithm>

#include "explain/explanation.h"
#include "plan/budgets.h"

namespace sheaf::explain {
namespace {

constexpr std::string_view kOverPlan = "over-budget", kOverRun = "over-budget-run", kUnserved = "unserved";

std::vector<lint::RuleText> budget_rules() {
  return {
      {.id = std::string(kOverPlan),
       .title = "A plan takes more than its budget allows.",
       .why = "Every request, round and unit is paid for, in time or money, each time that it is asked for.",
       .severity = lint::Severity::kError},
      {.id = std::string(kOverRun),
       .title = "A run took more than its budget allows.",
       .why = "Plans count on declared sizes, on items of 400 bytes at least and on one bucket of time; the "
              "data is otherwise.",
       .severity = lint::Severity::kError},
      {.id = std::string(kUnserved),
       .title = "A layout cannot answer a pattern, or carry out an operation.",
       .why = "Who uses this layout has to do without it.",
       .severity = lint::Severity::kNote}};
}

class FindingMaker {
 public:
  FindingMaker(const plan::PlannedModel& planned, size_t layout, lint::Report& report)
      : planned_(planned), layout_(layout), report_(report) {}

  // A subject is what has a budget, or a finding: in what build servers read, each is a test suite, so that
  // they tell which one broke.
  void look_at(const Explanation& each) {
    subject_ = planned_.compiled.source.name() + " " + each.name;
    const bool has_budget = each.clauses != nullptr && !each.clauses->budgets.empty();
    const bool is_known =
        std::find(report_.subjects.begin(), report_.subjects.end(), subject_) != report_.subjects.end();
    if ((has_budget || !each.is_served()) && !is_known) report_.subjects.push_back(subject_);
    if (!each.is_served()) {
      add(kUnserved, each.span, lint::Severity::kNote,
          each.name + (each.is_operation ? " cannot be carried out: " : " cannot be answered: ") +
              each.refusal,
          each.fix);
      return;
    }
    for (const plan::Excess& excess : plan::excesses(name_of(each), each.planned, *each.clauses))
      add(kOverPlan, excess.budget->span, lint::Severity::kError, excess.text + allowed(excess),
          advice(each));
    if (!each.actual || each.actual->runs == 0) return;
    for (const plan::Excess& excess : plan::excesses(name_of(each), each.actual->most, *each.clauses))
      add(kOverRun, excess.budget->span, lint::Severity::kError,
          excess.text + " in one of " + std::to_string(each.actual->runs) + " runs" + allowed(excess),
          "declare the sizes that the data has, and raise the budget or read less");
  }

 private:
  // With what is left out.
  std::string name_of(const Explanation& each) const {
    const model::Pattern* const pattern = planned_.compiled.model.find_pattern(each.name);
    std::string name = each.name;
    bool is_first = true;
    for (size_t i = 0; pattern != nullptr && !each.is_operation && i < pattern->parameters.size(); ++i) {
      const std::string& parameter = pattern->parameters[i].name;
      if (std::find(each.parameters.begin(), each.parameters.end(), parameter) != each.parameters.end())
        continue;
      name += (is_first ? " without " : ", ") + parameter;
      is_first = false;
    }
    return name;
  }

  static std::string allowed(const plan::Excess& excess) {
    return ", and its budget is " + std::to_string(excess.budget->count.value);
  }

  static std::string advice(const Explanation& each) {
    if (!each.fewer) return "raise the budget: " + tried_text(each.tried);
    std::string changes;
    for (const std::string& change : each.fewer->changes)
      changes += (changes.empty() ? "" : " and ") + change;
    return "with " + changes + " it takes " + plan::number_text(each.fewer->requests) +
           (each.fewer->requests == 1 ? " request" : " requests") + "; or raise the budget";
  }

  void add(std::string_view rule, language::Span span, lint::Severity severity, std::string message,
           std::string fix) {
    const std::string& layout = planned_.compiled.layouts[layout_].name;
    report_.findings.push_back({.rule = std::string(rule),
                                .severity = severity,
                                .subject = subject_,
                                .place = lint::place_of(planned_.compiled.source, span),
                                .message = std::move(message),
                                .fix = std::move(fix),
                                .layout = layout == model::kDefaultLayout ? "" : layout});
  }

  const plan::PlannedModel& planned_;
  const size_t layout_;
  lint::Report& report_;
  std::string subject_;
};

}  // namespace

lint::Report findings(const plan::PlannedModel& planned, size_t layout,
                      const std::vector<Explanation>& explanations) {
  lint::Report report{
      .tool = "sheaf model explain", .rules = budget_rules(), .fail_on = lint::Severity::kError};
  FindingMaker maker(planned, layout, report);
  for (const Explanation& each : explanations) maker.look_at(each);
  if (report.subjects.empty()) report.subjects.push_back(planned.compiled.source.name());
  return report;
}

}  // namespace sheaf::explain
