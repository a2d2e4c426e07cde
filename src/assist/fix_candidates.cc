#include "assist/fix_candidates.h"

#include <algorithm>
#include <set>

#include "assist/block_edits.h"

namespace sheaf::assist {
namespace {

using language::Diagnostic;
using language::Span;
using language::Token;

// Until somebody says better.
constexpr std::string_view kSize = "100";

class Candidates {
 public:
  Candidates(const Document& document, const Diagnostic& diagnostic)
      : document_(document), diagnostic_(diagnostic), fix_(diagnostic.fix) {
    for (const Token& token : document.tokens()) {
      if (is_comment(token)) continue;
      if (token.span.end <= diagnostic.span.begin) before_ = &token;
      if (token.span.begin >= diagnostic.span.end && after_ == nullptr) after_ = &token;
    }
  }

  std::vector<Fix> run() {
    if (const auto rest = behind("write ")) replace(*rest);
    if (const auto rest = behind("put it in backquotes: ")) add("Write " + std::string(*rest), here(*rest));
    if (const auto rest = behind("put ")) insert_before(*rest);
    if (fix_.starts_with("remove")) remove();
    if (fix_ == "keep one of the two") remove();
    if (fix_.starts_with("close it with ")) close();
    if (const auto rest = behind("add ")) add_to_table(*rest);
    if (fix_.find("at the end") != std::string_view::npos) close_at_end();
    if (fix_.starts_with("say on delete")) say_on_delete();
    if (fix_.starts_with("say size max N")) say_size();
    if (fix_.starts_with("add an index") || fix_.starts_with("add index ")) add_index();
    return std::move(found_);
  }

 private:
  std::optional<std::string_view> behind(std::string_view start) const {
    if (!fix_.starts_with(start)) return std::nullopt;
    return fix_.substr(start.size());
  }

  void add(std::string title, std::vector<TextEdit> edits) {
    found_.push_back({.title = std::move(title), .edits = std::move(edits)});
  }
  void add(std::string title, TextEdit edit) { add(std::move(title), std::vector{std::move(edit)}); }

  TextEdit here(std::string_view text) const { return {.span = diagnostic_.span, .text = std::string(text)}; }
  static TextEdit insertion(uint32_t at, std::string text) {
    return {.span = {.begin = at, .end = at}, .text = std::move(text)};
  }

  // "write a, b or c; and so on": each alternative. What is a placeholder (NAME, ..) is nobody's word.
  void replace(std::string_view rest) {
    if (const size_t place = rest.find(" in place of "); place != std::string_view::npos)
      return add("Write " + std::string(rest.substr(0, place)), here(rest.substr(0, place)));
    rest = rest.substr(0, rest.find("; "));
    std::string alternatives(rest);
    for (const std::string_view mark : {", or ", " or ", ", "}) {
      for (size_t at = alternatives.find(mark); at != std::string::npos; at = alternatives.find(mark))
        alternatives.replace(at, mark.size(), "\n");
    }
    size_t begin = 0;
    while (begin <= alternatives.size()) {
      const size_t end = std::min(alternatives.find('\n', begin), alternatives.size());
      replace_by(alternatives.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  void replace_by(const std::string& text) {
    const bool is_open = text.empty() || text.find("..") != std::string::npos || is_placeholder(text);
    if (is_open) return;
    add("Write " + text, here(text));
    // "write pk orders" where pk stands already.
    const std::string_view first = std::string_view(text).substr(0, text.find(' '));
    if (before_ != nullptr && before_->text == first && first.size() < text.size())
      add("Write " + text, here(std::string_view(text).substr(first.size() + 1)));
  }

  static bool is_placeholder(const std::string& text) {
    for (const std::string_view word :
         {"NAME", "FIELD", "END", "VALUE", "ENTITY", "FORWARD", "PARTITION", " N"}) {
      if (text.find(word) != std::string::npos) return true;
    }
    return false;
  }

  // "put ; before name"
  void insert_before(std::string_view rest) {
    if (rest.starts_with("a ")) rest.remove_prefix(2);
    const size_t end = rest.find(" before ");
    if (end == std::string_view::npos || before_ == nullptr) return;
    const std::string text(rest.substr(0, end));
    if (text.find(' ') != std::string::npos) return;
    const bool is_word = std::isalpha(static_cast<unsigned char>(text.front())) != 0;
    add("Put " + text + " here",
        insertion(before_->span.end, is_word || text == "=" || text == "{" ? " " + text : text));
  }

  // The place itself, and what separates it from others.
  void remove() {
    const std::string title = "Remove " + shortened(document_.source().text(diagnostic_.span));
    if (diagnostic_.id.text() == "unused-parameter") return remove_parameter();
    const Span span = diagnostic_.span;
    const uint32_t begin = before_ != nullptr ? before_->span.end : span.begin;
    if (after_ != nullptr && after_->text == ";")
      add(title, TextEdit{.span = {.begin = begin, .end = after_->span.end}, .text = {}});
    add(title, TextEdit{.span = {.begin = begin, .end = span.end}, .text = {}});
    // `max 5`, `limit 3`: the word before it belongs to it.
    if (before_ != nullptr)
      add("Remove " + shortened(document_.source().text(joined(before_->span, span))),
          TextEdit{.span = joined(before_->span, span), .text = {}});
  }

  static std::string shortened(std::string_view text) {
    constexpr size_t kShownMax = 30;
    if (text.size() <= kShownMax && text.find('\n') == std::string_view::npos) return std::string(text);
    return "it";
  }

  void remove_parameter() {
    const language::Model& syntax = document_.model().syntax();
    const auto remove_from = [&](const std::vector<language::Parameter>& parameters) {
      for (size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].name.span != diagnostic_.span) continue;
        Span span = parameters[i].span;
        if (i + 1 < parameters.size()) {
          span.end = parameters[i + 1].span.begin;
        } else if (i > 0) {
          span.begin = parameters[i - 1].span.end;
        }
        add("Remove " + parameters[i].name.text, TextEdit{.span = span, .text = {}});
      }
    };
    for (const language::Pattern& pattern : syntax.patterns) remove_from(pattern.parameters);
    for (const language::Operation& operation : syntax.operations) remove_from(operation.parameters);
  }

  void close() {
    if (fix_.find("} before the next") != std::string_view::npos && !diagnostic_.notes.empty())
      return add("Close the block", insertion(diagnostic_.notes.front().span.begin, "} "));
    if (fix_ == "close it with }") return close_at_end();
    if (diagnostic_.id.text() == "unfinished-string") {
      const char quote = document_.text()[diagnostic_.span.begin] == '`' ? '`' : '"';
      add(std::string("Close it with ") + quote, insertion(diagnostic_.span.end, std::string(1, quote)));
    }
  }

  void close_at_end() {
    const auto end = static_cast<uint32_t>(document_.text().size());
    add("Close the block at the end", insertion(end, document_.text().ends_with('\n') ? "}\n" : "\n}\n"));
  }

  // "add sk SK; to app", or to the table whose name the mistake is at.
  void add_to_table(std::string_view rest) {
    const size_t end = rest.find(';');
    if (end == std::string_view::npos) return;
    const std::string clause(rest.substr(0, end));
    const size_t to = rest.find(" to ");
    const auto add_in = [&](const language::Table& table) {
      const bool is_meant = to != std::string_view::npos ? table.name.text == rest.substr(to + 4)
                                                         : table.name.span == diagnostic_.span;
      if (is_meant) add("Add " + clause, add_clause(document_, table.span, clause));
    };
    for (const language::Table& table : document_.model().syntax().tables) add_in(table);
    for (const language::Layout& layout : document_.model().syntax().layouts) {
      for (const language::Table& table : layout.tables) add_in(table);
    }
  }

  void say_on_delete() {
    if (diagnostic_.notes.empty()) return;
    for (const language::Relation& relation : document_.model().syntax().relations) {
      if (relation.forward.span != diagnostic_.notes.front().span) continue;
      for (const std::string clause : {"on delete cascade", "on delete restrict"})
        add("Say " + clause, add_clause(document_, relation.span, clause));
    }
  }

  // Of the end that is named where the list has no bound.
  void say_size() {
    for (const Occurrence& each : document_.symbols().occurrences()) {
      if (each.span.begin < diagnostic_.span.begin || each.span.end > diagnostic_.span.end) continue;
      const Symbol& symbol = document_.symbols().symbol(each);
      if (!symbol.end) continue;
      const model::Relation& relation = document_.model().relations[symbol.end->relation];
      const bool is_double =
          relation.cardinality == language::Cardinality::kManyToMany && !relation.is_symmetric;
      const std::string clause =
          "size " + (is_double ? "of " + symbol.name + " " : std::string()) + "max " + std::string(kSize);
      // What is said already is replaced.
      for (const language::Size& size : relation.syntax->sizes) {
        if (!is_double || (size.end && size.end->text == symbol.name))
          return add("Say " + clause, TextEdit{.span = size.span, .text = clause});
      }
      return add("Say " + clause, add_clause(document_, relation.syntax->span, clause));
    }
  }

  // --- Index lines

  std::string identity(model::EntityId entity) const {
    std::string holes;
    for (const model::FieldPath& part : document_.model().entities[entity].identity)
      holes += (holes.empty() ? "" : "#") + ("<" + document_.model().text(entity, part) + ">");
    return holes;
  }

  void add_index() {
    const model::Model& model = document_.model();
    // index NAME "Entity#<id>": by its identity.
    if (const size_t line = fix_.find("index NAME \""); line != std::string_view::npos) {
      const std::string_view key = fix_.substr(line + 12);
      if (const auto entity = model.find_entity(key.substr(0, key.find('#'))))
        add_index_line(*entity, std::string(key.substr(0, key.find('"'))), model.entities[*entity].name);
      return;
    }
    // Otherwise by the field that is asked for, alone or behind what leads to one.
    const Occurrence* const name = document_.symbols().at(diagnostic_.span.begin);
    if (name == nullptr) return;
    const Symbol& symbol = document_.symbols().symbol(*name);
    std::optional<model::EntityId> entity = symbol.entity;
    std::string by = symbol.field ? "<" + symbol.name + ">#" : "";
    if (symbol.end) entity = model.end(*symbol.end).target;
    if (!entity) return;
    const std::string tag = model.entities[*entity].name + "#";
    if (symbol.field) add_index_line(*entity, tag + "<" + symbol.name + ">", identity(*entity));
    for (const model::EndId end : model.entities[*entity].ends) {
      if (model.end(end).leads_to_many) continue;
      std::string lead;
      for (const model::FieldPath& part : model.entities[model.end(end).target].identity)
        lead += "#<" + model.end(end).name + "." + model.text(model.end(end).target, part) + ">";
      add_index_line(*entity, model.end(end).name + lead, tag + by + identity(*entity));
    }
  }

  void add_index_line(model::EntityId entity, const std::string& pk, const std::string& sk) {
    const model::Entity& declared = document_.model().entities[entity];
    const std::vector<language::Table>& tables = document_.model().syntax().tables;
    const auto& in = declared.syntax->physical.table;
    const auto table = std::find_if(tables.begin(), tables.end(),
                                    [&](const language::Table& each) { return !in || each.name == *in; });
    if (table == tables.end()) return;
    // An index that has no line of this entity yet, or a new one.
    std::string index;
    for (const language::Gsi& gsi : table->indexes) {
      const auto& lines = declared.syntax->physical.indexes;
      const bool is_used = std::any_of(lines.begin(), lines.end(), [&](const language::IndexKeys& each) {
        return each.index == gsi.name;
      });
      const bool is_over_keys =
          (table->pk && gsi.pk == table->pk->name) || (table->sk && gsi.pk == table->sk->name);
      if (!is_used && !is_over_keys && gsi.sk && index.empty()) index = gsi.name.text;
    }
    std::vector<TextEdit> edits;
    if (index.empty()) {
      std::set<std::string> taken;
      for (const language::Gsi& gsi : table->indexes) taken.insert(gsi.name.text);
      int number = 1;
      while (taken.contains("GSI" + std::to_string(number))) ++number;
      index = "GSI" + std::to_string(number);
      edits.push_back(
          add_clause(document_, table->span, "gsi " + index + " " + index + "PK / " + index + "SK"));
    }
    const std::string clause = "index " + index + " \"" + pk + "\" / \"" + sk + "\"";
    edits.push_back(add_clause(document_, declared.syntax->span, clause));
    add("Add " + clause + " to " + declared.name, std::move(edits));
  }

  const Document& document_;
  const Diagnostic& diagnostic_;
  const std::string_view fix_;
  const Token* before_ = nullptr;
  const Token* after_ = nullptr;
  std::vector<Fix> found_;
};

}  // namespace

std::vector<Fix> fix_candidates(const Document& document, const Diagnostic& diagnostic) {
  return Candidates(document, diagnostic).run();
}

}  // namespace sheaf::assist
