#include "model/claim_check.h"

#include <algorithm>

#include "base/article.h"
#include "model/layout.h"
#include "model/name_lookup.h"
#include "model/strategies/strategy.h"
#include "model/value_type.h"

namespace sheaf::model {
namespace {

using language::Literal;
using language::Name;
using Via = language::Via::Kind;

class ExpectCheck {
 public:
  ExpectCheck(const Model& model, Mistakes& mistakes) : model_(model), mistakes_(mistakes) {}

  void run(const language::Expect& expect) {
    const Pattern* const pattern = model_.find_pattern(expect.pattern.text);
    check_expectations(expect);
    if (pattern == nullptr) return tell_unknown(expect.pattern);
    const auto required =
        static_cast<size_t>(std::count_if(pattern->parameters.begin(), pattern->parameters.end(),
                                          [](const Parameter& each) { return !each.is_optional; }));
    const size_t given = expect.arguments.size();
    if (given < required || given > pattern->parameters.size()) {
      const std::string most = std::to_string(pattern->parameters.size());
      const std::string takes =
          required == pattern->parameters.size() ? most : std::to_string(required) + " to " + most;
      mistakes_.tell("wrong-arguments", expect.pattern.span,
                     pattern->name + " takes " + takes + (takes == "1" ? " argument" : " arguments") +
                         ", not " + std::to_string(given),
                     "give one for each parameter",
                     {{.span = pattern->syntax->name.span, .text = "it is declared here"}});
    }
    for (size_t i = 0; i < std::min(given, pattern->parameters.size()); ++i)
      check_argument(pattern->parameters[i], expect.arguments[i]);
  }

 private:
  void tell_unknown(const Name& name) {
    const language::Damage& damage = model_.syntax().damage;
    const auto contains = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), name.text) != list.end();
    };
    if (damage.has_lost_pattern || contains(damage.lost) || contains(model_.refused))
      return mistakes_.pass_over();
    std::vector<std::string_view> names;
    for (const Pattern& pattern : model_.patterns) names.push_back(pattern.name);
    mistakes_.tell_unknown("unknown-pattern", "pattern", name, names);
  }

  void check_expectations(const language::Expect& expect) {
    for (size_t i = 0; i < expect.expectations.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const language::Expectation &a = expect.expectations[i], &b = expect.expectations[j];
        if (a.what == b.what && a.at_most == b.at_most)
          return mistakes_.tell("said-twice", expect.pattern.span, "this expectation says one thing twice",
                                "keep one of the two");
      }
    }
  }

  void check_argument(const Parameter& parameter, const Literal& argument) {
    if (argument.kind == Literal::Kind::kNull && parameter.is_optional) return;
    if (!parameter.entity) return check_value(argument, parameter.type, parameter.name);
    const std::vector<FieldPath>& identity = model_.entities[*parameter.entity].identity;
    const std::string& entity = model_.entities[*parameter.entity].name;
    if (identity.size() == 1)
      return check_value(argument, model_.field(*parameter.entity, identity.front()).type, parameter.name);
    const bool has_parts = argument.kind == Literal::Kind::kList || argument.kind == Literal::Kind::kMap;
    if (!has_parts || argument.items.size() != identity.size()) {
      std::string parts;
      for (const FieldPath& path : identity)
        parts += (parts.empty() ? "" : ", ") + model_.text(*parameter.entity, path);
      return mistakes_.tell("wrong-arguments", argument.span,
                            "the id of " + with_article(entity) + " has " + std::to_string(identity.size()) +
                                " parts: " + parts,
                            "write them as a list: [\"..\", \"..\"]");
    }
    if (argument.kind == Literal::Kind::kMap) return;
    for (size_t i = 0; i < identity.size(); ++i)
      check_value(argument.items[i], model_.field(*parameter.entity, identity[i]).type, parameter.name);
  }

  void check_value(const Literal& literal, const language::Type& type, const std::string& parameter) {
    if (const auto why = mismatch(literal, type))
      mistakes_.tell("wrong-arguments", literal.span, *why,
                     "give " + with_article(text_of(type)) + " for " + parameter);
  }

  const Model& model_;
  Mistakes& mistakes_;
};

void check_layouts(const Model& model, const language::Compare& compare, Mistakes& mistakes) {
  std::vector<std::string_view> names = {kDefaultLayout};
  for (const language::Layout& layout : model.syntax().layouts) names.push_back(layout.name.text);
  for (size_t i = 0; i < compare.layouts.size(); ++i) {
    const Name& name = compare.layouts[i];
    if (std::find(names.begin(), names.end(), name.text) == names.end()) {
      if (!model.syntax().damage.is_structural)
        mistakes.tell_unknown("unknown-layout", "layout", name, names);
    }
    for (size_t j = 0; j < i; ++j) {
      if (compare.layouts[j] == name) mistakes.tell_duplicate("layouts", name, compare.layouts[j].span);
    }
  }
  if (compare.layouts.size() == 1)
    mistakes.tell("contradiction", compare.layouts.front().span, "there is nothing to compare it with",
                  "name two layouts or more");
}

void check_ways(const Model& model, const language::Compare& compare, Mistakes& mistakes) {
  NameLookup names(model, mistakes);
  const auto entity = names.entity(compare.relation->first);
  if (!entity) return;
  const auto end = names.end(*entity, compare.relation->second);
  if (!end) return;
  for (const language::Via& way : compare.ways) {
    const Strategy* const strategy = find_strategy(way.kind);
    if (strategy != nullptr) fits(*strategy, model, model.relations[end->relation], way.span, mistakes);
  }
  if (compare.ways.size() == 1)
    mistakes.tell("contradiction", compare.ways.front().span, "there is nothing to compare it with",
                  "name two ways or more");
}

}  // namespace

void check_expects(const Model& model, Mistakes& mistakes) {
  ExpectCheck check(model, mistakes);
  for (const language::Expect& expect : model.syntax().expects) check.run(expect);
}

void check_compares(const Model& model, Mistakes& mistakes) {
  for (const language::Compare& compare : model.syntax().compares) {
    if (compare.relation) {
      check_ways(model, compare, mistakes);
    } else {
      check_layouts(model, compare, mistakes);
    }
  }
}

}  // namespace sheaf::model
