#include "language/token_reader.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace sheaf::language {
namespace {

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::kEnd) return "the end of the file";
  constexpr size_t kShownMax = 40;
  if (token.text.size() <= kShownMax) return std::string(token.text);
  size_t bytes = kShownMax;
  while ((static_cast<unsigned char>(token.text[bytes]) & 0xC0) == 0x80) --bytes;  // no half characters
  return std::string(token.text.substr(0, bytes)) + "...";
}

std::string_view without_slashes(std::string_view doc) {
  doc.remove_prefix(3);
  if (doc.starts_with(' ')) doc.remove_prefix(1);
  // What cannot be seen at the end of a line means nothing.
  return doc.substr(0, doc.find_last_not_of(" \t\r") + 1);
}

bool is_mark(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return std::isalpha(static_cast<unsigned char>(c)); });
}

// What to do where `what` was expected.
std::string fix_for(std::string_view what, const Token& found) {
  if (found.kind == Token::Kind::kEnd) return "add " + std::string(what) + " at the end";
  if (what == "; or }") {
    const bool is_separator = found.text == "," || found.text == ":" || found.text == ".";
    return is_separator ? "write ; in place of " + shown(found) : "put a ; before " + shown(found);
  }
  if (is_mark(what)) return "put " + std::string(what) + " before " + shown(found);
  return "write " + std::string(what) + " here";
}

// What is being written, at the end of the text: none of the tokens that are asked for.
void replace_by_probe(std::vector<Token>& tokens, uint32_t end) {
  const size_t last = tokens.size() - 1;
  Token probe{.kind = Token::Kind::kBad, .span = {.begin = end, .end = end}};
  probe.first_in_line = tokens[last].first_in_line;
  if (last > 0 && is_unfinished(tokens[last - 1], end)) {
    probe.span.begin = tokens[last - 1].span.begin;
    probe.first_in_line = tokens[last - 1].first_in_line;
    tokens.pop_back();
  }
  tokens.back() = probe;
  tokens.push_back({.kind = Token::Kind::kEnd, .span = {.begin = end, .end = end}});
}

void note(std::vector<std::string>& noted, std::string_view text) {
  if (std::find(noted.begin(), noted.end(), text) == noted.end()) noted.emplace_back(text);
}

}  // namespace

bool Probe::has_kind(std::string_view kind) const {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

TokenReader::TokenReader(const SourceText& source, Diagnostics& diagnostics, Probe* probe)
    : source_(source), diagnostics_(diagnostics), probe_(probe) {
  std::string doc;
  std::vector<Token> tokens = tokens_of(source, diagnostics);
  if (probe != nullptr) replace_by_probe(tokens, static_cast<uint32_t>(source.text().size()));
  for (Token& token : tokens) {
    if (token.kind == Token::Kind::kDoc) {
      if (!doc.empty()) doc += '\n';
      doc += without_slashes(token.text);
    }
    const bool is_probe = probe != nullptr && &token == &tokens[tokens.size() - 2];
    if (is_comment(token) || (token.kind == Token::Kind::kBad && !is_probe)) continue;
    tokens_.push_back(token);
    docs_.push_back(std::exchange(doc, {}));
  }
}

bool TokenReader::at_mark(std::string_view mark) const {
  return !is_lost_ && token().kind == Token::Kind::kMark && token().text == mark;
}

bool TokenReader::at_word(std::string_view word) const {
  return !is_lost_ && token().kind == Token::Kind::kName && token().text == word;
}

bool TokenReader::at_one_of(std::initializer_list<std::string_view> words) const {
  for (const std::string_view word : words) {
    if (at_word(word)) return true;
  }
  return false;
}

bool TokenReader::at_words(std::string_view word, std::initializer_list<std::string_view> next) const {
  if (!at_word(word)) return false;
  const Token& follower = tokens_[at_ + 1];
  return follower.kind == Token::Kind::kName &&
         std::find(next.begin(), next.end(), follower.text) != next.end();
}

bool TokenReader::at_name() const {
  return !is_lost_ && (token().kind == Token::Kind::kName || token().kind == Token::Kind::kQuotedName);
}

bool TokenReader::mark_follows(std::string_view mark) const {
  if (is_lost_ || at_end()) return false;
  const Token& next = tokens_[at_ + 1];
  return next.kind == Token::Kind::kMark && next.text == mark;
}

bool TokenReader::at_declaration() const {
  constexpr size_t kLength = 3;
  if (is_lost_ || at_ + kLength >= tokens_.size() || token().kind != Token::Kind::kName) return false;
  const std::string_view word = token().text;
  const auto is_name = [&](size_t i) {
    return tokens_[at_ + i].kind == Token::Kind::kName || tokens_[at_ + i].kind == Token::Kind::kQuotedName;
  };
  const auto is = [&](size_t i, std::string_view text) {
    return tokens_[at_ + i].kind != Token::Kind::kQuotedName && tokens_[at_ + i].text == text;
  };
  if (word == "compare" && is(1, "[")) return true;
  if (!is_name(1)) return false;
  if (word == "table") return is(2, "{");
  if (word == "entity") return is(2, "{") || is(2, "within");
  if (word == "rel") return tokens_[at_ + 2].kind == Token::Kind::kCardinality || is(2, "|");
  if (word == "layout") return is(2, "{") || is(2, "extends");
  if (word == "pattern" || word == "op" || word == "expect") return is(2, "(");
  return false;
}

const Token& TokenReader::take() {
  const Token& taken = tokens_[at_];
  if (!at_end()) ++at_;
  return taken;
}

bool TokenReader::at_probe() const { return probe_ != nullptr && !is_lost_ && at_ + 2 == tokens_.size(); }

void TokenReader::offer(std::initializer_list<std::string_view> words) const {
  if (!at_probe()) return;
  for (const std::string_view word : words) note(probe_->words, word);
}

void TokenReader::offer_kind(std::string_view kind) const {
  if (at_probe()) note(probe_->kinds, kind);
}

bool TokenReader::take_mark(std::string_view mark) {
  if (at_probe()) note(probe_->marks, mark);
  if (!at_mark(mark)) return false;
  take();
  return true;
}

bool TokenReader::take_word(std::string_view word) {
  offer({word});
  if (!at_word(word)) return false;
  take();
  return true;
}

void TokenReader::expect_mark(std::string_view mark) {
  if (!take_mark(mark)) fail_expected(mark);
}

void TokenReader::expect_word(std::string_view word) {
  if (!take_word(word)) fail_expected("the word " + std::string(word));
}

Name TokenReader::expect_name(std::string_view what) {
  if (!at_name()) {
    fail_expected(what);
    return {.text = {}, .span = here()};
  }
  const Token& taken = take();
  return {.text = taken.kind == Token::Kind::kQuotedName ? unquoted(taken) : std::string(taken.text),
          .span = taken.span};
}

Text TokenReader::expect_string(std::string_view what) {
  if (!at_kind(Token::Kind::kString)) {
    fail_expected(what);
    return {.text = {}, .span = here()};
  }
  const Token& taken = take();
  return {.text = unquoted(taken), .span = taken.span};
}

Whole TokenReader::expect_whole(std::string_view what) {
  Whole whole{.value = 0, .span = here()};
  if (!at_kind(Token::Kind::kNumber)) {
    fail_expected(what);
    return whole;
  }
  const std::string_view digits = take().text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), whole.value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    fail("bad-number", whole.span, std::string(digits) + " is no whole number that can be used here",
         "write a whole number below 2^63");
    whole.value = 1;
  }
  return whole;
}

std::string TokenReader::expect_number(std::string_view what) {
  if (at_kind(Token::Kind::kNumber)) return std::string(take().text);
  fail_expected(what);
  return {};
}

Cardinality TokenReader::expect_cardinality() {
  if (is_lost_) return Cardinality::kOneToMany;
  if (!at_kind(Token::Kind::kCardinality)) {
    // 1-*, 1:n, *--1: all of it is told, and read as one to many.
    const Span begin = here();
    std::string text;
    constexpr size_t kTokensMax = 5;
    uint32_t end = begin.begin;
    while (text.size() < kTokensMax && !at_end() && !at_kind(Token::Kind::kString) && !at_mark("{")) {
      // A name of its own is the entity that follows; the n of 1:n is not.
      if (at_name() && (text.empty() || here().begin != end)) break;
      end = here().end;
      text += take().text;
    }
    if (text.empty()) {
      fail_expected("1--1, 1--* or *--*");
    } else {
      tell({.id = "unexpected-text",
            .span = since(begin),
            .message = "expected 1--1, 1--* or *--*, found " + text,
            .fix = text == "*--1" ? "turn it around: the one comes first" : "write 1--1, 1--* or *--*"});
    }
    return Cardinality::kOneToMany;
  }
  const std::string_view text = take().text;
  return text == "1--1"   ? Cardinality::kOneToOne
         : text == "1--*" ? Cardinality::kOneToMany
                          : Cardinality::kManyToMany;
}

std::string TokenReader::doc() const { return is_lost_ ? std::string() : docs_[at_]; }

Span TokenReader::since(Span begin) const {
  const uint32_t end = at_ == 0 ? begin.end : tokens_[at_ - 1].span.end;
  return {.begin = begin.begin, .end = std::max(begin.begin, end)};
}

void TokenReader::fail(ErrorId id, Span span, std::string message, std::string fix) {
  if (is_lost_) return;
  if (at_probe()) probe_ = nullptr;
  is_lost_ = true;
  if (std::exchange(silent_at_, std::nullopt) == span.begin) {
    ++mistake_count_;
    return;
  }
  tell({.id = id, .span = span, .message = std::move(message), .fix = std::move(fix)});
}

void TokenReader::tell(Diagnostic diagnostic) {
  constexpr size_t kToldMax = 5;
  ++mistake_count_;
  if (++told_in_declaration_ <= kToldMax) diagnostics_.add(std::move(diagnostic));
}

void TokenReader::fail_expected(std::string_view what, std::string fix) {
  offer_kind(what);
  const Token& found = token();
  if (fix.empty()) fix = fix_for(what, found);
  const std::string message = "expected " + std::string(what) + ", found " + shown(found);
  if (found.kind != Token::Kind::kEnd) return fail("unexpected-text", found.span, message, std::move(fix));
  // What is open around it has no end either, which need not be told.
  if (is_end_told_) {
    is_lost_ = true;
    ++mistake_count_;
    return;
  }
  is_end_told_ = true;
  // Behind the last token: comments may follow.
  const uint32_t end = at_ == 0 ? 0 : tokens_[at_ - 1].span.end;
  fail("unexpected-end", {.begin = end, .end = end}, message, std::move(fix));
}

void TokenReader::fail_expected_word(std::initializer_list<std::string_view> words) {
  std::string what;
  size_t left = words.size();
  for (const std::string_view word : words) {
    what += word;
    if (--left > 0) what += left == 1 ? " or " : ", ";
  }
  const std::string_view near = at_name() ? nearest(token().text, words) : std::string_view();
  fail_expected(what, near.empty() ? "" : "write " + std::string(near));
}

void TokenReader::tell_missing_semicolon() {
  const std::string found(text());
  tell({.id = "unexpected-text",
        .span = here(),
        .message = "expected ; or }, found " + found,
        .fix = "put a ; before " + found});
  silent_at_ = here().begin;
}

void TokenReader::fail_unclosed(Span begin) {
  if (!is_end_told_) {
    is_end_told_ = true;
    return fail("unexpected-end", begin, "this block has no end", "close it with }");
  }
  is_lost_ = true;
  ++mistake_count_;
}

void TokenReader::skip_block(size_t column_max) {
  int depth = 0;
  do {
    const Token& taken = take();
    if (taken.kind == Token::Kind::kMark && taken.text == "{") ++depth;
    if (taken.kind == Token::Kind::kMark && taken.text == "}") --depth;
    if (token().first_in_line && at_declaration() && column_of(here()) <= column_max) return;
  } while (depth > 0 && !at_end());
}

void TokenReader::recover_in_block() {
  is_lost_ = false;
  while (!at_end() && !at_mark("}") && !at_declaration()) {
    if (take_mark(";")) return;
    if (at_mark("{")) {
      skip_block();
    } else {
      take();
    }
  }
}

void TokenReader::recover_before(std::initializer_list<std::string_view> words, Span statement) {
  is_lost_ = false;
  // Back to its beginning: the mistake may have led too far in, or out of, a block.
  while (at_ > 0 && tokens_[at_ - 1].span.begin > statement.begin) --at_;
  const size_t column = column_of(statement);
  bool is_first = true;
  while (!at_end()) {
    if (at_mark("}")) {
      // One that stands as far right as the statement, or further, ends that, and not the model.
      const bool is_last = tokens_[at_ + 1].kind == Token::Kind::kEnd;
      if (is_last || !token().first_in_line || column_of(here()) < column) return;
      take();
      continue;
    }
    if (!is_first && token().first_in_line && at_one_of(words) && column_of(here()) <= column) return;
    is_first = false;
    if (at_mark("{")) {
      skip_block(column);
    } else {
      take();
    }
  }
}

}  // namespace sheaf::language
