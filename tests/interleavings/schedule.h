// Programs that take turns, one request at a time, in an order that a schedule decides.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "databases/forwarding_database.h"

namespace sheaf::interleavings {

// What a request reads and writes: "table key", or "table" for what may be any item of it.
struct Footprint {
  std::set<std::string> reads;
  std::set<std::string> writes;
};
// Whether their order makes no difference.
bool are_independent(const Footprint& a, const Footprint& b);

// The turns of one run. Thread-safe.
class Turns {
 public:
  explicit Turns(size_t programs) : programs_(programs) {}

  // By a program, before a request: waits for its turn. False if it is killed: the request does not happen.
  bool wait(size_t program, Footprint footprint);
  // By a program, when it has ended.
  void end(size_t program);

  // By the schedule: waits until every program has ended or waits for its turn.
  // Who waits, and for what.
  std::vector<std::pair<size_t, Footprint>> waiting();
  void go(size_t program) { decide(program, true); }
  void kill(size_t program) { decide(program, false); }

 private:
  enum class State : uint8_t { kRunning, kWaiting, kEnded };
  struct Program {
    State state = State::kRunning;
    bool is_killed = false;
    bool may_go = false;
    Footprint footprint;
  };
  void decide(size_t program, bool goes);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Program> programs_;
};

// What one program sees of the database.
class SteppedDatabase : public ForwardingDatabase {
 public:
  SteppedDatabase(Database& inner, Turns& turns, size_t program)
      : ForwardingDatabase(inner), turns_(turns), program_(program) {}

  Result<Written> put_item(const PutItem& request) override;
  Result<Written> update_item(const UpdateItem& request) override;
  Result<Written> delete_item(const DeleteItem& request) override;
  Result<Got> get_item(const GetItem& request) override;
  Result<Page> query(const Query& request) override;
  Result<BatchGot> batch_get_items(const BatchGetItems& request) override;
  Result<TransactWritten> transact_write_items(const TransactWriteItems& request) override;

 private:
  Turns& turns_;
  const size_t program_;
};

struct Exploration {
  uint64_t runs = 0;       // that were checked
  uint64_t redundant = 0;  // given up: the same but for the order of what does not matter
  bool is_complete = true;
};

// Runs all programs, again and again, until every order of their requests that can make a difference has been
// tried; with up to `kills_max` programs killed before one of their requests. `prepare` makes a database;
// `program(i, database)` runs the i-th program on it; `check` looks at what is left.
struct Scenario {
  size_t programs = 0;
  size_t kills_max = 0;
  uint64_t runs_max = 100'000;
  std::function<std::unique_ptr<Database>()> prepare;
  std::function<void(size_t, Database&)> program;
  // False: stop, it failed. `text` says which order it was.
  std::function<bool(Database&, const std::string& text)> check;
};
Exploration explore(const Scenario& scenario);

}  // namespace sheaf::interleavings
