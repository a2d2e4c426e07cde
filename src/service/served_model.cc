#include "service/served_model.h"

#include <algorithm>
#include <charconv>

#include "base/try.h"
#include "clients/openapi.h"
#include "plan/explain.h"
#include "run/plain_json.h"
#include "run/system_table.h"
#include "service/summary.h"
#include "value/value_json.h"

namespace sheaf::service {
namespace {

void append_number(std::string& out, double number) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  out.append(digits, end);
}

void append_count(std::string& out, std::string_view name, uint64_t count) {
  out += ",\"";
  out += name;
  out += "\":" + std::to_string(count);
}

void append_cost(std::string& out, const run::Figures& figures) {
  out += R"(,"cost":{"requests":)" + std::to_string(figures.requests);
  append_count(out, "rounds", figures.rounds);
  out += R"(,"units":)";
  append_number(out, figures.units);
  append_count(out, "items_read", figures.items_read);
  out += '}';
}

void append_plan(std::string& out, const std::string& text) {
  out += R"(,"plan":)";
  append_json_string(out, text);
}

void append_values(std::string& out, const std::vector<Value>& values) {
  out += '[';
  bool is_first = true;
  for (const Value& value : values) {
    if (!is_first) out += ',';
    is_first = false;
    out += run::to_plain_json(value);
  }
  out += ']';
}

template <typename Named>
const Named* find(const std::vector<Named>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

// The plan of a pattern with these of its parameters.
const plan::PlannedPattern* planned_for(const migrate::OpenVersion& version, const std::string& pattern,
                                        const std::vector<Value>& arguments) {
  const auto is_given = [&](size_t i) { return i < arguments.size() && arguments[i].type() != Type::kNull; };
  for (const plan::PlannedPattern& each : version.planned().plans[version.layout_id()]) {
    if (each.pattern->name != pattern) continue;
    bool fits = true;
    for (size_t i = 0; i < each.given.size(); ++i) fits &= each.given[i] == is_given(i);
    if (fits) return &each;
  }
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<ServedModel>> ServedModel::open(Database& database, const ModelSource& source,
                                                       const run::WriterOptions& options) {
  const plan::PlannedModel planned = plan::plan_model(model::compile(source.path, source.text));
  const model::CompiledModel& compiled = planned.compiled;
  if (!compiled.ok()) return Error{Code::kInvalid, compiled.rendered()};
  if (compiled.find_layout(source.layout) == nullptr)
    return Error{Code::kInvalid, source.path + " has no layout " + source.layout};
  auto live = migrate::LiveModel::open(
      database, source.text,
      {.name = source.path, .layout = source.layout, .applies = true, .writer = options});
  if (!live.ok()) return Error{live.error().code, source.path + ": " + live.error().message};
  // What can be asked is what can be answered: a model that was moved may be stored as another text says.
  const std::shared_ptr<const migrate::OpenVersion> stored = (*live)->reading();
  std::unique_ptr<ServedModel> served(
      new ServedModel(source, std::move(*live), clients::shapes_of(stored->model(), stored->layout())));
  served->openapi_ = clients::openapi_of(served->shapes_);
  return served;
}

std::vector<std::string> ServedModel::tables() const {
  const std::shared_ptr<const migrate::OpenVersion> version = live_->reading();
  std::vector<std::string> names;
  for (const model::Table& table : version->layout().tables) names.push_back(table.name);
  names.push_back(run::system_table_name(version->model()));
  return names;
}

std::string ServedModel::summary() const { return summary_of(shapes_, layout_name(), tables()); }

const clients::PatternShape* ServedModel::find_pattern(std::string_view name) const {
  return find(shapes_.patterns, name);
}

const clients::OperationShape* ServedModel::find_operation(std::string_view name) const {
  return find(shapes_.operations, name);
}

Reply ServedModel::ask(const clients::PatternShape& pattern, const Question& question) const {
  const std::shared_ptr<const migrate::OpenVersion> version = live_->reading();
  const plan::PlannedPattern* const planned = planned_for(*version, pattern.name, question.arguments);
  if (planned != nullptr && !planned->ok()) {
    const auto& refusal = std::get<plan::Refusal>(planned->plan);
    return problem(400, "unserved", pattern.name + " cannot be answered: " + refusal.message, refusal.fix);
  }
  const Result<run::Session::Reply> answer = live_->read(pattern.name, question.arguments, question.cursor);
  if (!answer.ok()) return problem(answer.error());
  Reply reply{.units = answer->figures.units};
  reply.body = R"({"documents":)";
  append_values(reply.body, answer->documents);
  if (answer->cursor) {
    reply.body += R"(,"cursor":)";
    append_json_string(reply.body, *answer->cursor);
  }
  if (question.wants_cost) append_cost(reply.body, answer->figures);
  if (question.wants_plan && planned != nullptr)
    append_plan(reply.body,
                plan::explain(version->model(), version->layout(), std::get<plan::Plan>(planned->plan)));
  reply.body += '}';
  return reply;
}

Reply ServedModel::act(const clients::OperationShape& operation, const Question& question) const {
  const Result<run::Session::Outcome> done = live_->write(operation.name, question.arguments);
  if (!done.ok()) return problem(done.error());
  Reply reply{.units = done->reply.figures.units};
  reply.body = R"({"put":)";
  append_values(reply.body, done->put);
  append_count(reply.body, "copies", done->reply.copies);
  append_count(reply.body, "deleted", done->reply.deleted);
  append_count(reply.body, "pending", done->reply.pending);
  append_count(reply.body, "retries", done->reply.retries);
  if (question.wants_cost) append_cost(reply.body, done->reply.figures);
  if (question.wants_plan) {
    const std::shared_ptr<const migrate::OpenVersion> version = live_->reading();
    for (const plan::PlannedOperation& each : version->planned().operations[version->layout_id()]) {
      if (each.operation->name == operation.name && each.ok())
        append_plan(reply.body, plan::explain(std::get<plan::OperationPlan>(each.plan)));
    }
  }
  reply.body += '}';
  return reply;
}

}  // namespace sheaf::service
