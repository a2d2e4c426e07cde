// Random numbers, values and text for property tests: the same ones on every run, unless SHEAF_TEST_SEED says
// otherwise.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "sheaf/value.h"

namespace sheaf {

inline uint64_t test_seed() {
  const char* seed = std::getenv("SHEAF_TEST_SEED");
  return seed == nullptr ? 20240601 : std::strtoull(seed, nullptr, 10);
}

class Random {
 public:
  Random() : engine_(test_seed()) {}

  // From `min` to `max`, both included.
  int64_t between(int64_t min, int64_t max) {
    return std::uniform_int_distribution<int64_t>(min, max)(engine_);
  }
  bool one_in(int n) { return between(1, n) == 1; }

  template <typename T>
  const T& pick(const std::vector<T>& choices) {
    return choices[static_cast<size_t>(between(0, static_cast<int64_t>(choices.size()) - 1))];
  }

  // Decimal text in range, with up to 38 digits; often at an edge.
  std::string number_text() {
    if (one_in(20)) return "0";
    static const std::vector<int64_t> edge_counts = {1, 2, 3, 19, 20, 37, 38};
    static const std::vector<int64_t> edge_exponents = {-130, -129, -128, -2, -1, 0, 1, 2, 37, 38, 124, 125};
    const int64_t count = one_in(2) ? pick(edge_counts) : between(1, 38);
    const int64_t exponent = one_in(3)   ? pick(edge_exponents)
                             : one_in(2) ? between(-20, 40)
                                         : between(-130, 125);
    static const std::vector<std::string> alphabets = {"0123456789", "09", "9", "01", "5"};
    const std::string& alphabet = pick(alphabets);
    std::string text = one_in(2) ? "-" : "";
    const char first = alphabet[static_cast<size_t>(between(0, static_cast<int64_t>(alphabet.size()) - 1))];
    text += first == '0' ? '1' : first;
    text += '.';
    for (int64_t i = 1; i < count; ++i) {
      text += alphabet[static_cast<size_t>(between(0, static_cast<int64_t>(alphabet.size()) - 1))];
    }
    return text + "e" + std::to_string(exponent);
  }

  Number number() { return *Number::parse(number_text()); }

  // Few different bytes, so that equal and shared beginnings are frequent; with zeros and high bytes.
  std::string bytes(int64_t length_max) {
    static const std::vector<char> alphabet = {
        0, 1, 2, 'a', 'b', '"', static_cast<char>(0xfe), static_cast<char>(0xff)};
    std::string out(static_cast<size_t>(between(0, length_max)), 0);
    for (char& byte : out) byte = pick(alphabet);
    return out;
  }

  // UTF-8 of one to four bytes a character.
  std::string text(int64_t length_max) {
    static const std::vector<std::string> alphabet = {
        std::string(1, '\0'), "\x01", "a", "b", "\\", "é", "€", "😀"};
    std::string out;
    for (int64_t left = between(0, length_max); left > 0; --left) out += pick(alphabet);
    return out;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace sheaf
