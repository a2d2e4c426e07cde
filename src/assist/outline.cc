#include "assist/outline.h"

#include <algorithm>

#include "assist/declaration_text.h"
#include "model/value_type.h"

namespace sheaf::assist {
namespace {

using language::Span;

OutlineEntry entry(SymbolKind kind, const language::Name& name, Span span, std::string detail = {}) {
  // A name that is kept lies behind its word; to be sure of it is cheap.
  span = {.begin = std::min(span.begin, name.span.begin), .end = std::max(span.end, name.span.end)};
  return {.kind = kind, .name = name.text, .detail = std::move(detail), .span = span, .name_span = name.span};
}

void add(std::vector<OutlineEntry>& entries, OutlineEntry added) {
  if (!added.name.empty()) entries.push_back(std::move(added));
}

OutlineEntry field_entry(const language::Field& field) {
  return entry(SymbolKind::kField, field.name, field.span,
               field.type ? model::text_of(*field.type) : "string");
}

OutlineEntry table_entry(const language::Table& table) {
  OutlineEntry made = entry(SymbolKind::kTable, table.name, table.span);
  for (const language::Gsi& gsi : table.indexes)
    add(made.children, entry(SymbolKind::kIndex, gsi.name, gsi.span));
  return made;
}

OutlineEntry relation_entry(const language::Relation& relation) {
  OutlineEntry made = entry(SymbolKind::kEnd, relation.forward, relation.span, heading(relation));
  if (!relation.from.empty()) made.name = relation.from.front().text + "." + relation.forward.text;
  if (relation.backward)
    add(made.children, entry(SymbolKind::kEnd, *relation.backward, relation.backward->span));
  for (const language::Field& field : relation.edge_fields) add(made.children, field_entry(field));
  return made;
}

OutlineEntry layout_entry(const language::Layout& layout) {
  OutlineEntry made = entry(SymbolKind::kLayout, layout.name, layout.span,
                            layout.extends ? "extends " + layout.extends->text : std::string());
  for (const language::Table& table : layout.tables) add(made.children, table_entry(table));
  for (const language::LayoutEntity& entity : layout.entities)
    add(made.children, entry(SymbolKind::kEntity, entity.name, entity.span));
  for (const language::LayoutRelation& relation : layout.relations) {
    OutlineEntry child = entry(SymbolKind::kEnd, relation.end, relation.span);
    child.name = relation.entity.text + "." + relation.end.text;
    add(made.children, std::move(child));
  }
  return made;
}

// In order, each inside of `outer` and behind the one before it.
void arrange(std::vector<OutlineEntry>& entries, Span outer) {
  std::sort(entries.begin(), entries.end(), [](const OutlineEntry& one, const OutlineEntry& other) {
    return one.span.begin < other.span.begin;
  });
  std::erase_if(entries, [&](const OutlineEntry& each) {
    return each.span.begin < outer.begin || each.span.end > outer.end;
  });
  for (OutlineEntry& each : entries) arrange(each.children, each.span);
}

}  // namespace

std::vector<OutlineEntry> outline(const Document& document) {
  const language::Model& model = document.model().syntax();
  const Span whole{.begin = 0, .end = static_cast<uint32_t>(document.text().size())};
  std::vector<OutlineEntry> entries;
  for (const language::Table& table : model.tables) add(entries, table_entry(table));
  for (const language::Entity& entity : model.entities) {
    OutlineEntry made = entry(SymbolKind::kEntity, entity.name, entity.span,
                              entity.within ? "within " + entity.within->text : std::string());
    for (const language::Field& field : entity.fields) add(made.children, field_entry(field));
    add(entries, std::move(made));
  }
  for (const language::Relation& relation : model.relations) add(entries, relation_entry(relation));
  for (const language::Layout& layout : model.layouts) add(entries, layout_entry(layout));
  for (const auto* patterns : {&model.patterns, &model.damage.patterns}) {
    for (const language::Pattern& pattern : *patterns)
      add(entries, entry(SymbolKind::kPattern, pattern.name, pattern.span, text_of(pattern.parameters)));
  }
  for (const auto* operations : {&model.operations, &model.damage.operations}) {
    for (const language::Operation& operation : *operations)
      add(entries,
          entry(SymbolKind::kOperation, operation.name, operation.span, text_of(operation.parameters)));
  }
  if (model.name.text.empty()) {
    arrange(entries, whole);
    return entries;
  }
  OutlineEntry made = entry(SymbolKind::kModel, model.name, whole);
  made.children = std::move(entries);
  arrange(made.children, whole);
  return {std::move(made)};
}

std::vector<Fold> folds(const Document& document) {
  const language::SourceText& source = document.source();
  const auto line = [&](uint32_t offset) { return source.position(offset).line; };
  std::vector<Fold> found;
  std::vector<uint32_t> open;
  std::optional<Span> comment;
  const auto end_comment = [&] {
    if (comment && line(comment->begin) < line(comment->end))
      found.push_back({.span = *comment, .is_comment = true});
    comment.reset();
  };
  for (const language::Token& token : document.tokens()) {
    if (is_comment(token) && token.first_in_line) {
      const bool goes_on = comment && line(token.span.begin) == line(comment->end) + 1;
      if (!goes_on) end_comment();
      comment = comment ? joined(*comment, token.span) : token.span;
      continue;
    }
    end_comment();
    if (token.kind != language::Token::Kind::kMark) continue;
    if (token.text == "{") open.push_back(token.span.begin);
    if (token.text != "}" || open.empty()) continue;
    const Span span{.begin = open.back(), .end = token.span.end};
    open.pop_back();
    if (line(span.begin) < line(span.end)) found.push_back({.span = span});
  }
  std::sort(found.begin(), found.end(),
            [](const Fold& one, const Fold& other) { return one.span.begin < other.span.begin; });
  return found;
}

}  // namespace sheaf::assist
