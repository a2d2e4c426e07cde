// A model on a database: its patterns and operations, by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/database.h"

#include "plan/planned_model.h"
#include "run/reader.h"

namespace sheaf::run {

// Thread-safe: it holds nothing that changes.
class Session {
 public:
  // kNotFound or kInvalid unless this layout is applied on the database. Both outlive the session.
  static Result<std::unique_ptr<Session>> open(Database& database, const plan::PlannedModel& planned,
                                               size_t layout);

  struct Reply {
    std::vector<Value> documents;
    std::optional<std::string> cursor;  // for the next page
    Figures figures;
  };
  // Arguments as JSON would give them: an id (a list, if it has several parts), or a value; those that are
  // left out, or null, must be optional.
  Result<Reply> read(std::string_view pattern, const std::vector<Value>& arguments,
                     std::string_view cursor = {}) const;

  const model::Model& model() const { return planned_.compiled.model; }
  const model::Layout& layout() const { return planned_.compiled.layouts[layout_]; }

 private:
  Session(Database& database, const plan::PlannedModel& planned, size_t layout, std::string secret)
      : database_(database), planned_(planned), layout_(layout), secret_(std::move(secret)) {}

  Database& database_;
  const plan::PlannedModel& planned_;
  const size_t layout_;
  const std::string secret_;
};

// The arguments of a pattern or operation, checked against its parameters.
Result<std::vector<Argument>> arguments_of(const model::Model& model, const std::string& name,
                                           const std::vector<model::Parameter>& parameters,
                                           const std::vector<Value>& values);

}  // namespace sheaf::run
