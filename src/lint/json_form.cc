// Findings for programs.
#include "language/excerpt.h"
#include "language/json_writer.h"
#include "lint/report.h"

namespace sheaf::lint {
namespace {

class Form {
 public:
  explicit Form(language::JsonWriter& writer) : writer_(writer) {}

  void text(std::string_view name, std::string_view value) {
    writer_.member(name);
    writer_.text(language::repaired_text(value));
  }
  void text_if_any(std::string_view name, std::string_view value) {
    if (!value.empty()) text(name, value);
  }
  void number(std::string_view name, size_t value) {
    writer_.member(name);
    writer_.word(std::to_string(value));
  }
  void place(const Place& place) {
    number("line", place.begin.line);
    number("column", place.begin.column);
    number("end_line", place.end.line);
    number("end_column", place.end.column);
  }

 private:
  language::JsonWriter& writer_;
};

}  // namespace

std::string to_json(const Report& report) {
  language::JsonWriter writer;
  Form form(writer);
  writer.array([&] {
    for (const Finding& finding : report.findings) {
      writer.object([&] {
        form.text(finding.place ? "file" : "subject", finding.subject);
        if (finding.place) form.place(*finding.place);
        form.text("severity", name_of(finding.severity));
        form.text("id", finding.rule);
        const RuleText* const rule = report.rule(finding.rule);
        if (rule != nullptr) form.text_if_any("points", rule->points);
        form.text("message", finding.message);
        if (rule != nullptr) form.text_if_any("why", rule->why);
        form.text_if_any("fix", finding.fix);
        form.text_if_any("layout", finding.layout);
        if (finding.repair) form.text("repair", finding.repair->title);
        if (finding.notes.empty()) return;
        writer.member("notes");
        writer.array([&] {
          for (const Related& note : finding.notes) {
            writer.object([&] {
              form.place(note.place);
              form.text("message", note.text);
            });
          }
        });
      });
    }
  });
  return writer.take();
}

}  // namespace sheaf::lint
