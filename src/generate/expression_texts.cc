#include "generate/expression_texts.h"

#include <algorithm>
#include <deque>
#include <map>

#include "base/try.h"
#include "generate/expression_tree.h"
#include "generate/permutation.h"

namespace sheaf::generate {
namespace {

constexpr size_t kStatesMax = 5000;

// A non-deterministic automaton: one start, one end, moves on characters and free moves.
class Automaton {
 public:
  explicit Automaton(const ExpressionNode& root) : end_(add()) {
    const uint32_t last = build(root, 0);
    states_[last].free.push_back(end_);
  }

  bool is_too_large() const { return states_.size() > kStatesMax; }
  uint32_t end() const { return end_; }

  std::vector<uint32_t> closure(std::vector<uint32_t> states) const {
    std::vector<bool> seen(states_.size());
    std::vector<uint32_t> open = std::move(states), all;
    while (!open.empty()) {
      const uint32_t state = open.back();
      open.pop_back();
      if (seen[state]) continue;
      seen[state] = true;
      all.push_back(state);
      open.insert(open.end(), states_[state].free.begin(), states_[state].free.end());
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  // Where each character leads.
  std::map<char32_t, std::vector<uint32_t>> moves(const std::vector<uint32_t>& states) const {
    std::map<char32_t, std::vector<uint32_t>> by_character;
    for (const uint32_t state : states) {
      for (const char32_t c : states_[state].characters) by_character[c].push_back(states_[state].to);
    }
    return by_character;
  }

 private:
  struct State {
    std::u32string characters;
    uint32_t to = 0;
    std::vector<uint32_t> free;
  };

  uint32_t add() {
    if (states_.empty()) states_.emplace_back();  // the start
    states_.emplace_back();
    return static_cast<uint32_t>(states_.size() - 1);
  }

  // From `from` on; returns where it ends.
  uint32_t build(const ExpressionNode& node, uint32_t from) {
    if (is_too_large()) return from;
    switch (node.kind) {
      case ExpressionNode::Kind::kCharacters: {
        const uint32_t before = add(), after = add();
        states_[from].free.push_back(before);
        states_[before].characters = node.characters;
        states_[before].to = after;
        return after;
      }
      case ExpressionNode::Kind::kSequence:
        for (const ExpressionNode& part : node.parts) from = build(part, from);
        return from;
      case ExpressionNode::Kind::kChoice: {
        const uint32_t after = add();
        for (const ExpressionNode& part : node.parts) {
          const uint32_t begin = add();
          states_[from].free.push_back(begin);
          const uint32_t end = build(part, begin);
          states_[end].free.push_back(after);
        }
        return after;
      }
      case ExpressionNode::Kind::kRepeated:
        break;
    }
    const ExpressionNode& part = node.parts.front();
    for (int i = 0; i < node.least; ++i) from = build(part, from);
    const uint32_t after = add();
    for (int i = node.least; node.most && i < *node.most && !is_too_large(); ++i) {
      states_[from].free.push_back(after);
      from = build(part, from);
    }
    if (!node.most) {
      const uint32_t begin = add();
      states_[from].free.push_back(begin);
      const uint32_t end = build(part, begin);
      states_[end].free.push_back(begin);
      from = begin;
    }
    states_[from].free.push_back(after);
    return after;
  }

  std::vector<State> states_;
  uint32_t end_;
};

size_t bytes_of(char32_t c) { return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4; }

void append(std::string& out, char32_t c) {
  const size_t bytes = bytes_of(c);
  if (bytes == 1) {
    out += static_cast<char>(c);
    return;
  }
  out += static_cast<char>((0xF0U << (4 - bytes)) | (c >> (6 * (bytes - 1))));
  for (size_t i = bytes - 1; i-- > 0;) out += static_cast<char>(0x80U | ((c >> (6 * i)) & 0x3FU));
}

uint64_t plus(uint64_t a, uint64_t b) { return std::min(a + b, ExpressionTexts::kCountMax); }

}  // namespace

Result<ExpressionTexts> ExpressionTexts::of(std::string_view pattern, const Options& options) {
  const ExpressionNode root = TRY(read_expression(pattern, options.forbidden));
  const Automaton automaton(root);
  const Error too_large{Code::kInvalid, "the expression is too large to make texts of it"};
  if (automaton.is_too_large()) return too_large;
  ExpressionTexts made;
  made.key_ = options.key;
  // The same, so that each text is one way through it.
  std::map<std::vector<uint32_t>, uint32_t> known;
  std::deque<std::vector<uint32_t>> open;
  const auto number_of = [&](std::vector<uint32_t> states) {
    states = automaton.closure(std::move(states));
    const auto [place, is_new] = known.emplace(states, static_cast<uint32_t>(known.size()));
    if (is_new) {
      made.states_.push_back({.is_end = std::binary_search(states.begin(), states.end(), automaton.end())});
      open.push_back(std::move(states));
    }
    return place->second;
  };
  number_of({0});
  for (uint32_t state = 0; !open.empty(); ++state) {
    const std::vector<uint32_t> states = std::move(open.front());
    open.pop_front();
    if (known.size() > kStatesMax) return too_large;
    for (auto& [character, to] : automaton.moves(states)) {
      const uint32_t target = number_of(std::move(to));
      made.states_[state].moves.push_back({.character = character, .to = target});
    }
  }
  const size_t bytes_max = options.bytes_max;
  for (State& state : made.states_) state.counts.assign(bytes_max + 1, 0);
  for (size_t bytes = 0; bytes <= bytes_max; ++bytes) {
    for (State& state : made.states_) {
      uint64_t count = bytes == 0 && state.is_end ? 1 : 0;
      for (const Move& move : state.moves) {
        const size_t own = bytes_of(move.character);
        if (own <= bytes) count = plus(count, made.states_[move.to].counts[bytes - own]);
      }
      state.counts[bytes] = count;
    }
  }
  // The shortest of which there are enough, then longer ones, then shorter ones. The empty text is none.
  const std::vector<uint64_t>& counts = made.states_.front().counts;
  size_t first = 1;
  while (first < bytes_max && counts[first] < options.wanted) ++first;
  if (counts[first] < options.wanted)
    first = static_cast<size_t>(std::max_element(counts.begin() + 1, counts.end()) - counts.begin());
  for (size_t bytes = first; bytes <= bytes_max; ++bytes)
    made.lengths_.push_back(static_cast<uint32_t>(bytes));
  for (size_t bytes = first; bytes-- > 1;) made.lengths_.push_back(static_cast<uint32_t>(bytes));
  for (const uint32_t bytes : made.lengths_) made.count_ = plus(made.count_, counts[bytes]);
  if (made.count_ == 0)
    return Error{Code::kInvalid, "no text of at most " + std::to_string(bytes_max) + " bytes matches it"};
  return made;
}

std::string ExpressionTexts::nth(uint64_t index) const {
  const std::vector<uint64_t>& counts = states_.front().counts;
  size_t at = 0;
  while (index >= counts[lengths_[at]]) index -= counts[lengths_[at++]];
  size_t bytes = lengths_[at];
  index = Permutation(key_ + bytes, counts[bytes]).forward(index);
  std::string text;
  for (uint32_t state = 0; bytes > 0;) {
    for (const Move& move : states_[state].moves) {
      const size_t own = bytes_of(move.character);
      if (own > bytes) continue;
      const uint64_t below = states_[move.to].counts[bytes - own];
      if (index < below) {
        append(text, move.character);
        state = move.to;
        bytes -= own;
        break;
      }
      index -= below;
    }
  }
  return text;
}

}  // namespace sheaf::generate
