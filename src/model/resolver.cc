#include "model/resolver.h"

#include <algorithm>
#include <set>

#include "base/article.h"
#include "model/claim_check.h"
#include "model/field_resolver.h"
#include "model/mistakes.h"
#include "model/name_lookup.h"
#include "model/operation_resolver.h"
#include "model/pattern_resolver.h"
#include "model/value_type.h"

namespace sheaf::model {
namespace {

using language::Cardinality;
using language::Name;
using language::Span;

// The entities, their fields, and the relations between them.
class LogicalResolver {
 public:
  LogicalResolver(Model& model, Mistakes& mistakes)
      : model_(model), mistakes_(mistakes), names_(model, mistakes) {}

  void run() {
    for (const language::Entity& entity : model_.syntax().entities) add_entity(entity);
    for (const language::Relation& relation : model_.syntax().relations) add_relation(relation);
    for (EntityId id = 0; id < model_.entities.size(); ++id) find_parent(id);
    for (EntityId id = 0; id < model_.entities.size(); ++id) find_identity(id);
    for (EntityId id = 0; id < model_.entities.size(); ++id) check_counts(id);
    for (const Relation& relation : model_.relations) check_deletion(relation);
    for (const Relation& relation : model_.relations) check_edge_member(relation);
  }

 private:
  void add_entity(const language::Entity& syntax) {
    if (const auto first = model_.find_entity(syntax.name.text)) {
      // Which of the two is meant by others is not known.
      model_.entities[*first].is_incomplete = true;
      return mistakes_.tell_duplicate("entities", syntax.name, model_.entities[*first].syntax->name.span);
    }
    Entity entity{.syntax = &syntax,
                  .name = syntax.name.text,
                  .is_incomplete = syntax.is_damaged || model_.syntax().damage.has_lost_relation};
    entity.fields = FieldResolver(mistakes_).resolve(syntax.fields, FieldResolver::Owner::kEntity);
    add_kept_fields(entity);
    model_.entities.push_back(std::move(entity));
    if (syntax.ttl) check_ttl(model_.entities.size() - 1, *syntax.ttl);
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

  void check_ttl(EntityId id, const Name& name) {
    const auto field = model_.find_field(id, name.text);
    if (!field) return names_.tell_unknown_field(id, name);
    const language::Type& type = model_.entities[id].fields[*field].type;
    if (type.kind != language::Type::Kind::kInt && type.kind != language::Type::Kind::kTime)
      mistakes_.tell("bad-ttl", name.span, "time to live needs a time or an int (seconds since 1970)",
                     "declare " + name.text + " time");
  }

  std::optional<EntityId> entity_of(const std::vector<Name>& names) {
    if (names.size() > 1) {
      mistakes_.tell("not-yet", names[1].span, "an end that leads to several entity types is not there yet",
                     "declare one relation for each of them");
      return std::nullopt;
    }
    return names_.entity(names.front());
  }

  void add_relation(const language::Relation& syntax) {
    const size_t count = model_.relations.size();
    const auto from = entity_of(syntax.from);
    const auto to = entity_of(syntax.to);
    if (from && to) add_relation(syntax, *from, *to);
    if (model_.relations.size() > count) return;
    // What is asked of its ends would be told again; which entity has them is perhaps not known.
    for (EntityId id = 0; id < model_.entities.size(); ++id) {
      if (!from || !to || id == *from || id == *to) model_.entities[id].is_incomplete = true;
    }
  }

  void add_relation(const language::Relation& syntax, EntityId from, EntityId to) {
    Relation relation{.syntax = &syntax, .cardinality = syntax.cardinality};
    relation.is_symmetric = !syntax.backward.has_value();
    if (relation.is_symmetric && !check_symmetric(syntax, from == to)) return;
    const Name& backward = syntax.backward ? *syntax.backward : syntax.forward;
    relation.ends[0] = {.name = syntax.forward.text,
                        .holder = from,
                        .target = to,
                        .leads_to_many = syntax.cardinality != Cardinality::kOneToOne};
    relation.ends[1] = {.name = backward.text,
                        .holder = to,
                        .target = from,
                        .leads_to_many = syntax.cardinality == Cardinality::kManyToMany};
    if (!is_free(from, syntax.forward) || (!relation.is_symmetric && !is_free(to, backward))) return;
    if (!relation.is_symmetric && from == to && syntax.forward == backward) {
      return mistakes_.tell_duplicate("ends", backward, syntax.forward.span);
    }
    relation.edge_fields = FieldResolver(mistakes_).resolve(syntax.edge_fields, FieldResolver::Owner::kEdge);
    relation.on_delete = syntax.on_delete ? std::optional(syntax.on_delete->first) : std::nullopt;
    if (syntax.loops && from != to)
      mistakes_.tell("contradiction", syntax.loops_span, "loops is for relations of an entity with itself",
                     "remove it");
    apply_sizes(syntax, relation);
    apply_required(syntax, relation);
    // An end without a name is told already: under which it is asked for is not known.
    if (syntax.forward.text.empty()) model_.entities[from].is_incomplete = true;
    if (backward.text.empty()) model_.entities[to].is_incomplete = true;
    const RelationId id = model_.relations.size();
    model_.entities[from].ends.push_back({.relation = id, .side = 0});
    if (!relation.is_symmetric) model_.entities[to].ends.push_back({.relation = id, .side = 1});
    model_.relations.push_back(std::move(relation));
  }

  // Documents hold the fields of an edge as `edge` beside those of the entity that it leads to.
  void check_edge_member(const Relation& relation) {
    if (relation.edge_fields.empty()) return;
    for (const End& end : relation.ends) {
      const Entity& entity = model_.entities[end.target];
      std::optional<language::Span> span;
      if (const auto field = model_.find_field(end.target, "edge")) {
        span = entity.fields[*field].syntax->name.span;
      } else if (const auto other = model_.find_end(end.target, "edge")) {
        const language::Relation& its = *model_.relations[other->relation].syntax;
        span = other->side == 0 ? its.forward.span : its.backward->span;
      }
      if (!span) continue;
      mistakes_.tell("reserved-name", *span,
                     "documents of " + entity.name + " have the fields of an edge as edge",
                     "choose another name, or remove the fields of the edge",
                     {{.span = relation.edge_fields.front().syntax->name.span, .text = "they are here"}});
    }
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
    if (name.text.starts_with("_")) {
      mistakes_.tell("reserved-name", name.span,
                     "references are stored under the end's name, and _ belongs to Sheaf",
                     "choose another name");
      return false;
    }
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

  void apply_sizes(const language::Relation& syntax, Relation& relation) {
    bool is_set[2] = {false, false};
    for (const language::Size& size : syntax.sizes) {
      // Without a name: of the end that leads to many; of a *--* relation it must be said which.
      int side = 0;
      if (size.end) {
        const auto found = names_.side(relation, *size.end);
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
      if (size.max && size.max->value < 1)
        mistakes_.tell("bad-number", size.max->span, "max is at least 1", "write 1 or more");
      if (size.max && size.average && size.average->value > size.max->value)
        mistakes_.tell("contradiction", size.average->span, "the average is above the maximum",
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
    bool is_set[2] = {false, false};
    for (const language::Required& required : syntax.required) {
      // Without a name: the end that the many have.
      int side = 1;
      if (required.end) {
        const auto found = names_.side(relation, *required.end);
        if (!found) continue;
        side = *found;
      }
      End& end = relation.ends[side];
      if (relation.is_symmetric) {
        mistakes_.tell("contradiction", required.end ? required.end->span : required.span,
                       "each would need another one before it: there could be no first", "remove required");
        continue;
      }
      if (end.leads_to_many) {
        mistakes_.tell(
            "contradiction", required.end ? required.end->span : required.span,
            "the end " + end.name + " leads to many, and only one that leads to one can be required",
            "remove required, or use 1--* if there is one");
        continue;
      }
      if (std::exchange(is_set[side], true))
        mistakes_.tell("said-twice", required.span, "this is said already", "keep one of the two");
      end.is_required = true;
    }
  }

  // What is required cannot be unlinked.
  // A deletion that took some children along and had to leave others would be half done.
  void check_cascade(const Relation& relation) {
    if (relation.on_delete != language::OnDelete::kCascade) return;
    const EntityId child = relation.ends[0].target;
    for (const Relation& below : model_.relations) {
      if (&below == &relation || below.on_delete != language::OnDelete::kRestrict ||
          below.ends[0].holder != child)
        continue;
      mistakes_.tell("contradiction", relation.syntax->on_delete->second,
                     with_article(model_.entities[relation.ends[0].holder].name) + " takes its " +
                         relation.ends[0].name + " along, and one that has " + below.ends[0].name +
                         " must stay: the deletion would stop half way",
                     "use restrict here, or cascade there",
                     {{.span = below.syntax->on_delete->second, .text = "it must stay because of this"}});
    }
  }

  void check_deletion(const Relation& relation) {
    check_cascade(relation);
    if (relation.is_symmetric && relation.on_delete == language::OnDelete::kCascade)
      mistakes_.tell("contradiction", relation.syntax->on_delete->second,
                     "neither of the two belongs to the other: all that are linked would go",
                     "use restrict or unlink");
    const bool is_many_to_many = relation.cardinality == language::Cardinality::kManyToMany;
    if (is_many_to_many && !relation.is_symmetric && relation.on_delete == language::OnDelete::kCascade)
      mistakes_.tell("contradiction", relation.syntax->on_delete->second,
                     with_article(model_.entities[relation.ends[0].target].name) + " may have several " +
                         relation.ends[1].name + ", and would go with the first of them",
                     "use restrict or unlink");
    if (relation.on_delete != language::OnDelete::kUnlink) return;
    for (const End& end : relation.ends) {
      if (!end.is_required) continue;
      mistakes_.tell("contradiction", relation.syntax->on_delete->second,
                     "every " + model_.entities[end.holder].name + " has its " + end.name +
                         ": it cannot be unlinked from one that is deleted",
                     "use cascade or restrict, or remove required");
    }
  }

  void find_parent(EntityId id) {
    const language::Entity& syntax = *model_.entities[id].syntax;
    if (!syntax.within) return;
    const auto end = names_.end(id, *syntax.within);
    if (!end) {
      model_.entities[id].is_incomplete = true;
      return;
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
        // Once for all that are in the circle.
        const bool is_told =
            std::any_of(seen.begin(), seen.end(), [&](EntityId each) { return circles_.contains(each); });
        circles_.insert(seen.begin(), seen.end());
        if (is_told) return;
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
    if (!has_own && entity.syntax->is_damaged) return mistakes_.pass_over();
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
      const auto end = names_.end(id, name);
      if (!end) {
        continue;
      } else if (!model_.end(*end).leads_to_many) {
        mistakes_.tell("contradiction", name.span,
                       "the end " + name.text + " leads to one: there is nothing to count",
                       "remove = count(..)");
      } else if (!is_numeric(field.type)) {
        mistakes_.tell("wrong-type", field.syntax->type ? field.syntax->type->span : field.syntax->name.span,
                       "a count is a number", "write " + field.name + " int = count(" + name.text + ")");
      } else {
        field.count_of = end;
      }
    }
  }

  Model& model_;
  Mistakes& mistakes_;
  NameLookup names_;
  std::set<EntityId> circles_;
};

}  // namespace

Resolved resolve(language::Model syntax, language::Diagnostics& diagnostics) {
  Resolved resolved{.model = Model(std::move(syntax))};
  Mistakes mistakes(diagnostics);
  LogicalResolver(resolved.model, mistakes).run();
  resolved.is_sound = !mistakes.any() && !resolved.model.syntax().damage.is_structural;
  resolve_patterns(resolved.model, mistakes);
  resolve_operations(resolved.model, mistakes);
  check_expects(resolved.model, mistakes);
  check_compares(resolved.model, mistakes);
  return resolved;
}

}  // namespace sheaf::model
