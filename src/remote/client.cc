#include "remote/client.h"

#include <sys/random.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

#include "base/log.h"
#include "base/try.h"

namespace sheaf::remote {
namespace {

std::mt19937_64& generator() {
  static thread_local std::mt19937_64 kept = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  return kept;
}

// What became of one attempt.
struct Attempt {
  std::optional<Answer> answer;
  Remedy remedy = Remedy::kNone;
  Error error{};  // without an answer, or if asking again does not help in the end
};

Attempt read_reply(std::string_view target, Reply reply) {
  // Where there is nothing to tell, AWS answers nothing at all, and others an empty text.
  if (reply.body.empty() || reply.body == "\"\"") reply.body = "{}";
  auto parser = std::make_unique<simdjson::dom::parser>();
  Json json;
  const bool is_json = parser->parse(reply.body).get(json) == simdjson::SUCCESS && json.is_object();
  if (reply.status / 100 == 2) {
    if (is_json) return {.answer = Answer(std::move(parser), json, std::nullopt)};
    return {.remedy = Remedy::kUncertain,
            .error = {Code::kUnavailable, "the answer was lost: it is no JSON"}};
  }
  Exception exception = read_exception(reply.status, is_json ? &json : nullptr);
  if (exception.name == "UnknownOperationException" && exception.message.empty())
    exception.message = "the endpoint does not have " + std::string(target.substr(target.find('.') + 1));
  Attempt attempt{.remedy = remedy_for(exception, is_json ? &json : nullptr), .error = to_error(exception)};
  // What is no JSON has nothing to be looked into.
  if (!is_json && parser->parse(std::string_view("{}")).get(json) != simdjson::SUCCESS) return attempt;
  attempt.answer.emplace(std::move(parser), json, std::move(exception));
  return attempt;
}

Attempt read_exchanged(std::string_view target, Exchanged exchanged) {
  if (auto* const reply = std::get_if<Reply>(&exchanged)) return read_reply(target, std::move(*reply));
  Silence& silence = std::get<Silence>(exchanged);
  if (silence.is_final) return {.remedy = Remedy::kNone, .error = {Code::kDenied, std::move(silence.why)}};
  return {.remedy = silence.may_be_heard ? Remedy::kUncertain : Remedy::kRepeat,
          .error = {Code::kUnavailable, std::move(silence.why)}};
}

}  // namespace

Client::Client(std::unique_ptr<Transport> transport, ClientOptions options)
    : transport_(std::move(transport)), options_(std::move(options)) {}

Result<Answer> Client::call(std::string_view operation, std::string_view body, Doing doing) {
  return ask("DynamoDB_20120810." + std::string(operation), body, doing);
}

Result<Answer> Client::call_streams(std::string_view operation, std::string_view body) {
  return ask("DynamoDBStreams_20120810." + std::string(operation), body, Doing::kReading);
}

Result<Answer> Client::demand(std::string_view operation, std::string_view body, Doing doing) {
  Answer answer = TRY(call(operation, body, doing));
  if (answer.exception()) return to_error(*answer.exception());
  return answer;
}

Result<Answer> Client::ask(std::string_view target, std::string_view body, Doing doing) {
  const bool may_repeat = doing != Doing::kWritingOnce || options_.repeat_lost_writes;
  bool may_be_done = false;
  for (uint32_t tried = 1;; ++tried) {
    Attempt attempt = read_exchanged(target, transport_->exchange({.target = target, .body = body}));
    if (!attempt.answer)
      log(LogLevel::kDebug, "a request got no answer",
          {{"operation", target}, {"attempt", std::to_string(tried)}, {"reason", attempt.error.message}});
    if (attempt.remedy == Remedy::kNone) {
      if (attempt.answer) return std::move(*attempt.answer);
      return std::move(attempt.error);
    }
    if (attempt.remedy == Remedy::kUncertain && doing != Doing::kReading) may_be_done = true;
    if ((may_be_done && !may_repeat) || tried >= options_.retries.attempts_max) {
      // Why a transaction was cancelled no error tells.
      if (!may_be_done && attempt.answer && is_cancellation(*attempt.answer->exception()))
        return std::move(*attempt.answer);
      if (may_be_done) attempt.error.code = Code::kUnknown;
      return std::move(attempt.error);
    }
    const double chance = std::uniform_real_distribution<double>(0, 1)(generator());
    sleep(retry_delay_us(options_.retries, tried, chance));
  }
}

void Client::sleep(int64_t delay_us) const {
  if (options_.sleep) return options_.sleep(delay_us);
  std::this_thread::sleep_for(std::chrono::microseconds(delay_us));
}

// From the kernel: a generator's state would be the same on both sides of a fork.
std::string random_uuid() {
  std::array<uint64_t, 2> random;
  if (::getrandom(random.data(), sizeof random, 0) != sizeof random)
    std::abort();  // up to 256 bytes never fail
  const uint64_t high = (random[0] & ~uint64_t{0xf000}) | 0x4000;
  const uint64_t low = (random[1] & (~uint64_t{0} >> 2)) | (uint64_t{1} << 63);
  std::array<char, 40> text;
  const int length = std::snprintf(
      text.data(), text.size(), "%08x-%04x-%04x-%04x-%012llx", static_cast<unsigned>(high >> 32),
      static_cast<unsigned>(high >> 16 & 0xffff), static_cast<unsigned>(high & 0xffff),
      static_cast<unsigned>(low >> 48), static_cast<unsigned long long>(low & 0xffff'ffff'ffff));
  return std::string(text.data(), static_cast<size_t>(length));
}

}  // namespace sheaf::remote
