#include "server/gate.h"

#include "http/authorization_header.h"
#include "server/denial_text.h"
#include "server/request_id.h"

namespace sheaf::server {

using http::Denial;
using http::Request;
using http::Response;

bool has_json(const Request& request) {
  const std::string_view type = request.find("content-type").value_or("");
  return type.substr(0, type.find(';')) == "application/json";
}

JsonExchange::JsonExchange(std::string_view cors, http::Respond respond)
    : cors_(cors), begun_us_(steady_us()), respond_(std::move(respond)) {
  headers_ = "x-amzn-RequestId: ";
  append_request_id(headers_);
  headers_ += "\r\nCache-Control: no-store\r\n";
}

std::string_view JsonExchange::request_id() const {
  return std::string_view(headers_).substr(18, kRequestIdLength);
}

void JsonExchange::answer(service::Reply reply) {
  if (!reply.allow.empty()) headers_ += "Allow: " + std::string(reply.allow) + "\r\n";
  if (reply.status == 429) headers_ += "Retry-After: 1\r\n";
  headers_ += cors_;
  respond_(Response{.status = reply.status,
                    .content_type = "application/json",
                    .headers = std::move(headers_),
                    .body = std::move(reply.body)});
}

std::optional<JsonExchange> Gate::open(const Request& request, std::string_view what,
                                       http::Respond respond) const {
  if (const std::optional<Denial> denial = parts_.guard.check(request)) {
    deny(request, *denial, what, JsonExchange({}, std::move(respond)));
    return std::nullopt;
  }
  if (std::optional<Response> preflight = parts_.guard.answer_preflight(request)) {
    respond(std::move(*preflight));
    return std::nullopt;
  }
  return JsonExchange(parts_.guard.headers_for(request), std::move(respond));
}

http::Verdict Gate::admit(const Request& request, std::string_view action, std::string_view resource) const {
  if (parts_.credentials == nullptr)
    return http::Caller{.access_key_id = http::claimed_access_key_id(request), .name = {}};
  http::Verdict verdict = http::verify_signature(request, parts_.credentials->current(), parts_.signatures,
                                                 parts_.clock.now_us());
  const auto* const caller = std::get_if<http::Caller>(&verdict);
  if (caller == nullptr || http::may_perform(caller->role, action)) return verdict;
  return http::not_authorized(*caller, action, resource);
}

std::optional<Denial> Gate::refused(const Request& request, std::string_view action,
                                    std::string_view resource) const {
  http::Verdict verdict = admit(request, action, resource);
  if (auto* const denial = std::get_if<Denial>(&verdict)) return std::move(*denial);
  return std::nullopt;
}

void Gate::deny(const Request& request, const Denial& denial, std::string_view what,
                JsonExchange exchange) const {
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

void Gate::answer_overloaded(const Request& request, http::Respond respond) const {
  JsonExchange(parts_.guard.headers_for(request), std::move(respond))
      .answer(
          service::problem(429, "throttled", "The server has no memory left for this request. Try again."));
}

}  // namespace sheaf::server
