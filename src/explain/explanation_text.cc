#include <cmath>

#include "base/text_table.h"
#include "explain/explanation.h"
#include "plan/budgets.h"

namespace sheaf::explain {
namespace {

// To a thousandth: means have no end.
std::string figure(double value) { return plan::number_text(std::round(value * 1000) / 1000); }

std::string counted(double count, std::string_view one, std::string_view many) {
  return figure(count) + " " + std::string(count == 1 ? one : many);
}

std::string budget_text(const language::Clauses& clauses) {
  using Unit = language::Budget::Unit;
  std::string text;
  for (const language::Budget& budget : clauses.budgets) {
    const auto count = static_cast<double>(budget.count.value);
    text += (text.empty() ? "; budget " : ", ") +
            (budget.unit == Unit::kRequests ? counted(count, "request", "requests")
             : budget.unit == Unit::kRounds ? counted(count, "round", "rounds")
                                            : counted(count, "unit", "units"));
  }
  return text;
}

std::string heading(const Explanation& each) {
  std::string text = each.name + "(";
  for (size_t i = 0; i < each.parameters.size(); ++i) text += (i == 0 ? "" : ", ") + each.parameters[i];
  return text + "): ";
}

std::string fewer_text(const Explanation& each) {
  if (each.planned.requests <= 1) return "";
  std::string text = "  the fewest in this layout; ";
  if (!each.fewer) return text + tried_text(each.tried) + "\n";
  const plan::FewerRequests& fewer = *each.fewer;
  const std::string keys = fewer.keeps_keys ? "" : " (and keys that go with it)";
  text += counted(fewer.requests, "request", "requests") + " with";
  if (fewer.changes.size() == 1) {
    text += ": " + fewer.changes.front() + keys + "\n";
  } else {
    text += " these together" + keys + ":\n";
    for (const std::string& change : fewer.changes) text += "    " + change + "\n";
  }
  std::string worse;
  for (const std::string& name : fewer.worse) worse += (worse.empty() ? "" : ", ") + name;
  if (!worse.empty()) text += "    but then more requests for, or no way to do: " + worse + "\n";
  return text;
}

std::string actual_text(const Explanation& each) {
  const Actual& actual = *each.actual;
  if (actual.runs == 0)
    return actual.refused == 0 ? "  not run: there is no data for it\n"
                               : "  refused each time: " + actual.refusal + "\n";
  TextTable table({false, true, true, true});
  const auto row = [&](std::string_view name, double planned, double mean, double most) {
    table.add({"  " + std::string(name), figure(planned), figure(mean), figure(most)});
  };
  table.add({"", "planned", "actual", "at most"});
  row("requests", actual.planned.requests, actual.mean.requests, actual.most.requests);
  row("rounds", actual.planned.rounds, actual.mean.rounds, actual.most.rounds);
  row("units", actual.planned.units, actual.mean.units, actual.most.units);
  if (!each.is_operation) {
    table.add({"  items read", figure(each.items_read), figure(actual.items_read)});
    table.add({"  returned", figure(each.items_returned), figure(actual.items_returned)});
  }
  std::string text = table.text();
  text += "  " + std::to_string(actual.runs) + (actual.runs == 1 ? " run" : " runs");
  if (each.is_operation) {
    text += ", " + figure(actual.read_units) + " read and " + figure(actual.write_units) +
            " write units a run with indexes and jobs";
  }
  if (actual.refused > 0) text += "; " + std::to_string(actual.refused) + " refused: " + actual.refusal;
  return text + "\n";
}

}  // namespace

std::string tried_text(const plan::WaysTried& tried) {
  if (tried.alone == 0) return "there was no other way to store it that could be tried";
  std::string text = "no fewer found with " +
                     (tried.alone == 1 ? "the one other strategy, copy, fuller index or sort key"
                                       : std::to_string(tried.alone) +
                                             " other strategies, copies, fuller indexes and sort keys") +
                     " alone";
  if (tried.together > 0)
    text += ", and with " + counted(static_cast<double>(tried.together), "combination", "combinations") +
            " of the most promising";
  return text;
}

std::string to_text(const std::vector<Explanation>& explanations) {
  std::string out;
  for (const Explanation& each : explanations) {
    if (!each.is_served()) {
      out += heading(each) + (each.is_operation ? "cannot be carried out: " : "cannot be answered: ") +
             each.refusal + "\n" + (each.fix.empty() ? "" : "  = " + each.fix + "\n");
      continue;
    }
    out += heading(each) + counted(each.planned.requests, "request", "requests") + ", " +
           counted(each.planned.rounds, "round", "rounds") + ", " + plan::about(each.planned.units) +
           counted(each.planned.units, "unit", "units") + ", " + each.consistency +
           budget_text(*each.clauses) + "\n";
    for (size_t i = 0; i < each.steps.size(); ++i) {
      const Step& step = each.steps[i];
      out += "  " + std::to_string(i + 1) + ". " + step.text.line + "\n     ";
      if (step.text.operation != "Query") out += step.text.view + ", " + step.text.key_condition + ": ";
      out += counted(step.calls, "call", "calls") + ", " + counted(step.items_read, "item", "items") + ", " +
             counted(step.units, "unit", "units") + "\n";
    }
    for (const std::string& line : each.lines) out += "  " + line + "\n";
    if (each.steps.empty() && each.lines.empty()) out += "  nothing to read: the parameters say it all\n";
    // Beside a run they are in its table.
    if (!each.is_operation && (!each.actual || each.actual->runs == 0))
      out += "  " + counted(each.items_read, "item read", "items read") + ", " +
             counted(each.items_returned, "entity returned", "entities returned") + "\n";
    if (each.actual) out += actual_text(each);
    out += fewer_text(each);
  }
  return out;
}

}  // namespace sheaf::explain
