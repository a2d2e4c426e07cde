// Findings as the XML that build servers read test results from.
#include "base/xml_text.h"
#include "language/excerpt.h"
#include "lint/report.h"

namespace sheaf::lint {
namespace {

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + xml_escaped(language::repaired_text(value)) + "\"";
}

std::string line_of(const Finding& finding) {
  std::string out;
  if (finding.place)
    out = finding.place->file + ":" + std::to_string(finding.place->begin.line) + ":" +
          std::to_string(finding.place->begin.column) + ": ";
  out += std::string(name_of(finding.severity)) + ": " + finding.message;
  if (!finding.layout.empty()) out += " (in layout " + finding.layout + ")";
  if (!finding.fix.empty()) out += "\n  = " + finding.fix;
  return xml_escaped(language::repaired_text(out)) + "\n";
}

struct Case {
  std::string failures;  // their text
  std::string others;
  const Finding* first = nullptr;  // that fails
};

Case case_of(const Report& report, const std::string& subject, const RuleText& rule) {
  Case found;
  for (const Finding& finding : report.findings) {
    if (finding.subject != subject || finding.rule != rule.id) continue;
    if (!report.fails(finding)) {
      found.others += line_of(finding);
      continue;
    }
    found.failures += line_of(finding);
    if (found.first == nullptr) found.first = &finding;
  }
  return found;
}

}  // namespace

std::string to_junit(const Report& report) {
  std::string suites;
  size_t failures_of_all = 0;
  for (const std::string& subject : report.subjects) {
    std::string cases;
    size_t failures = 0;
    for (const RuleText& rule : report.rules) {
      const Case found = case_of(report, subject, rule);
      cases += "    <testcase" + attribute("classname", subject) + attribute("name", rule.id);
      if (found.failures.empty() && found.others.empty()) {
        cases += "/>\n";
        continue;
      }
      cases += ">\n";
      if (found.first != nullptr) {
        ++failures;
        cases += "      <failure" + attribute("type", name_of(found.first->severity)) +
                 attribute("message", found.first->message) + ">" + found.failures + "</failure>\n";
      }
      if (!found.others.empty()) cases += "      <system-out>" + found.others + "</system-out>\n";
      cases += "    </testcase>\n";
    }
    suites += "  <testsuite" + attribute("name", subject) +
              attribute("tests", std::to_string(report.rules.size())) +
              attribute("failures", std::to_string(failures)) + ">\n" + cases + "  </testsuite>\n";
    failures_of_all += failures;
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attribute("name", report.tool) +
         attribute("tests", std::to_string(report.subjects.size() * report.rules.size())) +
         attribute("failures", std::to_string(failures_of_all)) + ">\n" + suites + "</testsuites>\n";
}

}  // namespace sheaf::lint
