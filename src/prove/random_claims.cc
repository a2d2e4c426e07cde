#include "prove/random_claims.h"

#include "prove/random_names.h"
#include "prove/random_types.h"
#include "prove/random_values.h"

namespace sheaf::prove {
namespace {

using ClaimWords = std::vector<std::string>;

class ClaimMaker {
 public:
  ClaimMaker(Draw& draw, const model::Model& model) : draw_(draw), model_(model) {}

  std::string compare_layouts(const ClaimWords& layouts) {
    std::string text = "compare [default";
    for (const std::string& layout : layouts) text += ", " + written_name(layout);
    return text + "]";
  }

  std::string compare_ways() {
    if (model_.relations.empty()) return "";
    const model::RelationId id = draw_.chance.below(model_.relations.size());
    const model::Relation& relation = model_.relations[id];
    ClaimWords ways = {"edges", "edges pk both"};
    if (!relation.syntax->unchecked) ways.emplace_back("lists");
    const bool is_tree = relation.cardinality != language::Cardinality::kManyToMany && !relation.is_symmetric;
    if (is_tree && relation.edge_fields.empty())
      ways.insert(ways.end(), {"index", "ref", "collection", "path"});
    if (!relation.is_symmetric) ways.emplace_back("graph");
    draw_.chance.shuffle(ways);
    const size_t count = draw_.chance.between(2, ways.size());
    std::string text;
    for (size_t i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + ways[i];
    const model::End& end = relation.ends[0];
    return "compare " + written_name(model_.entities[end.holder].name) + "." + written_name(end.name) + " [" +
           text + "]";
  }

  std::string expectation() {
    static const ClaimWords words = {"requests", "reads", "returns", "units"};
    ClaimWords some = words;
    draw_.chance.shuffle(some);
    some.resize(draw_.chance.between(1, some.size()));
    std::string text;
    for (const std::string& word : some) {
      text += (text.empty() ? "" : ", ") + word;
      text += draw_.chance.one_in(3) ? " = 1" : " <= 100000";
    }
    return text;
  }

  std::string expect(const PatternDraft& pattern) {
    std::string text;
    for (const ParameterDraft& parameter : pattern.parameters) {
      const auto value = argument(parameter);
      if (!value) return "";
      text += (text.empty() ? "" : ", ") + *value;
    }
    return "expect " + written_name(pattern.name) + "(" + text + "): " + expectation();
  }

 private:
  std::optional<std::string> argument(const ParameterDraft& parameter) {
    if (parameter.is_optional && draw_.chance.one_in(2)) return "null";
    if (!parameter.entity) return random_literal(draw_, parameter.value_type);
    const std::vector<model::FieldPath>& identity = model_.entities[*parameter.entity].identity;
    std::string text;
    for (const model::FieldPath& path : identity) {
      const auto value = written_value(random_value(model_.field(*parameter.entity, path), draw_.chance));
      if (!value) return std::nullopt;
      text += (text.empty() ? "" : ", ") + *value;
    }
    return identity.size() == 1 ? text : "[" + text + "]";
  }

  Draw& draw_;
  const model::Model& model_;
};

}  // namespace

std::vector<std::string> random_claims(Draw& draw, const model::Model& model,
                                       const std::vector<PatternDraft>& patterns,
                                       const std::vector<std::string>& layouts) {
  ClaimMaker maker(draw, model);
  std::vector<std::string> claims;
  if (!layouts.empty() && draw.chance.one_in(3)) claims.push_back(maker.compare_layouts(layouts));
  if (draw.chance.one_in(4)) claims.push_back(maker.compare_ways());
  for (const PatternDraft& pattern : patterns) {
    if (draw.chance.one_in(12)) claims.push_back(maker.expect(pattern));
  }
  std::erase(claims, "");
  return claims;
}

}  // namespace sheaf::prove
