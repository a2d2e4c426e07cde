#include "prove/feature_walk.h"

#include <algorithm>

#include "language/syntax_words.h"
#include "prove/places.h"

namespace sheaf::prove {
namespace {

using Kind = language::Type::Kind;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string kind_word(Kind kind) {
  if (kind == Kind::kEnum) return "enum";
  if (kind == Kind::kObject) return "object";
  const std::string_view scalar = language::word_for(language::kScalarWords, kind);
  return std::string(scalar.empty() ? language::word_for(language::kContainerWords, kind) : scalar);
}

std::string test_word(language::Condition::Test test) {
  return std::string(language::word_for(language::kTestWords, test));
}

std::string operand_word(const model::Model& model, const std::vector<model::Parameter>& parameters,
                         const language::Operand& operand, std::string_view own) {
  if (const auto* literal = std::get_if<language::Literal>(&operand))
    return literal->kind == language::Literal::Kind::kNow ? "now" : "literal";
  const auto& path = std::get<language::Path>(operand);
  if (!path.from_parameter) return "field";
  const auto parameter =
      std::find_if(parameters.begin(), parameters.end(),
                   [&](const model::Parameter& each) { return each.name == path.names.front().text; });
  if (parameter == parameters.end()) return "unknown";
  if (!parameter->entity) return parameter->is_optional ? "optional parameter" : "parameter";
  std::vector<std::string> names;
  for (size_t i = 1; i < path.names.size(); ++i) names.push_back(path.names[i].text);
  for (const PlaceChoice& choice : places_of(model, *parameter->entity, std::nullopt, 2)) {
    if (choice.names != names) continue;
    if (choice.is_id) return "identity part";
    if (!choice.place.ends.empty()) return "field over an end";
    if (!choice.place.inside.empty()) return "field inside";
    break;
  }
  return parameter->name == own ? "own field" : "other field";
}

void add_clause_features(const language::Clauses& clauses, const std::string& prefix, Features& found) {
  for (const language::Budget& budget : clauses.budgets)
    found.insert(prefix + " budget " + std::string(language::word_for(language::kBudgetWords, budget.unit)));
  if (clauses.rate)
    found.insert(prefix + " rate " +
                 std::string(language::word_for(language::kRateWords, clauses.rate->per)));
  if (clauses.strong) found.insert(prefix + " strong");
  if (clauses.snapshot) found.insert(prefix + " snapshot");
  if (clauses.prefer)
    found.insert(prefix + " prefer " +
                 std::string(language::word_for(language::kPreferWords, *clauses.prefer)));
  if (clauses.reads_max) found.insert(prefix + " reads max");
}

void add_parameter_features(const std::vector<model::Parameter>& parameters, Features& found) {
  std::set<model::EntityId> entities;
  if (parameters.empty()) found.insert("no parameters");
  for (const model::Parameter& each : parameters) {
    if (each.entity) {
      found.insert("parameter of an entity");
      if (!entities.insert(*each.entity).second) found.insert("two parameters of one entity type");
    } else {
      found.insert("parameter " + kind_word(each.type.kind) + (each.is_optional ? "?" : ""));
    }
    if (!std::all_of(each.name.begin(), each.name.end(), is_name_character))
      found.insert("name in backquotes");
  }
}

}  // namespace sheaf::prove
