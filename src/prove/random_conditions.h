// Parameters, operands, conditions and expressions made by chance.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/model.h"
#include "prove/draw.h"
#include "prove/places.h"

namespace sheaf::prove {

using Test = language::Condition::Test;

struct ParameterDraft {
  std::string name;
  std::string type;  // as it is written
  std::optional<model::EntityId> entity;
  language::Type value_type;  // if it is no entity
  bool is_optional = false;
};

// The parameters of one pattern or operation, which grow while its text is written.
class Parameters {
 public:
  // "$name"
  std::string add_entity(Draw& draw, const model::Model& model, model::EntityId entity);
  std::string add_value(Draw& draw, const language::Type& type, bool is_optional);
  size_t optional_count() const;
  // "(a: Org, b: int?)"
  std::string text() const;

  std::vector<ParameterDraft> all;

 private:
  std::set<std::string> taken_;
};

// Where conditions and expressions stand, which says what their operands may be.
enum class OperandPlace : uint8_t {
  kPattern,    // parameters, literals and parts of identities
  kOperation,  // fields of the entity parameters, too
  kLiteral,    // literals alone
};

class ConditionMaker {
 public:
  ConditionMaker(Draw& draw, const model::Model& model, Parameters& parameters, OperandPlace place)
      : draw_(draw), model_(model), parameters_(parameters), place_(place) {}

  // A condition on the place, written behind `prefix` ("$p." or nothing). Nothing if no test fits.
  std::optional<std::string> condition(const PlaceChoice& choice, const std::string& prefix);
  std::optional<std::string> condition(const PlaceChoice& choice, const std::string& prefix, Test test);
  // Several of them, joined by and; empty if none fits.
  std::string conditions(const std::vector<PlaceChoice>& choices, const std::string& prefix, size_t count);

  // An operand of the type; nothing if there is none.
  std::optional<std::string> operand(const language::Type& type);
  // A number or a text that is put together from operands.
  std::optional<std::string> expression(const language::Type& type);

  // "$p" whose own fields are assigned: what it leads to is no operand then.
  std::string assigned;

 private:
  std::optional<std::string> field_of_parameter(const language::Type& type);
  std::optional<std::string> literal(const language::Type& type);
  language::Type parameter_type(const language::Type& type);
  std::optional<std::string> between(const language::Type& type);

  Draw& draw_;
  const model::Model& model_;
  Parameters& parameters_;
  const OperandPlace place_;
  bool is_beginning_ = false;  // the operand of begins: now is none
};

// The tests that a value of the type takes.
std::vector<Test> tests_of(const language::Type& type);

}  // namespace sheaf::prove
