#include "model/resolver.h"

#include <algorithm>
#include <map>

#include "model/mistakes.h"
#include "model/operation_resolver.h"
#include "model/pattern_resolver.h"
#include "model/regular_language.h"
#include "model/value_type.h"

namespace sheaf::model {
namespace {

using language::Cardinality;
using language::Name;
using language::Span;

constexpr std::string_view kSystemPrefix = "_";

std::vector<std::string_view> entity_names(const Model& model) {
  std::vector<std::string_view> names;
  for (const Entity& entity : model.entities) names.push_back(entity.name);
  return names;
}

// The entities, their fields, and the relations between them.
class LogicalResolver {
 public:
  LogicalResolver(Model& model, Mistakes& mistakes) : model_(model), mistakes_(mistakes) {}

  void run() {
    for (const language::Entity& entity : model_.syntax().entities) add_entity(entity);
    for (const language::Relation& relation : model_.syntax().relations) add_relation(relation);
    for (EntityId id = 0; id < model_.entities.size(); ++id) find_parent(id);
    for (EntityId id = 0; id < model_.entities.size(); ++id) find_identity(id);
    for (EntityId id = 0; id < model_.entities.size(); ++id) check_counts(id);
  }

 private:
  void add_entity(const language::Entity& syntax) {
    if (const auto first = model_.find_entity(syntax.name.text))
      return mistakes_.tell_duplicate("entities", syntax.name, model_.entities[*first].syntax->name.span);
    Entity entity{.syntax = &syntax, .name = syntax.name.text};
    entity.fields = fields_of(syntax.fields);
    for (const Field& field : entity.fields) {
      if (!field.is_id) continue;
      if (field.is_optional)
        mistakes_.tell("bad-id", field.syntax->span, "an id is never missing", "remove the ?");
      if (!may_be_key(field.type))
        mistakes_.tell("bad-id", field.syntax->span, "a " + text_of(field.type) + " cannot be an id",
                       "use a string, a number, a time or a generated ulid or uuid");
    }
    if (syntax.ttl) check_ttl(entity, *syntax.ttl);
    add_kept_fields(entity);
    model_.entities.push_back(std::move(entity));
  }

  // `timestamps` and `versioned` are fields as others are, but for who writes them.
  void add_kept_fields(Entity& entity) {
    const auto add = [&](std::string_view name, language::Type::Kind type, Kept kept) {
      static const language::Field kUnwritten;
      const auto there = std::find_if(entity.fields.begin(), entity.fields.end(),
                                      [&](const Field& field) { return field.name == name; });
      if (there != entity.fields.end())
        return mistakes_.tell("reserved-name", there->syntax->span,
                              std::string(name) + " is the name of a field that is kept for you",
                              "choose another name, or remove " +
                                  std::string(kept == Kept::kVersion ? "versioned" : "timestamps"));
      entity.fields.push_back({.syntax = &kUnwritten,
                               .name = std::string(name),
                               .attribute = std::string(name),
                               .type = {.kind = type},
                               .kept = kept});
    };
    if (entity.syntax->timestamps) {
      add("created_at", language::Type::Kind::kTime, Kept::kCreated);
      add("updated_at", language::Type::Kind::kTime, Kept::kUpdated);
    }
    if (entity.syntax->versioned) add("version", language::Type::Kind::kInt, Kept::kVersion);
  }

  void check_ttl(const Entity& entity, const Name& name) {
    const auto field = std::find_if(entity.fields.begin(), entity.fields.end(),
                                    [&](const Field& each) { return each.name == name.text; });
    if (field == entity.fields.end()) {
      return mistakes_.tell_unknown("unknown-field", "field", name, names_of(entity.fields));
    }
    if (field->type.kind != language::Type::Kind::kInt && field->type.kind != language::Type::Kind::kTime)
      mistakes_.tell("bad-ttl", name.span, "time to live needs a time or an int (seconds since 1970)",
                     "declare " + name.text + " time");
  }

  static std::vector<std::string_view> names_of(const std::vector<Field>& fields) {
    std::vector<std::string_view> names;
    for (const Field& field : fields) names.push_back(field.name);
    return names;
  }

  std::vector<Field> fields_of(const std::vector<language::Field>& declared) {
    std::vector<Field> fields;
    std::map<std::string_view, Span> seen;
    std::map<std::string_view, Span> attributes;
    for (const language::Field& syntax : declared) {
      if (!seen.emplace(syntax.name.text, syntax.name.span).second) {
        mistakes_.tell_duplicate("fields", syntax.name, seen[syntax.name.text]);
        continue;
      }
      Field field{.syntax = &syntax,
                  .name = syntax.name.text,
                  .attribute = syntax.stored_as ? syntax.stored_as->text : syntax.name.text,
                  .type = syntax.type.value_or(language::Type{}),
                  .is_id = syntax.is_id,
                  .is_optional = syntax.is_optional};
      if (field.attribute.starts_with(kSystemPrefix)) {
        mistakes_.tell("reserved-name", syntax.stored_as ? syntax.stored_as->span : syntax.name.span,
                       "attributes that begin with _ belong to Sheaf", "choose another name");
      }
      if (!attributes.emplace(syntax.stored_as ? syntax.stored_as->text : syntax.name.text, syntax.span)
               .second)
        mistakes_.tell_duplicate("attributes", syntax.stored_as.value_or(syntax.name),
                                 attributes[syntax.stored_as ? syntax.stored_as->text : syntax.name.text]);
      check_field(syntax, field);
      fields.push_back(std::move(field));
    }
    return fields;
  }

  void check_field(const language::Field& syntax, const Field& field) {
    check_type(field.type);
    if (syntax.default_value) {
      if (const auto why = mismatch(*syntax.default_value, field.type))
        mistakes_.tell("wrong-type", syntax.default_value->span, *why, "change the default or the type");
      if (syntax.is_id)
        mistakes_.tell("bad-id", syntax.default_value->span, "an id has no default: two would be the same",
                       "remove it, or use ulid or uuid, which are generated");
    }
    if (syntax.matches) {
      if (!is_textual(field.type)) {
        mistakes_.tell("wrong-type", syntax.matches->span,
                       "matches is for text, not for " + text_of(field.type));
      } else if (const auto language = RegularLanguage::expression(syntax.matches->text); !language.ok()) {
        mistakes_.tell("bad-expression", syntax.matches->span,
                       "this regular expression cannot be read: " + language.error().message,
                       "known are . [a-z] [^a-z] \\d \\w \\s ( ) | * + ? {n,m}");
      }
    }
    if (syntax.since && !is_date(syntax.since->text) && !is_time(syntax.since->text))
      mistakes_.tell("wrong-type", syntax.since->span, "since needs a date or a time",
                     "write \"2026-01-31\" or \"2026-01-31T00:00:00.000Z\"");
    if (syntax.max && syntax.max->value < 1)
      mistakes_.tell("bad-number", syntax.max->span, "max is at least 1");
    if (syntax.is_unique && !may_be_key(field.type))
      mistakes_.tell("wrong-type", syntax.span, "a " + text_of(field.type) + " cannot be unique",
                     "only strings, numbers, bools and binaries can");
    if (syntax.is_immutable && syntax.changes != language::Changes::kUnsaid)
      mistakes_.tell("contradiction", syntax.span, "an immutable field does not change",
                     "remove one of the two");
  }

  void check_type(const language::Type& type) {
    using Kind = language::Type::Kind;
    if (type.kind == Kind::kEnum) {
      for (size_t i = 0; i < type.values.size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
          if (type.values[i] == type.values[j])
            mistakes_.tell_duplicate("values", type.values[i], type.values[j].span);
        }
      }
    }
    if (type.kind == Kind::kSet) {
      const language::Type& element = type.element.front();
      if (!is_textual(element) && !is_numeric(element) && element.kind != Kind::kBinary)
        mistakes_.tell("wrong-type", element.span,
                       "a set holds strings, numbers or binaries, not " + text_of(element),
                       "use list<" + text_of(element) + ">");
    }
    if (!type.element.empty()) check_type(type.element.front());
    if (type.kind == Kind::kObject) {
      for (const Field& field : fields_of(type.fields)) {
        if (field.is_id || field.syntax->is_unique)
          mistakes_.tell("bad-id", field.syntax->span,
                         "only a field of the entity itself can be an id or unique",
                         "move it out of the { }");
      }
    }
  }

  std::optional<EntityId> entity_of(const std::vector<Name>& names) {
    if (names.size() > 1) {
      mistakes_.tell("several-types", names[1].span,
                     "an end that leads to several entity types is not there yet",
                     "declare one relation for each of them");
      return std::nullopt;
    }
    const auto found = model_.find_entity(names.front().text);
    if (!found) mistakes_.tell_unknown("unknown-entity", "entity", names.front(), entity_names(model_));
    return found;
  }

  void add_relation(const language::Relation& syntax) {
    const auto from = entity_of(syntax.from);
    const auto to = entity_of(syntax.to);
    if (!from || !to) return;
    Relation relation{.syntax = &syntax, .cardinality = syntax.cardinality};
    relation.is_symmetric = !syntax.backward.has_value();
    if (relation.is_symmetric && !check_symmetric(syntax, *from == *to)) return;
    const Name& backward = syntax.backward.value_or(syntax.forward);
    relation.ends[0] = {.name = syntax.forward.text,
                        .holder = *from,
                        .target = *to,
                        .leads_to_many = syntax.cardinality != Cardinality::kOneToOne};
    relation.ends[1] = {.name = backward.text,
                        .holder = *to,
                        .target = *from,
                        .leads_to_many = syntax.cardinality == Cardinality::kManyToMany};
    if (!is_free(*from, syntax.forward) || (!relation.is_symmetric && !is_free(*to, backward))) return;
    if (!relation.is_symmetric && *from == *to && syntax.forward == backward) {
      return mistakes_.tell_duplicate("ends", backward, syntax.forward.span);
    }
    relation.edge_fields = fields_of(syntax.edge_fields);
    relation.on_delete = syntax.on_delete ? std::optional(syntax.on_delete->first) : std::nullopt;
    if (syntax.loops && *from != *to)
      mistakes_.tell("contradiction", syntax.span, "loops is for relations of an entity with itself",
                     "remove it");
    apply_sizes(syntax, relation);
    apply_required(syntax, relation);
    const RelationId id = model_.relations.size();
    model_.entities[*from].ends.push_back({.relation = id, .side = 0});
    if (!relation.is_symmetric) model_.entities[*to].ends.push_back({.relation = id, .side = 1});
    model_.relations.push_back(std::move(relation));
  }

  bool check_symmetric(const language::Relation& syntax, bool is_with_itself) {
    if (!is_with_itself) {
      mistakes_.tell("missing-end", syntax.forward.span, "the other end has no name",
                     "write as " + syntax.forward.text + " / NAME");
      return false;
    }
    if (syntax.cardinality == Cardinality::kOneToMany) {
      mistakes_.tell("missing-end", syntax.forward.span,
                     "a relation with one name is symmetric, and 1--* is not: its ends differ",
                     "write as " + syntax.forward.text + " / NAME");
      return false;
    }
    return true;
  }

  // Whether no field or end of the entity has this name yet.
  bool is_free(EntityId entity, const Name& name) {
    if (const auto field = model_.find_field(entity, name.text)) {
      mistakes_.tell(
          "said-twice", name.span, model_.entities[entity].name + " has a field " + name.text + " already",
          "rename one of the two",
          {{.span = model_.entities[entity].fields[*field].syntax->name.span, .text = "the field is here"}});
      return false;
    }
    if (const auto end = model_.find_end(entity, name.text)) {
      const language::Relation& first = *model_.relations[end->relation].syntax;
      mistakes_.tell_duplicate("ends of " + model_.entities[entity].name, name,
                               end->side == 0 ? first.forward.span : first.backward->span);
      return false;
    }
    return true;
  }

  std::optional<int> side_of(const Relation& relation, const Name& name) {
    for (const int side : {0, 1}) {
      if (relation.ends[side].name == name.text) return side;
    }
    mistakes_.tell_unknown("unknown-end", "end", name, {relation.ends[0].name, relation.ends[1].name});
    return std::nullopt;
  }

  void apply_sizes(const language::Relation& syntax, Relation& relation) {
    bool is_set[2] = {false, false};
    for (const language::Size& size : syntax.sizes) {
      // Without a name: of the end that leads to many; of a *--* relation it must be said which.
      int side = 0;
      if (size.end) {
        const auto found = side_of(relation, *size.end);
        if (!found) continue;
        side = *found;
      } else if (relation.cardinality == Cardinality::kManyToMany && !relation.is_symmetric) {
        mistakes_.tell(
            "missing-end", size.span, "both ends lead to many: of which is this the size?",
            "write size of " + relation.ends[0].name + " ... or size of " + relation.ends[1].name + " ...");
        continue;
      }
      End& end = relation.ends[side];
      if (!end.leads_to_many) {
        mistakes_.tell("contradiction", size.span, "the end " + end.name + " leads to one",
                       "remove its size");
        continue;
      }
      if (std::exchange(is_set[side], true)) {
        mistakes_.tell("said-twice", size.span, "the size of " + end.name + " is said already",
                       "keep one of the two");
        continue;
      }
      if (size.max && size.max->value < 1) mistakes_.tell("bad-number", size.max->span, "max is at least 1");
      if (size.max && size.average && size.average->value > size.max->value)
        mistakes_.tell("contradiction", size.span, "the average is above the maximum",
                       "change one of the two");
      end.max = size.max ? std::optional(size.max->value) : std::nullopt;
      end.average = size.average ? std::optional(size.average->value) : std::nullopt;
      end.is_unbounded = !size.max;
    }
    if (relation.is_symmetric) {
      relation.ends[1].max = relation.ends[0].max;
      relation.ends[1].average = relation.ends[0].average;
      relation.ends[1].is_unbounded = relation.ends[0].is_unbounded;
    }
  }

  void apply_required(const language::Relation& syntax, Relation& relation) {
    for (const language::Required& required : syntax.required) {
      // Without a name: the end that the many have.
      int side = 1;
      if (required.end) {
        const auto found = side_of(relation, *required.end);
        if (!found) continue;
        side = *found;
      }
      End& end = relation.ends[side];
      if (end.leads_to_many) {
        mistakes_.tell(
            "contradiction", required.span,
            "the end " + end.name + " leads to many, and only one that leads to one can be required",
            "remove required, or use 1--* if there is one");
        continue;
      }
      end.is_required = true;
    }
  }

  void find_parent(EntityId id) {
    const language::Entity& syntax = *model_.entities[id].syntax;
    if (!syntax.within) return;
    const auto end = model_.find_end(id, syntax.within->text);
    if (!end) {
      std::vector<std::string_view> names;
      for (const EndId each : model_.entities[id].ends) names.push_back(model_.end(each).name);
      return mistakes_.tell_unknown("unknown-end", "end", *syntax.within, names);
    }
    if (model_.end(*end).leads_to_many) {
      return mistakes_.tell("bad-within", syntax.within->span, "within needs an end that leads to one parent",
                            "use the end of the 1--* relation that the child has");
    }
    model_.entities[id].within = end;
    model_.relations[end->relation].ends[end->side].is_required = true;
  }

  void find_identity(EntityId id) {
    Entity& entity = model_.entities[id];
    std::vector<EndId> ends;
    std::vector<EntityId> seen;
    std::vector<FieldPath> identity;
    for (std::optional<EntityId> at = id; at;) {
      if (std::find(seen.begin(), seen.end(), *at) != seen.end()) {
        return mistakes_.tell("bad-within", entity.syntax->within->span,
                              "this leads back to " + model_.entities[*at].name,
                              "let one of them stand alone");
      }
      seen.push_back(*at);
      std::vector<FieldPath> own;
      const std::vector<Field>& fields = model_.entities[*at].fields;
      for (FieldId field = 0; field < fields.size(); ++field) {
        if (fields[field].is_id) own.push_back({.ends = ends, .field = field});
      }
      identity.insert(identity.begin(), own.begin(), own.end());
      const std::optional<EndId> within = model_.entities[*at].within;
      if (!within) break;
      ends.push_back(*within);
      at = model_.end(*within).target;
    }
    const bool has_own =
        std::any_of(entity.fields.begin(), entity.fields.end(), [](const Field& f) { return f.is_id; });
    if (!has_own && !(entity.within && is_one_to_one(*entity.within))) {
      return mistakes_.tell("missing-id", entity.syntax->name.span, entity.name + " has no id",
                            "mark the field that tells one from another: name id");
    }
    entity.identity = std::move(identity);
  }

  bool is_one_to_one(EndId end) const {
    return model_.relations[end.relation].cardinality == Cardinality::kOneToOne;
  }

  void check_counts(EntityId id) {
    for (Field& field : model_.entities[id].fields) {
      if (!field.syntax->count_of) continue;
      const Name& name = *field.syntax->count_of;
      const auto end = model_.find_end(id, name.text);
      if (!end) {
        std::vector<std::string_view> names;
        for (const EndId each : model_.entities[id].ends) names.push_back(model_.end(each).name);
        mistakes_.tell_unknown("unknown-end", "end", name, names);
      } else if (!model_.end(*end).leads_to_many) {
        mistakes_.tell("contradiction", name.span,
                       "the end " + name.text + " leads to one: nothing to count");
      } else if (!is_numeric(field.type)) {
        mistakes_.tell("wrong-type", field.syntax->span, "a count is a number",
                       "write " + field.name + " int = count(" + name.text + ")");
      } else {
        field.count_of = end;
      }
    }
  }

  Model& model_;
  Mistakes& mistakes_;
};

void check_expects(const Model& model, Mistakes& mistakes) {
  std::vector<std::string_view> names;
  for (const Pattern& pattern : model.patterns) names.push_back(pattern.name);
  for (const language::Expect& expect : model.syntax().expects) {
    const Pattern* const pattern = model.find_pattern(expect.pattern.text);
    if (pattern == nullptr) {
      mistakes.tell_unknown("unknown-pattern", "pattern", expect.pattern, names);
      continue;
    }
    const size_t required =
        static_cast<size_t>(std::count_if(pattern->parameters.begin(), pattern->parameters.end(),
                                          [](const Parameter& each) { return !each.is_optional; }));
    if (expect.arguments.size() < required || expect.arguments.size() > pattern->parameters.size()) {
      mistakes.tell("wrong-arguments", expect.span,
                    pattern->name + " takes " + std::to_string(pattern->parameters.size()) +
                        " arguments, not " + std::to_string(expect.arguments.size()));
    }
  }
}

void check_compares(const Model& model, Mistakes& mistakes) {
  std::vector<std::string_view> names = {"default"};
  for (const language::Layout& layout : model.syntax().layouts) names.push_back(layout.name.text);
  for (const language::Compare& compare : model.syntax().compares) {
    for (const Name& name : compare.layouts) {
      if (std::find(names.begin(), names.end(), name.text) == names.end())
        mistakes.tell_unknown("unknown-layout", "layout", name, names);
    }
    if (!compare.relation) continue;
    const auto entity = model.find_entity(compare.relation->first.text);
    if (!entity) {
      mistakes.tell_unknown("unknown-entity", "entity", compare.relation->first, entity_names(model));
    } else if (!model.find_end(*entity, compare.relation->second.text)) {
      std::vector<std::string_view> ends;
      for (const EndId each : model.entities[*entity].ends) ends.push_back(model.end(each).name);
      mistakes.tell_unknown("unknown-end", "end", compare.relation->second, ends);
    }
  }
}

}  // namespace

Model resolve(language::Model syntax, language::Diagnostics& diagnostics) {
  Model model(std::move(syntax));
  Mistakes mistakes(diagnostics);
  LogicalResolver(model, mistakes).run();
  resolve_patterns(model, mistakes);
  resolve_operations(model, mistakes);
  check_expects(model, mistakes);
  check_compares(model, mistakes);
  return model;
}

}  // namespace sheaf::model
