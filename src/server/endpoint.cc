#include "server/endpoint.h"

#include <optional>

#include "http/authorization_header.h"
#include "http/content_coding.h"
#include "http/query_signature.h"
#include "http/response_coding.h"
#include "server/denial_text.h"
#include "server/request_id.h"

namespace sheaf::server {
namespace {

using http::Denial;
using http::Request;
using http::Response;
using wire::Answer;
using wire::Effect;
using wire::Operation;

constexpr std::string_view kJson10 = "application/x-amz-json-1.0";
constexpr std::string_view kJson11 = "application/x-amz-json-1.1";
constexpr std::string_view kWriterHeader = "x-sheaf-writer";
constexpr std::string_view kPlainText = "text/plain; charset=utf-8";

// The content type to answer in, if it is one that requests may have.
std::optional<std::string_view> answered_type(const Request& request) {
  const std::string_view type = request.find("content-type").value_or("");
  const std::string_view bare = type.substr(0, type.find(';'));
  if (bare == kJson10) return kJson10;
  if (bare == kJson11) return kJson11;
  if (bare == "application/json") return "application/json";
  return std::nullopt;
}

Answer denied(const Denial& denial) {
  Answer answer = wire::exception(denial.type, as_utf8(denial.message));
  answer.status = denial.status;
  return answer;
}

std::string_view path_of(const Request& request) {
  return request.target.substr(0, request.target.find('?'));
}

bool is_health_check(const Request& request) {
  return request.method == "GET" && (path_of(request) == "/healthz" || path_of(request) == "/");
}

// Presigned requests may name it in their query.
const Operation* find_operation(const Request& request) {
  if (const auto target = request.find("x-amz-target")) return wire::find_operation(*target);
  for (const std::string_view name : {"X-Amz-Target", "x-amz-target"}) {
    if (const auto target = http::query_parameter(request.target, name)) return wire::find_operation(*target);
  }
  return nullptr;
}

bool is_control(const Operation& operation) { return operation.effect == Effect::kControl; }

}  // namespace

// A request that is being answered, and what its answer needs.
class Endpoint::Exchange {
 public:
  Exchange(const Request& request, std::string_view content_type, std::string_view cors,
           http::Respond respond)
      : content_type_(content_type),
        cors_(cors),
        peer_(request.peer),
        accepted_coding_(request.find("accept-encoding").value_or("")),
        respond_(std::move(respond)) {
    headers_.reserve(160);
    headers_ += "x-amzn-RequestId: ";
    append_request_id(headers_);
    headers_ += "\r\n";
  }

  std::string_view request_id() const { return std::string_view(headers_).substr(18, kRequestIdLength); }
  std::string_view peer() const { return peer_; }
  uint64_t begun_us() const { return begun_us_; }

  // The checksum is of what is sent.
  void answer(Answer answer) {
    if (answer.body.size() > http::kPlainBytesMax) compress(answer);
    headers_ += "x-amz-crc32: " + std::to_string(http::crc32(answer.body)) + "\r\n";
    headers_ += cors_;
    respond_(Response{.status = answer.status,
                      .content_type = content_type_,
                      .headers = std::move(headers_),
                      .body = std::move(answer.body)});
  }

 private:
  void compress(Answer& answer) {
    const http::ResponseCoding coding = http::choose_coding(accepted_coding_);
    if (!http::compress(answer.body, coding)) return;
    headers_ += "content-encoding: ";
    headers_ += http::coding_name(coding);
    headers_ += "\r\n";
  }

  std::string_view content_type_;
  std::string_view cors_;  // header lines; of the guard
  std::string headers_;
  std::string peer_;
  std::string_view accepted_coding_;  // of the request, which lives until it is answered
  uint64_t begun_us_ = steady_us();
  http::Respond respond_;
};

Response Endpoint::health() const {
  return {.content_type = kPlainText,
          .body = "healthy: dynamodb." + parts_.account.region + ".amazonaws.com \n"};
}

http::Verdict Endpoint::admit(const Request& request) const {
  if (parts_.credentials == nullptr) return http::accept_any_credentials(request);
  return http::verify_signature(request, parts_.credentials->current(), parts_.signatures,
                                parts_.clock.now_us());
}

void Endpoint::handle(const Request& request, Loop& loop, http::Respond respond) {
  if (const std::optional<Denial> denial = parts_.guard.check(request)) {
    parts_.metrics.count_denial();
    if (parts_.audit != nullptr) {
      parts_.audit->denial({.peer = request.peer,
                            .access_key_id = http::claimed_access_key_id(request),
                            .outcome = denial->type});
    }
    return Exchange(request, kJson10, {}, std::move(respond)).answer(denied(*denial));
  }
  if (std::optional<Response> preflight = parts_.guard.answer_preflight(request))
    return respond(std::move(*preflight));
  if (is_health_check(request)) return respond(health());
  const std::optional<std::string_view> content_type = answered_type(request);
  if (request.method != "POST" || path_of(request) != "/" || !content_type)
    return respond({.status = 404, .body = "<UnknownOperationException/>\n"});

  Exchange exchange(request, *content_type, parts_.guard.headers_for(request), std::move(respond));
  const Operation* const operation = find_operation(request);
  if (operation == nullptr) return exchange.answer(wire::unknown_operation());
  const http::Verdict verdict = admit(request);
  const auto* denial = std::get_if<Denial>(&verdict);
  std::optional<Denial> not_allowed;
  if (denial == nullptr && !http::may_perform(std::get<http::Caller>(verdict).role, operation->name)) {
    not_allowed = http::not_authorized(std::get<http::Caller>(verdict), operation->name, "*");
    denial = &*not_allowed;
  }
  if (denial != nullptr) {
    parts_.metrics.count_denial();
    if (parts_.audit != nullptr) {
      parts_.audit->denial({.peer = request.peer,
                            .access_key_id = http::claimed_access_key_id(request),
                            .operation = operation->name,
                            .outcome = denial->type,
                            .request_id = exchange.request_id()});
    }
    return exchange.answer(denied(*denial));
  }
  run(*operation, std::get<http::Caller>(verdict), request, loop, std::move(exchange));
}

void Endpoint::run(const Operation& operation, const http::Caller& who, const Request& request, Loop& loop,
                   Exchange exchange) {
  std::string_view writer;
  if (!parts_.database.writers().empty()) writer = request.find(kWriterHeader).value_or("");
  std::string caller;
  if (is_control(operation) && parts_.audit != nullptr) caller = who.access_key_id;
  auto done = [this, &operation, caller = std::move(caller),
               exchange = std::move(exchange)](Answer answer) mutable {
    parts_.metrics.record(operation, answer, steady_us() - exchange.begun_us());
    if (is_control(operation) && parts_.audit != nullptr) {
      parts_.audit->control_operation({.peer = exchange.peer(),
                                       .access_key_id = caller,
                                       .operation = operation.name,
                                       .table = answer.table,
                                       .outcome = answer.error.empty() ? "ok" : answer.error,
                                       .request_id = exchange.request_id()});
    }
    exchange.answer(std::move(answer));
  };
  if (operation.effect == Effect::kRead || operation.effect == Effect::kWrite) {
    const auto refuse = [this, &who, &request](std::string_view action) {
      return refusal(who, action, request);
    };
    return wire::run(operation, request.body,
                     {.database = parts_.database,
                      .account = parts_.account,
                      .loop = loop,
                      .done = std::move(done),
                      .refuse = refuse,
                      .writer = writer});
  }
  // What concerns tables waits for the disk. The request lives until it is answered.
  loop.run_blocking([this, &operation, body = request.body, writer, &loop, done = std::move(done)]() mutable {
    BlockingLoop here;
    bool answered = false;
    wire::run(operation, body,
              {.database = parts_.database,
               .account = parts_.account,
               .loop = here,
               .done =
                   [&loop, &answered, done = std::move(done)](Answer answer) mutable {
                     answered = true;
                     loop.post([done = std::move(done), answer = std::move(answer)]() mutable {
                       done(std::move(answer));
                     });
                   },
               .writer = writer});
    here.run_until([&answered] { return answered; });
  });
}

std::optional<Answer> Endpoint::refusal(const http::Caller& who, std::string_view action,
                                        const Request& request) const {
  if (http::may_perform(who.role, action)) return std::nullopt;
  const Denial denial = http::not_authorized(who, action, "*");
  parts_.metrics.count_denial();
  if (parts_.audit != nullptr) {
    parts_.audit->denial({.peer = request.peer,
                          .access_key_id = who.access_key_id,
                          .operation = action,
                          .outcome = denial.type});
  }
  return denied(denial);
}

void Endpoint::handle_overloaded(const Request& request, Loop&, http::Respond respond) {
  if (is_health_check(request)) return respond(health());
  Exchange exchange(request, answered_type(request).value_or(kJson10), parts_.guard.headers_for(request),
                    std::move(respond));
  exchange.answer(
      wire::exception("ThrottlingException", "The server has no memory left for this request. Try again."));
}

Response Endpoint::refuse(http::Refusal reason) {
  if (reason == http::Refusal::kBodyTooLarge)
    return {.status = 413, .content_type = kJson10, .body = "{\"message\":\"Request entity too large\"}"};
  Response response{.status = http::status_of(reason), .content_type = kPlainText};
  response.body = std::string(http::text_of(reason)) + "\n";
  return response;
}

}  // namespace sheaf::server
