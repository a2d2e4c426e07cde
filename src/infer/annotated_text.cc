#include "infer/annotated_text.h"

#include <algorithm>
#include <map>

#include "language/diagnostic.h"
#include "language/format.h"
#include "language/parser.h"
#include "language/syntax_text.h"

namespace sheaf::infer {
namespace {

// On one line, so that a text of the data cannot end a comment.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

class Annotator {
 public:
  explicit Annotator(std::string text)
      : source_("model", std::move(text)), model_(language::parse(source_, diagnostics_)) {}

  void add(const Note& note) {
    const std::string comment = note.inference.decided + ": " + note.inference.evidence.text();
    switch (note.where) {
      case Note::Where::kTag:
      case Note::Where::kTable:
        for (const language::Table& table : model_.tables) {
          if (table.name.text == note.of && table.tag) behind_clause(table.tag->span, comment);
        }
        return;
      case Note::Where::kRelation:
        for (const language::Relation& relation : model_.relations) {
          if (relation.from.front().text == note.of && relation.forward.text == note.member)
            insert(relation.span.end, " // " + one_line(comment) + "\n");
        }
        return;
      default:
        break;
    }
    for (const language::Entity& entity : model_.entities) {
      if (entity.name.text == note.of) add(note, entity, comment);
    }
    for (const language::Relation& relation : model_.relations) {
      if (relation.from.front().text + "." + relation.forward.text == note.of) add(note, relation, comment);
    }
  }

  std::string run(const std::vector<std::string>& heading, const std::vector<Question>& questions) {
    std::string text(source_.text());
    std::string asked;
    if (!questions.empty()) asked += "\n// What the data cannot show:\n";
    for (const Question& question : questions)
      asked += "// " + one_line("- " + question.subject + ": " + question.text) + "\n";
    const size_t end = text.rfind('}');
    if (end != std::string::npos && !asked.empty()) insert(static_cast<uint32_t>(end), asked);
    for (auto at = insertions_.rbegin(); at != insertions_.rend(); ++at) text.insert(at->first, at->second);
    std::string above;
    for (const std::string& line : heading) above += "// " + one_line(line) + "\n";
    const std::string whole = above + text;
    const std::string formatted = language::format(language::SourceText("model", whole));
    return formatted;
  }

 private:
  void add(const Note& note, const language::Entity& entity, const std::string& comment) {
    if (note.where == Note::Where::kEntity) {
      const size_t brace = source_.text().find('{', entity.name.span.end);
      if (brace != std::string_view::npos)
        insert(static_cast<uint32_t>(brace + 1), " // " + one_line(comment) + "\n");
    }
    if (note.where == Note::Where::kField) {
      for (const language::Field& field : entity.fields) {
        if (field.name.text == note.member) behind_clause(field.span, comment);
      }
    }
    add(note, entity.physical, comment);
  }

  void add(const Note& note, const language::Relation& relation, const std::string& comment) {
    if (note.where == Note::Where::kField) {
      for (const language::Field& field : relation.edge_fields) {
        if (field.name.text == note.member) behind_clause(field.span, comment);
      }
    }
    // Clauses of `via` are not separated: a comment stands behind each.
    if (!relation.via) return;
    const language::Physical& physical = relation.via->physical;
    if (note.where == Note::Where::kKey && physical.key)
      insert(behind(physical.key->span), " // " + one_line(comment) + "\n");
    if (note.where == Note::Where::kIndex) {
      for (const language::IndexKeys& index : physical.indexes) {
        if (index.index.text == note.member) insert(behind(index.span), " // " + one_line(comment) + "\n");
      }
    }
  }

  void add(const Note& note, const language::Physical& physical, const std::string& comment) {
    if (note.where == Note::Where::kKey && physical.key) behind_clause(physical.key->span, comment);
    if (note.where != Note::Where::kIndex) return;
    for (const language::IndexKeys& index : physical.indexes) {
      if (index.index.text == note.member) behind_clause(index.span, comment);
    }
  }

  // Behind the ; that ends a clause, or where one could stand.
  void behind_clause(language::Span span, const std::string& comment) {
    const size_t next = source_.text().find_first_not_of(" \n\t", span.end);
    const bool has_mark = next != std::string_view::npos && source_.text()[next] == ';';
    insert(has_mark ? static_cast<uint32_t>(next + 1) : span.end,
           (has_mark ? " // " : "; // ") + one_line(comment) + "\n");
  }

  uint32_t behind(language::Span span) const {
    const size_t next = source_.text().find_first_not_of(" \n\t", span.end);
    const bool has_mark = next != std::string_view::npos && source_.text()[next] == ';';
    return has_mark ? static_cast<uint32_t>(next + 1) : span.end;
  }

  // Of several at one place the first stays. Where a line ends already, that is its end.
  void insert(uint32_t at, std::string text) {
    const size_t next = source_.text().find_first_not_of(" \t", at);
    const bool is_end = next != std::string_view::npos && source_.text()[next] == '\n';
    if (is_end && text.ends_with('\n')) text.pop_back();
    insertions_.emplace(at, std::move(text));
  }

  language::SourceText source_;
  language::Diagnostics diagnostics_;
  language::Model model_;
  std::map<uint32_t, std::string> insertions_;
};

}  // namespace

std::string annotated_text(const Design& design, const std::vector<std::string>& heading) {
  Annotator annotator(language::to_text(design.model));
  for (const Note& note : design.notes) annotator.add(note);
  return annotator.run(heading, design.questions);
}

}  // namespace sheaf::infer
