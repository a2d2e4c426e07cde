// For tests: an endpoint inside this process, without sockets. What a RemoteDatabase asks goes through
// DynamoDB's JSON to a database in memory, and the answer comes back the same way.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/local_database.h"
#include "base/clock.h"
#include "remote/remote_database.h"
#include "remote/transport.h"
#include "store/memory_store.h"
#include "wire/operation.h"

namespace sheaf::remote {

inline constexpr int64_t kTestStartUs = int64_t{1'800'000'000} * 1'000'000 + 123'456;  // January 2027

// Answers with what a server over `database` would.
inline wire::Answer answer_from(api::LocalDatabase& database, const wire::Account& account,
                                const Question& question) {
  const wire::Operation* const operation = wire::find_operation(question.target);
  wire::Answer answer = wire::unknown_operation();
  if (operation != nullptr) {
    const std::string padded = std::string(question.body) + std::string(simdjson::SIMDJSON_PADDING, ' ');
    answer = await<wire::Answer>([&](Loop& loop, auto done) {
      wire::run(*operation, std::string_view(padded).substr(0, question.body.size()),
                wire::Call{database, account, loop, std::move(done)});
    });
  }
  return answer;
}

// Whatever the test says.
class ScriptedTransport final : public Transport {
 public:
  using Script = std::function<Exchanged(const Question&)>;
  explicit ScriptedTransport(Script script) : script_(std::move(script)) {}
  Exchanged exchange(const Question& question) override { return script_(question); }

 private:
  const Script script_;
};

// A database, and another that sees it through the protocol.
class RoundTrip {
 public:
  explicit RoundTrip(OpenOptions options = {})
      : clock(own_clock_),
        local(store::open_memory_store(clock), clock, without_thread(std::move(options))) {}
  // With a clock that outlives it.
  RoundTrip(OpenOptions options, ManualClock& shared_clock)
      : clock(shared_clock),
        local(store::open_memory_store(clock), clock, without_thread(std::move(options))) {}

  // What the endpoint is asked goes through `between`, if there is one: it may count, fail, or answer itself.
  using Ask = std::function<Reply(const Question&)>;
  using Between = std::function<Exchanged(const Question&, const Ask&)>;
  std::unique_ptr<RemoteDatabase> remote(Between between = {}, ClientOptions options = {}) {
    if (!options.sleep) options.sleep = [this](int64_t delay_us) { pass(delay_us); };
    auto transport =
        std::make_unique<ScriptedTransport>([this, between](const Question& question) -> Exchanged {
          const Ask ask = [this](const Question& asked) { return answer(asked); };
          if (between) return between(question, ask);
          return ask(question);
        });
    return std::make_unique<RemoteDatabase>(std::move(transport), std::move(options), &clock);
  }

  // Time passes, in which the endpoint does what it has to do in the background.
  void pass(int64_t delay_us) {
    slept_us.push_back(delay_us);
    clock.advance_us(delay_us);
    (void)local.run_background_work();
  }

  // What the last request consumed: refusals do not tell it.
  const Capacity& consumed() const { return consumed_; }

 private:
  ManualClock own_clock_{kTestStartUs};
  Capacity consumed_;

 public:
  ManualClock& clock;
  wire::Account account;
  api::LocalDatabase local;
  std::vector<int64_t> slept_us;

 private:
  Reply answer(const Question& question) {
    wire::Answer answer = answer_from(local, account, question);
    consumed_ = answer.consumed.empty() ? Capacity() : std::move(answer.consumed.front().second);
    return {.status = answer.status, .body = std::move(answer.body)};
  }
  static OpenOptions without_thread(OpenOptions options) {
    options.background_thread = false;
    return options;
  }
};

}  // namespace sheaf::remote
