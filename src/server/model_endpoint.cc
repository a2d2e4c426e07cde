#include "server/model_endpoint.h"

#include "base/log.h"
#include "http/authorization_header.h"
#include "server/denial_text.h"
#include "server/request_id.h"

namespace sheaf::server {
namespace {

using http::Denial;
using http::Request;
using http::Response;
using service::Reply;
using service::Route;

constexpr std::string_view kJson = "application/json";

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

bool is_json(const Request& request) {
  const std::string_view type = request.find("content-type").value_or("");
  return type.substr(0, type.find(';')) == kJson;
}

}  // namespace

// A request that is being answered, and what its answer needs.
class ModelEndpoint::Exchange {
 public:
  Exchange(std::string_view cors, http::Respond respond) : cors_(cors), respond_(std::move(respond)) {
    headers_ = "x-amzn-RequestId: ";
    append_request_id(headers_);
    headers_ += "\r\nCache-Control: no-store\r\n";
  }

  std::string_view request_id() const { return std::string_view(headers_).substr(18, kRequestIdLength); }
  uint64_t begun_us() const { return begun_us_; }

  void answer(Reply reply) {
    if (!reply.allow.empty()) headers_ += "Allow: " + std::string(reply.allow) + "\r\n";
    if (reply.status == 429) headers_ += "Retry-After: 1\r\n";
    headers_ += cors_;
    respond_(Response{.status = reply.status,
                      .content_type = kJson,
                      .headers = std::move(headers_),
                      .body = std::move(reply.body)});
  }

 private:
  std::string_view cors_;  // header lines; of the guard
  std::string headers_;
  uint64_t begun_us_ = steady_us();
  http::Respond respond_;
};

std::optional<Denial> ModelEndpoint::refused(const Request& request, const Route& route) const {
  if (parts_.credentials == nullptr) return std::nullopt;
  http::Verdict verdict = http::verify_signature(request, parts_.credentials->current(), parts_.signatures,
                                                 parts_.clock.now_us());
  if (auto* const denial = std::get_if<Denial>(&verdict)) return std::move(*denial);
  const http::Caller& caller = std::get<http::Caller>(verdict);
  const std::string_view needed = needed_for(route);
  if (http::may_perform(caller.role, needed)) return std::nullopt;
  const service::ServedModel* const model = parts_.service.find(route.model);
  const std::string resource = model == nullptr ? "*"
                                                : "arn:aws:dynamodb:" + parts_.account.region + ":" +
                                                      parts_.account.id + ":table/" + model->tables().front();
  return http::not_authorized(caller, needed, resource);
}

void ModelEndpoint::deny(const Request& request, const Denial& denial, const std::string& what,
                         Exchange exchange) {
  parts_.denials.count_denial();
  if (parts_.audit != nullptr) {
    parts_.audit->denial({.peer = request.peer,
                          .access_key_id = http::claimed_access_key_id(request),
                          .operation = what,
                          .outcome = denial.type,
                          .request_id = exchange.request_id()});
  }
  const bool is_known = denial.type == "AccessDeniedException";
  exchange.answer(service::problem(403, is_known ? "forbidden" : "unauthenticated", as_utf8(denial.message)));
}

void ModelEndpoint::handle(const Request& request, Loop& loop, http::Respond respond) {
  if (const std::optional<Denial> denial = parts_.guard.check(request))
    return deny(request, *denial, "models", Exchange({}, std::move(respond)));
  if (std::optional<Response> preflight = parts_.guard.answer_preflight(request))
    return respond(std::move(*preflight));
  Exchange exchange(parts_.guard.headers_for(request), std::move(respond));
  std::optional<Route> route = service::find_route(request.target);
  // Who may not come in does not learn what there is.
  if (const std::optional<Denial> denial = refused(request, route.value_or(Route{})))
    return deny(request, *denial, route ? name_of(*route) : "models", std::move(exchange));
  if (!route)
    return exchange.answer(
        service::problem(404, "not_found", "there is nothing here; GET /models lists the models"));
  if (request.method == "POST" && !request.body.empty() && !is_json(request))
    return exchange.answer(service::problem(415, "unsupported_media_type", "the body must be JSON",
                                            "send it with content-type: application/json"));
  run(request, std::move(*route), loop, std::move(exchange));
}

void ModelEndpoint::run(const Request& request, Route route, Loop& loop, Exchange exchange) {
  // Its bytes live until it is answered.
  const service::ModelService::Request asked{
      .method = request.method, .target = request.target, .body = request.body};
  const bool waits = route.kind == Route::Kind::kPattern || route.kind == Route::Kind::kOperation;
  if (!waits) return exchange.answer(parts_.service.answer(route, asked));
  loop.run_blocking([this, asked, &loop, route = std::move(route), exchange = std::move(exchange)]() mutable {
    Reply reply = parts_.service.answer(route, asked);
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
  const service::ServedModel* const model = parts_.service.find(route.model);
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
  Exchange(parts_.guard.headers_for(request), std::move(respond))
      .answer(
          service::problem(429, "throttled", "The server has no memory left for this request. Try again."));
}

}  // namespace sheaf::server
