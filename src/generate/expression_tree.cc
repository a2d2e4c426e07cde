#include "generate/expression_tree.h"

#include <algorithm>

#include "base/try.h"

namespace sheaf::generate {
namespace {

using Node = ExpressionNode;

struct Range {
  char32_t first, last;
};

constexpr char32_t kLast = 0x10FFFF;
constexpr int kRepetitionsMax = 1000;

bool is_letter_or_digit(char32_t c) {
  return (c >= U'0' && c <= U'9') || (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
}

class Reader {
 public:
  Reader(std::string_view pattern, std::string_view forbidden) : forbidden_(forbidden) {
    for (size_t i = 0; i < pattern.size();) {
      const auto byte = [&](size_t at) {
        return static_cast<unsigned char>(at < pattern.size() ? pattern[at] : 0);
      };
      const unsigned first = byte(i);
      const size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
      char32_t c = bytes == 1 ? first : first & (0xFFU >> (bytes + 1));
      for (size_t k = 1; k < bytes; ++k) c = c << 6 | (byte(i + k) & 0x3FU);
      text_.push_back(c);
      i += bytes;
    }
  }

  Result<Node> run() {
    Node node = TRY(choice());
    if (at_ < text_.size()) return wrong();
    return node;
  }

 private:
  static Error wrong() { return {Code::kInvalid, "this is no regular expression"}; }
  bool has(char32_t c) const { return at_ < text_.size() && text_[at_] == c; }
  bool take(char32_t c) { return has(c) && ++at_ > 0; }

  Result<Node> choice() {
    Node first = TRY(sequence());
    if (!has(U'|')) return first;
    Node node{.kind = Node::Kind::kChoice};
    node.parts.push_back(std::move(first));
    while (take(U'|')) {
      Node next = TRY(sequence());
      node.parts.push_back(std::move(next));
    }
    return node;
  }

  Result<Node> sequence() {
    Node node{.kind = Node::Kind::kSequence};
    while (at_ < text_.size() && !has(U'|') && !has(U')')) {
      Node part = TRY(repeated());
      node.parts.push_back(std::move(part));
    }
    return node;
  }

  Result<Node> repeated() {
    Node node = TRY(single());
    while (at_ < text_.size()) {
      Node around{.kind = Node::Kind::kRepeated};
      if (take(U'*')) {
      } else if (take(U'+')) {
        around.least = 1;
      } else if (take(U'?')) {
        around.most = 1;
      } else if (take(U'{')) {
        around.least = TRY(number());
        around.most = around.least;
        if (take(U',')) {
          around.most.reset();
          if (!has(U'}')) around.most = TRY(number());
        }
        if (!take(U'}')) return wrong();
      } else {
        break;
      }
      around.parts.push_back(std::move(node));
      node = std::move(around);
    }
    return node;
  }

  Result<int> number() {
    int value = 0;
    const size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] >= U'0' && text_[at_] <= U'9'; ++at_) {
      value = value * 10 + static_cast<int>(text_[at_] - U'0');
      if (value > kRepetitionsMax) return Error{Code::kInvalid, "its repetitions are too many"};
    }
    if (at_ == begin) return wrong();
    return value;
  }

  Result<Node> single() {
    if (take(U'(')) {
      Node node = TRY(choice());
      if (!take(U')')) return wrong();
      return node;
    }
    // Anchors are what is meant anyway.
    if (take(U'^') || take(U'$')) return Node{.kind = Node::Kind::kSequence};
    std::vector<Range> ranges;
    if (take(U'.')) {
      ranges.push_back({0, kLast});
    } else if (take(U'[')) {
      TRY(members(ranges));
    } else if (take(U'\\')) {
      TRY(escaped(ranges));
    } else {
      ranges.push_back({text_[at_], text_[at_]});
      ++at_;
    }
    return Node{.kind = Node::Kind::kCharacters, .characters = chosen(ranges)};
  }

  Result<void> members(std::vector<Range>& ranges) {
    const bool is_negated = take(U'^');
    std::vector<Range> listed;
    do {
      if (at_ >= text_.size()) return wrong();
      if (take(U'\\')) {
        TRY(escaped(listed));
      } else {
        listed.push_back({text_[at_], text_[at_]});
        ++at_;
      }
      if (has(U'-') && at_ + 1 < text_.size() && text_[at_ + 1] != U']') {
        ++at_;
        if (take(U'\\') && at_ >= text_.size()) return wrong();
        listed.back().last = text_[at_++];
      }
    } while (!take(U']'));
    if (is_negated) listed = complement(std::move(listed));
    ranges.insert(ranges.end(), listed.begin(), listed.end());
    return {};
  }

  static std::vector<Range> complement(std::vector<Range> listed) {
    std::vector<Range> ranges;
    std::sort(listed.begin(), listed.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
    char32_t next = 0;
    for (const Range& each : listed) {
      if (each.first > next) ranges.push_back({next, each.first - 1});
      next = std::max<char32_t>(next, each.last + 1);
    }
    if (next <= kLast) ranges.push_back({next, kLast});
    return ranges;
  }

  Result<void> escaped(std::vector<Range>& ranges) {
    if (at_ >= text_.size()) return wrong();
    const char32_t c = text_[at_++];
    std::vector<Range> named;
    switch (c) {
      case U'd':
      case U'D':
        named = {{U'0', U'9'}};
        break;
      case U'w':
      case U'W':
        named = {{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}};
        break;
      case U's':
      case U'S':
        named = {{U'\t', U'\r'}, {U' ', U' '}};
        break;
      case U'n':
        named = {{U'\n', U'\n'}};
        break;
      case U't':
        named = {{U'\t', U'\t'}};
        break;
      default:
        named = {{c, c}};
    }
    if (c == U'D' || c == U'W' || c == U'S') named = complement(std::move(named));
    ranges.insert(ranges.end(), named.begin(), named.end());
    return {};
  }

  // Small letters and digits, if all of them will do; or letters and digits; or what can be seen; or what
  // there is.
  std::u32string chosen(const std::vector<Range>& ranges) const {
    const auto contains = [&](char32_t c) {
      return std::any_of(ranges.begin(), ranges.end(),
                         [&](const Range& each) { return each.first <= c && c <= each.last; });
    };
    std::u32string plain, seen, any;
    bool has_all_small = true;
    for (char32_t c = U'!'; c <= U'~'; ++c) {
      const bool is_wanted = contains(c) && forbidden_.find(static_cast<char>(c)) == std::string_view::npos;
      if (is_wanted) (is_letter_or_digit(c) ? plain : seen).push_back(c);
      if (!contains(c) && is_letter_or_digit(c) && (c < U'A' || c > U'Z')) has_all_small = false;
    }
    if (has_all_small) std::erase_if(plain, [](char32_t c) { return c >= U'A' && c <= U'Z'; });
    if (!plain.empty()) return plain;
    if (!seen.empty()) return seen;
    if (contains(U' ')) return U" ";
    for (const Range& each : ranges) {
      for (char32_t c = each.first; c <= each.last && any.size() < 16; ++c) {
        if (c < 0xD800 || c > 0xDFFF) any.push_back(c);
      }
    }
    std::sort(any.begin(), any.end());
    any.erase(std::unique(any.begin(), any.end()), any.end());
    return any;
  }

  std::u32string text_;
  const std::string_view forbidden_;
  size_t at_ = 0;
};

}  // namespace

Result<ExpressionNode> read_expression(std::string_view pattern, std::string_view forbidden) {
  return Reader(pattern, forbidden).run();
}

}  // namespace sheaf::generate
