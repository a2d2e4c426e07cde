#include "run/session.h"

#include <algorithm>

#include "base/try.h"
#include "model/value_type.h"
#include "run/applied_layout.h"
#include "run/basic_change.h"
#include "run/data_file.h"
#include "run/system_table.h"
#include "run/value_check.h"

namespace sheaf::run {

Result<std::vector<Argument>> arguments_of(const model::Model& model, const std::string& name,
                                           const std::vector<model::Parameter>& parameters,
                                           const std::vector<Value>& values,
                                           std::chrono::system_clock::time_point now) {
  if (values.size() > parameters.size())
    return Error{Code::kInvalid, name + " takes " + std::to_string(parameters.size()) + " parameters, and " +
                                     std::to_string(values.size()) + " are given"};
  std::vector<Argument> arguments;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const model::Parameter& parameter = parameters[i];
    const bool is_given = i < values.size() && values[i].type() != Type::kNull;
    if (!is_given) {
      if (!parameter.is_optional)
        return Error{Code::kInvalid, name + " needs its parameter " + parameter.name};
      arguments.push_back({.is_given = false});
    } else if (!parameter.entity) {
      if (const auto why = misfit(values[i], parameter.type))
        return Error{Code::kInvalid, "the parameter " + parameter.name + " " + *why};
      arguments.push_back({.value = stored_form(values[i], parameter.type, now)});
    } else if (values[i].type() == Type::kMap) {
      arguments.push_back({.value = values[i]});
    } else {
      Result<Identity> identity = identity_of(model, *parameter.entity, values[i]);
      if (!identity.ok())
        return Error{identity.error().code,
                     "the parameter " + parameter.name + ": " + identity.error().message};
      arguments.push_back({.identity = std::move(*identity)});
    }
  }
  return arguments;
}

Result<std::unique_ptr<Session>> Session::open(Database& database, const plan::PlannedModel& planned,
                                               size_t layout, WriterOptions options) {
  const std::vector<model::Layout>& layouts = planned.compiled.layouts;
  TRY(check_applied(database, planned.compiled.model, layouts[layout], layouts));
  std::string secret = TRY(read_secret(database, planned.compiled.model));
  return std::unique_ptr<Session>(
      new Session(database, planned, layout, std::move(secret), std::move(options)));
}

bool is_for(const plan::PlannedPattern& planned, const std::vector<Argument>& arguments) {
  return std::equal(planned.given.begin(), planned.given.end(), arguments.begin(), arguments.end(),
                    [](bool is_given, const Argument& argument) { return is_given == argument.is_given; });
}

void Session::prepare(const plan::PlannedPattern& planned) {
  Prepared made{.planned = &planned};
  if (planned.ok()) {
    const auto& plan = std::get<plan::Plan>(planned.plan);
    if (auto straight = StraightRead::of(model(), layout(), plan))
      made.straight.emplace(std::move(*straight));
    made.fingerprint = plan_fingerprint(model(), layout(), plan);
  }
  prepared_[planned.pattern->name].push_back(std::move(made));
}

Result<Session::Reply> Session::read(std::string_view name, const std::vector<Value>& values,
                                     std::string_view cursor) const {
  const auto found = prepared_.find(name);
  if (found == prepared_.end()) return Error{Code::kNotFound, "there is no pattern " + std::string(name)};
  const model::Pattern& pattern = *found->second.front().planned->pattern;
  const std::vector<Argument> arguments =
      TRY(arguments_of(model(), pattern.name, pattern.parameters, values, writer_.options().clock()));
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (pattern.parameters[i].entity && arguments[i].value)
      return Error{Code::kInvalid,
                   "the parameter " + pattern.parameters[i].name + " is an id, not a document"};
  }
  for (const Prepared& each : found->second) {
    if (!is_for(*each.planned, arguments)) continue;
    if (!each.planned->ok()) {
      const auto& refusal = std::get<plan::Refusal>(each.planned->plan);
      return Error{Code::kInvalid, pattern.name + " cannot be answered: " + refusal.message};
    }
    std::optional<Position> start;
    if (!cursor.empty()) start = TRY(decode_cursor(secret_, each.fingerprint, arguments, cursor));
    Answer answer = TRY(run(each, arguments, start ? &*start : nullptr));
    Reply reply{.documents = std::move(answer.documents), .figures = answer.figures};
    if (answer.next) reply.cursor = encode_cursor(secret_, each.fingerprint, arguments, *answer.next);
    return reply;
  }
  return Error{Code::kInvalid, "there is no plan for " + pattern.name};
}

Result<Answer> Session::run(const Prepared& prepared, const std::vector<Argument>& arguments,
                            const Position* start) const {
  if (prepared.straight)
    return prepared.straight->run(database_, arguments, start, writer_.options().clock());
  return run_plan(database_, model(), layout(), std::get<plan::Plan>(prepared.planned->plan), arguments,
                  start, writer_.options().clock());
}

Result<Session::Outcome> Session::write(std::string_view name, const std::vector<Value>& values,
                                        const Companion* companion) const {
  const auto now = writer_.options().clock();
  std::vector<Change> changes;
  if (const model::Operation* const operation = model().find_operation(name)) {
    const std::vector<Argument> arguments =
        TRY(arguments_of(model(), operation->name, operation->parameters, values, now));
    changes = TRY(changes_of(model(), layout(), *operation, arguments, now));
  } else {
    Change change = TRY(basic_change(model(), layout(), name, values, now));
    changes.push_back(std::move(change));
  }
  Outcome outcome;
  outcome.reply = TRY(writer_.run(changes, companion));
  for (const Change& change : changes) {
    if (change.kind != Change::Kind::kPut && change.kind != Change::Kind::kUpsert) continue;
    std::vector<Value> parts;
    for (size_t part = 0; part < change.identity.size(); ++part)
      parts.push_back(value_of(change.identity[part], identity_field(model(), change.entity, part).type));
    outcome.put.push_back(parts.size() == 1 ? parts.front() : Value::list(parts));
  }
  return outcome;
}

}  // namespace sheaf::run
