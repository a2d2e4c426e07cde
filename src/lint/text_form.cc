// Findings for people.
#include "language/excerpt.h"
#include "lint/report.h"

namespace sheaf::lint {
namespace {

std::string place_text(const Place& place) {
  return place.file + ":" + std::to_string(place.begin.line) + ":" + std::to_string(place.begin.column) +
         ": ";
}

void append_excerpt(std::string& out, const Place& place) {
  const bool is_one_line = place.begin.line == place.end.line;
  const size_t marked =
      is_one_line ? place.end.column - place.begin.column : language::character_count(place.line);
  language::append_excerpt(out, place.line, place.begin, marked);
}

}  // namespace

std::string to_text(const Report& report) {
  std::string out;
  for (const Finding& finding : report.findings) {
    out += finding.place ? place_text(*finding.place) : finding.subject + ": ";
    out += std::string(name_of(finding.severity)) + ": " + finding.message;
    if (!finding.layout.empty()) out += " (in layout " + finding.layout + ")";
    const RuleText* const rule = report.rule(finding.rule);
    const bool has_points = rule != nullptr && !rule->points.empty();
    out += " [" + finding.rule + (has_points ? " " + rule->points : "") + "]\n";
    if (finding.place) append_excerpt(out, *finding.place);
    for (const Related& note : finding.notes) {
      out += place_text(note.place) + "note: " + note.text + "\n";
      append_excerpt(out, note.place);
    }
    if (rule != nullptr && !rule->why.empty()) out += "     : " + rule->why + "\n";
    if (!finding.fix.empty()) out += "     = " + finding.fix + "\n";
  }
  return out;
}

}  // namespace sheaf::lint
