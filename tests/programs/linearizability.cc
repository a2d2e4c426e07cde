#include "programs/linearizability.h"

#include <algorithm>
#include <set>

namespace sheaf::programs {
namespace {

using State = std::optional<int64_t>;

// The state after `operation`, if what it saw is possible in `state`.
std::optional<State> apply(const ItemOperation& operation, const State& state) {
  using Kind = ItemOperation::Kind;
  switch (operation.kind) {
    case Kind::kPut:
      if (operation.seen != state) return std::nullopt;
      return State(operation.argument);
    case Kind::kGet:
      if (operation.seen != state) return std::nullopt;
      return state;
    case Kind::kAdd: {
      const State next = state.value_or(0) + operation.argument;
      if (operation.seen != next) return std::nullopt;
      return next;
    }
    case Kind::kReplace:
      if (operation.done != (state == operation.expected) || operation.seen != state) return std::nullopt;
      return operation.done ? State(operation.argument) : state;
    case Kind::kDelete:
      break;
  }
  if (operation.seen != state) return std::nullopt;
  return State();
}

// A point of the search: all operations before `first` are done and so are those in `beyond`, and the item
// is in `state`. Whatever led here, what can follow is the same.
struct Configuration {
  size_t first = 0;
  std::set<size_t> beyond;
  State state;

  auto operator<=>(const Configuration&) const = default;
};

}  // namespace

std::string ItemOperation::to_text() const {
  static const char* const kNames[] = {"put", "get", "add", "replace", "delete"};
  const auto number = [](const std::optional<int64_t>& value) {
    return value ? std::to_string(*value) : "nothing";
  };
  std::string text = std::to_string(called) + "-" + std::to_string(answered) + " " +
                     kNames[static_cast<size_t>(kind)] + " " + std::to_string(argument);
  if (kind == Kind::kReplace) text += " for " + number(expected) + (done ? " done" : " refused");
  return text + " saw " + number(seen);
}

// Depth first. An operation may come next only if no other that is still to come was answered before it was
// called.
std::optional<std::string> find_unexplained(std::vector<ItemOperation> history) {
  std::sort(history.begin(), history.end(),
            [](const ItemOperation& a, const ItemOperation& b) { return a.called < b.called; });
  std::set<Configuration> known;
  std::vector<Configuration> open = {{}};
  size_t furthest = 0;
  while (!open.empty()) {
    const Configuration here = std::move(open.back());
    open.pop_back();
    if (here.first == history.size()) return std::nullopt;
    furthest = std::max(furthest, here.first);
    uint64_t first_answer = UINT64_MAX;
    for (size_t at = here.first; at < history.size() && history[at].called < first_answer; ++at) {
      if (!here.beyond.contains(at)) first_answer = std::min(first_answer, history[at].answered);
    }
    std::vector<Configuration> nexts;
    for (size_t at = here.first; at < history.size() && history[at].called < first_answer; ++at) {
      if (here.beyond.contains(at)) continue;
      const std::optional<State> state = apply(history[at], here.state);
      if (!state) continue;
      Configuration next = here;
      next.state = *state;
      next.beyond.insert(at);
      while (next.beyond.erase(next.first) > 0) ++next.first;
      // What changes nothing can as well come at once: every order without it there has one with it there.
      if (*state == here.state) nexts.clear();
      nexts.push_back(std::move(next));
      if (*state == here.state) break;
    }
    for (Configuration& next : nexts) {
      if (known.insert(next).second) open.push_back(std::move(next));
    }
  }
  std::string text = "no order explains what was seen from here on:";
  const size_t begin = furthest < 8 ? 0 : furthest - 8;
  for (size_t at = begin; at < std::min(furthest + 8, history.size()); ++at)
    text += "\n  " + std::string(at == furthest ? "> " : "  ") + history[at].to_text();
  return text;
}

}  // namespace sheaf::programs
