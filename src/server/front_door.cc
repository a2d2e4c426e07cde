#include "server/front_door.h"

#include "server/collections_endpoint.h"
#include "server/heat_endpoint.h"
#include "server/workbench_endpoint.h"
#include "service/route.h"
#include "wire/answer.h"

namespace sheaf::server {

http::Handler& FrontDoor::handler_of(const http::Request& request) {
  if (service::is_below_models(request.target)) return models_;
  if (heat_ != nullptr && is_heat(request.target)) return *heat_;
  if (collections_ != nullptr && is_collections(request.target)) return *collections_;
  return workbench_ != nullptr && is_for_workbench(request) ? *workbench_ : others_;
}

void FrontDoor::handle(const http::Request& request, Loop& loop, http::Respond respond) {
  handler_of(request).handle(request, loop, std::move(respond));
}

void FrontDoor::handle_overloaded(const http::Request& request, Loop& loop, http::Respond respond) {
  handler_of(request).handle_overloaded(request, loop, std::move(respond));
}

void NoItemsHere::handle(const http::Request& request, Loop&, http::Respond respond) {
  if (const std::optional<http::Denial> denial = guard_.check(request))
    return respond({.status = denial->status, .content_type = "text/plain", .body = denial->message + "\n"});
  if (std::optional<http::Response> preflight = guard_.answer_preflight(request))
    return respond(std::move(*preflight));
  const std::string_view path = request.target.substr(0, request.target.find('?'));
  if (request.method == "GET" && (path == "/healthz" || path == "/"))
    return respond({.content_type = "text/plain; charset=utf-8", .body = "healthy: models\n"});
  wire::Answer answer =
      wire::exception("UnknownOperationException",
                      "This server offers models alone, in front of " + endpoint_ +
                          ": ask that endpoint for DynamoDB's operations, and this one for /models.");
  respond({.status = answer.status,
           .content_type = "application/x-amz-json-1.0",
           .headers = std::string(guard_.headers_for(request)),
           .body = std::move(answer.body)});
}

}  // namespace sheaf::server
