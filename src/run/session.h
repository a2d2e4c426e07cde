// A model on a database: its patterns and operations, by name.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/database.h"

#include "plan/planned_model.h"
#include "run/reader.h"
#include "run/straight_read.h"
#include "run/writer.h"

namespace sheaf::run {

// Thread-safe: it holds nothing that changes.
class Session {
 public:
  // kNotFound or kInvalid unless this layout is applied on the database. Both outlive the session.
  static Result<std::unique_ptr<Session>> open(Database& database, const plan::PlannedModel& planned,
                                               size_t layout, WriterOptions options = {});

  struct Reply {
    std::vector<Value> documents;
    std::optional<std::string> cursor;  // for the next page
    Figures figures;
  };
  // Arguments as JSON would give them: an id (a list, if it has several parts), or a value; those that are
  // left out, or null, must be optional.
  Result<Reply> read(std::string_view pattern, const std::vector<Value>& arguments,
                     std::string_view cursor = {}) const;

  struct Outcome {
    WriteReply reply;
    std::vector<Value> put;  // the ids of what was put, generated ones among them
  };
  // An operation of the model, in one transaction; or one that every model has:
  //   put.ENTITY (document), upsert.ENTITY (document), delete.ENTITY (id)
  //   set.ENTITY (id, fields), add.ENTITY (id, numbers), remove.ENTITY (id, names)
  //   link.ENTITY.END (id, id, fields of the edge), unlink.ENTITY.END (id, id), move.ENTITY.END (id, id)
  Result<Outcome> write(std::string_view operation, const std::vector<Value>& arguments,
                        const Companion* companion = nullptr) const;
  // Does the jobs that others have left.
  Result<WriteReply> work() const { return writer_.work(); }
  Result<std::vector<Job>> jobs() const { return list_jobs(database_, model(), layout()); }

  // Whether `name` is a pattern; otherwise it is an operation, or nothing.
  bool is_pattern(std::string_view name) const { return model().find_pattern(name) != nullptr; }

  const model::Model& model() const { return planned_.compiled.model; }
  const model::Layout& layout() const { return planned_.compiled.layouts[layout_]; }

 private:
  Session(Database& database, const plan::PlannedModel& planned, size_t layout, std::string secret,
          WriterOptions options)
      : database_(database),
        planned_(planned),
        layout_(layout),
        secret_(std::move(secret)),
        writer_(database, planned.compiled.model, planned.compiled.layouts[layout], std::move(options)) {
    for (const plan::PlannedPattern& each : planned.plans[layout]) prepare(each);
  }

  // A pattern with some of its parameters, ready to run.
  struct Prepared {
    const plan::PlannedPattern* planned = nullptr;
    std::optional<StraightRead> straight;
    std::string fingerprint;  // for its cursors
  };
  void prepare(const plan::PlannedPattern& planned);
  Result<Answer> run(const Prepared& prepared, const std::vector<Argument>& arguments,
                     const Position* start) const;

  Database& database_;
  const plan::PlannedModel& planned_;
  const size_t layout_;
  const std::string secret_;
  const Writer writer_;
  std::map<std::string, std::vector<Prepared>, std::less<>> prepared_;  // by the name of the pattern
};

// Whether a plan is the one for these arguments: the same optional ones are given.
bool is_for(const plan::PlannedPattern& planned, const std::vector<Argument>& arguments);

// The arguments of a pattern or operation, checked against its parameters, as values are stored.
Result<std::vector<Argument>> arguments_of(
    const model::Model& model, const std::string& name, const std::vector<model::Parameter>& parameters,
    const std::vector<Value>& values,
    std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

}  // namespace sheaf::run
