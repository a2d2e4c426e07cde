// The walks through a model that find its features, one for each part of the grammar, and the words that they
// share.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/model.h"
#include "prove/places.h"

namespace sheaf::prove {

using Features = std::set<std::string>;

void add_declared_features(const model::Model& model, Features& found);  // entities, relations, names, claims
void add_storage_features(const model::Model& model, Features& found);   // tables, keys, strategies, layouts
void add_pattern_features(const model::Model& model, Features& found);   // reads
void add_operation_features(const model::Model& model, Features& found);  // writes

std::string kind_word(language::Type::Kind kind);
std::string test_word(language::Condition::Test test);
// literal, now, parameter, optional parameter, identity part, own field, other field, field over an end,
// field inside.
std::string operand_word(const model::Model& model, const std::vector<model::Parameter>& parameters,
                         const language::Operand& operand, std::string_view own);
// budget requests, rate s, strong ..
void add_clause_features(const language::Clauses& clauses, const std::string& prefix, Features& found);
void add_parameter_features(const std::vector<model::Parameter>& parameters, Features& found);

}  // namespace sheaf::prove
