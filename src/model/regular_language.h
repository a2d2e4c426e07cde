// Sets of texts, as finite automata over characters: what a key template can produce, and whether two of them
// can produce the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

namespace sheaf::model {

// Characters from `first` to `last`.
struct CharacterRange {
  char32_t first = 0;
  char32_t last = 0x10FFFF;
};

// A non-deterministic automaton with moves on ranges of characters and free moves. One start, one end.
class RegularLanguage {
 public:
  // The empty text alone.
  RegularLanguage();
  static RegularLanguage text(std::string_view text);
  // Any of these characters, once.
  static RegularLanguage characters(std::vector<CharacterRange> ranges);
  // A regular expression that a whole text must match: characters, ., [a-z], [^a-z], \d, \w, \s, \ before a
  // character, ( ), |, *, +, ?, {n}, {n,}, {n,m}. Or why it is none.
  static Result<RegularLanguage> expression(std::string_view pattern);

  // Each returns *this.
  RegularLanguage& then(const RegularLanguage& other);
  RegularLanguage& or_else(const RegularLanguage& other);
  RegularLanguage& repeated(int least, std::optional<int> most);

  // Every character in `escaped` is replaced by % and two digits (of each of its UTF-8 bytes).
  RegularLanguage with_escapes(const std::vector<CharacterRange>& escaped) const;

  bool contains(std::string_view text) const;
  // A shortest text that is in both; nothing if there is none.
  static std::optional<std::string> common_text(const RegularLanguage& a, const RegularLanguage& b);

  size_t state_count() const { return states_.size(); }

 private:
  using State = uint32_t;
  struct Move {
    CharacterRange range;
    State to;
  };
  struct StateMoves {
    std::vector<Move> moves;
    std::vector<State> free;
  };

  State add_state();
  // The states of `other` become ours; their numbers grow by what is returned.
  State adopt(const RegularLanguage& other);
  std::vector<State> closure(std::vector<State> states) const;

  std::vector<StateMoves> states_;
  State start_ = 0;
  State end_ = 0;

  friend class ExpressionReader;
};

}  // namespace sheaf::model
