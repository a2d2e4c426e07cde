// Text with numbers in it that can be written over in place: a request that differs from the last at the cost
// of a few stores.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::bench {

class Pattern {
 public:
  // What stands in the text for the n-th request: (n * multiply + add) / divide.
  struct Number {
    uint64_t multiply = 1;
    uint64_t add = 0;
    uint64_t divide = 1;
  };
  static constexpr size_t kDigits = 8;  // of every number, with zeros in front

  Pattern() = default;
  Pattern(std::string_view text) : text_(text) {}  // NOLINT: implicit, so that plain text is a pattern
  Pattern(const char* text) : text_(text) {}       // NOLINT: likewise

  Pattern& operator+=(const Pattern& other);
  friend Pattern operator+(Pattern left, const Pattern& right) { return left += right; }

  size_t size() const { return text_.size(); }
  bool empty() const { return text_.empty(); }
  // With zeros for the numbers: what `write` changes in a copy of.
  const std::string& text() const { return text_; }
  void write(uint64_t n, char* text) const;
  std::string at(uint64_t n) const;

 private:
  friend Pattern number(const Number& number);
  struct Place {
    size_t offset;
    Number number;
  };

  std::string text_;
  std::vector<Place> places_;
};

// A number alone.
Pattern number(const Pattern::Number& number = {});

}  // namespace sheaf::bench
