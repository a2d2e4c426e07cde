#include "server/admin.h"

namespace sheaf::server {

void Admin::handle(const http::Request& request, Loop&, http::Respond respond) {
  constexpr std::string_view kText = "text/plain; charset=utf-8";
  if (const std::optional<http::Denial> denial = guard_.check(request))
    return respond({.status = denial->status, .content_type = kText, .body = denial->message + "\n"});
  const std::string_view path = request.target.substr(0, request.target.find('?'));
  if (request.method != "GET" && request.method != "HEAD")
    return respond({.status = 405, .content_type = kText, .headers = "Allow: GET\r\n", .body = "only GET\n"});
  if (path == "/healthz") return respond({.content_type = kText, .body = "ok\n"});
  if (path != "/metrics")
    return respond({.status = 404, .content_type = kText, .body = "there are /healthz and /metrics\n"});
  http::Response response{.content_type = "text/plain; version=0.0.4; charset=utf-8"};
  append_metrics_(response.body);
  respond(std::move(response));
}

}  // namespace sheaf::server
