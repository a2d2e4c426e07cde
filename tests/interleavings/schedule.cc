#include "schedule.h"

#include <algorithm>
#include <map>
#include <memory>
#include <thread>
#include <utility>

namespace sheaf::interleavings {
namespace {

const Error kKilled{Code::kUnavailable, "killed"};

std::string name_of(const std::string& table, const Item& key) { return table + " " + key.to_json(); }

Item key_of(const KeyNames& names, const std::string& table, const Item& item) {
  Item key;
  for (const std::string& name : names.at(table)) key.set(name, *item.find(name));
  return key;
}

KeyNames key_names(Database& database) {
  KeyNames names;
  const std::vector<std::string> tables = *database.list_tables();
  for (const std::string& table : tables) {
    const auto description = database.describe_table(table);
    for (const auto* part : {&description->key.partition, &description->key.sort}) {
      for (const KeyAttribute& attribute : *part) names[table].push_back(attribute.name);
    }
  }
  return names;
}

std::string text_of(const std::optional<Item>& item) { return item ? item->to_json() : "-"; }

// What a program can tell answers apart by; not what they cost.
std::string text_of(const Written& written) {
  return (written.condition_met ? "done " : "refused ") + text_of(written.attributes);
}
bool is_done(const Written& written) { return written.condition_met; }
bool is_done(const TransactWritten& written) { return written.applied; }
std::string text_of(const Got& got) { return text_of(got.item); }
std::string text_of(const Page& page) {
  std::string text;
  for (size_t i = 0; i < page.items.size(); ++i) text += Item(page.items[i]).to_json() + "\n";
  return text + (page.last_key ? page.last_key->to_json() : "");
}
std::string text_of(const BatchGot& got) {
  std::string text;
  for (const auto& [table, items] : got.items) {
    for (size_t i = 0; i < items.size(); ++i) text += table + " " + Item(items[i]).to_json() + "\n";
  }
  return text;
}
std::string text_of(const TransactWritten& written) {
  std::string text = written.applied ? "done" : "refused";
  for (const CancellationReason& reason : written.reasons)
    text += "\n" + std::to_string(static_cast<int>(reason.code)) + " " + text_of(reason.item);
  return text;
}

// Where an id that was made up begins, and how long it is: one of those that sort by time.
constexpr size_t kIdLetters = 26;
bool is_id_letter(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); }

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

void Digest::add(std::string_view text) {
  // FNV-1a, and another that multiplies before it mixes.
  for (const char c : text) {
    parts[0] = (parts[0] ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    parts[1] = parts[1] * 0x9e3779b97f4a7c15ULL + static_cast<unsigned char>(c) + 1;
    parts[1] ^= parts[1] >> 29;
  }
  parts[0] = (parts[0] ^ 0xff) * 0x100000001b3ULL;
  parts[1] = parts[1] * 0x9e3779b97f4a7c15ULL;
}

std::string Turns::renamed(std::string_view text, Program* by) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_id_letter(text[end])) ++end;
    const std::string_view word = text.substr(i, std::max<size_t>(end - i, 1));
    i += word.size();
    if (word.size() != kIdLetters) {
      out += word;
      continue;
    }
    auto known = names_.find(word);
    if (known == names_.end() && by != nullptr) {
      const std::string name =
          "made" + std::to_string(by - programs_.data()) + "." + std::to_string(by->made_up++);
      known = names_.emplace(word, name).first;
    }
    out += known == names_.end() ? word : std::string_view(known->second);
  }
  return out;
}

std::string Turns::canonical(std::string_view text) {
  const std::lock_guard lock(mutex_);
  return renamed(text, nullptr);
}

void Turns::learn(size_t id, std::string_view answer) {
  const std::lock_guard lock(mutex_);
  programs_[id].knowledge.add(renamed(answer, nullptr));
}

void Turns::begin_try(size_t id) {
  const std::lock_guard lock(mutex_);
  programs_[id].knowledge_begun = programs_[id].knowledge;
  programs_[id].made_up_begun = programs_[id].made_up;
}

void Turns::forget_try(size_t id) {
  const std::lock_guard lock(mutex_);
  programs_[id].knowledge = programs_[id].knowledge_begun;
  programs_[id].knowledge.add("again");
  programs_[id].made_up = programs_[id].made_up_begun;
}

void Turns::commit(size_t id, std::string_view written) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(programs_[id].has_written, true)) return;
  programs_[id].knowledge = {};
  programs_[id].knowledge.add(renamed(written, &programs_[id]));
  programs_[id].knowledge_committed = programs_[id].knowledge;
}

void Turns::forget_since_commit(size_t id) {
  const std::lock_guard lock(mutex_);
  if (programs_[id].has_written) programs_[id].knowledge = programs_[id].knowledge_committed;
}

Digest Turns::knowledge() {
  const std::lock_guard lock(mutex_);
  Digest all;
  for (const Program& program : programs_) {
    if (program.state == State::kEnded) {
      all.add("ended");
      continue;
    }
    all.add(std::string_view(reinterpret_cast<const char*>(program.knowledge.parts),
                             sizeof(program.knowledge.parts)));
    for (const std::string& each : program.footprint.reads) all.add("reads " + each);
    for (const std::string& each : program.footprint.writes) all.add("writes " + each);
  }
  return all;
}

bool Turns::wait(size_t id, Footprint footprint) {
  std::unique_lock lock(mutex_);
  Program& program = programs_[id];
  if (program.is_killed) return false;
  program.state = State::kWaiting;
  // Ids that it made up are told apart by who made them: they are others in every run.
  program.footprint = {};
  for (const std::string& each : footprint.reads) program.footprint.reads.insert(renamed(each, &program));
  for (const std::string& each : footprint.writes) program.footprint.writes.insert(renamed(each, &program));
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

template <typename Answer, typename Ask>
Result<Answer> SteppedDatabase::step(Footprint footprint, const Ask& ask) {
  if (!turns_.wait(program_, std::move(footprint))) return kKilled;
  Result<Answer> answer = ask();
  turns_.learn(program_, answer.ok() ? text_of(*answer) : answer.error().message);
  return answer;
}

template <typename Answer, typename Ask>
Result<Answer> SteppedDatabase::write(Footprint footprint, const std::string& what, const Ask& ask) {
  Result<Answer> answer = step<Answer>(std::move(footprint), ask);
  if (answer.ok() && is_done(*answer)) turns_.commit(program_, what);
  return answer;
}

Result<Written> SteppedDatabase::put_item(const PutItem& request) {
  Footprint footprint;
  footprint.writes.insert(name_of(request.table, key_of(keys_, request.table, request.item)));
  return write<Written>(std::move(footprint), "put " + request.item.to_json(),
                        [&] { return inner_.put_item(request); });
}

Result<Written> SteppedDatabase::update_item(const UpdateItem& request) {
  Footprint footprint;
  footprint.writes.insert(name_of(request.table, request.key));
  return write<Written>(std::move(footprint), "update " + request.key.to_json(),
                        [&] { return inner_.update_item(request); });
}

Result<Written> SteppedDatabase::delete_item(const DeleteItem& request) {
  Footprint footprint;
  footprint.writes.insert(name_of(request.table, request.key));
  return write<Written>(std::move(footprint), "delete " + request.key.to_json(),
                        [&] { return inner_.delete_item(request); });
}

Result<Got> SteppedDatabase::get_item(const GetItem& request) {
  Footprint footprint;
  footprint.reads.insert(name_of(request.table, request.key));
  return step<Got>(std::move(footprint), [&] { return inner_.get_item(request); });
}

Result<Page> SteppedDatabase::query(const Query& request) {
  Footprint footprint;
  footprint.reads.insert(request.table);
  return step<Page>(std::move(footprint), [&] { return inner_.query(request); });
}

Result<BatchGot> SteppedDatabase::batch_get_items(const BatchGetItems& request) {
  Footprint footprint;
  for (const auto& [table, keys] : request.tables) {
    for (const Item& key : keys.keys) footprint.reads.insert(name_of(table, key));
  }
  return step<BatchGot>(std::move(footprint), [&] { return inner_.batch_get_items(request); });
}

Result<TransactWritten> SteppedDatabase::transact_write_items(const TransactWriteItems& request) {
  Footprint footprint;
  std::string what;
  for (const TransactAction& action : request.actions) {
    if (const auto* check = std::get_if<ConditionCheck>(&action)) {
      footprint.reads.insert(name_of(check->table, check->key));
    } else if (const auto* put = std::get_if<PutItem>(&action)) {
      footprint.writes.insert(name_of(put->table, key_of(keys_, put->table, put->item)));
      what += "put " + put->item.to_json() + "\n";
    } else if (const auto* update = std::get_if<UpdateItem>(&action)) {
      footprint.writes.insert(name_of(update->table, update->key));
    } else {
      const auto& erase = std::get<DeleteItem>(action);
      footprint.writes.insert(name_of(erase.table, erase.key));
    }
  }
  return write<TransactWritten>(std::move(footprint), what,
                                [&] { return inner_.transact_write_items(request); });
}

// --- All orders: a search in depth, each run from the start. A program whose next request was tried at some
// point sleeps in the branches beside it until something happens that its request depends on. A state that
// was reached before is gone on from only with what slept there then and does not now.

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

  // What the database holds that it did not at the beginning.
  std::string difference(Database& database, Turns& turns) {
    std::map<std::string, std::string> items;
    for (const auto& [table, key] : keys_) {
      Scan scan{.table = table};
      while (true) {
        const Result<Page> page = database.scan(scan);
        for (size_t i = 0; i < page->items.size(); ++i) {
          Item item(page->items[i]);
          item.remove("done");  // how much a job has done: nobody asks
          items[name_of(table, key_of(keys_, table, item))] = item.to_json();
        }
        if (!page->last_key) break;
        scan.start_key = page->last_key;
      }
    }
    if (beginning_.empty()) {
      beginning_ = std::move(items);
      return "";
    }
    std::string text;
    for (const auto& [key, item] : items) {
      const auto was = beginning_.find(key);
      if (was == beginning_.end() || was->second != item) text += key + " " + item + "\n";
    }
    for (const auto& [key, item] : beginning_) {
      if (!items.contains(key)) text += "no " + key + "\n";
    }
    return turns.canonical(text);
  }

  // A request for nothing but what its program made up disturbs nobody, and nobody disturbs it: whatever the
  // others do can as well be done after it. It is the only one that is tried, with the kill before it.
  static void keep_private(Node& node) {
    const auto is_private = [](const auto& each) {
      const auto& [action, footprint] = each;
      const std::string made = "made" + std::to_string(action.program) + ".";
      const auto contains = [&](const std::string& name) { return name.find(made) != std::string::npos; };
      return !action.is_kill && std::all_of(footprint.reads.begin(), footprint.reads.end(), contains) &&
             std::all_of(footprint.writes.begin(), footprint.writes.end(), contains);
    };
    const auto found = std::find_if(node.enabled.begin(), node.enabled.end(), is_private);
    if (found == node.enabled.end() || node.asleep.contains(found->first)) return;
    const size_t program = found->first.program;
    std::erase_if(node.enabled, [&](const auto& each) { return each.first.program != program; });
  }

  Node make_node(const std::vector<std::pair<size_t, Footprint>>& waiting, size_t kills,
                 const Digest& state) {
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
    keep_private(node);
    const auto [known, is_new] = visited_.emplace(state, std::set<Action>());
    std::set<Action>& slept = known->second;
    for (const auto& [action, footprint] : node.enabled) {
      const bool is_asleep = node.asleep.contains(action);
      if (!is_asleep && (is_new || slept.contains(action))) node.actions.push_back(action);
      if (is_new && is_asleep) slept.insert(action);
    }
    if (is_new) {
      ++made_.states;
      return node;
    }
    for (const Action& action : node.actions) slept.erase(action);
    std::erase_if(node.asleep, [&](const auto& each) { return !slept.contains(each.first); });
    return node;
  }

  bool run_once() {
    const std::unique_ptr<Database> database = scenario_.prepare();
    if (keys_.empty()) keys_ = key_names(*database);
    Turns turns(scenario_.programs);
    std::vector<std::unique_ptr<SteppedDatabase>> views;
    std::vector<std::thread> threads;
    for (size_t i = 0; i < scenario_.programs; ++i)
      views.push_back(std::make_unique<SteppedDatabase>(*database, keys_, turns, i));
    for (size_t i = 0; i < scenario_.programs; ++i) {
      threads.emplace_back([this, &turns, &view = *views[i], i] {
        scenario_.program(i, view);
        turns.end(i);
      });
    }
    std::string text;
    size_t kills = 0;
    bool is_redundant = false;
    beginning_.clear();
    static_cast<void>(difference(*database, turns));
    for (size_t depth = 0;; ++depth) {
      const auto waiting = turns.waiting();
      if (waiting.empty()) break;
      if (depth == path_.size() && !is_redundant) {
        Digest state = turns.knowledge();
        state.add(difference(*database, turns));
        state.add(std::to_string(kills));
        Node node = make_node(waiting, kills, state);
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
    Digest outcome;
    outcome.add(difference(*database, turns));
    if (!outcomes_.insert(outcome).second) return true;
    ++made_.outcomes;
    return scenario_.check(*database, text);
  }

  const Scenario& scenario_;
  KeyNames keys_;
  std::vector<Node> path_;
  std::map<std::string, std::string> beginning_;  // the items of the database, by table and key
  std::map<Digest, std::set<Action>> visited_;    // with what slept there whenever it was reached
  std::set<Digest> outcomes_;
  Exploration made_;
};

}  // namespace

Exploration explore(const Scenario& scenario) { return Explorer(scenario).run(); }

}  // namespace sheaf::interleavings
