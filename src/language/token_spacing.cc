#include "language/token_spacing.h"

#include <algorithm>
#include <initializer_list>

namespace sheaf::language {
namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

class Spacing {
 public:
  explicit Spacing(const std::vector<Token>& tokens) : tightness_(tokens.size()) {
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (is_comment(tokens[i])) continue;
      tokens_.push_back(&tokens[i]);
      places_.push_back(i);
    }
  }

  std::vector<Tightness> run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      if (tokens_[at_]->kind == Token::Kind::kMark) tightness_[places_[at_]] = tightness();
    }
    return std::move(tightness_);
  }

 private:
  const Token* neighbour(int offset) const {
    const size_t place = at_ + static_cast<size_t>(offset);
    return place < tokens_.size() ? tokens_[place] : nullptr;
  }
  bool mark_at(int offset, std::string_view mark) const {
    const Token* const token = neighbour(offset);
    return token != nullptr && token->kind == Token::Kind::kMark && token->text == mark;
  }
  bool word_at(int offset, std::initializer_list<std::string_view> words) const {
    const Token* const token = neighbour(offset);
    return token != nullptr && token->kind == Token::Kind::kName && is_one_of(token->text, words);
  }
  bool kind_at(int offset, Token::Kind kind) const {
    const Token* const token = neighbour(offset);
    return token != nullptr && token->kind == kind;
  }

  Tightness tightness() {
    const std::string_view mark = tokens_[at_]->text;
    if (is_one_of(mark, {".", "^"})) return {.before = true, .after = true};
    if (is_one_of(mark, {";", ",", ")", "]", "?", ":"})) return {.before = true};
    if (is_one_of(mark, {"$", "["})) return {.after = true};
    if (mark == "}") return {.before = mark_at(-1, "{")};
    if (mark == "(") return {.before = is_called(), .after = true};
    if (mark == "-") return {.after = is_sign()};
    // rate 50/s
    if (mark == "/" && kind_at(-1, Token::Kind::kNumber)) return {.before = true, .after = true};
    if (mark == "<" && begins_element_type()) {
      ++open_types_;
      return {.before = true, .after = true};
    }
    if (mark == ">" && open_types_ > 0) {
      --open_types_;
      return {.before = true};
    }
    return {};
  }

  // count(x), but x in (1, 2)
  bool is_called() const {
    return (kind_at(-1, Token::Kind::kName) && !word_at(-1, {"in"})) || kind_at(-1, Token::Kind::kQuotedName);
  }

  // -1, but a - 1
  bool is_sign() const {
    if (kind_at(-1, Token::Kind::kMark)) return !mark_at(-1, ")") && !mark_at(-1, "]") && !mark_at(-1, "}");
    return word_at(-1, {"default", "between", "and", "begins"});
  }

  // list<string>, but where list < string: a type goes on with >, < or (, or is in braces.
  bool begins_element_type() const {
    if (!word_at(-1, {"list", "map", "set"})) return false;
    if (mark_at(1, "{")) return !kind_at(2, Token::Kind::kString) && (!mark_at(2, "}") || mark_at(3, ">"));
    return kind_at(1, Token::Kind::kName) && (mark_at(2, ">") || mark_at(2, "<") || mark_at(2, "("));
  }

  std::vector<const Token*> tokens_;  // without comments
  std::vector<size_t> places_;        // of these among all
  std::vector<Tightness> tightness_;
  size_t at_ = 0;
  size_t open_types_ = 0;
};

}  // namespace

std::vector<Tightness> tightness_of(const std::vector<Token>& tokens) { return Spacing(tokens).run(); }

}  // namespace sheaf::language
