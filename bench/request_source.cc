#include "bench/request_source.h"

#include <chrono>

#include "http/sigv4_signer.h"

namespace sheaf::bench {
namespace {

constexpr std::string_view kService = "DynamoDB_20120810.";
constexpr std::string_view kContentType = "application/x-amz-json-1.0";
constexpr std::string_view kInventedSignature =
    "X-Amz-Date: 20250101T000000Z\r\n"
    "Authorization: AWS4-HMAC-SHA256 "
    "Credential=AKIDBENCHMARK0000000/20250101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=content-length;content-type;host;x-amz-date;x-amz-target, "
    "Signature=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\r\n";

int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string signature_lines(const RequestOptions& options, std::string_view operation,
                            std::string_view body) {
  if (options.credential == nullptr) return std::string(kInventedSignature);
  const std::string target = std::string(kService) + std::string(operation);
  const std::string length = std::to_string(body.size());
  http::Request request{.method = "POST",
                        .target = options.target,
                        .headers = {{"Host", options.host},
                                    {"Content-Type", kContentType},
                                    {"X-Amz-Target", target},
                                    {"Content-Length", length}},
                        .raw_body = body,
                        .body = body};
  return http::sign_request(request, *options.credential, {.now_us = now_us()});
}

std::string head_text(const RequestOptions& options, std::string_view operation, std::string_view body) {
  std::string head = "POST " + options.target + " HTTP/1.1\r\nHost: " + options.host + "\r\nContent-Type: ";
  ((head += kContentType) += "\r\nX-Amz-Target: ") += kService;
  ((head += operation) += "\r\n") += signature_lines(options, operation, body);
  return head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
}

bool is_right_answer(const Workload& workload, uint64_t n, std::string_view answer) {
  if (answer.size() < workload.answer_bytes_min) return false;
  for (const Pattern& expected : workload.expected)
    if (answer.find(expected.at(n)) == std::string_view::npos) return false;
  return true;
}

// The numbers of requests, as a workload wants them.
class Numbers {
 public:
  Numbers(uint64_t below, uint64_t& next) : below_(below), next_(next) {}

  uint64_t take() {
    if (below_ == 0) return next_++;
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ % below_;
  }

 private:
  uint64_t below_;
  uint64_t& next_;
  uint64_t state_ = 0x9e3779b97f4a7c15;
};

class PlainSource final : public Source {
 public:
  PlainSource(const RequestOptions& options, const Workload& workload, uint64_t& next_number)
      : workload_(workload), numbers_(workload.numbers, next_number) {
    request_ = Pattern(head_text(options, workload.operation, workload.body.text())) + workload.body;
  }

  void prepare(size_t connections) override { copies_.resize(connections, {request_.text(), 0}); }

  std::string_view next(size_t connection) override {
    Copy& copy = copies_[connection];
    copy.number = numbers_.take();
    request_.write(copy.number, copy.text.data());
    return copy.text;
  }

  bool is_right(size_t connection, std::string_view answer) override {
    return is_right_answer(workload_, copies_[connection].number, answer);
  }

 private:
  struct Copy {
    std::string text;
    uint64_t number;
  };

  Workload workload_;
  Numbers numbers_;
  Pattern request_;
  std::vector<Copy> copies_;
};

class SignedSource final : public Source {
 public:
  SignedSource(const RequestOptions& options, const Workload& workload, uint64_t& next_number,
               size_t signed_ahead)
      : options_(options),
        workload_(workload),
        numbers_(workload.numbers, next_number),
        signed_ahead_(signed_ahead) {}

  void prepare(size_t connections) override {
    sent_.assign(connections, {});
    ready_.clear();
    for (size_t i = 0; i < signed_ahead_; ++i) ready_.push_back(sign());
    next_ready_ = 0;
  }

  std::string_view next(size_t connection) override {
    if (ready_.empty()) {
      sent_[connection] = sign();
      return sent_[connection].text;
    }
    const Signed& request = ready_[next_ready_++ % ready_.size()];
    sent_[connection].number = request.number;
    return request.text;
  }

  bool is_right(size_t connection, std::string_view answer) override {
    return is_right_answer(workload_, sent_[connection].number, answer);
  }

 private:
  struct Signed {
    std::string text;
    uint64_t number;
  };

  Signed sign() {
    const uint64_t n = numbers_.take();
    return {request_text(options_, workload_.operation, workload_.body.at(n)), n};
  }

  RequestOptions options_;
  Workload workload_;
  Numbers numbers_;
  size_t signed_ahead_;
  std::vector<Signed> ready_;
  size_t next_ready_ = 0;
  std::vector<Signed> sent_;
};

}  // namespace

std::string request_text(const RequestOptions& options, std::string_view operation, std::string_view body) {
  return head_text(options, operation, body) + std::string(body);
}

std::unique_ptr<Source> plain_source(const RequestOptions& options, const Workload& workload,
                                     uint64_t& next_number) {
  return std::make_unique<PlainSource>(options, workload, next_number);
}

std::unique_ptr<Source> signed_source(const RequestOptions& options, const Workload& workload,
                                      uint64_t& next_number, size_t signed_ahead) {
  return std::make_unique<SignedSource>(options, workload, next_number, signed_ahead);
}

}  // namespace sheaf::bench
