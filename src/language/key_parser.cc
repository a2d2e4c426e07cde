#include "language/key_parser.h"

#include <array>
#include <charconv>

#include "language/value_parser.h"

namespace sheaf::language {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct FormatWord {
  std::string_view text;
  Hole::Format format;
};
constexpr std::array<FormatWord, 5> kFormats = {{{"raw", Hole::Format::kRaw},
                                                 {"year", Hole::Format::kYear},
                                                 {"month", Hole::Format::kMonth},
                                                 {"day", Hole::Format::kDay},
                                                 {"hour", Hole::Format::kHour}}};

// Works on the text as it is written, escapes and all, so that every part knows its place.
class TemplateText {
 public:
  TemplateText(TokenReader& reader, const Token& token)
      : reader_(reader),
        text_(token.inside),
        start_(token.span.begin + static_cast<uint32_t>(token.inside.data() - token.text.data())) {}

  Template parse(Span span) {
    Template made{.span = span};
    std::string literal;
    while (at_ < text_.size() && !reader_.is_lost()) {
      const char c = text_[at_];
      if (c == '<') {
        if (!literal.empty()) made.pieces.emplace_back(std::exchange(literal, {}));
        made.pieces.emplace_back(hole());
        continue;
      }
      if (c == '>') {
        reader_.fail("bad-hole", {.begin = offset(at_), .end = offset(at_ + 1)}, "this > has no <",
                     "write \\> if the key has this character");
      }
      if (text_.substr(at_).starts_with("${")) {
        const size_t end = std::min(text_.find('}', at_), text_.size());
        reader_.fail("bad-hole", {.begin = offset(at_), .end = offset(std::min(end + 1, text_.size()))},
                     "a hole is written <field>",
                     "write <" + std::string(text_.substr(at_ + 2, end - at_ - 2)) + ">");
      }
      if (c == '\\' && at_ + 1 < text_.size()) {
        literal += unescaped(text_[at_ + 1]);
        at_ += 2;
      } else {
        literal += text_[at_++];
      }
    }
    if (!literal.empty()) made.pieces.emplace_back(std::move(literal));
    return made;
  }

 private:
  uint32_t offset(size_t at) const { return start_ + static_cast<uint32_t>(at); }

  Hole hole() {
    const size_t begin = at_;
    const size_t end = text_.find('>', at_);
    Hole hole;
    hole.span = {.begin = offset(begin),
                 .end = offset(end == std::string_view::npos ? text_.size() : end + 1)};
    if (end == std::string_view::npos) {
      reader_.fail("bad-hole", hole.span, "this hole has no end",
                   "close it with >, or write \\< if the key has this character");
      return hole;
    }
    ++at_;
    do {
      hole.path.names.push_back(name());
    } while (at_ < end && text_[at_] == '.' && ++at_);
    hole.path.span = {.begin = offset(begin + 1), .end = offset(at_)};
    if (at_ < end && text_[at_] == ':') {
      ++at_;
      format(hole, text_.substr(at_, end - at_));
    } else if (at_ != end) {
      fail_hole(hole, "this is no path of names");
    }
    at_ = end + 1;
    return hole;
  }

  Name name() {
    const size_t begin = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    const Span span{.begin = offset(begin), .end = offset(at_)};
    if (begin == at_) {
      reader_.fail("bad-hole", {.begin = span.begin, .end = span.begin + 1},
                   "a hole holds the name of a field", "write <field>, <end.field> or <field:format>");
    }
    return {.text = std::string(text_.substr(begin, at_ - begin)), .span = span};
  }

  void format(Hole& hole, std::string_view text) {
    for (const FormatWord& word : kFormats) {
      if (text == word.text) {
        hole.format = word.format;
        return;
      }
    }
    if (!text.empty() && text.find_first_not_of('0') == std::string_view::npos) {
      hole.format = Hole::Format::kDigits;
      hole.count = static_cast<int64_t>(text.size());
      return;
    }
    if (text.starts_with("shard(") && text.ends_with(")")) {
      const std::string_view count = text.substr(6, text.size() - 7);
      const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), hole.count);
      hole.format = Hole::Format::kShard;
      if (error == std::errc() && end == count.data() + count.size() && hole.count >= 2 && hole.count <= 1000)
        return;
    }
    fail_hole(hole, std::string(text) + " is no format");
  }

  void fail_hole(const Hole& hole, std::string message) {
    reader_.fail("bad-hole", hole.span, std::move(message),
                 "write <field> or <field:format>, where format is raw, year, month, day, hour, 000 (so many "
                 "digits) or shard(n) with n from 2 to 1000");
  }

  TokenReader& reader_;
  std::string_view text_;
  uint32_t start_;
  size_t at_ = 0;
};

void parse_index(TokenReader& reader, Physical& physical) {
  IndexKeys index{.span = reader.here()};
  if (!reader.at_name()) reader.fail_expected("an index", "for a field with this name write `index`");
  index.index = reader.expect_name("an index");
  index.keys = parse_keys(
      reader, "write index NAME \"PARTITION\" / \"SORT\"; for a field with this name write `index`");
  if (reader.take_word("when")) index.when = parse_conditions(reader);
  index.span = reader.since(index.span);
  if (!reader.is_lost()) physical.indexes.push_back(std::move(index));
}

}  // namespace

Template parse_template(TokenReader& reader, std::string_view field_hint) {
  if (!reader.at_kind(Token::Kind::kString)) {
    reader.fail_expected("a key template in double quotes", std::string(field_hint));
    return {.span = reader.here()};
  }
  const Token& token = reader.take();
  Template made = TemplateText(reader, token).parse(token.span);
  if (made.pieces.empty())
    reader.fail("empty-key", token.span, "a key cannot be empty", "write at least one character or <hole>");
  return made;
}

Keys parse_keys(TokenReader& reader, std::string_view field_hint) {
  Keys keys{.span = reader.here()};
  keys.pk = parse_template(reader, field_hint);
  if (reader.take_mark("/")) keys.sk = parse_template(reader);
  keys.span = reader.since(keys.span);
  return keys;
}

bool at_physical(const TokenReader& reader) {
  reader.offer({"in", "tag", "store", "key", "index"});
  return reader.at_one_of({"in", "tag", "store", "key", "index"});
}

void parse_physical(TokenReader& reader, Physical& physical, int keys_max) {
  const Span begin = reader.here();
  const auto once = [&](bool is_set) {
    if (!is_set) return;
    reader.fail("said-twice", begin, "this is said already", "keep one of the two");
  };
  if (reader.take_word("in")) {
    once(physical.table.has_value());
    physical.table = reader.expect_name("a table");
  } else if (reader.take_word("tag")) {
    once(physical.tag.has_value());
    if (!reader.at_kind(Token::Kind::kString))
      reader.fail_expected("the tag in double quotes", "for a field with this name write `tag`");
    physical.tag = reader.expect_string("the tag in double quotes");
  } else if (reader.take_word("store")) {
    once(physical.store.has_value());
    if (reader.take_word("item")) {
      physical.store = Store::kItem;
    } else if (reader.take_word("eav")) {
      physical.store = Store::kEav;
    } else if (reader.take_word("none")) {
      physical.store = Store::kNone;
    } else {
      reader.fail_expected("item, eav or none", "for a field with this name write `store`");
    }
    physical.store_span = reader.since(begin);
  } else if (reader.take_word("key")) {
    const bool is_second = keys_max > 1 && physical.key.has_value();
    std::optional<Keys>& key = is_second ? physical.second_key : physical.key;
    once(key.has_value());
    key = parse_keys(reader, "for a field with this name write `key`");
  } else {
    reader.expect_word("index");
    parse_index(reader, physical);
  }
}

}  // namespace sheaf::language
