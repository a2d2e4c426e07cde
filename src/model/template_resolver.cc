#include "model/template_resolver.h"

#include "base/article.h"
#include "model/name_lookup.h"
#include "model/value_type.h"

namespace sheaf::model {

using language::Name;
using Format = language::Hole::Format;

namespace {

constexpr std::string_view kAttributeHole = "attribute";

const Field& field_at(const Model& model, const TemplateOwner& owner, const HoleSource& source) {
  if (source.root == HoleSource::Root::kEdgeField)
    return model.relations[*owner.relation].edge_fields[source.path.field];
  const EntityId start = source.root == HoleSource::Root::kEdgeEnd
                             ? model.relations[*owner.relation].ends[source.side].target
                             : *owner.entity;
  return model.field(start, source.path);
}

std::string source_text(const Model& model, const TemplateOwner& owner, const HoleSource& source) {
  if (source.root == HoleSource::Root::kEdgeField)
    return "<" + model.relations[*owner.relation].edge_fields[source.path.field].name + ">";
  if (source.root == HoleSource::Root::kEntity) return "<" + model.text(*owner.entity, source.path) + ">";
  const Relation& relation = model.relations[*owner.relation];
  const End& end = relation.ends[source.side];
  return "<" + std::string(relation.edge_end_name(source.side)) + "." + model.text(end.target, source.path) +
         ">";
}

}  // namespace

std::optional<KeyTemplate> TemplateResolver::resolve(const TemplateOwner& owner,
                                                     const language::Template& syntax) {
  std::vector<KeyTemplate::Piece> pieces;
  for (const auto& piece : syntax.pieces) {
    if (const auto* text = std::get_if<std::string>(&piece)) {
      pieces.emplace_back(*text);
      continue;
    }
    auto hole = resolve(owner, std::get<language::Hole>(piece));
    if (!hole) return std::nullopt;
    pieces.emplace_back(std::move(*hole));
  }
  return KeyTemplate(std::move(pieces), syntax.span);
}

std::optional<Hole> TemplateResolver::resolve(const TemplateOwner& owner, const language::Hole& syntax) {
  const std::vector<Name>& names = syntax.path.names;
  const bool is_attribute = owner.is_by_field && names.size() == 1 && names.front().text == kAttributeHole;
  const auto found = is_attribute ? HoleSource{} : source(owner, names);
  if (!found) return std::nullopt;
  Hole made = is_attribute ? attribute(*owner.entity) : hole(*found, owner);
  made.format = syntax.format;
  made.count = syntax.count;
  made.span = syntax.span;
  if (!check_format(made, syntax)) return std::nullopt;
  return made;
}

Hole TemplateResolver::hole(const HoleSource& source, const TemplateOwner& owner) const {
  return {
      .source = source, .field = field_at(model_, owner, source), .text = source_text(model_, owner, source)};
}

Hole TemplateResolver::attribute(EntityId entity) const {
  Hole made{.source = {.root = HoleSource::Root::kAttribute, .path = {.field = kNoField}},
            .text = "<" + std::string(kAttributeHole) + ">"};
  made.field.name = made.field.attribute = kAttributeHole;
  made.field.type.kind = language::Type::Kind::kEnum;
  for (const Field& field : model_.entities[entity].fields) {
    if (!field.is_id) made.field.type.values.push_back({.text = field.attribute});
  }
  return made;
}

std::vector<Hole> TemplateResolver::identity(const HoleSource& start, EntityId entity,
                                             const TemplateOwner& owner) const {
  std::vector<Hole> holes;
  for (const FieldPath& path : model_.entities[entity].identity) {
    HoleSource source = start;
    source.path.ends.insert(source.path.ends.end(), path.ends.begin(), path.ends.end());
    source.path.field = path.field;
    holes.push_back(hole(source, owner));
  }
  return holes;
}

std::optional<HoleSource> TemplateResolver::source(const TemplateOwner& owner, std::span<const Name> names) {
  if (owner.entity) {
    const auto found = path(*owner.entity, names);
    if (!found) return std::nullopt;
    return HoleSource{.path = *found};
  }
  const Relation& relation = model_.relations[*owner.relation];
  for (const int side : {0, 1}) {
    const std::string name(relation.edge_end_name(side));
    if (names.front().text != name) continue;
    if (names.size() == 1) {
      mistakes_.tell("bad-hole", names.front().span, name + " is an end: which of its fields?",
                     "write <" + name + ".FIELD>");
      return std::nullopt;
    }
    const auto found = path(relation.ends[side].target, names.subspan(1));
    if (!found) return std::nullopt;
    return HoleSource{.root = HoleSource::Root::kEdgeEnd, .side = side, .path = *found};
  }
  std::vector<std::string_view> candidates;
  for (FieldId field = 0; field < relation.edge_fields.size(); ++field) {
    candidates.push_back(relation.edge_fields[field].name);
    if (names.size() == 1 && relation.edge_fields[field].name == names.front().text)
      return HoleSource{.root = HoleSource::Root::kEdgeField, .path = {.field = field}};
  }
  if (relation.is_symmetric) {
    candidates.insert(candidates.end(), {"from", "to"});
  } else {
    candidates.insert(candidates.end(), {relation.ends[0].name, relation.ends[1].name});
  }
  mistakes_.tell_unknown("unknown-field", "edge field or end", names.front(), candidates);
  return std::nullopt;
}

std::optional<FieldPath> TemplateResolver::path(EntityId entity, std::span<const Name> names) {
  FieldPath path;
  for (size_t i = 0; i < names.size(); ++i) {
    if (const auto field = model_.find_field(entity, names[i].text)) {
      if (i + 1 < names.size()) {
        mistakes_.tell("bad-hole", names[i + 1].span, "a key holds whole fields, not what is inside them",
                       "make it a field of its own");
        return std::nullopt;
      }
      path.field = *field;
      return path;
    }
    const auto end = model_.find_end(entity, names[i].text);
    if (!end) {
      NameLookup(model_, mistakes_).tell_unknown_member(entity, names[i]);
      return std::nullopt;
    }
    if (model_.end(*end).leads_to_many) {
      mistakes_.tell("bad-hole", names[i].span, "the end " + names[i].text + " leads to many: which of them?",
                     "use an end that leads to one, or store the relation with edges");
      return std::nullopt;
    }
    path.ends.push_back(*end);
    entity = model_.end(*end).target;
  }
  mistakes_.tell("bad-hole", names.back().span, names.back().text + " is an end: which of its fields?",
                 "write <" + names.back().text + ".FIELD>");
  return std::nullopt;
}

bool TemplateResolver::check_format(const Hole& hole, const language::Hole& syntax) {
  using Kind = language::Type::Kind;
  const auto wrong = [&](std::string why, std::string fix) {
    mistakes_.tell("bad-hole", syntax.span, std::move(why), std::move(fix));
    return false;
  };
  if (!may_be_key(hole.field.type)) {
    return wrong(with_article(model::text_of(hole.field.type)) + " cannot be part of a key",
                 "use a field of text, a number, a time or a bool");
  }
  switch (hole.format) {
    case Format::kYear:
    case Format::kMonth:
    case Format::kDay:
    case Format::kHour:
      if (hole.field.type.kind != Kind::kTime &&
          !(hole.field.type.kind == Kind::kDate && hole.format != Format::kHour))
        return wrong("only a time can be cut to a bucket, and " + hole.field.name + " is " +
                         with_article(model::text_of(hole.field.type)),
                     "declare " + hole.field.name + " time");
      return true;
    case Format::kDigits:
      if (hole.field.type.kind != Kind::kInt)
        return wrong("only whole numbers have a width, and " + hole.field.name + " is " +
                         with_article(model::text_of(hole.field.type)),
                     "remove the format, or declare " + hole.field.name + " int");
      if (hole.count > 38) return wrong("a number has at most 38 digits", "use fewer");
      return true;
    default:
      return true;
  }
}

}  // namespace sheaf::model
