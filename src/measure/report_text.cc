#include <algorithm>

#include "base/text_table.h"
#include "measure/figure_text.h"
#include "measure/report.h"
#include "run/plain_json.h"

namespace sheaf::measure {
namespace {

constexpr size_t kLayoutsNamed = 3;

std::string counted_word(size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string ranking(const Comparison& comparison) {
  TextTable table = TextTable::with_heads(
      {"layout", "requests", "units", "stored", "items a write", "units a write", "latency", "cannot"});
  const double requests = comparison.best(Criterion::kRequests), units = comparison.best(Criterion::kUnits),
               bytes = comparison.best(Criterion::kBytes),
               writes = comparison.best(Criterion::kAmplification),
               latency = comparison.best(Criterion::kLatency);
  for (const Contestant& each : comparison.contestants) {
    const Summary& sum = each.summary;
    const auto stored = static_cast<double>(sum.bytes_stored);
    std::string cannot;
    for (const std::string& name : each.unserved) cannot += (cannot.empty() ? "" : ", ") + name;
    // Who does less takes less: that is no ratio.
    const auto shown = [&](const std::string& text, double value, double best) {
      return each.is_complete() ? text + " (" + ratio_text(value, best) + ")" : text;
    };
    table.add({each.candidate.name, shown(figure_text(sum.requests), sum.requests, requests),
               shown(figure_text(sum.units()), sum.units(), units), shown(bytes_text(stored), stored, bytes),
               figure_text(sum.items_a_write),
               shown(figure_text(sum.units_a_write), sum.units_a_write, writes),
               each.is_complete() ? ratio_text(sum.latency_us, latency) : "-", cannot});
  }
  return table.text();
}

// Requests and units of each pattern and operation in each layout.
std::string grid(const Comparison& comparison) {
  const auto& subjects = comparison.script.subjects;
  std::vector<std::string> heads{"requests / units of one run"};
  for (const Subject& subject : subjects) heads.push_back(subject.name);
  TextTable table = TextTable::with_heads(heads);
  for (const Contestant& each : comparison.contestants) {
    std::vector<std::string> cells{each.candidate.name};
    for (size_t i = 0; i < subjects.size(); ++i) {
      const Measured& measured = each.trial.measured[i];
      cells.push_back(measured.runs == 0
                          ? "-"
                          : figure_text(measured.mean(static_cast<double>(measured.usage.requests))) + " / " +
                                figure_text(measured.mean(measured.units())));
    }
    table.add(std::move(cells));
  }
  std::vector<std::string> shares{"share of the mix"};
  for (const double weight : comparison.weights) shares.push_back(figure_text(100 * weight) + " %");
  table.add(std::move(shares));
  return table.text();
}

std::string details(const Comparison& comparison, const Contestant& contestant) {
  TextTable table = TextTable::with_heads({"  " + contestant.candidate.name, "runs", "refused", "requests",
                                           "planned", "rounds", "read units", "write units", "planned",
                                           "read", "returned", "written", "median us", "95 % us"});
  for (size_t i = 0; i < comparison.script.subjects.size(); ++i) {
    const Measured& one = contestant.trial.measured[i];
    const auto mean = [&](auto sum) { return figure_text(one.mean(static_cast<double>(sum))); };
    table.add(
        {"  " + comparison.script.subjects[i].name, std::to_string(one.runs), std::to_string(one.refused),
         mean(one.usage.requests), one.is_planned ? mean(one.planned.requests) : "-", mean(one.rounds),
         mean(one.usage.read_units()), mean(one.usage.write_units()),
         one.is_planned ? mean(one.planned.units) : "-", mean(one.usage.items_read), mean(one.items_returned),
         mean(one.usage.items_written), figure_text(one.latency_us(0.5)), figure_text(one.latency_us(0.95))});
  }
  std::string made = table.text();
  for (const StoredTable& stored : contestant.trial.before.tables) {
    made += "  " + stored.table.name + ": " + figure_text(static_cast<double>(stored.table.items)) +
            " items, " + bytes_text(static_cast<double>(stored.table.bytes));
    for (const StoredView& index : stored.indexes)
      made += "; " + index.name + " " + figure_text(static_cast<double>(index.items)) + ", " +
              bytes_text(static_cast<double>(index.bytes));
    made += "\n";
  }
  return made;
}

// Of a long answer only the beginning.
std::string excerpt_of(const std::string& answer) {
  constexpr size_t kShown = 200;
  return answer.size() <= kShown ? answer : answer.substr(0, kShown) + " ..";
}

std::string differences(const Comparison& comparison) {
  std::string made;
  for (const Difference& each : comparison.differences) {
    made += "DIFFERENT: " + each.contestant + ": " + each.subject;
    for (const Value& argument : each.arguments) made += " " + run::to_plain_json(argument);
    made += "\n  found: " + excerpt_of(each.found) + "\n  ";
    made += (each.other.empty() ? "expected" : each.other) + ": " + excerpt_of(each.expected) + "\n";
  }
  return made;
}

std::string best_lines(const Comparison& comparison) {
  std::string made;
  for (const auto& [criterion, name] : kCriteria) {
    std::string names;
    size_t count = 0;
    for (const Contestant& each : comparison.contestants) {
      const bool is_best = figure(each.summary, criterion) == comparison.best(criterion) &&
                           (each.is_complete() || !comparison.contestants.front().is_complete());
      if (is_best && ++count <= kLayoutsNamed) names += (names.empty() ? "" : ", ") + each.candidate.name;
    }
    if (count > kLayoutsNamed) names += " and " + counted_word(count - kLayoutsNamed, "other", "others");
    made += "fewest " +
            std::string(criterion == Criterion::kAmplification ? "units a write"
                        : criterion == Criterion::kLatency     ? "microseconds"
                                                               : name) +
            ": " + names + "\n";
  }
  return made;
}

std::string shortcomings(const Comparison& comparison) {
  std::string made;
  for (const Contestant& each : comparison.contestants) {
    for (const std::string& line : each.shortfalls) made += "  " + each.candidate.name + ": " + line + "\n";
  }
  return made.empty() ? "" : "What they lack:\n" + made;
}

std::string refusals(const Comparison& comparison) {
  std::string made;
  for (const std::string& line : refused_lines(comparison)) made += "  " + line + "\n";
  return made.empty() ? "" : "Refused, and in no figure:\n" + made;
}

std::string rejections(const Comparison& comparison) {
  std::string made;
  for (const Rejected& each : comparison.rejected) made += "  " + each.name + ": " + each.reason + "\n";
  return made.empty() ? "" : "Not measured:\n" + made;
}

}  // namespace

std::vector<std::string> refused_lines(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < comparison.script.subjects.size(); ++i) {
    size_t tried = 0;
    // Who tells the same stands together, in the order of the first of them.
    std::vector<std::pair<std::string, std::vector<std::string>>> told;
    for (const Contestant& each : comparison.contestants) {
      const Measured& one = each.trial.measured[i];
      if (one.runs + one.refused == 0) continue;
      ++tried;
      if (one.refused == 0) continue;
      std::string text = comparison.script.subjects[i].name + ": " + std::to_string(one.refused) + " of " +
                         std::to_string(one.runs + one.refused) + " runs were refused: " + one.refusal;
      auto same =
          std::find_if(told.begin(), told.end(), [&](const auto& line) { return line.first == text; });
      if (same == told.end()) same = told.insert(told.end(), {std::move(text), {}});
      same->second.push_back(each.candidate.name);
    }
    for (const auto& [text, layouts] : told) {
      std::string names;
      for (size_t at = 0; at < layouts.size() && at < kLayoutsNamed; ++at)
        names += (at == 0 ? "" : ", ") + layouts[at];
      if (layouts.size() > kLayoutsNamed)
        names += " and " + counted_word(layouts.size() - kLayoutsNamed, "other", "others");
      lines.push_back(layouts.size() == tried ? text : names + ": " + text);
    }
  }
  return lines;
}

std::string ratio_text(double value, double best) {
  if (best <= 0) return value <= 0 ? "1x" : "-";
  return figure_text(value / best) + "x";
}

std::string report_text(const ReportHead& head, const Comparison& comparison, bool has_details) {
  std::string made = head.model + ": " + counted_word(comparison.contestants.size(), "layout", "layouts") +
                     ", " + head.data + ", " + head.store + ", " + counted_word(head.runs, "run", "runs") +
                     " of each\n";
  made += std::to_string(comparison.answers_compared) +
          " answers compared: " + (comparison.differences.empty() ? "all alike" : "THEY DIFFER") + "\n" +
          differences(comparison) + "\n" + ranking(comparison) + "\n" + grid(comparison) + "\n" +
          best_lines(comparison);
  for (const std::string& part : {refusals(comparison), shortcomings(comparison), rejections(comparison)}) {
    if (!part.empty()) made += "\n" + part;
  }
  for (const Contestant& each : comparison.contestants) {
    if (has_details) made += "\n" + details(comparison, each);
  }
  return made;
}

}  // namespace sheaf::measure
