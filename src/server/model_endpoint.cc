#include "server/model_endpoint.h"

#include "base/log.h"
#include "server/request_id.h"

namespace sheaf::server {
namespace {

using http::Denial;
using http::Request;
using service::Reply;
using service::Route;

// As the audit log and refusals name it: hr/operations/move.
std::string name_of(const Route& route) {
  switch (route.kind) {
    case Route::Kind::kPattern:
      return route.model + "/patterns/" + route.name;
    case Route::Kind::kOperation:
      return route.model + "/operations/" + route.name;
    case Route::Kind::kModel:
    case Route::Kind::kOpenApi:
      return route.model;
    case Route::Kind::kModels:
      break;
  }
  return "models";
}

// What a role must be allowed to do with all tables of the model.
std::string_view needed_for(const Route& route) {
  switch (route.kind) {
    case Route::Kind::kPattern:
      return "Query";
    case Route::Kind::kOperation:
      return "TransactWriteItems";
    case Route::Kind::kModels:
      return "ListTables";
    case Route::Kind::kModel:
    case Route::Kind::kOpenApi:
      break;
  }
  return "DescribeTable";
}

}  // namespace

std::optional<Denial> ModelEndpoint::refused(const Request& request, const Route& route) const {
  const std::shared_ptr<const service::ServedModel> model = parts_.service.find(route.model);
  const std::string resource = model == nullptr ? "*"
                                                : "arn:aws:dynamodb:" + parts_.account.region + ":" +
                                                      parts_.account.id + ":table/" + model->tables().front();
  return parts_.gate.refused(request, needed_for(route), resource);
}

void ModelEndpoint::handle(const Request& request, Loop& loop, http::Respond respond) {
  std::optional<JsonExchange> exchange = parts_.gate.open(request, "models", std::move(respond));
  if (!exchange) return;
  std::optional<Route> route = service::find_route(request.target);
  // Who may not come in does not learn what there is.
  if (parts_.gate.refused(request, needed_for(route.value_or(Route{})), "*"))
    return refuse_caller(request, std::move(route), loop, std::move(*exchange));
  if (!route)
    return exchange->answer(
        service::problem(404, "not_found", "there is nothing here; GET /models lists the models"));
  if (request.method == "POST" && !request.body.empty() && !has_json(request))
    return exchange->answer(service::problem(415, "unsupported_media_type", "the body must be JSON",
                                             "send it with content-type: application/json"));
  run(request, std::move(*route), loop, std::move(*exchange));
}

// Models belong to workers: one that nobody offers any more says goodbye to the database where it is let go.
void ModelEndpoint::refuse_caller(const Request& request, std::optional<Route> route, Loop& loop,
                                  JsonExchange exchange) {
  loop.run_blocking(
      [this, &request, &loop, route = std::move(route), exchange = std::move(exchange)]() mutable {
        std::optional<Denial> denial = refused(request, route.value_or(Route{}));
        // The keys may have been read anew in between.
        if (!denial) denial = Denial{.type = "AccessDeniedException", .message = "not allowed"};
        loop.post([this, &request, name = route ? name_of(*route) : "models", denial = std::move(*denial),
                   exchange = std::move(exchange)]() mutable {
          parts_.gate.deny(request, denial, name, std::move(exchange));
        });
      });
}

void ModelEndpoint::run(const Request& request, Route route, Loop& loop, JsonExchange exchange) {
  // Its bytes live until it is answered.
  const service::ModelService::Request asked{
      .method = request.method, .target = request.target, .body = request.body};
  loop.run_blocking([this, asked, &loop, route = std::move(route), exchange = std::move(exchange)]() mutable {
    Reply reply = parts_.service.answer(route, asked);
    if (route.kind == Route::Kind::kPattern || route.kind == Route::Kind::kOperation)
      finish(route, reply, steady_us() - exchange.begun_us());
    loop.post([exchange = std::move(exchange), reply = std::move(reply)]() mutable {
      exchange.answer(std::move(reply));
    });
  });
}

void ModelEndpoint::finish(const Route& route, const Reply& reply, uint64_t took_us) {
  log(LogLevel::kDebug, "model request",
      {{"what", name_of(route)},
       {"status", std::to_string(reply.status)},
       {"took_us", std::to_string(took_us)}});
  const std::shared_ptr<const service::ServedModel> model = parts_.service.find(route.model);
  const bool is_operation = route.kind == Route::Kind::kOperation;
  if (model == nullptr) return;
  if (is_operation ? model->find_operation(route.name) == nullptr
                   : model->find_pattern(route.name) == nullptr)
    return;
  parts_.metrics.record({.model = route.model,
                         .is_operation = is_operation,
                         .name = route.name,
                         .error = reply.error,
                         .took_us = took_us,
                         .units = reply.units});
}

void ModelEndpoint::handle_overloaded(const Request& request, Loop&, http::Respond respond) {
  parts_.gate.answer_overloaded(request, std::move(respond));
}

}  // namespace sheaf::server
