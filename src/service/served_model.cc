#include "service/served_model.h"

#include <algorithm>
#include <charconv>

#include "base/try.h"
#include "clients/openapi.h"
#include "plan/explain.h"
#include "run/applied_layout.h"
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

}  // namespace

Result<std::unique_ptr<ServedModel>> ServedModel::open(Database& database, const ModelSource& source,
                                                       const run::WriterOptions& options) {
  plan::PlannedModel planned = plan::plan_model(model::compile(source.path, source.text));
  if (!planned.compiled.ok()) return Error{Code::kInvalid, planned.compiled.rendered()};
  const auto& layouts = planned.compiled.layouts;
  const auto chosen = std::find_if(layouts.begin(), layouts.end(),
                                   [&](const model::Layout& each) { return each.name == source.layout; });
  if (chosen == layouts.end()) return Error{Code::kInvalid, source.path + " has no layout " + source.layout};
  const auto layout = static_cast<size_t>(chosen - layouts.begin());

  std::unique_ptr<ServedModel> served(new ServedModel(std::move(planned), layout));
  const Result<void> applied = run::apply_layout(database, served->model(), served->layout());
  if (!applied.ok()) return Error{applied.error().code, source.path + ": " + applied.error().message};
  served->session_ = TRY(run::Session::open(database, served->planned_, layout, options));
  served->shapes_ = clients::shapes_of(served->model(), served->layout());
  served->openapi_ = clients::openapi_of(served->shapes_);
  for (const model::Table& table : served->layout().tables) served->tables_.push_back(table.name);
  served->tables_.push_back(run::system_table_name(served->model()));
  served->summary_ = summary_of(served->shapes_, served->layout().name, served->tables_);
  return served;
}

const clients::PatternShape* ServedModel::find_pattern(std::string_view name) const {
  return find(shapes_.patterns, name);
}

const clients::OperationShape* ServedModel::find_operation(std::string_view name) const {
  return find(shapes_.operations, name);
}

const plan::PlannedPattern* ServedModel::planned_for(const std::string& pattern,
                                                     const std::vector<Value>& arguments) const {
  const auto is_given = [&](size_t i) { return i < arguments.size() && arguments[i].type() != Type::kNull; };
  for (const plan::PlannedPattern& each : planned_.plans[layout_]) {
    if (each.pattern->name != pattern) continue;
    bool fits = true;
    for (size_t i = 0; i < each.given.size(); ++i) fits &= each.given[i] == is_given(i);
    if (fits) return &each;
  }
  return nullptr;
}

Reply ServedModel::ask(const clients::PatternShape& pattern, const Question& question) const {
  const plan::PlannedPattern* const planned = planned_for(pattern.name, question.arguments);
  if (planned != nullptr && !planned->ok()) {
    const auto& refusal = std::get<plan::Refusal>(planned->plan);
    return problem(400, "unserved", pattern.name + " cannot be answered: " + refusal.message, refusal.fix);
  }
  const Result<run::Session::Reply> answer =
      session_->read(pattern.name, question.arguments, question.cursor);
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
    append_plan(reply.body, plan::explain(model(), layout(), std::get<plan::Plan>(planned->plan)));
  reply.body += '}';
  return reply;
}

Reply ServedModel::act(const clients::OperationShape& operation, const Question& question) const {
  const Result<run::Session::Outcome> done = session_->write(operation.name, question.arguments);
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
    for (const plan::PlannedOperation& each : planned_.operations[layout_]) {
      if (each.operation->name == operation.name && each.ok())
        append_plan(reply.body, plan::explain(std::get<plan::OperationPlan>(each.plan)));
    }
  }
  reply.body += '}';
  return reply;
}

}  // namespace sheaf::service
