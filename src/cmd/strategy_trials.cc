#include "cmd/strategy_trials.h"

#include <algorithm>
#include <set>

#include "assist/strategy_edit.h"
#include "lint/linter.h"
#include "model/layout_clauses.h"
#include "plan/shortfalls.h"

namespace sheaf::cmd {
namespace {

std::optional<size_t> layout_named(const model::CompiledModel& compiled, const std::string& name) {
  for (size_t i = 0; i < compiled.layouts.size(); ++i) {
    if (compiled.layouts[i].name == name) return i;
  }
  return std::nullopt;
}

// What it is of, and whether it is not served at all, which is worse than a budget.
std::pair<std::string, bool> subject_of(const std::string& shortfall) {
  return {shortfall.substr(0, shortfall.find(' ')), shortfall.find(" cannot be ") != std::string::npos};
}

bool lies_in(const language::SourceText& source, language::Span span, const lint::Place& place) {
  if (span.end <= span.begin) return false;
  return place.begin.line >= source.position(span.begin).line &&
         place.begin.line <= source.position(span.end - 1).line;
}

// It is told at the relation, or at one of the two, and names the relation.
bool is_about(const plan::PlannedModel& planned, const model::Relation& relation,
              const std::optional<language::Via>& clause, const lint::Finding& finding) {
  const language::SourceText& source = planned.compiled.source;
  if (!finding.place) return false;
  if (lies_in(source, relation.syntax->span, *finding.place)) return true;
  if (clause && lies_in(source, clause->span, *finding.place)) return true;
  return std::any_of(std::begin(relation.ends), std::end(relation.ends), [&](const model::End& end) {
    const bool is_named = std::any_of(
        std::begin(relation.ends), std::end(relation.ends),
        [&](const auto& each) { return finding.message.find(" " + each.name + " ") != std::string::npos; });
    return is_named &&
           lies_in(source, planned.compiled.model.entities[end.target].syntax->span, *finding.place);
  });
}

}  // namespace

StrategyTrials::StrategyTrials(const assist::Document& document, std::string layout)
    : document_(document), layout_(std::move(layout)), before_(look(std::string(document.text()), layout_)) {}

StrategyTrials::Faults StrategyTrials::look(std::string text, const std::string& layout) {
  Faults faults;
  model::CompiledModel compiled = model::compile("trial", std::move(text));
  for (const language::Diagnostic& each : compiled.diagnostics.all()) {
    if (each.severity == language::Severity::kError) faults.mistakes.push_back(each.message);
  }
  const plan::PlannedModel planned = plan::plan_model(std::move(compiled));
  const auto found = layout_named(planned.compiled, layout);
  if (found && *found < planned.plans.size() && planned.compiled.layouts[*found].is_sound)
    faults.shortfalls = plan::shortfalls(planned, *found);
  return faults;
}

std::optional<std::string> StrategyTrials::first_new(const Faults& after) const {
  std::multiset<std::string> known(before_.mistakes.begin(), before_.mistakes.end());
  for (const std::string& each : after.mistakes) {
    const auto found = known.find(each);
    if (found == known.end()) return each;
    known.erase(found);
  }
  // Another number of requests over a budget is nothing new.
  for (const std::string& each : after.shortfalls) {
    const auto [name, is_refused] = subject_of(each);
    const bool is_known =
        std::any_of(before_.shortfalls.begin(), before_.shortfalls.end(),
                    [&, name = name, is_refused = is_refused](const std::string& old) {
                      return subject_of(old).first == name && (!is_refused || subject_of(old).second);
                    });
    if (!is_known) return each;
  }
  return std::nullopt;
}

std::string StrategyTrials::text_with(model::RelationId relation, const std::string& via) const {
  return assist::applied(document_.text(), assist::strategy_edits(document_, layout_, relation, via));
}

std::optional<std::string> StrategyTrials::what_is_wrong(model::RelationId relation, const std::string& via) {
  const auto [found, is_new] = tried_.try_emplace({relation, via});
  if (is_new) found->second = first_new(look(text_with(relation, via), layout_));
  return found->second;
}

std::vector<std::string> StrategyTrials::findings(model::RelationId relation,
                                                  const std::optional<std::string>& via) const {
  const std::string text = via ? text_with(relation, *via) : std::string(document_.text());
  const plan::PlannedModel planned = plan::plan_model(model::compile("trial", text));
  const auto layout = layout_named(planned.compiled, layout_);
  if (!planned.compiled.ok() || !layout) return {};
  // Of the relation itself, and of what is only there since it is stored so.
  std::set<std::string> before;
  const bool is_compared = via && document_.error_count() == 0;
  if (is_compared) {
    for (const lint::Finding& each : lint::lint(document_.planned(), {*layout}, {}))
      before.insert(each.rule + ": " + each.message);
  }
  const model::Relation& said = planned.compiled.model.relations[relation];
  const auto& clause = (*planned.compiled.layouts[*layout].clauses)[*layout].relations[relation];
  std::vector<std::string> lines;
  for (const lint::Finding& each : lint::lint(planned, {*layout}, {})) {
    const std::string line = each.rule + ": " + each.message;
    if (is_about(planned, said, clause, each) || (is_compared && !before.contains(line)))
      lines.push_back(line);
  }
  return lines;
}

}  // namespace sheaf::cmd
