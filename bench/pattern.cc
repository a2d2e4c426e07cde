#include "bench/pattern.h"

namespace sheaf::bench {

Pattern& Pattern::operator+=(const Pattern& other) {
  for (const Place& place : other.places_) places_.push_back({text_.size() + place.offset, place.number});
  text_ += other.text_;
  return *this;
}

void Pattern::write(uint64_t n, char* text) const {
  for (const Place& place : places_) {
    uint64_t value = (n * place.number.multiply + place.number.add) / place.number.divide;
    for (size_t digit = kDigits; digit-- > 0; value /= 10)
      text[place.offset + digit] = static_cast<char>('0' + value % 10);
  }
}

std::string Pattern::at(uint64_t n) const {
  std::string text = text_;
  write(n, text.data());
  return text;
}

Pattern number(const Pattern::Number& number) {
  Pattern pattern{std::string(Pattern::kDigits, '0')};
  pattern.places_.push_back({0, number});
  return pattern;
}

}  // namespace sheaf::bench
