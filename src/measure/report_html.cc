#include <algorithm>
#include <cstdio>

#include "measure/figure_text.h"
#include "measure/report.h"
#include "run/plain_json.h"

namespace sheaf::measure {
namespace {

std::string escaped(std::string_view text) {
  std::string made;
  for (const char c : text) {
    switch (c) {
      case '&':
        made += "&amp;";
        break;
      case '<':
        made += "&lt;";
        break;
      case '>':
        made += "&gt;";
        break;
      case '"':
        made += "&quot;";
        break;
      default:
        made += c;
    }
  }
  return made;
}

std::string coordinate(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.1f", value);
  return digits;
}

// What fits the width of a chart, in letters of its size.
constexpr size_t kChartColumns = 64;

// Broken between words, and within one that is longer than a line.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.size(), at + kChartColumns);
    const size_t space = end == text.size() ? std::string::npos : text.rfind(' ', end);
    if (space != std::string::npos && space > at) end = space;
    lines.push_back(text.substr(at, end - at));
    at = end + (end < text.size() && text[end] == ' ' ? 1 : 0);
  }
  return lines;
}

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --paper: #fff; --line: #d1d9e0;
  --bar: #8fb3d9; --best: #1f6feb; --lacking: #c8ccd1; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --paper: #0d1117;
  --line: #30363d; --bar: #38577a; --best: #58a6ff; --lacking: #3d444d; --bad: #ff7b72 } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
p.head { color: var(--soft) } .bad { color: var(--bad); font-weight: 600 }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
tr.lacking td { color: var(--soft) } td.best { font-weight: 700 }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 1.5rem }
figure { margin: 0 } figcaption { font-weight: 600; margin-bottom: .25rem }
svg { width: 100%; height: auto } svg text { font: 12px system-ui, sans-serif; fill: var(--ink) }
svg .value { fill: var(--soft) } .bar { fill: var(--bar) } .bar.best { fill: var(--best) }
.bar.lacking { fill: var(--lacking) }
)";

class ReportPage {
 public:
  explicit ReportPage(const Comparison& comparison) : comparison_(comparison) {}

  std::string run(const ReportHead& head) {
    out_ =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
        escaped(head.model) + "</title>\n<style>" + std::string(kStyle) + "</style>\n</head>\n<body>\n";
    out_ += "<h1>" + escaped(head.model) + "</h1>\n<p class=\"head\">" +
            std::to_string(comparison_.contestants.size()) + " layouts, " + escaped(head.data) + ", " +
            escaped(head.store) + ", " + std::to_string(head.runs) +
            " runs of each pattern and operation</p>\n";
    add_differences();
    out_ +=
        "<h2>One average call of the mix</h2>\n<p>Blue is the least; grey cannot do everything, so that its "
        "figures "
        "are of less.</p>\n<div class=\"charts\">\n";
    add_chart("Requests", Criterion::kRequests);
    add_chart("Capacity units", Criterion::kUnits);
    add_chart("Bytes stored, with indexes", Criterion::kBytes);
    add_chart("Units of one write", Criterion::kAmplification);
    add_chart("Latency, microseconds", Criterion::kLatency);
    out_ += "</div>\n";
    add_ranking();
    add_grid();
    add_list("Refused, and in no figure", refused_lines(comparison_));
    add_list("What they lack", shortcomings());
    add_list("Not measured", rejections());
    return std::move(out_) + "</body>\n</html>\n";
  }

 private:
  static std::string shown(Criterion criterion, double value) {
    return criterion == Criterion::kBytes ? bytes_text(value) : figure_text(value);
  }

  void add_differences() {
    out_ += "<p>" + std::to_string(comparison_.answers_compared) + " answers compared: ";
    if (comparison_.differences.empty()) {
      out_ += "all alike.</p>\n";
      return;
    }
    out_ += "<span class=\"bad\">they differ.</span></p>\n<ul>\n";
    for (const Difference& each : comparison_.differences) {
      out_ += "<li class=\"bad\">" + escaped(each.contestant) + ": " + escaped(each.subject);
      for (const Value& argument : each.arguments) out_ += " " + escaped(run::to_plain_json(argument));
      out_ += "</li>\n";
    }
    out_ += "</ul>\n";
  }

  void add_chart(const std::string& title, Criterion criterion) {
    constexpr double kWidth = 460, kLine = 15, kBar = 21, kBars = 320;
    const auto& all = comparison_.contestants;
    double most = 0;
    for (const Contestant& each : all) most = std::max(most, figure(each.summary, criterion));
    const double best = comparison_.best(criterion);
    double height = 0;
    for (const Contestant& each : all)
      height += kLine * static_cast<double>(lines_of(each.candidate.name).size()) + kBar;
    out_ += "<figure><figcaption>" + title + "</figcaption>\n<svg viewBox=\"0 0 " + coordinate(kWidth) + " " +
            coordinate(height) + "\" role=\"img\" aria-label=\"" + title + "\">\n";
    double top = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      const double value = figure(all[i].summary, criterion);
      for (const std::string& line : lines_of(all[i].candidate.name)) {
        out_ += "<text x=\"0\" y=\"" + coordinate(top + 13) + "\">" + escaped(line) + "</text>\n";
        top += kLine;
      }
      const double width = most == 0 ? 0 : kBars * value / most;
      const char* const kind = !all[i].is_complete() ? " lacking" : value == best ? " best" : "";
      out_ += std::string("<rect class=\"bar") + kind + "\" x=\"0\" y=\"" + coordinate(top + 3) +
              "\" width=\"" + coordinate(std::max(width, 1.0)) +
              "\" height=\"12\" rx=\"2\"/>\n<text class=\"value\" x=\"" +
              coordinate(std::max(width, 1.0) + 6) + "\" y=\"" + coordinate(top + 13) + "\">" +
              shown(criterion, value) + (all[i].is_complete() ? " (" + ratio_text(value, best) + ")" : "") +
              "</text>\n";
      top += kBar;
    }
    out_ += "</svg></figure>\n";
  }

  void add_row(const Contestant& each, const std::vector<std::pair<std::string, bool>>& cells) {
    out_ += std::string(each.is_complete() ? "<tr>" : "<tr class=\"lacking\">") + "<td>" +
            escaped(each.candidate.name) + "</td>";
    for (const auto& [text, is_best] : cells)
      out_ += (is_best ? "<td class=\"best\">" : "<td>") + escaped(text) + "</td>";
    out_ += "</tr>\n";
  }

  void add_ranking() {
    out_ +=
        "<div class=\"wide\"><table>\n<tr><th>layout</th><th>requests</th><th>rounds</th><th>read units</th>"
        "<th>write units</th><th>stored</th><th>items a write</th><th>units a write</th><th>latency</th>"
        "<th>cannot</th></tr>\n";
    for (const Contestant& each : comparison_.contestants) {
      const Summary& sum = each.summary;
      const auto is_best = [&](Criterion criterion) {
        return each.is_complete() && figure(sum, criterion) == comparison_.best(criterion);
      };
      std::string cannot;
      for (const std::string& name : each.unserved) cannot += (cannot.empty() ? "" : ", ") + name;
      add_row(each, {{figure_text(sum.requests), is_best(Criterion::kRequests)},
                     {figure_text(sum.rounds), false},
                     {figure_text(sum.read_units), false},
                     {figure_text(sum.write_units), false},
                     {bytes_text(static_cast<double>(sum.bytes_stored)), is_best(Criterion::kBytes)},
                     {figure_text(sum.items_a_write), false},
                     {figure_text(sum.units_a_write), is_best(Criterion::kAmplification)},
                     {ratio_text(sum.latency_us, comparison_.best(Criterion::kLatency)),
                      is_best(Criterion::kLatency)},
                     {cannot, false}});
    }
    out_ += "</table></div>\n";
  }

  void add_grid() {
    const auto& subjects = comparison_.script.subjects;
    out_ += "<h2>Requests and units of one run</h2>\n<div class=\"wide\"><table>\n<tr><th>layout</th>";
    for (size_t i = 0; i < subjects.size(); ++i)
      out_ +=
          "<th>" + escaped(subjects[i].name) + "<br>" + figure_text(100 * comparison_.weights[i]) + " %</th>";
    out_ += "</tr>\n";
    for (const Contestant& each : comparison_.contestants) {
      std::vector<std::pair<std::string, bool>> cells;
      for (size_t i = 0; i < subjects.size(); ++i) {
        const Measured& one = each.trial.measured[i];
        cells.emplace_back(one.runs == 0 ? "-"
                                         : figure_text(one.mean(static_cast<double>(one.usage.requests))) +
                                               " / " + figure_text(one.mean(one.units())),
                           false);
      }
      add_row(each, cells);
    }
    out_ += "</table></div>\n";
  }

  std::vector<std::string> shortcomings() const {
    std::vector<std::string> lines;
    for (const Contestant& each : comparison_.contestants) {
      for (const std::string& line : each.shortfalls) lines.push_back(each.candidate.name + ": " + line);
    }
    return lines;
  }

  std::vector<std::string> rejections() const {
    std::vector<std::string> lines;
    for (const Rejected& each : comparison_.rejected) lines.push_back(each.name + ": " + each.reason);
    return lines;
  }

  void add_list(const std::string& title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    out_ += "<h2>" + title + "</h2>\n<ul>\n";
    for (const std::string& line : lines) out_ += "<li>" + escaped(line) + "</li>\n";
    out_ += "</ul>\n";
  }

  const Comparison& comparison_;
  std::string out_;
};

}  // namespace

std::string report_html(const ReportHead& head, const Comparison& comparison) {
  return ReportPage(comparison).run(head);
}

}  // namespace sheaf::measure
