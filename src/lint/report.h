// Findings and what they are measured by, as the writers take them: text for people, JSON, SARIF and JUnit
// for programs. Nothing in it belongs to models: any check that has subjects and named rules can be told so.
#pragma once

#include <string>
#include <vector>

#include "lint/finding.h"

namespace sheaf::lint {

// What a rule is, for those who read its findings.
struct RuleText {
  std::string id;
  std::string points;                      // by which numbers others know it: "H2", "G3 G4"; may be empty
  std::string title;                       // what it finds, in one sentence
  std::string why;                         // why that matters
  Severity severity = Severity::kWarning;  // of its findings, if nothing else is said
  std::string page;                        // Markdown, with examples; may be empty
};

struct Report {
  std::string tool = "sheaf";
  std::string version;
  std::vector<std::string> subjects;  // all that was looked at: files or tables
  std::vector<RuleText> rules;        // all that were looked for
  std::vector<Finding> findings;
  Severity fail_on = Severity::kWarning;  // what is less does not fail

  bool fails(const Finding& finding) const { return finding.severity >= fail_on; }
  bool fails() const;
  const RuleText* rule(std::string_view id) const;  // null if it has none
};

// As `sheaf model check` tells mistakes, with the rule's points and why it matters:
//   shop.sheaf:4:31: warning: the orders of a Customer grow without bound .. [unbounded-collection H2]
//      4 |   rel Customer 1--* Order as orders / customer
//        |       ^^^^^^
//        = put a bucket of time into the partition key
std::string to_text(const Report& report);

// One array, an object a finding: file, line, column, end_line, end_column (from 1, columns in characters) if
// it has a place, or else subject; severity, id, points, message, why, and where they say something fix,
// layout, notes and repair.
std::string to_json(const Report& report);

// SARIF 2.1.0, as code scanning takes it.
std::string to_sarif(const Report& report);

// A test suite a subject, a test case a rule; one fails if there is a finding that does, and others are told
// in its output.
std::string to_junit(const Report& report);

}  // namespace sheaf::lint
