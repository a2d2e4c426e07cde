#include "draw/relation_diagram.h"

#include "language/syntax_words.h"
#include "model/strategies/strategy.h"
#include "model/value_type.h"

namespace sheaf::draw {
namespace {

using language::word_for;

std::string type_of(const model::Field& field) {
  return model::text_of(field.type) + (field.is_optional ? "?" : "");
}

std::string mark_of(const model::Field& field) {
  return field.syntax->is_unique ? ", unique" : field.count_of ? ", counted" : "";
}

// How many an end leads to: 1, 0..1, 0..90, 0..*.
std::string count_text(const model::End& end) {
  if (!end.leads_to_many) return end.is_required ? "1" : "0..1";
  return "0.." + (end.max ? std::to_string(*end.max) : "*");
}

Multiplicity multiplicity(const model::End& end) {
  if (end.leads_to_many) return Multiplicity::kMany;
  return end.is_required ? Multiplicity::kOne : Multiplicity::kZeroOrOne;
}

LineEnd line_end(const model::End& end) {
  return {.box = end.target, .label = end.name + " " + count_text(end), .multiplicity = multiplicity(end)};
}

Box box(const model::Model& model, model::EntityId id) {
  const model::Entity& entity = model.entities[id];
  Box box{.title = entity.name, .hue = id};
  if (entity.within) box.subtitle = "within " + model.end(*entity.within).name;
  for (const model::Field& field : entity.fields) {
    box.rows.push_back(
        {.name = field.name, .type = type_of(field) + mark_of(field), .is_identity = field.is_id});
  }
  return box;
}

std::string list_of_names(const std::vector<model::Field>& fields) {
  std::string names;
  for (const model::Field& field : fields) names += (names.empty() ? "" : ", ") + field.name;
  return names;
}

std::string size_text(const model::End& end) {
  std::string text;
  if (end.average) text += " avg " + std::to_string(*end.average);
  if (end.max) text += " max " + std::to_string(*end.max);
  if (end.is_unbounded) text += " unbounded";
  return text.empty() ? text : "size of " + end.name + text;
}

std::vector<Line> detail_lines(const model::Model& model, const model::StoredRelation& stored) {
  const model::Relation& relation = model.relations[stored.relation];
  std::vector<Line> lines;
  const auto add = [&](std::string text) {
    if (!text.empty()) lines.push_back({.text = text});
  };
  for (const model::End& end : relation.ends) {
    if (end.is_required) add(end.name + " is required");
    add(size_text(end));
    if (relation.is_symmetric) break;
  }
  for (const model::Field& field : relation.edge_fields)
    add("edge field " + field.name + " " + type_of(field));
  for (const model::CopiedFields& copied : stored.copies) {
    std::string names;
    const model::End& end = relation.ends[copied.side];
    for (const model::FieldId field : copied.fields)
      names += (names.empty() ? "" : ", ") + model.entities[end.target].fields[field].name;
    add("copies " + names + " of " + end.name);
  }
  if (relation.on_delete)
    add("on delete " + std::string(word_for(language::kOnDeleteWords, *relation.on_delete)));
  if (stored.is_chosen && !stored.reason.empty())
    lines.push_back({.text = "chosen: " + stored.reason, .style = TextStyle::kMuted});
  return lines;
}

Section details(const Subject& subject) {
  Grid grid;
  size_t column = 0;
  for (const char* heading : {"Relation", "Ends", "Stored", "Details"})
    grid.add(header_cell(0, column++, heading));
  grid.header_rows = 1;
  for (const model::StoredRelation& stored : subject.layout.relations) {
    const model::Relation& relation = subject.model.relations[stored.relation];
    const size_t row = grid.rows;
    grid.add(plain_cell(row, 0,
                        subject.model.entities[relation.ends[0].holder].name + " " +
                            std::string(word_for(language::kCardinalityWords, relation.cardinality)) + " " +
                            subject.model.entities[relation.ends[0].target].name,
                        TextStyle::kStrong));
    grid.add(plain_cell(row, 1,
                        relation.is_symmetric ? relation.ends[0].name
                                              : relation.ends[0].name + " / " + relation.ends[1].name));
    grid.add(plain_cell(row, 2, strategy_text(subject.model, subject.layout, stored), TextStyle::kCode));
    grid.add({.row = row, .column = 3, .lines = detail_lines(subject.model, stored)});
  }
  return {.title = "Relations and how they are stored", .body = std::move(grid)};
}

}  // namespace

std::string strategy_text(const model::Model& model, const model::Layout& layout,
                          const model::StoredRelation& stored) {
  const std::string detail = stored.strategy->detail(model, layout, stored);
  return std::string(word_for(language::kViaWords, stored.strategy->kind())) +
         (detail.empty() ? "" : " " + detail);
}

std::vector<Section> relation_diagram(const Subject& subject) {
  Diagram diagram;
  for (model::EntityId id = 0; id < subject.model.entities.size(); ++id)
    diagram.boxes.push_back(box(subject.model, id));
  for (const model::StoredRelation& stored : subject.layout.relations) {
    const model::Relation& relation = subject.model.relations[stored.relation];
    std::string note = strategy_text(subject.model, subject.layout, stored);
    if (!relation.edge_fields.empty()) note += " { " + list_of_names(relation.edge_fields) + " }";
    // An end leads away from its holder: the line's ends are the other way round.
    diagram.connections.push_back(
        {.from = line_end(relation.ends[1]), .to = line_end(relation.ends[0]), .note = note});
  }
  std::vector<Section> sections;
  sections.push_back({.title = "Entities and relations", .body = std::move(diagram)});
  if (!subject.layout.relations.empty()) sections.push_back(details(subject));
  return sections;
}

}  // namespace sheaf::draw
