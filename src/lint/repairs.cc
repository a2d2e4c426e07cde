#include "lint/repairs.h"

#include <algorithm>
#include <map>

#include "lint/linter.h"
#include "plan/shortfalls.h"

namespace sheaf::lint {
namespace {

struct Looked {
  bool is_sound = false;
  std::vector<Finding> findings;
  size_t shortfalls = 0;  // what layouts cannot do
};

Looked look(const std::string& name, const std::string& text, const std::vector<std::string>& layouts,
            const Options& options) {
  const plan::PlannedModel planned = plan::plan_model(model::compile(name, text));
  Looked looked{.is_sound = planned.compiled.ok()};
  if (!looked.is_sound) return looked;
  std::vector<size_t> ids;
  for (size_t i = 0; i < planned.compiled.layouts.size(); ++i) {
    looked.shortfalls += plan::shortfalls(planned, i).size();
    const bool is_asked = layouts.empty() || std::find(layouts.begin(), layouts.end(),
                                                       planned.compiled.layouts[i].name) != layouts.end();
    if (is_asked) ids.push_back(i);
  }
  looked.findings = lint(planned, ids, options);
  return looked;
}

std::map<std::string, size_t> counts(const std::vector<Finding>& findings) {
  std::map<std::string, size_t> found;
  for (const Finding& finding : findings) ++found[finding.rule];
  return found;
}

bool is_better(const Looked& before, const Looked& after, const std::string& rule) {
  if (!after.is_sound || after.shortfalls > before.shortfalls) return false;
  std::map<std::string, size_t> had = counts(before.findings);
  const std::map<std::string, size_t> has = counts(after.findings);
  for (const auto& [id, count] : has) {
    if (count > had[id]) return false;
  }
  return !has.contains(rule) || has.at(rule) < had[rule];
}

bool is_same(const Finding& one, const Finding& other) {
  return one.rule == other.rule && one.message == other.message && one.layout == other.layout;
}

}  // namespace

size_t Repaired::count() const {
  return static_cast<size_t>(
      std::count_if(tried.begin(), tried.end(), [](const Done& done) { return done.helped; }));
}

Repaired repair(const std::string& name, std::string text, const std::vector<std::string>& layouts,
                const Options& options) {
  Repaired repaired{.text = std::move(text)};
  Looked now = look(name, repaired.text, layouts, options);
  // Places move with every edit: after each, the text is looked at anew.
  for (bool goes_on = now.is_sound; goes_on;) {
    goes_on = false;
    for (const Finding& finding : now.findings) {
      const bool was_tried =
          std::any_of(repaired.tried.begin(), repaired.tried.end(),
                      [&](const Repaired::Done& done) { return is_same(done.finding, finding); });
      if (!finding.repair || was_tried) continue;
      std::string edited = assist::applied(repaired.text, finding.repair->edits);
      Looked then = look(name, edited, layouts, options);
      const bool helps = is_better(now, then, finding.rule);
      repaired.tried.push_back({.finding = finding, .helped = helps});
      goes_on = true;
      if (!helps) continue;
      repaired.text = std::move(edited);
      now = std::move(then);
      break;
    }
  }
  return repaired;
}

}  // namespace sheaf::lint
