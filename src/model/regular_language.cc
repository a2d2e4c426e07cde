#include "model/regular_language.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace sheaf::model {
namespace {

constexpr char32_t kCharacterMax = 0x10FFFF;
// Beyond this an expression is refused: proofs look at pairs of states.
constexpr size_t kStatesMax = 2000;
constexpr int kRepeatsMax = 256;

void append_utf8(std::string& out, char32_t c) {
  const auto byte = [&](char32_t value) { out += static_cast<char>(value); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xC0 | (c >> 6));
  } else if (c < 0x10000) {
    byte(0xE0 | (c >> 12));
    byte(0x80 | ((c >> 6) & 0x3F));
  } else {
    byte(0xF0 | (c >> 18));
    byte(0x80 | ((c >> 12) & 0x3F));
    byte(0x80 | ((c >> 6) & 0x3F));
  }
  byte(0x80 | (c & 0x3F));
}

// Takes one character off the front; U+FFFD for bytes that are none.
char32_t take_character(std::string_view& text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  const size_t bytes = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  char32_t c = first < 0x80 ? first : first & (bytes == 4 ? 0x07 : bytes == 3 ? 0x0F : 0x1F);
  if (bytes > text.size()) {
    text = {};
    return 0xFFFD;
  }
  for (size_t i = 1; i < bytes; ++i) c = (c << 6) | (byte(i) & 0x3F);
  text.remove_prefix(bytes);
  return c;
}

std::vector<CharacterRange> sorted(std::vector<CharacterRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const CharacterRange& a, const CharacterRange& b) { return a.first < b.first; });
  return ranges;
}

std::vector<CharacterRange> complement(std::vector<CharacterRange> ranges) {
  std::vector<CharacterRange> out;
  char32_t next = 0;
  for (const CharacterRange& range : sorted(std::move(ranges))) {
    if (range.first > next) out.push_back({next, range.first - 1});
    next = std::max<char32_t>(next, range.last + 1);
  }
  if (next <= kCharacterMax) out.push_back({next, kCharacterMax});
  return out;
}

std::optional<CharacterRange> intersection(const CharacterRange& a, const CharacterRange& b) {
  const CharacterRange both{std::max(a.first, b.first), std::min(a.last, b.last)};
  if (both.first > both.last) return std::nullopt;
  return both;
}

// A character that people can read, if the range has one.
char32_t nice_character(const CharacterRange& range) {
  for (const auto& [first, last] :
       {std::pair(U'a', U'z'), std::pair(U'0', U'9'), std::pair(U'A', U'Z'), std::pair(U'!', U'~')}) {
    if (const auto both = intersection(range, {first, last})) return both->first;
  }
  return range.first;
}

}  // namespace

RegularLanguage::RegularLanguage() : states_(1) {}

RegularLanguage::State RegularLanguage::add_state() {
  states_.emplace_back();
  return static_cast<State>(states_.size() - 1);
}

RegularLanguage::State RegularLanguage::adopt(const RegularLanguage& other) {
  const State offset = static_cast<State>(states_.size());
  states_.reserve(states_.size() + other.states_.size());
  for (StateMoves state : std::vector<StateMoves>(other.states_)) {
    for (Move& move : state.moves) move.to += offset;
    for (State& to : state.free) to += offset;
    states_.push_back(std::move(state));
  }
  return offset;
}

RegularLanguage RegularLanguage::text(std::string_view text) {
  RegularLanguage out;
  while (!text.empty()) {
    const char32_t c = take_character(text);
    const State next = out.add_state();
    out.states_[out.end_].moves.push_back({{c, c}, next});
    out.end_ = next;
  }
  return out;
}

RegularLanguage RegularLanguage::characters(std::vector<CharacterRange> ranges) {
  RegularLanguage out;
  out.end_ = out.add_state();
  for (const CharacterRange& range : ranges) out.states_[out.start_].moves.push_back({range, out.end_});
  return out;
}

RegularLanguage& RegularLanguage::then(const RegularLanguage& other) {
  const State offset = adopt(other);
  states_[end_].free.push_back(other.start_ + offset);
  end_ = other.end_ + offset;
  return *this;
}

RegularLanguage& RegularLanguage::or_else(const RegularLanguage& other) {
  const State offset = adopt(other);
  const State start = add_state();
  const State end = add_state();
  states_[start].free = {start_, other.start_ + offset};
  states_[end_].free.push_back(end);
  states_[other.end_ + offset].free.push_back(end);
  start_ = start;
  end_ = end;
  return *this;
}

RegularLanguage& RegularLanguage::repeated(int least, std::optional<int> most) {
  const RegularLanguage once = *this;
  RegularLanguage out;
  for (int i = 0; i < least; ++i) out.then(once);
  if (!most) {
    RegularLanguage loop = once;
    const State start = loop.add_state();
    const State end = loop.add_state();
    loop.states_[start].free = {loop.start_, end};
    loop.states_[loop.end_].free.insert(loop.states_[loop.end_].free.end(), {loop.start_, end});
    loop.start_ = start;
    loop.end_ = end;
    out.then(loop);
  } else {
    RegularLanguage optional = once;
    optional.or_else(RegularLanguage());
    for (int i = least; i < *most; ++i) out.then(optional);
  }
  return *this = std::move(out);
}

RegularLanguage RegularLanguage::with_escapes(const std::vector<CharacterRange>& escaped) const {
  RegularLanguage out = *this;
  const std::vector<CharacterRange> plain = complement(escaped);
  for (State state = 0; state < states_.size(); ++state) {
    out.states_[state].moves.clear();
    for (const Move& move : states_[state].moves) {
      for (const CharacterRange& range : plain) {
        if (const auto both = intersection(move.range, range))
          out.states_[state].moves.push_back({*both, move.to});
      }
      for (const CharacterRange& range : escaped) {
        const auto both = intersection(move.range, range);
        if (!both) continue;
        for (char32_t c = both->first; c <= both->last; ++c) {
          std::string bytes, written;
          append_utf8(bytes, c);
          for (const char byte : bytes) {
            constexpr char kDigits[] = "0123456789ABCDEF";
            const auto value = static_cast<unsigned char>(byte);
            written += {'%', kDigits[value >> 4], kDigits[value & 15]};
          }
          State from = state;
          for (size_t i = 0; i < written.size(); ++i) {
            const State to = i + 1 == written.size() ? move.to : out.add_state();
            const auto character = static_cast<char32_t>(written[i]);
            out.states_[from].moves.push_back({{character, character}, to});
            from = to;
          }
        }
      }
    }
  }
  return out;
}

std::vector<RegularLanguage::State> RegularLanguage::closure(std::vector<State> states) const {
  std::vector<bool> seen(states_.size());
  for (const State state : states) seen[state] = true;
  for (size_t i = 0; i < states.size(); ++i) {
    for (const State to : states_[states[i]].free) {
      if (seen[to]) continue;
      seen[to] = true;
      states.push_back(to);
    }
  }
  return states;
}

bool RegularLanguage::contains(std::string_view text) const {
  std::vector<State> at = closure({start_});
  while (!text.empty()) {
    const char32_t c = take_character(text);
    std::vector<State> next;
    for (const State state : at) {
      for (const Move& move : states_[state].moves) {
        if (c >= move.range.first && c <= move.range.last &&
            std::find(next.begin(), next.end(), move.to) == next.end())
          next.push_back(move.to);
      }
    }
    at = closure(std::move(next));
  }
  return std::find(at.begin(), at.end(), end_) != at.end();
}

// Breadth first over pairs of states; free moves cost nothing.
std::optional<std::string> RegularLanguage::common_text(const RegularLanguage& a, const RegularLanguage& b) {
  struct Origin {
    uint64_t from;
    char32_t character;  // or none, for a free move
    bool is_free;
  };
  const auto pair = [](State x, State y) { return (uint64_t{x} << 32) | y; };
  std::map<uint64_t, Origin> origins;
  std::deque<uint64_t> queue;
  const uint64_t start = pair(a.start_, b.start_);
  const uint64_t goal = pair(a.end_, b.end_);
  origins[start] = {start, 0, true};
  queue.push_back(start);
  const auto reach = [&](uint64_t from, uint64_t to, char32_t character, bool is_free) {
    if (!origins.emplace(to, Origin{from, character, is_free}).second) return;
    if (is_free) {
      queue.push_front(to);
    } else {
      queue.push_back(to);
    }
  };
  while (!queue.empty() && !origins.contains(goal)) {
    const uint64_t at = queue.front();
    queue.pop_front();
    const State x = static_cast<State>(at >> 32), y = static_cast<State>(at);
    for (const State to : a.states_[x].free) reach(at, pair(to, y), 0, true);
    for (const State to : b.states_[y].free) reach(at, pair(x, to), 0, true);
    for (const Move& first : a.states_[x].moves) {
      for (const Move& second : b.states_[y].moves) {
        if (const auto both = intersection(first.range, second.range))
          reach(at, pair(first.to, second.to), nice_character(*both), false);
      }
    }
  }
  if (!origins.contains(goal)) return std::nullopt;
  std::vector<char32_t> characters;
  for (uint64_t at = goal; at != start; at = origins[at].from) {
    if (!origins[at].is_free) characters.push_back(origins[at].character);
  }
  std::string text;
  for (auto c = characters.rbegin(); c != characters.rend(); ++c) append_utf8(text, *c);
  return text;
}

// Recursive descent over a regular expression.
class ExpressionReader {
 public:
  explicit ExpressionReader(std::string_view pattern) : rest_(pattern) {}

  Result<RegularLanguage> read() {
    RegularLanguage language = alternatives(0);
    if (problem_.empty() && !rest_.empty()) problem_ = "there is a ) without (";
    if (problem_.empty() && language.state_count() > kStatesMax) problem_ = "it is too large";
    if (!problem_.empty()) return Error{Code::kInvalid, problem_};
    return language;
  }

 private:
  static constexpr int kDepthMax = 50;

  bool at(char c) const { return problem_.empty() && !rest_.empty() && rest_.front() == c; }
  bool take(char c) {
    if (!at(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  RegularLanguage fail(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
    rest_ = {};
    return {};
  }

  RegularLanguage alternatives(int depth) {
    if (depth > kDepthMax) return fail("it is nested too deep");
    RegularLanguage language = sequence(depth);
    while (take('|')) language.or_else(sequence(depth));
    return language;
  }

  RegularLanguage sequence(int depth) {
    RegularLanguage language;
    while (problem_.empty() && !rest_.empty() && !at('|') && !at(')')) {
      language.then(repetition(depth));
      if (language.state_count() > kStatesMax) return fail("it is too large");
    }
    return language;
  }

  RegularLanguage repetition(int depth) {
    RegularLanguage language = single(depth);
    while (true) {
      if (take('*')) {
        language.repeated(0, std::nullopt);
      } else if (take('+')) {
        language.repeated(1, std::nullopt);
      } else if (take('?')) {
        language.repeated(0, 1);
      } else if (take('{')) {
        const int least = number();
        std::optional<int> most = least;
        if (take(',')) most = at('}') ? std::nullopt : std::optional<int>(number());
        if (!take('}')) return fail("a { is not {n}, {n,} or {n,m}");
        if (most && *most < least) return fail("a repetition counts down");
        if (static_cast<size_t>(std::max(least, most.value_or(0))) * language.state_count() > kStatesMax)
          return fail("it is too large");
        language.repeated(least, most);
      } else {
        return language;
      }
    }
  }

  int number() {
    int value = 0;
    bool any = false;
    while (problem_.empty() && !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
      any = true;
      if (value > kRepeatsMax) fail("it repeats something more than 256 times");
    }
    if (!any) fail("a { is not {n}, {n,} or {n,m}");
    return value;
  }

  RegularLanguage single(int depth) {
    if (take('(')) {
      if (rest_.starts_with("?")) return fail("groups that begin with ? are not known here");
      RegularLanguage language = alternatives(depth + 1);
      if (!take(')')) return fail("a ( has no )");
      return language;
    }
    if (take('[')) return characters_in_brackets();
    if (take('.')) return RegularLanguage::characters({{0, kCharacterMax}});
    if (take('\\')) return RegularLanguage::characters(escaped());
    for (const char c : {'*', '+', '?', '{'}) {
      if (at(c)) return fail(std::string("there is nothing before ") + c);
    }
    // Anchors are what is meant anyway.
    if (take('^') || take('$')) return {};
    const char32_t c = take_character(rest_);
    return RegularLanguage::characters({{c, c}});
  }

  std::vector<CharacterRange> escaped() {
    if (rest_.empty()) {
      fail("there is nothing behind \\");
      return {};
    }
    const char32_t c = take_character(rest_);
    const std::vector<CharacterRange> digits = {{U'0', U'9'}};
    const std::vector<CharacterRange> word = {{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}};
    const std::vector<CharacterRange> space = {{U'\t', U'\r'}, {U' ', U' '}};
    switch (c) {
      case U'd':
        return digits;
      case U'D':
        return complement(digits);
      case U'w':
        return word;
      case U'W':
        return complement(word);
      case U's':
        return space;
      case U'S':
        return complement(space);
      case U'n':
        return {{U'\n', U'\n'}};
      case U't':
        return {{U'\t', U'\t'}};
      default:
        break;
    }
    if ((c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= U'0' && c <= U'9')) {
      std::string name;
      append_utf8(name, c);
      fail("\\" + name + " is not known here");
    }
    return {{c, c}};
  }

  RegularLanguage characters_in_brackets() {
    const bool is_negated = take('^');
    std::vector<CharacterRange> ranges;
    do {
      if (rest_.empty()) return fail("a [ has no ]");
      std::vector<CharacterRange> next;
      if (take('\\')) {
        next = escaped();
      } else {
        const char32_t c = take_character(rest_);
        next = {{c, c}};
      }
      if (next.size() == 1 && next[0].first == next[0].last && at('-') && rest_.size() > 1 &&
          rest_[1] != ']') {
        rest_.remove_prefix(1);
        if (take('\\')) {
          const std::vector<CharacterRange> last = escaped();
          next[0].last = last.empty() ? next[0].first : last.front().first;
        } else {
          next[0].last = take_character(rest_);
        }
        if (next[0].last < next[0].first) return fail("a range in [ ] goes backwards");
      }
      if (!problem_.empty()) return {};
      ranges.insert(ranges.end(), next.begin(), next.end());
    } while (!take(']'));
    return RegularLanguage::characters(is_negated ? complement(std::move(ranges)) : std::move(ranges));
  }

  std::string_view rest_;
  std::string problem_;
};

Result<RegularLanguage> RegularLanguage::expression(std::string_view pattern) {
  return ExpressionReader(pattern).read();
}

}  // namespace sheaf::model
