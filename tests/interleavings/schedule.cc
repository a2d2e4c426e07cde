#include "schedule.h"

#include <algorithm>
#include <map>
#include <memory>
#include <thread>

namespace sheaf::interleavings {
namespace {

const Error kKilled{Code::kUnavailable, "killed"};

// The key attributes' names are the same in all tables of these tests, or the key is given by itself.
std::string name_of(const std::string& table, const Item& key) { return table + " " + key.to_json(); }

Item key_of(Database& database, const std::string& table, const Item& item) {
  const auto description = database.describe_table(table);
  Item key;
  for (const auto* part : {&description->key.partition, &description->key.sort}) {
    for (const KeyAttribute& attribute : *part) key.set(attribute.name, *item.find(attribute.name));
  }
  return key;
}

bool overlap(const std::set<std::string>& a, const std::set<std::string>& b) {
  for (const std::string& x : a) {
    for (const std::string& y : b) {
      // A whole table overlaps with each of its items.
      const std::string& shorter = x.size() < y.size() ? x : y;
      const std::string& longer = x.size() < y.size() ? y : x;
      if (shorter == longer || (shorter.find(' ') == std::string::npos && longer.starts_with(shorter + " ")))
        return true;
    }
  }
  return false;
}

}  // namespace

bool are_independent(const Footprint& a, const Footprint& b) {
  return !overlap(a.writes, b.writes) && !overlap(a.writes, b.reads) && !overlap(a.reads, b.writes);
}

bool Turns::wait(size_t id, Footprint footprint) {
  std::unique_lock lock(mutex_);
  Program& program = programs_[id];
  if (program.is_killed) return false;
  program.state = State::kWaiting;
  program.footprint = std::move(footprint);
  changed_.notify_all();
  changed_.wait(lock, [&] { return program.may_go || program.is_killed; });
  program.may_go = false;
  return !program.is_killed;
}

void Turns::end(size_t id) {
  const std::lock_guard lock(mutex_);
  programs_[id].state = State::kEnded;
  changed_.notify_all();
}

std::vector<std::pair<size_t, Footprint>> Turns::waiting() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return std::none_of(programs_.begin(), programs_.end(),
                        [](const Program& each) { return each.state == State::kRunning; });
  });
  std::vector<std::pair<size_t, Footprint>> waiting;
  for (size_t i = 0; i < programs_.size(); ++i) {
    if (programs_[i].state == State::kWaiting) waiting.emplace_back(i, programs_[i].footprint);
  }
  return waiting;
}

void Turns::decide(size_t id, bool goes) {
  const std::lock_guard lock(mutex_);
  programs_[id].state = State::kRunning;
  programs_[id].may_go = goes;
  programs_[id].is_killed = !goes;
  changed_.notify_all();
}

// --- What each request touches

Result<Written> SteppedDatabase::put_item(const PutItem& request) {
  Footprint footprint;
  footprint.writes.insert(name_of(request.table, key_of(inner_, request.table, request.item)));
  if (!turns_.wait(program_, std::move(footprint))) return kKilled;
  return inner_.put_item(request);
}

Result<Written> SteppedDatabase::update_item(const UpdateItem& request) {
  Footprint footprint;
  footprint.writes.insert(name_of(request.table, request.key));
  if (!turns_.wait(program_, std::move(footprint))) return kKilled;
  return inner_.update_item(request);
}

Result<Written> SteppedDatabase::delete_item(const DeleteItem& request) {
  Footprint footprint;
  footprint.writes.insert(name_of(request.table, request.key));
  if (!turns_.wait(program_, std::move(footprint))) return kKilled;
  return inner_.delete_item(request);
}

Result<Got> SteppedDatabase::get_item(const GetItem& request) {
  Footprint footprint;
  footprint.reads.insert(name_of(request.table, request.key));
  if (!turns_.wait(program_, std::move(footprint))) return kKilled;
  return inner_.get_item(request);
}

Result<Page> SteppedDatabase::query(const Query& request) {
  Footprint footprint;
  footprint.reads.insert(request.table);
  if (!turns_.wait(program_, std::move(footprint))) return kKilled;
  return inner_.query(request);
}

Result<BatchGot> SteppedDatabase::batch_get_items(const BatchGetItems& request) {
  Footprint footprint;
  for (const auto& [table, keys] : request.tables) {
    for (const Item& key : keys.keys) footprint.reads.insert(name_of(table, key));
  }
  if (!turns_.wait(program_, std::move(footprint))) return kKilled;
  return inner_.batch_get_items(request);
}

Result<TransactWritten> SteppedDatabase::transact_write_items(const TransactWriteItems& request) {
  Footprint footprint;
  for (const TransactAction& action : request.actions) {
    if (const auto* check = std::get_if<ConditionCheck>(&action)) {
      footprint.reads.insert(name_of(check->table, check->key));
    } else if (const auto* put = std::get_if<PutItem>(&action)) {
      footprint.writes.insert(name_of(put->table, key_of(inner_, put->table, put->item)));
    } else if (const auto* update = std::get_if<UpdateItem>(&action)) {
      footprint.writes.insert(name_of(update->table, update->key));
    } else {
      const auto& erase = std::get<DeleteItem>(action);
      footprint.writes.insert(name_of(erase.table, erase.key));
    }
  }
  if (!turns_.wait(program_, std::move(footprint))) return kKilled;
  return inner_.transact_write_items(request);
}

// --- All orders: a search in depth, each run from the start. A program whose next request was tried at some
// point sleeps in the branches beside it until something happens that its request depends on.

namespace {

struct Action {
  size_t program = 0;
  bool is_kill = false;

  bool operator<(const Action& other) const {
    return std::pair(program, is_kill) < std::pair(other.program, other.is_kill);
  }
};

struct Node {
  std::vector<Action> actions;  // to be tried
  size_t current = 0;
  std::map<Action, Footprint> asleep;
  std::map<Action, Footprint> enabled;
};

class Explorer {
 public:
  explicit Explorer(const Scenario& scenario) : scenario_(scenario) {}

  Exploration run() {
    do {
      if (made_.runs + made_.redundant >= scenario_.runs_max) {
        made_.is_complete = false;
        break;
      }
      if (!run_once()) break;
    } while (advance());
    return made_;
  }

 private:
  // To the next branch that was not tried. False if there is none.
  bool advance() {
    while (!path_.empty()) {
      Node& node = path_.back();
      // What was tried here sleeps beside it.
      const Action done = node.actions[node.current];
      node.asleep[done] = node.enabled[done];
      if (++node.current < node.actions.size()) return true;
      path_.pop_back();
    }
    return false;
  }

  Node make_node(const std::vector<std::pair<size_t, Footprint>>& waiting, size_t kills) const {
    Node node;
    for (const auto& [program, footprint] : waiting) {
      node.enabled[{.program = program}] = footprint;
      if (kills < scenario_.kills_max) node.enabled[{.program = program, .is_kill = true}] = {};
    }
    if (!path_.empty()) {
      const Node& parent = path_.back();
      const Action done = parent.actions[parent.current];
      for (const auto& [action, footprint] : parent.asleep) {
        if (action.program != done.program && are_independent(footprint, parent.enabled.at(done)))
          node.asleep[action] = footprint;
      }
    }
    for (const auto& [action, footprint] : node.enabled) {
      if (!node.asleep.contains(action)) node.actions.push_back(action);
    }
    return node;
  }

  bool run_once() {
    const std::unique_ptr<Database> database = scenario_.prepare();
    Turns turns(scenario_.programs);
    std::vector<std::unique_ptr<SteppedDatabase>> views;
    std::vector<std::thread> threads;
    for (size_t i = 0; i < scenario_.programs; ++i)
      views.push_back(std::make_unique<SteppedDatabase>(*database, turns, i));
    for (size_t i = 0; i < scenario_.programs; ++i) {
      threads.emplace_back([this, &turns, &view = *views[i], i] {
        scenario_.program(i, view);
        turns.end(i);
      });
    }
    std::string text;
    size_t kills = 0;
    bool is_redundant = false;
    for (size_t depth = 0;; ++depth) {
      const auto waiting = turns.waiting();
      if (waiting.empty()) break;
      if (depth == path_.size()) {
        Node node = make_node(waiting, kills);
        if (node.actions.empty()) {
          is_redundant = true;
          for (const auto& [program, footprint] : waiting) turns.kill(program);
          continue;
        }
        path_.push_back(std::move(node));
      }
      if (is_redundant) {
        for (const auto& [program, footprint] : waiting) turns.kill(program);
        continue;
      }
      const Action action = path_[depth].actions[path_[depth].current];
      text += (action.is_kill ? " kill " : " ") + std::to_string(action.program);
      if (action.is_kill) {
        ++kills;
        turns.kill(action.program);
      } else {
        turns.go(action.program);
      }
    }
    for (std::thread& thread : threads) thread.join();
    if (is_redundant) {
      ++made_.redundant;
      return true;
    }
    ++made_.runs;
    return scenario_.check(*database, text);
  }

  const Scenario& scenario_;
  std::vector<Node> path_;
  Exploration made_;
};

}  // namespace

Exploration explore(const Scenario& scenario) { return Explorer(scenario).run(); }

}  // namespace sheaf::interleavings
