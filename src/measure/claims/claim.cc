#include "measure/claims/claim.h"

#include <algorithm>
#include <array>

#include "language/json_writer.h"
#include "measure/figure_text.h"

namespace sheaf::measure {
namespace {

std::vector<const Claim*> chosen(const std::vector<std::string>& points) {
  std::vector<const Claim*> made;
  for (const Claim& each : claims()) {
    const bool is_wanted =
        points.empty() ||
        std::any_of(points.begin(), points.end(), [&](const auto& point) { return each.is_of(point); });
    if (is_wanted) made.push_back(&each);
  }
  return made;
}

}  // namespace

std::string_view verdict_text(Verdict verdict) {
  static constexpr std::string_view kTexts[] = {"holds", "holds in part", "contradicted"};
  return kTexts[static_cast<size_t>(verdict)];
}

bool Claim::is_of(std::string_view point) const {
  std::string_view left = points;
  while (!left.empty()) {
    const size_t space = std::min(left.find(' '), left.size());
    if (left.substr(0, space) == point) return true;
    left.remove_prefix(std::min(space + 1, left.size()));
  }
  return false;
}

Judgement holds_if(bool holds, std::string figure) {
  return {.verdict = holds ? Verdict::kHolds : Verdict::kContradicted, .figure = std::move(figure)};
}

Judgement partly_if(bool holds, std::string figure) {
  return {.verdict = holds ? Verdict::kPartly : Verdict::kContradicted, .figure = std::move(figure)};
}

const std::vector<Claim>& claims() {
  static const std::vector<Claim> kAll = [] {
    std::vector<Claim> all;
    for (const auto& part : {method_claims(), collection_claims(), network_claims()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return kAll;
}

std::vector<const Experiment*> experiments_for(const std::vector<std::string>& points) {
  const std::vector<const Claim*> all = chosen(points);
  std::vector<const Experiment*> made;
  for (const Experiment& each : experiments()) {
    const std::string name = "`" + std::string(each.name) + "`";
    const bool is_named = std::any_of(all.begin(), all.end(), [&](const Claim* claim) {
      return claim->how.find(name) != std::string_view::npos;
    });
    if (is_named) made.push_back(&each);
  }
  return made;
}

std::string claims_text(const Evidence& evidence, const std::vector<std::string>& points) {
  std::string made, about;
  std::array<size_t, 3> counts{};
  const std::vector<const Claim*> all = chosen(points);
  if (points.empty() || std::find(points.begin(), points.end(), "I1") != points.end())
    made += method_grid(evidence) + "\n";
  for (const Claim* each : all) {
    const Judgement judged = each->judge(evidence);
    ++counts[static_cast<size_t>(judged.verdict)];
    if (about != each->about) made += (about.empty() ? "" : "\n") + std::string(each->about) + "\n";
    about = each->about;
    made += "  " + std::string(verdict_text(judged.verdict)) + ": " + std::string(each->statement) + " (" +
            std::string(each->points) + ", " + std::string(each->source) + ")\n    " + judged.figure + "; " +
            std::string(each->how) + "\n";
  }
  const auto counted = [&](size_t which, std::string_view one, std::string_view many) {
    return std::to_string(counts[which]) + std::string(counts[which] == 1 ? one : many);
  };
  return made + "\n" + counted(0, " holds, ", " hold, ") + counted(1, " holds in part, ", " hold in part, ") +
         counted(2, " is contradicted\n", " are contradicted\n");
}

std::string claims_json(const Evidence& evidence, const std::vector<std::string>& points) {
  language::JsonWriter out;
  const auto text = [&](std::string_view name, std::string_view value) {
    out.member(name);
    out.text(value);
  };
  out.array([&] {
    for (const Claim* each : chosen(points)) {
      const Judgement judged = each->judge(evidence);
      out.object([&] {
        text("points", each->points);
        text("source", each->source);
        text("about", each->about);
        text("statement", each->statement);
        text("how", each->how);
        text("verdict", verdict_text(judged.verdict));
        text("figure", judged.figure);
      });
    }
  });
  return out.take();
}

}  // namespace sheaf::measure
