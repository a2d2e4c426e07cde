#include "server/get_endpoint.h"

namespace sheaf::server {

using service::Reply;

void GetEndpoint::handle(const http::Request& request, Loop& loop, http::Respond respond) {
  std::optional<JsonExchange> exchange = gate_.open(request, what_, std::move(respond));
  if (!exchange) return;
  if (const std::optional<http::Denial> denial = gate_.refused(request, "Query", "*"))
    return gate_.deny(request, *denial, what_, std::move(*exchange));
  if (request.method != "GET" && request.method != "HEAD") {
    Reply reply = service::problem(405, "method_not_allowed", "only GET");
    reply.allow = "GET, HEAD";
    return exchange->answer(std::move(reply));
  }
  // The request lives until it is answered.
  loop.run_blocking([this, &request, &loop, exchange = std::move(*exchange)]() mutable {
    Reply reply = answer(request.target);
    loop.post([exchange = std::move(exchange), reply = std::move(reply)]() mutable {
      exchange.answer(std::move(reply));
    });
  });
}

}  // namespace sheaf::server
