#include "http/exchange.h"

#include "http/header_name.h"

namespace sheaf::http {

std::optional<std::string_view> Request::find(std::string_view lower_case_name) const {
  for (const Header& header : headers)
    if (is_same_name(header.name, lower_case_name)) return header.value;
  return std::nullopt;
}

int status_of(Refusal reason) {
  switch (reason) {
    case Refusal::kMalformed:
      return 400;
    case Refusal::kTimeout:
      return 408;
    case Refusal::kBodyTooLarge:
      return 413;
    case Refusal::kUnsupportedContentCoding:
      return 415;
    case Refusal::kHeadTooLarge:
      return 431;
    case Refusal::kUnsupportedTransferCoding:
      return 501;
    case Refusal::kOverloaded:
      return 503;
    case Refusal::kUnsupportedVersion:
      return 505;
  }
  return 400;
}

std::string_view text_of(Refusal reason) {
  switch (reason) {
    case Refusal::kMalformed:
      return "The request is not well-formed HTTP.";
    case Refusal::kTimeout:
      return "The request did not arrive in time.";
    case Refusal::kBodyTooLarge:
      return "The body of the request is too large.";
    case Refusal::kUnsupportedContentCoding:
      return "The content coding is not supported; use gzip or none.";
    case Refusal::kHeadTooLarge:
      return "The headers of the request are too large.";
    case Refusal::kUnsupportedTransferCoding:
      return "The transfer coding is not supported; use chunked or none.";
    case Refusal::kOverloaded:
      return "The server has no memory left for the request.";
    case Refusal::kUnsupportedVersion:
      return "The version of HTTP is not supported; use HTTP/1.1.";
  }
  return "";
}

void Handler::handle_overloaded(const Request&, Loop&, Respond respond) {
  respond(refuse(Refusal::kOverloaded));
}

Response Handler::refuse(Refusal reason) {
  Response response{.status = status_of(reason), .content_type = "text/plain"};
  response.body = text_of(reason);
  response.body += '\n';
  return response;
}

}  // namespace sheaf::http
