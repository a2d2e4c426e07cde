#include "measure/candidates.h"

#include <algorithm>
#include <utility>

#include "language/parser.h"
#include "language/syntax_text.h"
#include "language/syntax_words.h"
#include "measure/ways.h"
#include "model/layout_clauses.h"
#include "run/applied_layout.h"

namespace sheaf::measure {
namespace {

using language::Via;

// A model's text with one layout in its bodies, and one of its relations stored in another way.
class VariantText {
 public:
  VariantText(const plan::PlannedModel& planned, size_t base)
      : planned_(planned), base_(base), clauses_(clauses()) {}

  std::string text(model::RelationId relation, const Via& via, Freed freed) const {
    language::Diagnostics ignored;
    language::Model syntax = language::parse(planned_.compiled.source, ignored);
    syntax.layouts.clear();
    syntax.compares.clear();
    syntax.expects.clear();
    syntax.tables.clear();
    if (freed != Freed::kAllKeys) {
      for (const language::Table* table : clauses_.tables) syntax.tables.push_back(*table);
    }
    const model::Relation& stored = planned_.compiled.model.relations[relation];
    for (size_t i = 0; i < syntax.entities.size(); ++i) {
      language::Physical& physical = syntax.entities[i].physical;
      physical = clauses_.entities[i];
      const bool is_own = stored.ends[0].holder == i || stored.ends[1].holder == i;
      if (freed == Freed::kAllKeys) physical.table.reset();
      if (freed == Freed::kAllKeys || (freed == Freed::kOwnKeys && is_own)) {
        physical.key.reset();
        physical.second_key.reset();
        physical.indexes.clear();
      }
    }
    for (size_t i = 0; i < syntax.relations.size(); ++i) {
      syntax.relations[i].via = i == relation ? via : clauses_.relations[i];
      if (i == relation || freed != Freed::kAllKeys || !syntax.relations[i].via) continue;
      syntax.relations[i].via->physical = {};
      syntax.relations[i].via->on.reset();
    }
    return language::to_text(syntax);
  }

 private:
  model::LayoutClauses clauses() const {
    language::Diagnostics ignored;
    model::Mistakes mistakes(ignored);
    return model::layout_clauses(planned_.compiled.model, mistakes)[base_];
  }

  const plan::PlannedModel& planned_;
  const size_t base_;
  const model::LayoutClauses clauses_;
};

std::string first_mistake(const model::CompiledModel& compiled) {
  for (const language::Diagnostic& each : compiled.diagnostics.all()) {
    if (each.severity == language::Severity::kError) return each.message;
  }
  return "";
}

// Adds it, unless one that is there stores everything the same.
void add_new(Candidates& candidates, Candidate candidate) {
  const run::LayoutFacts facts = run::layout_facts(candidate.stored.model(), candidate.stored.stored());
  for (const Candidate& other : candidates.legal) {
    if (run::layout_facts(other.stored.model(), other.stored.stored()) != facts) continue;
    candidates.rejected.push_back(
        {.name = std::move(candidate.name), .reason = "the same as " + other.name, .is_same = true});
    return;
  }
  candidates.legal.push_back(std::move(candidate));
}

void try_way(const plan::PlannedModel& planned, const VariantText& variant, model::RelationId relation,
             const Via& via, Candidates& candidates) {
  const std::string name = relation_name(planned.compiled.model, relation) + " via " + via_text(via);
  std::string reason;
  for (const Freed freed : {Freed::kNothing, Freed::kOwnKeys, Freed::kAllKeys}) {
    std::string text = variant.text(relation, via, freed);
    model::CompiledModel compiled = model::compile(planned.compiled.source.name(), text);
    if (!compiled.ok()) {
      reason = first_mistake(compiled);
      continue;
    }
    Candidate made{.name = name, .freed = freed, .text = std::move(text)};
    made.made = std::make_unique<plan::PlannedModel>(plan::plan_model(std::move(compiled)));
    made.stored = {.planned = made.made.get(), .layout = 0};
    add_new(candidates, std::move(made));
    return;
  }
  candidates.rejected.push_back({.name = name, .reason = reason});
}

}  // namespace

std::vector<std::string> Candidate::unserved() const {
  std::vector<std::string> names;
  const auto& plans = stored.planned->plans[stored.layout];
  for (const model::Pattern& pattern : stored.model().patterns) {
    const bool is_served = std::any_of(plans.begin(), plans.end(), [&](const plan::PlannedPattern& each) {
      return each.pattern == &pattern && each.ok();
    });
    if (!is_served) names.push_back(pattern.name);
  }
  for (const plan::PlannedOperation& each : stored.planned->operations[stored.layout]) {
    if (!each.ok()) names.push_back(each.operation->name);
  }
  return names;
}

Result<Candidates> named_layouts(const plan::PlannedModel& planned, const std::vector<std::string>& names) {
  Candidates made;
  for (const std::string& name : names) {
    const model::Layout* const found = planned.compiled.find_layout(name);
    if (found == nullptr) {
      std::string there;
      for (const model::Layout& each : planned.compiled.layouts)
        there += (there.empty() ? "" : ", ") + each.name;
      return Error{Code::kInvalid, "there is no layout " + name + "; there are " + there};
    }
    Candidate candidate{.name = name};
    candidate.stored = {.planned = &planned,
                        .layout = static_cast<size_t>(found - planned.compiled.layouts.data())};
    add_new(made, std::move(candidate));
  }
  return made;
}

Candidates strategies(const plan::PlannedModel& planned, size_t base, model::RelationId relation,
                      const std::vector<Via>& ways) {
  const VariantText variant(planned, base);
  Candidates made;
  for (const Via& way : ways) try_way(planned, variant, relation, way, made);
  return made;
}

Candidates all_strategies(const plan::PlannedModel& planned, size_t base, model::RelationId relation) {
  return strategies(planned, base, relation, all_ways(planned.compiled.model, relation));
}

Candidates declared_comparison(const plan::PlannedModel& planned, size_t base) {
  const model::Model& model = planned.compiled.model;
  Candidates made;
  for (const language::Compare& compare : model.syntax().compares) {
    Candidates more;
    if (compare.relation) {
      const auto relation =
          find_relation(model, compare.relation->first.text + "." + compare.relation->second.text);
      if (relation.ok()) more = strategies(planned, base, *relation, compare.ways);
    } else {
      std::vector<std::string> names;
      for (const language::Name& name : compare.layouts) names.push_back(name.text);
      if (auto named = named_layouts(planned, names); named.ok()) more = std::move(*named);
    }
    for (Candidate& each : more.legal) add_new(made, std::move(each));
    for (Rejected& each : more.rejected) made.rejected.push_back(std::move(each));
  }
  return made;
}

Result<model::RelationId> find_relation(const model::Model& model, const std::string& name) {
  std::string there;
  for (model::RelationId relation = 0; relation < model.relations.size(); ++relation) {
    for (const model::End& end : model.relations[relation].ends) {
      if (model.entities[end.holder].name + "." + end.name == name) return relation;
    }
    there += (there.empty() ? "" : ", ") + relation_name(model, relation);
  }
  return Error{Code::kNotFound, "there is no relation " + name + "; there are " + there};
}

std::string relation_name(const model::Model& model, model::RelationId relation) {
  const model::End& end = model.relations[relation].ends[0];
  return model.entities[end.holder].name + "." + end.name;
}

std::string via_text(const Via& via) {
  std::string text;
  for (const auto& word : language::kViaWords) {
    if (word.value == via.kind) text = word.text;
  }
  for (const auto& word : language::kEmbedWords) {
    if (via.kind == Via::Kind::kEmbed && word.value == via.embed_as) text += " " + std::string(word.text);
  }
  if (via.on) text += " on " + via.on->text;
  if (via.ids) text += " " + via.ids->text;
  if (via.pk) text += " pk " + via.pk->text;
  for (const language::Copy& copy : via.copies) {
    text += " copy " + copy.end.text + "(";
    if (copy.all) text += "*";
    for (size_t i = 0; i < copy.fields.size(); ++i) text += (i == 0 ? "" : ", ") + copy.fields[i].text;
    text += ")";
  }
  return text;
}

}  // namespace sheaf::measure
