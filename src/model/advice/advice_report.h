// Advice as it is told: to people, to programs, and the trees and tables by themselves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/source_text.h"
#include "model/advice/recommendation.h"

namespace sheaf::model {

// What the model says of a relation, if it does.
struct WrittenStrategy {
  std::string text;  // index on GSI1 copy customer(name)
  language::Via via;
  language::Span span;
  bool is_by_keys = false;  // nobody wrote via: the keys realise it
};

struct RelationAdvice {
  Recommendation recommendation;
  std::string via;  // with copies, as it should be written
  std::optional<WrittenStrategy> written;
  WrittenVerdict verdict;
  std::string measured_on;            // what strategies were measured on, in words; empty: nothing was
  std::vector<std::string> findings;  // what the linter says of the relation once it is stored so
};

// Department.staff
std::string full_relation_name(const Model& model, RelationId relation);
// copy department(name, floor); empty if none are advised
std::string copies_text(const Model& model, const Recommendation& recommendation);

std::string to_text(const Model& model, const language::SourceText& source,
                    const std::vector<RelationAdvice>& advice);
std::string to_json(const Model& model, const language::SourceText& source,
                    const std::vector<RelationAdvice>& advice);

// All questions, trees and tables, as Markdown. doc/advise.md has it word for word.
std::string decision_text();

}  // namespace sheaf::model
