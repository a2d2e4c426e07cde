#include "remote/http_transport.h"

#include <array>
#include <charconv>
#include <span>

#include "base/try.h"
#include "http/content_coding.h"
#include "http/sigv4_signer.h"
#include "remote/http_answer.h"

namespace sheaf::remote {
namespace {

constexpr size_t kReceiveBytes = 64 << 10;
// Bodies up to this size go out in one piece with their head.
constexpr size_t kOnePieceBytesMax = 256 << 10;

Deadline after_ms(int64_t milliseconds) {
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
}

// Whether the body is what the endpoint sent. A checksum is of the body before it was compressed, so of a
// compressed one it tells nothing here.
bool is_intact(const HttpAnswerParser& answer) {
  const std::optional<std::string_view> given = answer.find("x-amz-crc32");
  if (!given || answer.find("content-encoding").value_or("identity") != "identity") return true;
  uint32_t sum = 0;
  const auto [end, error] = std::from_chars(given->data(), given->data() + given->size(), sum);
  const bool is_number = error == std::errc() && end == given->data() + given->size();
  return is_number && sum == http::crc32(answer.body());
}

}  // namespace

Result<std::unique_ptr<HttpTransport>> HttpTransport::create(HttpOptions options) {
  if (options.access_key.id.empty() || options.access_key.secret.empty())
    return Error{Code::kInvalid, "there is no access key to sign requests with"};
  std::unique_ptr<http::TlsContext> tls;
  if (options.url.encrypted) tls = TRY(http::TlsContext::load_for_client(options.authorities_path));
  http::Credential credential(http::Credential::Parts{.name = "client",
                                                      .access_key_id = options.access_key.id,
                                                      .secret_access_key = options.access_key.secret,
                                                      .session_token = options.access_key.session_token});
  options.access_key = {};
  return std::unique_ptr<HttpTransport>(
      new HttpTransport(std::move(options), std::move(credential), std::move(tls)));
}

HttpTransport::HttpTransport(HttpOptions options, http::Credential credential,
                             std::unique_ptr<http::TlsContext> tls)
    : options_(std::move(options)),
      clock_(options_.clock != nullptr ? *options_.clock : system_clock_),
      credential_(std::move(credential)),
      tls_(std::move(tls)),
      pool_([this](Deadline deadline) { return Connection::open(options_.url, tls_.get(), deadline); },
            options_.connections) {}

std::string HttpTransport::head_of(const Question& question) const {
  const std::string host = options_.url.host_header();
  const std::string length = std::to_string(question.body.size());
  const std::array<http::Header, 7> all = {{{"Host", host},
                                            {"Content-Type", "application/x-amz-json-1.0"},
                                            {"X-Amz-Target", question.target},
                                            {"Content-Length", length},
                                            {"Accept-Encoding", "identity"},
                                            {"User-Agent", "sheaf"},
                                            {"X-Sheaf-Writer", options_.writer}}};
  const std::span headers(all.data(), options_.writer.empty() ? all.size() - 1 : all.size());
  http::Request request{.method = "POST", .target = options_.url.path};
  request.headers.assign(headers.begin(), headers.end());
  request.raw_body = question.body;
  request.body = question.body;

  std::string head = "POST " + options_.url.path + " HTTP/1.1\r\n";
  for (const http::Header& header : headers) {
    head += header.name;
    head += ": ";
    head += header.value;
    head += "\r\n";
  }
  head += http::sign_request(request, credential_, {.now_us = clock_.now_us(), .region = options_.region});
  return head += "\r\n";
}

Exchanged HttpTransport::exchange(const Question& question) {
  Result<ConnectionPool::Lease> lease = pool_.take(after_ms(options_.connect_ms));
  if (!lease.ok()) {
    return Silence{.may_be_heard = false,
                   .is_final = lease.error().code == Code::kInvalid,
                   .why = lease.error().message};
  }
  const Deadline deadline = after_ms(options_.answer_ms);
  std::string head = head_of(question);
  std::string_view rest = question.body;
  if (rest.size() <= kOnePieceBytesMax) {
    head += rest;
    rest = {};
  }
  using Outcome = Connection::Outcome;
  Outcome sent = (*lease)->send(head, deadline);
  if (sent == Outcome::kDone) sent = (*lease)->send(rest, deadline);
  if (sent != Outcome::kDone) {
    return Silence{.may_be_heard = false,
                   .why = sent == Outcome::kTooLate ? "the request could not be sent in time"
                                                    : "the connection was lost while sending"};
  }
  return receive(*lease, deadline);
}

Exchanged HttpTransport::receive(ConnectionPool::Lease& lease, Deadline deadline) const {
  const auto lost = [](std::string_view why) {
    return Silence{.may_be_heard = true, .why = "the answer was lost: " + std::string(why)};
  };
  HttpAnswerParser answer(options_.answer_bytes_max);
  std::string buffer(kReceiveBytes, '\0');
  bool is_alone = true;
  while (answer.state() == HttpAnswerParser::State::kHead ||
         answer.state() == HttpAnswerParser::State::kBody) {
    size_t bytes = 0;
    switch (lease->receive(buffer.data(), buffer.size(), bytes, deadline)) {
      case Connection::Outcome::kDone:
        is_alone = answer.feed(std::string_view(buffer).substr(0, bytes)) == bytes;
        break;
      case Connection::Outcome::kEnded:
        answer.end();
        break;
      case Connection::Outcome::kFailed:
        return lost("the connection broke");
      case Connection::Outcome::kTooLate:
        return lost("it did not come in time");
    }
  }
  if (answer.state() == HttpAnswerParser::State::kFailed) return lost(answer.problem());
  if (!is_intact(answer)) return lost("its checksum is wrong");
  if (is_alone && answer.keeps_alive()) lease.keep();
  return Reply{.status = answer.status(), .body = answer.take_body()};
}

}  // namespace sheaf::remote
