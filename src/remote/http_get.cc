#include "remote/http_get.h"

#include <chrono>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/try.h"
#include "http/sigv4_signer.h"
#include "remote/connection.h"
#include "remote/http_answer.h"

namespace sheaf::remote {
namespace {

constexpr size_t kGetBytes = 64 << 10;

Error silent(const std::string& url, const std::string& why) {
  return {Code::kUnavailable, url + " does not answer: " + why};
}

std::string get_head(const EndpointUrl& url, const Endpoint& endpoint, std::string_view target) {
  const std::string host = url.host_header();
  http::Request request{.method = "GET", .target = target};
  request.headers.push_back({"Host", host});
  std::string head = "GET " + std::string(target) + " HTTP/1.1\r\nHost: " + host + "\r\n";
  if (endpoint.access_key) {
    const http::Credential credential({.name = "client",
                                       .access_key_id = endpoint.access_key->id,
                                       .secret_access_key = endpoint.access_key->secret,
                                       .session_token = endpoint.access_key->session_token});
    const SystemClock clock;
    head += http::sign_request(request, credential, {.now_us = clock.now_us(), .region = endpoint.region});
  }
  return head + "Connection: close\r\nAccept-Encoding: identity\r\nUser-Agent: sheaf\r\n\r\n";
}

}  // namespace

Result<Reply> http_get(const Endpoint& endpoint, std::string_view target) {
  using Clock = std::chrono::steady_clock;
  const EndpointUrl url = TRY(parse_endpoint_url(endpoint.url));
  std::unique_ptr<http::TlsContext> tls;
  if (url.encrypted) tls = TRY(http::TlsContext::load_for_client(endpoint.authorities_path));
  const std::unique_ptr<Connection> connection =
      TRY(Connection::open(url, tls.get(), Clock::now() + std::chrono::milliseconds(endpoint.connect_ms)));
  const Deadline deadline = Clock::now() + std::chrono::milliseconds(endpoint.answer_ms);
  if (connection->send(get_head(url, endpoint, target), deadline) != Connection::Outcome::kDone)
    return silent(endpoint.url, "the request could not be sent");
  HttpAnswerParser answer(endpoint.answer_bytes_max);
  std::string buffer(kGetBytes, '\0');
  while (answer.state() == HttpAnswerParser::State::kHead ||
         answer.state() == HttpAnswerParser::State::kBody) {
    size_t bytes = 0;
    switch (connection->receive(buffer.data(), buffer.size(), bytes, deadline)) {
      case Connection::Outcome::kDone:
        answer.feed(std::string_view(buffer).substr(0, bytes));
        break;
      case Connection::Outcome::kEnded:
        answer.end();
        break;
      case Connection::Outcome::kFailed:
        return silent(endpoint.url, "the connection broke");
      case Connection::Outcome::kTooLate:
        return silent(endpoint.url, "no answer came in time");
    }
  }
  if (answer.state() == HttpAnswerParser::State::kFailed)
    return silent(endpoint.url, std::string(answer.problem()));
  return Reply{.status = answer.status(), .body = answer.take_body()};
}

std::string escaped(std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '-' || c == '_' || c == '.' || c == '~';
    if (is_plain) {
      out += c;
      continue;
    }
    const auto code = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[code >> 4];
    out += kDigits[code & 15];
  }
  return out;
}

}  // namespace sheaf::remote
