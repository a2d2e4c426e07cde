// Conditions of patterns, tested on what was read.
#pragma once

#include <chrono>
#include <optional>

#include "model/model.h"
#include "run/reader.h"
#include "run/record.h"

namespace sheaf::run {

// The value of an operand: a literal, or a parameter. `now` is the time of the request. Nothing if the
// parameter is left out.
std::optional<Value> operand_value(const model::Model& model, const language::Operand& operand,
                                   const model::Condition& condition, size_t index,
                                   const std::vector<Argument>& arguments,
                                   const std::vector<model::Parameter>& parameters,
                                   std::chrono::system_clock::time_point now);

// The value of a place without ends, of an entity with these fields that the edge led to.
std::optional<Value> value_at(const model::Model& model, model::EntityId entity, const model::Place& place,
                              const Fields& fields, const Edge* edge);
// The value of a place, perhaps over ends, as far as the item of an entity tells it: by its fields, its
// identity, what it refers to and the copies that it has. `true` for an entity that it leads to.
std::optional<Value> value_at(const model::Model& model, const model::Place& place, const Record& record);

// Whether `found` passes a condition. True also if a parameter of it is left out: then it does not apply.
bool holds(const model::Model& model, const model::Condition& condition, const std::optional<Value>& found,
           const std::vector<Argument>& arguments, const std::vector<model::Parameter>& parameters,
           std::chrono::system_clock::time_point now);

// A test on a value by itself.
bool passes(language::Condition::Test test, const std::optional<ValueView>& found,
            const std::vector<Value>& operands);

// A literal as a value of this type. `now` is the time of the request: a time, a date, or milliseconds.
Value literal_value(const language::Literal& literal, const language::Type& type,
                    std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

}  // namespace sheaf::run
