// Conditions of patterns, tested on what was read.
#pragma once

#include <optional>

#include "model/model.h"
#include "run/reader.h"
#include "run/record.h"

namespace sheaf::run {

// The value of an operand: a literal, or a parameter. Nothing if the parameter is left out.
std::optional<Value> operand_value(const model::Model& model, const language::Operand& operand,
                                   const model::Condition& condition, size_t index,
                                   const std::vector<Argument>& arguments,
                                   const std::vector<model::Parameter>& parameters);

// Where a place leads, from an entity's record (or what is known of it) and the edge that led to it.
std::optional<Value> value_at(const model::Model& model, const model::Place& place, const Fields& fields,
                              const Edge* edge, const Record* record);

// True also if a parameter of the condition is left out: then it vanishes.
bool holds(const model::Model& model, const model::Condition& condition, const Fields& fields,
           const Edge* edge, const Record* record, const std::vector<Argument>& arguments,
           const std::vector<model::Parameter>& parameters);

// A test on a value by itself.
bool passes(language::Condition::Test test, const std::optional<ValueView>& found,
            const std::vector<Value>& operands);

// A literal as a value of this type.
Value literal_value(const language::Literal& literal, const language::Type& type);

}  // namespace sheaf::run
