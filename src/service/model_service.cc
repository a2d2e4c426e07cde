#include "service/model_service.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "language/diagnostic.h"
#include "language/json_writer.h"

namespace sheaf::service {
namespace {

// With the name that was meant, perhaps.
Reply unknown(std::string_view what, const std::string& name, const std::vector<std::string_view>& known) {
  const std::string_view near = language::nearest(name, known);
  return problem(404, "not_found", "there is no " + std::string(what) + " " + name,
                 near.empty() ? std::string() : "write " + std::string(near));
}

template <typename Named>
std::vector<std::string_view> names_of(const std::vector<Named>& all) {
  std::vector<std::string_view> names;
  for (const Named& each : all) names.push_back(each.name);
  return names;
}

Reply list_of(const std::vector<std::shared_ptr<const ServedModel>>& models) {
  language::JsonWriter json;
  json.object([&] {
    json.member("models");
    json.array([&] {
      for (const auto& model : models) {
        json.object([&] {
          json.member("name");
          json.text(model->name());
          json.member("layout");
          json.text(model->layout_name());
        });
      }
    });
  });
  return {.body = json.take()};
}

}  // namespace

Result<std::unique_ptr<ModelService>> ModelService::open(Database& database,
                                                         const std::vector<ModelSource>& sources,
                                                         const run::WriterOptions& options) {
  auto service = std::make_unique<ModelService>(database, options);
  for (const ModelSource& source : sources) {
    std::shared_ptr<const ServedModel> model = TRY(ServedModel::open(database, source, options));
    if (service->find(model->name()) != nullptr)
      return Error{Code::kInvalid, source.path + ": there is another model named " + model->name()};
    service->models_.push_back(std::move(model));
  }
  return service;
}

std::vector<std::shared_ptr<const ServedModel>> ModelService::models() const {
  std::lock_guard lock(mutex_);
  return models_;
}

std::shared_ptr<const ServedModel> ModelService::find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(models_.begin(), models_.end(), [&](const auto& each) { return each->name() == name; });
  return found == models_.end() ? nullptr : *found;
}

Result<std::shared_ptr<const ServedModel>> ModelService::put(const ModelSource& source) {
  const std::shared_ptr<const ServedModel> model = TRY(ServedModel::open(database_, source, options_));
  if (model->live().reading()->version().text != source.text)
    return Error{Code::kConflict,
                 "the tables of " + model->name() +
                     " hold it as another text says, because it was moved or is being moved: "
                     "`sheaf model migrate` brings it to this one"};
  std::shared_ptr<const ServedModel> before;  // goes when the lock is open: it says goodbye to the database
  std::lock_guard lock(mutex_);
  const auto found = std::find_if(models_.begin(), models_.end(),
                                  [&](const auto& each) { return each->name() == model->name(); });
  if (found == models_.end()) {
    models_.push_back(model);
  } else {
    before = std::exchange(*found, model);
  }
  return model;
}

bool ModelService::remove(std::string_view name) {
  std::shared_ptr<const ServedModel> before;  // goes when the lock is open
  std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(models_.begin(), models_.end(), [&](const auto& each) { return each->name() == name; });
  if (found == models_.end()) return false;
  before = std::move(*found);
  models_.erase(found);
  return true;
}

Reply ModelService::answer(const Route& route, const Request& request) const {
  if (!route.takes(request.method)) {
    Reply reply =
        problem(405, "method_not_allowed", "this is asked with " + std::string(route.methods()) + " alone");
    reply.allow = route.methods();
    return reply;
  }
  if (route.kind == Route::Kind::kModels) return list_of(models());
  const std::shared_ptr<const ServedModel> model = find(route.model);
  if (model == nullptr) {
    const auto all = models();
    std::vector<std::string_view> names;
    for (const auto& each : all) names.push_back(each->name());
    return unknown("model", route.model, names);
  }
  switch (route.kind) {
    case Route::Kind::kOpenApi:
      return {.body = model->openapi()};
    case Route::Kind::kPattern:
      return ask(*model, route, request);
    case Route::Kind::kOperation:
      return act(*model, route, request);
    case Route::Kind::kModels:
    case Route::Kind::kModel:
      break;
  }
  return {.body = model->summary()};
}

Reply ModelService::ask(const ServedModel& model, const Route& route, const Request& request) const {
  const clients::PatternShape* const pattern = model.find_pattern(route.name);
  if (pattern == nullptr) return unknown("pattern", route.name, names_of(model.shapes().patterns));
  const Asked asked{
      .shapes = model.shapes(), .name = pattern->name, .parameters = pattern->parameters, .has_cursor = true};
  const std::optional<Query> query = query_of(request.target);
  if (!query) return problem(400, "malformed", "the query is not properly escaped");
  if (request.method == "POST" && !query->empty())
    return problem(400, "invalid", "what is asked by POST is in the body, not in the query");
  const Result<Question> question =
      request.method == "POST" ? read_body(asked, request.body) : read_query(asked, *query);
  if (!question.ok()) return problem(question.error());
  return model.ask(*pattern, *question);
}

Reply ModelService::act(const ServedModel& model, const Route& route, const Request& request) const {
  const clients::OperationShape* const operation = model.find_operation(route.name);
  if (operation == nullptr) return unknown("operation", route.name, names_of(model.shapes().operations));
  const Asked asked{.shapes = model.shapes(), .name = operation->name, .parameters = operation->parameters};
  const Result<Question> question = read_body(asked, request.body);
  if (!question.ok()) return problem(question.error());
  return model.act(*operation, *question);
}

}  // namespace sheaf::service
