// A rule of the linter of models, and what it is given.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/finding.h"
#include "lint/limits.h"
#include "plan/planned_model.h"

namespace sheaf::lint {

// One layout of a model without mistakes. Borrows all of it.
struct Subject {
  const plan::PlannedModel& planned;
  size_t layout_id = 0;
  const Limits& limits;

  const model::Model& model() const { return planned.compiled.model; }
  const model::Layout& layout() const { return planned.compiled.layouts[layout_id]; }
  const language::SourceText& source() const { return planned.compiled.source; }
  const std::vector<plan::PlannedPattern>& patterns() const { return planned.plans[layout_id]; }
  bool is_default() const { return layout_id == 0; }
};

// What a rule tells; the linter adds the rest.
struct Told {
  language::Span span;
  std::string message;
  std::string fix;
  std::vector<language::Note> notes;
  std::optional<Repair> repair;
  std::optional<Severity> severity;  // if it is not the rule's own
};
using Tell = std::vector<Told>;

struct Rule {
  std::string_view id;
  std::string_view points;  // of the list that Sheaf is measured against: "H2"
  std::string_view title;   // what it finds, in one sentence; of those that `check` tells, its page says it
  std::string_view why;     // why that matters
  Severity severity = Severity::kWarning;
  // Adds what it finds. Null: `sheaf model check` tells it already, under the same id, and so it is told.
  void (*check)(const Subject& subject, Tell& tell) = nullptr;
};

// All of them, by theme.
std::span<const Rule> rules();
const Rule* find_rule(std::string_view id);

// Themes: one file each in lint/rules.
std::span<const Rule> key_rules();
std::span<const Rule> growth_rules();
std::span<const Rule> copy_rules();
std::span<const Rule> edge_rules();
std::span<const Rule> direction_rules();
std::span<const Rule> read_rules();
std::span<const Rule> index_rules();
// What `check` tells.
std::span<const Rule> checked_rules();

}  // namespace sheaf::lint
