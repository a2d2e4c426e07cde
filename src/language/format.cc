#include "language/format.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "language/lexer.h"
#include "language/parser.h"
#include "language/token_spacing.h"

namespace sheaf::language {
namespace {

// What lies between a bracket and its counterpart.
struct Group {
  enum class Parts : uint8_t { kDeclarations, kStatements, kListed };
  Group* outer = nullptr;
  size_t open = 0;
  size_t close = 0;
  Parts parts = Parts::kListed;  // kStatements end with ;, what is kListed has , between
  bool is_block = false;         // in braces
  bool is_broken = false;        // over several lines
  size_t level = 0;              // of the line that it begins on

  bool empty() const { return close == open + 1; }
};

// A token, and where it goes.
struct Piece {
  Token token;
  Tightness tightness;
  Group* group = nullptr;  // its innermost; an opening bracket is outside of what it opens
  Group* opens = nullptr;
  size_t line_ends = 0;  // before it; 2 make a blank line
  size_t begin_column = 0;
  size_t end_column = 0;
  bool is_comment = false;
  bool begins_part = false;   // the first token of a declaration, a statement, or an element of a list
  bool comes_before = false;  // a comment that belongs to what follows

  bool is(std::string_view mark) const { return token.kind == Token::Kind::kMark && token.text == mark; }
};

struct Line {
  size_t begin = 0;  // the pieces from here
  size_t end = 0;    // to before this
  size_t level = 0;
  std::string code;  // with its indentation
  std::string comment;
  bool is_blank_before = false;
};

std::unordered_set<uint32_t> declaration_places(const Model& model) {
  std::unordered_set<uint32_t> places;
  const auto add = [&](const auto& declarations) {
    for (const auto& declaration : declarations) places.insert(declaration.span.begin);
  };
  add(model.tables);
  add(model.entities);
  add(model.relations);
  add(model.layouts);
  for (const Layout& layout : model.layouts) {
    add(layout.tables);
    add(layout.entities);
    add(layout.relations);
  }
  add(model.patterns);
  add(model.operations);
  add(model.compares);
  add(model.expects);
  return places;
}

std::string_view without_end_space(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

class Formatter {
 public:
  Formatter(const SourceText& source, const Model& model) : declarations_(declaration_places(model)) {
    Diagnostics ignored;
    std::vector<Token> tokens = tokens_of(source, ignored);
    tokens.pop_back();  // kEnd
    const std::vector<Tightness> tightness = tightness_of(tokens);
    uint32_t end = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
      const std::string_view space = source.text({.begin = end, .end = tokens[i].span.begin});
      pieces_.push_back({.token = tokens[i],
                         .tightness = tightness[i],
                         .line_ends = static_cast<size_t>(std::count(space.begin(), space.end(), '\n')),
                         .is_comment = is_comment(tokens[i])});
      end = tokens[i].span.end;
    }
  }

  std::string run() {
    find_groups();
    find_parts();
    settle_line_ends();
    do {
      make_lines();
    } while (break_long_lines());
    return text();
  }

 private:
  void find_groups() {
    Group* inner = nullptr;
    std::string_view declaration;  // its first word
    const Piece* before = nullptr;
    bool is_behind_parameters = false;  // behind `) =`
    for (size_t i = 0; i < pieces_.size(); ++i) {
      Piece& piece = pieces_[i];
      piece.group = inner;
      if (piece.is_comment) continue;
      if (inner != nullptr && inner->outer == nullptr && declares(piece)) declaration = piece.token.text;
      if (piece.is("{") || piece.is("(") || piece.is("[")) {
        groups_.push_back(std::make_unique<Group>(Group{.outer = inner, .open = i}));
        inner = groups_.back().get();
        piece.opens = inner;
        inner->is_block = piece.is("{");
        inner->parts = parts_of(*inner, declaration, is_behind_parameters);
      } else if (piece.is("}") || piece.is(")") || piece.is("]")) {
        inner->close = i;
        inner = inner->outer;
      }
      is_behind_parameters = piece.is("=") && before->is(")");
      before = &piece;
    }
  }

  bool declares(const Piece& piece) const { return declarations_.contains(piece.token.span.begin); }

  Group::Parts parts_of(const Group& group, std::string_view declaration, bool is_behind_parameters) const {
    if (!group.is_block) return Group::Parts::kListed;
    if (group.outer == nullptr) return Group::Parts::kDeclarations;
    const bool is_outermost = group.outer->outer == nullptr;
    if (declaration == "layout" && is_outermost) return Group::Parts::kDeclarations;
    const Piece* const first = next_token(group.open + 1);
    if (first != nullptr && first->token.kind == Token::Kind::kString) return Group::Parts::kListed;
    if (declaration == "op" && is_outermost && is_behind_parameters) return Group::Parts::kStatements;
    if (declaration == "pattern" || declaration == "op" || declaration == "expect" ||
        declaration == "compare") {
      // Only types are in parentheses.
      return is_in_parentheses(group) ? Group::Parts::kStatements : Group::Parts::kListed;
    }
    return Group::Parts::kStatements;
  }

  static bool is_in_parentheses(const Group& group) {
    for (const Group* outer = group.outer; outer != nullptr && outer->outer != nullptr;
         outer = outer->outer) {
      if (!outer->is_block) return true;
    }
    return false;
  }

  // The first that is no comment, from `i` on.
  const Piece* next_token(size_t i) const {
    while (i < pieces_.size() && pieces_[i].is_comment) ++i;
    return i < pieces_.size() ? &pieces_[i] : nullptr;
  }

  void find_parts() {
    const Piece* before = nullptr;
    for (Piece& piece : pieces_) {
      if (piece.is_comment) continue;
      piece.begins_part = before == nullptr || declares(piece) || parts_begin_behind(*before, piece);
      before = &piece;
    }
    for (size_t i = 0; i < pieces_.size(); ++i) {
      if (!pieces_[i].is_comment) continue;
      const Piece* const next = next_token(i);
      pieces_[i].comes_before =
          next == nullptr || next->begins_part || (next->group == pieces_[i].group && is_close(*next));
    }
  }

  bool is_close(const Piece& piece) const { return piece.is("}") || piece.is(")") || piece.is("]"); }

  bool parts_begin_behind(const Piece& before, const Piece& piece) const {
    if (piece.group == nullptr || is_close(piece)) return false;
    if (&before == &pieces_[piece.group->open]) return true;
    if (before.group != piece.group) return false;
    switch (piece.group->parts) {
      case Group::Parts::kDeclarations:
        return false;
      case Group::Parts::kStatements:
        return before.is(";");
      case Group::Parts::kListed:
        return before.is(",");
    }
    return false;
  }

  // From how the writer's lines ended to how they shall.
  void settle_line_ends() {
    for (size_t i = 0; i < pieces_.size(); ++i) {
      Piece& piece = pieces_[i];
      if (i == 0) {
        piece.line_ends = 0;
        continue;
      }
      const Piece& before = pieces_[i - 1];
      if (before.is_comment) piece.line_ends = std::max<size_t>(piece.line_ends, 1);
      if (piece.line_ends > 0 && !piece.is_comment && !before.is_comment && stands_with(before, piece)) {
        // The line may end behind it instead.
        if ((piece.is(";") || piece.is(",")) && i + 1 < pieces_.size() && !pieces_[i + 1].is_comment)
          pieces_[i + 1].line_ends = std::max(pieces_[i + 1].line_ends, piece.line_ends);
        piece.line_ends = 0;
      }
      if (piece.line_ends == 0 && is_on_line_of_another(before, piece)) piece.line_ends = 1;
      const bool may_be_blank =
          (piece.begins_part || piece.comes_before) && (piece.group == nullptr || piece.group->is_block);
      if (piece.line_ends > 1) piece.line_ends = may_be_blank ? 2 : 1;
    }
    for (const Piece& piece : pieces_) {
      if (piece.line_ends == 0) continue;
      for (Group* group = piece.group; group != nullptr && !group->is_broken; group = group->outer)
        group->is_broken = true;
    }
    for (const std::unique_ptr<Group>& group : groups_) {
      if (group->is_block && group->is_broken) settle_ends(*group);
    }
  }

  bool stands_with(const Piece& before, const Piece& piece) const {
    if (piece.group != nullptr && &piece == &pieces_[piece.group->close]) return piece.group->empty();
    if (before.is("(") || before.is("[")) return false;
    return (piece.is("{") && !piece.begins_part) || piece.tightness.before || before.tightness.after;
  }

  bool is_on_line_of_another(const Piece& before, const Piece& piece) const {
    return !piece.is_comment && declares(piece) && !before.is(";") && !before.is("{");
  }

  // No blank lines inside of the braces.
  void settle_ends(const Group& group) {
    size_t first = group.open + 1;
    if (pieces_[first].is_comment && pieces_[first].line_ends == 0) ++first;
    pieces_[first].line_ends = 1;
    pieces_[group.close].line_ends = 1;
  }

  void make_lines() {
    lines_.clear();
    size_t column = 0;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      Piece& piece = pieces_[i];
      const bool begins_line = i == 0 || piece.line_ends > 0;
      if (begins_line) {
        begin_line(i);
        column = 2 * level_;
      }
      Line& line = lines_.back();
      line.end = i + 1;
      const bool is_at_end = piece.is_comment && !begins_line;
      if (is_at_end) line.comment = without_end_space(piece.token.text);
      if (!is_at_end && !is_dropped(i)) {
        const std::string_view text =
            piece.is_comment ? without_end_space(piece.token.text) : piece.token.text;
        const bool has_space = !begins_line && !piece.tightness.before && !last_->tightness.after;
        piece.begin_column = column + (has_space ? 1 : 0);
        if (has_space) line.code += ' ';
        line.code += text;
        column = piece.begin_column + character_count(text);
        if (lacks_semicolon(i)) {
          line.code += ';';
          ++column;
        }
        last_ = &piece;
      } else {
        piece.begin_column = column;
      }
      piece.end_column = column;
      if (piece.opens != nullptr) piece.opens->level = level_;
    }
  }

  void begin_line(size_t i) {
    const Piece& piece = pieces_[i];
    const bool goes_on = !piece.begins_part && !piece.comes_before;
    if (piece.group != nullptr && i == piece.group->close) {
      level_ = piece.group->level;
    } else {
      level_ = (piece.group == nullptr ? 0 : piece.group->level + 1) + (goes_on ? 1 : 0);
    }
    lines_.push_back({.begin = i, .level = level_, .code = std::string(2 * level_, ' ')});
    lines_.back().is_blank_before = piece.line_ends > 1;
  }

  // { x; } is { x }
  bool is_dropped(size_t i) const {
    return pieces_[i].is(";") && i + 1 < pieces_.size() && pieces_[i + 1].is("}") &&
           pieces_[i + 1].line_ends == 0;
  }

  bool lacks_semicolon(size_t i) const {
    const Piece& piece = pieces_[i];
    if (piece.is_comment || piece.is(";")) return false;
    const Piece* const next = next_token(i + 1);
    if (next == nullptr || !next->is("}") || !next->group->is_broken) return false;
    return next->group->parts == Group::Parts::kStatements && i != next->group->open;
  }

  // Whether there were any that could be broken.
  bool break_long_lines() {
    bool found = false;
    for (const Line& line : lines_) {
      if (is_long(line.level, line.begin, line.end))
        found = break_between_parts(line) || break_blocks(line) || found;
    }
    return found;
  }

  // If these were a line.
  bool is_long(size_t level, size_t begin, size_t end) const {
    return 2 * level + pieces_[end - 1].end_column - pieces_[begin].begin_column > kLineCharactersMax;
  }

  // The longest first, and then what is still too long before and behind it.
  bool break_blocks(const Line& line) {
    bool found = false;
    std::vector<std::pair<size_t, size_t>> ranges = {{line.begin, line.end}};
    while (!ranges.empty()) {
      const auto [begin, end] = ranges.back();
      ranges.pop_back();
      Group* const group = is_long(line.level, begin, end) ? longest_block(begin, end) : nullptr;
      if (group == nullptr) continue;
      found = true;
      break_block(*group);
      ranges.emplace_back(begin, group->open + 1);
      ranges.emplace_back(group->close, end);
    }
    return found;
  }

  void break_block(Group& group) {
    group.is_broken = true;
    for (size_t i = group.open + 1; i < group.close; ++i) {
      if (pieces_[i].group == &group && pieces_[i].begins_part) pieces_[i].line_ends = 1;
    }
    pieces_[group.close].line_ends = 1;
  }

  // Whether the line held several parts of a block that is broken already.
  bool break_between_parts(const Line& line) {
    bool found = false;
    for (size_t i = line.begin + 1; i < line.end; ++i) {
      Piece& piece = pieces_[i];
      if (!piece.begins_part || piece.group == nullptr || !piece.group->is_block || !piece.group->is_broken)
        continue;
      piece.line_ends = 1;
      found = true;
    }
    return found;
  }

  // Of those that no other block among these pieces holds.
  Group* longest_block(size_t begin, size_t end) const {
    Group* longest = nullptr;
    size_t characters_max = 0;
    for (size_t i = begin; i < end; ++i) {
      Group* const group = pieces_[i].opens;
      if (group == nullptr || !group->is_block || group->empty() || group->is_broken) continue;
      const size_t characters = pieces_[group->close].begin_column - pieces_[i].begin_column;
      if (longest == nullptr || characters > characters_max) {
        longest = group;
        characters_max = characters;
      }
      i = group->close;
    }
    return longest;
  }

  std::string text() const {
    std::string out;
    for (size_t begin = 0; begin < lines_.size();) {
      size_t end = begin + 1;
      const auto has_comment = [&](size_t line) { return !lines_[line].comment.empty(); };
      while (has_comment(begin) && end < lines_.size() && has_comment(end) && !lines_[end].is_blank_before)
        ++end;
      append_aligned(out, begin, end);
      begin = end;
    }
    return out;
  }

  void append_aligned(std::string& out, size_t begin, size_t end) const {
    size_t width = 0;
    for (size_t i = begin; i < end; ++i) width = std::max(width, character_count(lines_[i].code));
    for (size_t i = begin; i < end; ++i) {
      const Line& line = lines_[i];
      if (line.is_blank_before) out += '\n';
      out += line.code;
      if (!line.comment.empty()) {
        out.append(width - character_count(line.code) + 2, ' ');
        out += line.comment;
      }
      out += '\n';
    }
  }

  const std::unordered_set<uint32_t> declarations_;
  std::vector<Piece> pieces_;
  std::vector<std::unique_ptr<Group>> groups_;  // in the order in which they begin
  std::vector<Line> lines_;
  const Piece* last_ = nullptr;  // what was written last
  size_t level_ = 0;             // of the line that is written
};

}  // namespace

std::string format(const SourceText& source) {
  Diagnostics diagnostics;
  const Model model = parse(source, diagnostics);
  if (diagnostics.has_errors()) return std::string(source.text());
  return Formatter(source, model).run();
}

}  // namespace sheaf::language
