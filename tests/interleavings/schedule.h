// Programs that take turns, one request at a time, in an order that a schedule decides.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "api/forwarding_database.h"

namespace sheaf::interleavings {

// What a request reads and writes: "table key", or "table" for what may be any item of it.
struct Footprint {
  std::set<std::string> reads;
  std::set<std::string> writes;
};
// Whether their order makes no difference.
bool are_independent(const Footprint& a, const Footprint& b);

// A digest of a text, large enough that two different ones do not meet.
struct Digest {
  uint64_t parts[2] = {0, 0};

  void add(std::string_view text);
  auto operator<=>(const Digest&) const = default;
};

// The turns of one run. Thread-safe.
class Turns {
 public:
  explicit Turns(size_t programs) : programs_(programs) {}

  // By a program, before a request: waits for its turn. False if it is killed: the request does not happen.
  bool wait(size_t program, Footprint footprint);
  // By a program, when its request is answered: what it does from now on follows from what it was told.
  void learn(size_t program, std::string_view answer);
  // By a program that begins to try something, and that has failed and tries again: what it was told
  // meanwhile is forgotten.
  void begin_try(size_t program);
  void forget_try(size_t program);
  // By a program whose first write has happened: what led to it is over, and what follows is said by what it
  // wrote.
  void commit(size_t program, std::string_view written);
  // By a program that is where it was after its first write: what it was told since is forgotten.
  void forget_since_commit(size_t program);
  // By a program, when it has ended.
  void end(size_t program);

  // By the schedule: waits until every program has ended or waits for its turn.
  // Who waits, and for what.
  std::vector<std::pair<size_t, Footprint>> waiting();
  // What all programs know and ask for; those that have ended know nothing.
  Digest knowledge();
  // A text with the ids that programs made up named after who made them, and in which order.
  std::string canonical(std::string_view text);
  void go(size_t program) { decide(program, true); }
  void kill(size_t program) { decide(program, false); }

 private:
  enum class State : uint8_t { kRunning, kWaiting, kEnded };
  struct Program {
    State state = State::kRunning;
    bool is_killed = false;
    bool may_go = false;
    Footprint footprint;
    Digest knowledge;
    size_t made_up = 0;
    Digest knowledge_begun;  // when it began to try
    size_t made_up_begun = 0;
    bool has_written = false;
    Digest knowledge_committed;
  };
  void decide(size_t program, bool goes);
  std::string renamed(std::string_view text, Program* by);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Program> programs_;
  std::map<std::string, std::string, std::less<>> names_;  // of ids that programs made up
};

// The key attributes of each table.
using KeyNames = std::map<std::string, std::vector<std::string>>;

// What one program sees of the database.
class SteppedDatabase : public ForwardingDatabase {
 public:
  SteppedDatabase(Database& inner, const KeyNames& keys, Turns& turns, size_t program)
      : ForwardingDatabase(inner), keys_(keys), turns_(turns), program_(program) {}

  Result<Written> put_item(const PutItem& request) override;
  Result<Written> update_item(const UpdateItem& request) override;
  Result<Written> delete_item(const DeleteItem& request) override;
  Result<Got> get_item(const GetItem& request) override;
  Result<Page> query(const Query& request) override;
  Result<BatchGot> batch_get_items(const BatchGetItems& request) override;
  Result<TransactWritten> transact_write_items(const TransactWriteItems& request) override;

  void begin_try() { turns_.begin_try(program_); }
  void forget_try() { turns_.forget_try(program_); }
  void forget_since_commit() { turns_.forget_since_commit(program_); }

 private:
  // Waits for its turn, asks, and learns the answer.
  template <typename Answer, typename Ask>
  Result<Answer> step(Footprint footprint, const Ask& ask);
  // Likewise, of a write.
  template <typename Answer, typename Ask>
  Result<Answer> write(Footprint footprint, const std::string& what, const Ask& ask);

  const KeyNames& keys_;
  Turns& turns_;
  const size_t program_;
};

struct Exploration {
  uint64_t runs = 0;  // to the end
  uint64_t redundant =
      0;  // given up: from there on all was tried before, but for the order of what does not matter
  uint64_t states = 0;    // of the database and of what the programs know
  uint64_t outcomes = 0;  // that were checked: databases at the end that differ
  bool is_complete = true;
};

// Runs all programs, again and again, until every order of their requests that can make a difference has been
// tried; with up to `kills_max` programs killed before one of their requests. `prepare` makes a database,
// always the same; `program(i, database)` runs the i-th program on it, which does the same whenever it is
// told the same; `check` looks at what is left.
//
// Two orders that lead to the same database, and to programs that know the same, go on alike: one of them is
// followed. Of requests that do not touch the same items, one order is tried (sleep sets).
struct Scenario {
  size_t programs = 0;
  size_t kills_max = 0;
  uint64_t runs_max = 100'000;
  std::function<std::unique_ptr<Database>()> prepare;
  std::function<void(size_t, SteppedDatabase&)> program;
  // False: stop, it failed. `text` says which order it was.
  std::function<bool(Database&, const std::string& text)> check;
};
Exploration explore(const Scenario& scenario);

}  // namespace sheaf::interleavings
