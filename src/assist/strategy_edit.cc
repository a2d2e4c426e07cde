#include "assist/strategy_edit.h"

#include <algorithm>

#include "assist/block_edits.h"

namespace sheaf::assist {
namespace {

using language::Span;

// The same relation, named by either of its ends.
bool is_of(const model::Model& model, const language::LayoutRelation& said, model::RelationId relation) {
  const auto entity = model.find_entity(said.entity.text);
  const auto end = entity ? model.find_end(*entity, said.end.text) : std::nullopt;
  return end && end->relation == relation;
}

// A line before the brace that ends the layout.
TextEdit line_in(const Document& document, const language::Layout& layout, const std::string& line) {
  const language::SourceText& source = document.source();
  const auto close = static_cast<uint32_t>(layout.span.end - 1);
  const std::string_view text = source.text();
  const std::string_view first = source.line(source.position(layout.span.begin).line);
  const std::string indent(first.substr(0, std::min(first.find_first_not_of(" \t"), first.size())));
  uint32_t begin = close;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\n' || text[begin - 1] == '\t')) --begin;
  return {.span = {.begin = begin, .end = close}, .text = "\n" + indent + "  " + line + "\n" + indent};
}

}  // namespace

std::vector<TextEdit> strategy_edits(const Document& document, const std::string& layout,
                                     model::RelationId relation, const std::string& via) {
  const model::Model& model = document.model();
  const language::Relation& said = *model.relations[relation].syntax;
  if (layout == model::kDefaultLayout) {
    if (said.via) return {{.span = said.via->span, .text = via}};
    return {add_clause(document, said.span, "via " + via)};
  }
  for (const language::Layout& each : model.syntax().layouts) {
    if (each.name.text != layout) continue;
    for (const language::LayoutRelation& in_layout : each.relations) {
      if (is_of(model, in_layout, relation)) return {{.span = in_layout.via.span, .text = via}};
    }
    const model::End& end = model.relations[relation].ends[0];
    return {
        line_in(document, each, "rel " + model.entities[end.holder].name + "." + end.name + " via " + via)};
  }
  return {};
}

}  // namespace sheaf::assist
