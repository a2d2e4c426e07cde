// Texts that a regular expression matches, by number: each number another text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

namespace sheaf::generate {

class ExpressionTexts {
 public:
  struct Options {
    uint64_t key = 0;
    std::string_view forbidden;  // characters that no text should have, if there are others
    uint64_t bytes_max = kBytesMax;
    uint64_t wanted = 1;  // about how many will be asked for: their texts have one length, if they can
  };
  static constexpr uint64_t kBytesMax = 40;
  static constexpr uint64_t kCountMax = uint64_t{1} << 62;

  // `pattern` as RegularLanguage::expression reads it. For what can be nearly any character, letters and
  // digits are taken. kInvalid if there is no text of that size, or the pattern is too large for this.
  static Result<ExpressionTexts> of(std::string_view pattern, const Options& options);

  // How many texts there are, or kCountMax.
  uint64_t count() const { return count_; }
  // `index` is below count().
  std::string nth(uint64_t index) const;

 private:
  struct Move {
    char32_t character;
    uint32_t to;
  };
  struct State {
    bool is_end = false;
    std::vector<Move> moves;
    std::vector<uint64_t> counts;  // texts from here on to an end, by their bytes
  };

  uint64_t key_ = 0;
  uint64_t count_ = 0;
  std::vector<State> states_;      // the first is the start
  std::vector<uint32_t> lengths_;  // in bytes, in the order in which texts of it are taken
};

}  // namespace sheaf::generate
