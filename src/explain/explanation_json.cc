#include "explain/explanation.h"
#include "language/json_writer.h"
#include "plan/budgets.h"

namespace sheaf::explain {
namespace {

class ExplanationWriter {
 public:
  std::string run(const JsonHeading& heading, const std::vector<Explanation>& explanations,
                  const lint::Report& report) {
    writer_.object([&] {
      text("model", heading.model);
      text("layout", heading.layout);
      if (!heading.run_on.empty()) text("run_on", heading.run_on);
      for (const bool is_operation : {false, true}) {
        writer_.member(is_operation ? "operations" : "patterns");
        writer_.array([&] {
          for (const Explanation& each : explanations) {
            if (each.is_operation == is_operation) write(each);
          }
        });
      }
      writer_.member("findings");
      // Each is of a pattern or an operation; where it is, is a file.
      lint::Report of_files = report;
      for (lint::Finding& finding : of_files.findings) {
        if (finding.place) finding.subject = finding.place->file;
      }
      std::string findings = lint::to_json(of_files);
      findings.erase(findings.find_last_not_of('\n') + 1);
      writer_.word(findings);
    });
    return writer_.take();
  }

 private:
  void text(std::string_view name, std::string_view value) {
    writer_.member(name);
    writer_.text(value);
  }
  void number(std::string_view name, double value) {
    writer_.member(name);
    writer_.word(plan::number_text(value));
  }
  void texts(std::string_view name, const std::vector<std::string>& values) {
    writer_.member(name);
    writer_.array([&] {
      for (const std::string& value : values) writer_.text(value);
    });
  }
  void cost(std::string_view name, const plan::Cost& cost) {
    writer_.member(name);
    writer_.object([&] {
      number("requests", cost.requests);
      number("rounds", cost.rounds);
      number("units", cost.units);
    });
  }

  void write(const Explanation& each) {
    writer_.object([&] {
      text("name", each.name);
      texts("parameters", each.parameters);
      if (!each.is_served()) {
        text("refusal", each.refusal);
        if (!each.fix.empty()) text("fix", each.fix);
        return;
      }
      text("consistency", each.consistency);
      cost("planned", each.planned);
      if (each.is_operation) {
        texts("requests", each.lines);
      } else {
        number("items_read", each.items_read);
        number("items_returned", each.items_returned);
        writer_.member("requests");
        writer_.array([&] {
          for (const Step& step : each.steps) write(step);
        });
      }
      budgets(*each.clauses);
      fewer(each);
      if (each.actual) write(*each.actual);
    });
  }

  void write(const Step& step) {
    writer_.object([&] {
      text("operation", step.text.operation);
      text("view", step.text.view);
      text("key_condition", step.text.key_condition);
      text("text", step.text.line);
      number("round", static_cast<double>(step.round));
      number("calls", step.calls);
      number("items_read", step.items_read);
      number("units", step.units);
    });
  }

  void budgets(const language::Clauses& clauses) {
    using Unit = language::Budget::Unit;
    writer_.member("budget");
    writer_.object([&] {
      for (const language::Budget& budget : clauses.budgets)
        number(budget.unit == Unit::kRequests ? "requests"
               : budget.unit == Unit::kRounds ? "rounds"
                                              : "units",
               static_cast<double>(budget.count.value));
    });
  }

  void fewer(const Explanation& each) {
    writer_.member("tried");
    writer_.object([&] {
      number("alone", static_cast<double>(each.tried.alone));
      number("together", static_cast<double>(each.tried.together));
    });
    writer_.member("fewer");
    if (!each.fewer) {
      writer_.word("null");
      return;
    }
    writer_.object([&] {
      number("requests", each.fewer->requests);
      text("change", each.fewer->text());
      texts("changes", each.fewer->changes);
      writer_.member("keeps_keys");
      writer_.word(each.fewer->keeps_keys ? "true" : "false");
      texts("worse", each.fewer->worse);
    });
  }

  void write(const Actual& actual) {
    writer_.member("actual");
    writer_.object([&] {
      number("runs", static_cast<double>(actual.runs));
      number("refused", static_cast<double>(actual.refused));
      cost("planned", actual.planned);
      cost("mean", actual.mean);
      cost("most", actual.most);
      number("read_units", actual.read_units);
      number("write_units", actual.write_units);
      number("items_read", actual.items_read);
      number("items_returned", actual.items_returned);
    });
  }

  language::JsonWriter writer_;
};

}  // namespace

std::string to_json(const JsonHeading& heading, const std::vector<Explanation>& explanations,
                    const lint::Report& report) {
  return ExplanationWriter().run(heading, explanations, report);
}

}  // namespace sheaf::explain
