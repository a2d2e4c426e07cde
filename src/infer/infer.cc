#include "infer/infer.h"

#include <algorithm>

#include "base/article.h"
#include "infer/annotated_text.h"
#include "infer/attribute_links.h"
#include "infer/clusters.h"
#include "infer/id_types.h"
#include "infer/key_shapes.h"
#include "infer/sample_check.h"
#include "plan/planned_model.h"

namespace sheaf::infer {
namespace {

constexpr int kAttemptsMax = 12;

// How much is tried.
struct Effort {
  std::vector<bool> is_plain;                      // tables that are one entity, with keys taken whole
  std::set<std::pair<size_t, std::string>> whole;  // kinds whose keys are taken whole: table, and first key
  bool has_links = true;
  bool has_matches = false;
};

std::string sign_of(const Kind& kind) {
  return kind.items.empty() ? kind.facet : std::string(kind.items.front().encoded());
}

Findings find_all(const Observed& observed, const Effort& effort) {
  Findings findings;
  for (size_t t = 0; t < observed.tables.size(); ++t) {
    const ObservedTable& table = observed.tables[t];
    if (effort.is_plain[t]) {
      ObservedTable alone = table;
      alone.facets.clear();
      Kind kind{.table = t, .items = table.items};
      for (Kind& each : find_kinds(alone, t, std::nullopt)) {
        for (std::string& name : each.attributes) {
          if (std::find(kind.attributes.begin(), kind.attributes.end(), name) == kind.attributes.end())
            kind.attributes.push_back(std::move(name));
        }
      }
      if (kind.items.empty()) kind.declared = declared_fields(table);
      take_keys_whole(table, kind);
      findings.tags.emplace_back();
      findings.kinds.push_back(std::move(kind));
      continue;
    }
    findings.tags.push_back(find_tag(table));
    std::vector<Kind> kinds = find_kinds(table, t, findings.tags.back());
    if (kinds.empty()) kinds.push_back({.table = t, .declared = declared_fields(table)});
    for (Kind& kind : kinds) {
      if (effort.whole.contains({t, sign_of(kind)})) {
        take_keys_whole(table, kind);
      } else if (kind.items.empty()) {
        take_aliases(table, kind);
      } else {
        find_shapes(table, kind);
      }
      findings.kinds.push_back(std::move(kind));
    }
  }
  if (effort.has_links) {
    find_id_types(findings.kinds);
    findings.found = find_links(observed, findings.kinds);
  } else {
    findings.found.is_edge.resize(findings.kinds.size(), false);
    findings.found.within.resize(findings.kinds.size());
    findings.found.identities.resize(findings.kinds.size());
    findings.found.is_sampled.resize(findings.kinds.size(), false);
  }
  findings.naming = name_kinds(observed, findings.kinds, findings.found);
  if (effort.has_links)
    find_attribute_links(findings.kinds, findings.naming, findings.found, findings.questions);
  for (const auto& [child, parent] : shared_partitions(findings.kinds, findings.found))
    findings.questions.push_back({.subject = findings.naming.entities[child],
                                  .text = "its keys are in the partition of " +
                                          with_article(findings.naming.entities[parent]) +
                                          ", and no item says more: is that a relation?",
                                  .about = Question::About::kRelation});
  return findings;
}

bool has_error(const model::CompiledModel& compiled, language::ErrorId id) {
  const auto& all = compiled.diagnostics.all();
  return std::any_of(all.begin(), all.end(),
                     [&](const language::Diagnostic& diagnostic) { return diagnostic.id == id; });
}

std::string first_error(const model::CompiledModel& compiled) {
  for (const language::Diagnostic& diagnostic : compiled.diagnostics.all()) {
    if (diagnostic.severity == language::Severity::kError) return diagnostic.message;
  }
  return {};
}

class Inferring {
 public:
  explicit Inferring(const Observed& observed) : observed_(observed) {
    effort_.is_plain.resize(observed.tables.size(), false);
  }

  Inferred run() {
    for (int i = 0; i < kAttemptsMax; ++i) {
      if (attempt()) return finish();
    }
    std::fill(effort_.is_plain.begin(), effort_.is_plain.end(), true);
    effort_.has_links = false;
    attempt();
    return finish();
  }

 private:
  // True if all is well; else less is tried next time.
  bool attempt() {
    findings_ = find_all(observed_, effort_);
    DesignOptions options{.has_matches = effort_.has_matches, .has_patterns = false};
    design_ = design_model(observed_, findings_, options);
    const model::CompiledModel compiled = model::compile("inferred", annotated_text(design_, {}));
    if (!compiled.ok()) return lower_effort(compiled);
    const std::vector<Misfit> misfits = check_sample(compiled, design_, findings_.kinds);
    if (misfits.empty()) return true;
    for (const Misfit& misfit : misfits) {
      const Kind& kind = findings_.kinds[misfit.kind];
      const auto sign = std::pair(kind.table, sign_of(kind));
      const std::string name = design_.entity_of[misfit.kind];
      if (effort_.whole.insert(sign).second) {
        give_up(name + ": its keys are taken whole; cut into parts, " + misfit.why);
        effort_.has_matches = true;
      } else {
        make_plain(kind.table, misfit.why);
      }
    }
    return false;
  }

  bool lower_effort(const model::CompiledModel& compiled) {
    const std::string why = first_error(compiled);
    if (!effort_.has_matches && has_error(compiled, "key-collision")) {
      effort_.has_matches = true;
      return false;
    }
    // Which table it is, nobody says: each is tried.
    for (size_t t = 0; t < observed_.tables.size(); ++t) {
      if (effort_.is_plain[t]) continue;
      Effort less = effort_;
      less.is_plain[t] = true;
      const Findings findings = find_all(observed_, less);
      const Design design =
          design_model(observed_, findings, {.has_matches = less.has_matches, .has_patterns = false});
      if (!model::compile("inferred", annotated_text(design, {})).ok()) continue;
      make_plain(t, why);
      return false;
    }
    if (effort_.has_links) {
      effort_.has_links = false;
      give_up("relations: " + why);
      return false;
    }
    for (size_t t = 0; t < observed_.tables.size(); ++t) make_plain(t, why);
    return false;
  }

  void make_plain(size_t table, const std::string& why) {
    if (effort_.is_plain[table]) return;
    effort_.is_plain[table] = true;
    give_up("table " + observed_.tables[table].name + ": one entity for all items; with several, " + why);
  }

  void give_up(std::string what) { given_up_.push_back(std::move(what)); }

  // Patterns are proposed as far as keys serve them.
  Inferred finish() {
    DesignOptions options{.has_matches = effort_.has_matches};
    for (int round = 0; round < 3; ++round) {
      design_ = design_model(observed_, findings_, options);
      const plan::PlannedModel planned =
          plan::plan_model(model::compile("inferred", annotated_text(design_, {})));
      if (planned.compiled.ok()) break;
      for (const auto& each :
           planned.plans.empty() ? std::vector<plan::PlannedPattern>() : planned.plans.front()) {
        if (!each.ok()) options.left_out.insert(each.pattern->name);
      }
      for (const std::string& name : planned.compiled.model.refused) options.left_out.insert(name);
      if (round == 1) options.has_patterns = false;
    }
    Inferred inferred;
    for (const Note& note : design_.notes) inferred.inferences.push_back(note.inference);
    ask_what_data_cannot_show();
    inferred.questions = design_.questions;
    inferred.given_up = given_up_;
    inferred.text = annotated_text(design_, heading());
    return inferred;
  }

  void ask_what_data_cannot_show() {
    for (size_t i = 0; i < findings_.kinds.size(); ++i) {
      if (findings_.found.is_edge[i]) continue;
      design_.questions.push_back({.subject = design_.entity_of[i],
                                   .text = "which fields never change, and which are unique?",
                                   .about = Question::About::kField});
    }
    design_.questions.push_back({.subject = "patterns",
                                 .text = "how is it read and written, how often, and in how many requests?",
                                 .about = Question::About::kPatterns});
  }

  std::vector<std::string> heading() const {
    std::vector<std::string> lines;
    for (const ObservedTable& table : observed_.tables) {
      std::string line = "Inferred from " + std::to_string(table.items.size());
      if (table.item_count && *table.item_count != static_cast<int64_t>(table.items.size()))
        line += " of " + std::to_string(*table.item_count);
      lines.push_back(line + " items of the table " + table.name + ".");
    }
    lines.push_back("Behind each line: how many items agree, and how likely the next one does.");
    for (const std::string& each : given_up_) lines.push_back("Given up: " + each + ".");
    return lines;
  }

  const Observed& observed_;
  Effort effort_;
  Findings findings_;
  Design design_;
  std::vector<std::string> given_up_;
};

}  // namespace

Inferred infer_model(const Observed& observed) { return Inferring(observed).run(); }

}  // namespace sheaf::infer
