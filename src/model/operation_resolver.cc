#include "model/operation_resolver.h"

#include <algorithm>
#include <span>

#include "base/article.h"
#include "model/clause_check.h"
#include "model/place_resolver.h"
#include "model/value_type.h"

namespace sheaf::model {
namespace {

using language::Name;
using language::Path;
using WriteKind = language::Write::Kind;

class OperationResolver {
 public:
  OperationResolver(Model& model, Mistakes& mistakes)
      : model_(model), mistakes_(mistakes), places_(model, mistakes) {}

  void run(const language::Operation& syntax) {
    if (const Operation* const first = model_.find_operation(syntax.name.text))
      return mistakes_.tell_duplicate("operations", syntax.name, first->syntax->name.span);
    if (const Pattern* const pattern = model_.find_pattern(syntax.name.text))
      return mistakes_.tell_duplicate("patterns or operations", syntax.name, pattern->syntax->name.span);
    const size_t mistakes = mistakes_.count();
    Operation operation{.syntax = &syntax, .name = syntax.name.text};
    operation.parameters = places_.parameters(syntax.parameters);
    parameters_ = &operation.parameters;
    for (const language::Write& write : syntax.writes) {
      if (write.kind == WriteKind::kCheck) {
        checked(write, operation.writes);
      } else if (auto resolved = this->write(write)) {
        operation.writes.push_back(std::move(*resolved));
      }
    }
    if (syntax.clauses.strong || syntax.clauses.snapshot)
      mistakes_.tell("contradiction",
                     syntax.clauses.strong ? *syntax.clauses.strong : *syntax.clauses.snapshot,
                     "this is said of patterns: an operation is always one transaction", "remove it");
    if (syntax.clauses.reads_max)
      mistakes_.tell("contradiction", syntax.clauses.reads_max->span, "this is said of patterns",
                     "remove reads max");
    check_amounts(syntax.clauses, mistakes_);
    check_conflicts(operation);
    check_places(operation);
    check_pairs(operation);
    for (const Write& write : operation.writes) check_links(operation, write);
    for (const Write& write : operation.writes) check_deletion(operation, write);
    if (mistakes_.count() != mistakes) return;
    places_.check_used(operation.parameters);
    model_.operations.push_back(std::move(operation));
  }

 private:
  std::optional<Write> write(const language::Write& syntax) {
    switch (syntax.kind) {
      case WriteKind::kPut:
      case WriteKind::kUpsert:
      case WriteKind::kDelete:
        return whole(syntax);
      case WriteKind::kSet:
      case WriteKind::kAdd:
        return assigned(syntax);
      case WriteKind::kRemove:
        return removed(syntax);
      case WriteKind::kLink:
      case WriteKind::kUnlink:
        return linked(syntax);
      case WriteKind::kCheck:
        break;
    }
    return std::nullopt;
  }

  // The entity parameter that a path begins with.
  std::optional<size_t> entity_parameter(const Path& path) {
    if (!path.from_parameter) {
      mistakes_.tell("bad-operand", path.span, "what is written begins with a parameter",
                     "write $parameter, or $parameter." + path.names.front().text);
      return std::nullopt;
    }
    const auto found = places_.parameter(*parameters_, path.names.front());
    if (!found) return std::nullopt;
    const Parameter& parameter = (*parameters_)[*found];
    if (parameter.is_unknown) return std::nullopt;
    if (parameter.is_optional) {
      mistakes_.tell("contradiction", parameter.syntax->name.span, "what is written cannot be left out",
                     "remove the ?");
      return std::nullopt;
    }
    if (!parameter.entity) {
      mistakes_.tell("wrong-type", path.names.front().span,
                     "$" + parameter.name + " is " + with_article(text_of(parameter.type)) + ", no entity",
                     "declare " + parameter.name + ": ENTITY");
      return std::nullopt;
    }
    return found;
  }

  std::optional<Place> member(size_t parameter, const Path& path) {
    const Scope scope{.entity = *(*parameters_)[parameter].entity, .parameters = parameters_};
    auto place = places_.place(scope, std::span(path.names).subspan(1));
    if (!place) return std::nullopt;
    const size_t ends_allowed = place->kind == Place::Kind::kEntity ? 1 : 0;
    if (path.names.size() < 2 || place->ends.size() > ends_allowed) {
      mistakes_.tell("bad-operand", path.span,
                     "an operation changes its own parameters, not what they lead to",
                     "write $parameter.FIELD or $parameter.END");
      return std::nullopt;
    }
    return place;
  }

  std::optional<Write> whole(const language::Write& syntax) {
    const Path& path = syntax.paths.front();
    const auto parameter = entity_parameter(path);
    if (!parameter) return std::nullopt;
    if (path.names.size() > 1) {
      mistakes_.tell("bad-operand", path.span, "this writes or deletes a whole entity",
                     "write $" + path.names.front().text);
      return std::nullopt;
    }
    return Write{.syntax = &syntax, .parameter = *parameter};
  }

  bool check_changeable(size_t parameter, const Place& place, const Path& path) {
    if (place.kind == Place::Kind::kEntity) return true;
    const Field& field = model_.entities[*(*parameters_)[parameter].entity].fields[place.field];
    if (field.is_id || field.syntax->is_immutable) {
      mistakes_.tell(
          "immutable-field", path.span,
          field.name + (field.is_id ? " is an id" : " is immutable") + ": it does not change",
          field.is_id ? "delete the entity and put another" : "remove immutable where it is declared");
      return false;
    }
    if (field.count_of || field.kept != Kept::kNo) {
      mistakes_.tell("immutable-field", path.span, field.name + " is kept by the operations themselves",
                     "remove this");
      return false;
    }
    return true;
  }

  std::optional<Write> assigned(const language::Write& syntax) {
    Write write{.syntax = &syntax};
    bool is_first = true;
    for (const auto& [path, expression] : syntax.assignments) {
      const auto parameter = entity_parameter(path);
      if (!parameter) return std::nullopt;
      if (!is_first && *parameter != write.parameter) {
        mistakes_.tell("bad-operand", path.span, "one set changes one entity", "write a second set");
        return std::nullopt;
      }
      is_first = false;
      write.parameter = *parameter;
      auto place = member(*parameter, path);
      if (!place || !check_changeable(*parameter, *place, path)) return std::nullopt;
      write.expressions.emplace_back();
      if (place->kind == Place::Kind::kEntity) {
        const auto target = moved_to(*place, path, expression, syntax.kind);
        if (!target) return std::nullopt;
        write.linked.push_back(*target);
      } else {
        write.expressions.back() = this->expression(*parameter, *place, expression, syntax.kind);
      }
      write.places.push_back(std::move(*place));
    }
    return write;
  }

  // set $e.department = $d
  std::optional<size_t> moved_to(const Place& place, const Path& path, const language::Expression& expression,
                                 WriteKind kind) {
    const End& end = model_.end(place.ends.front());
    if (model_.entities[end.holder].within == place.ends.front()) {
      mistakes_.tell("immutable-field", path.span,
                     with_article(model_.entities[end.holder].name) + " is within its " + end.name +
                         ", which is a part of its id: it does not change",
                     "delete the entity and put another, or declare it without within");
      return std::nullopt;
    }
    if (kind == WriteKind::kAdd || end.leads_to_many) {
      mistakes_.tell("bad-operand", path.span,
                     "the end " + end.name + (end.leads_to_many ? " leads to many" : " is no number"),
                     end.leads_to_many ? "use link and unlink" : "use set");
      return std::nullopt;
    }
    const auto* source = std::get_if<Path>(&expression.first);
    if (source == nullptr || !expression.rest.empty() || !source->from_parameter ||
        source->names.size() != 1) {
      mistakes_.tell("wrong-type", expression.span, "an end is set to an entity", "write $parameter");
      return std::nullopt;
    }
    const auto found = entity_parameter(*source);
    if (found && (*parameters_)[*found].entity != end.target) {
      mistakes_.tell("wrong-type", expression.span,
                     "the end " + end.name + " leads to " + model_.entities[end.target].name + ", not to " +
                         model_.entities[*(*parameters_)[*found].entity].name,
                     "use a parameter of type " + model_.entities[end.target].name);
      return std::nullopt;
    }
    return found;
  }

  std::vector<Operand> expression(size_t parameter, const Place& place,
                                  const language::Expression& expression, WriteKind kind) {
    const bool is_to_set = place.type.kind == language::Type::Kind::kSet && kind == WriteKind::kAdd;
    const bool is_sum = !expression.rest.empty() || (kind == WriteKind::kAdd && !is_to_set);
    if (is_sum && !is_numeric(place.type) && place.type.kind != language::Type::Kind::kAny) {
      mistakes_.tell("wrong-type", expression.span,
                     "there is no adding to " + with_article(text_of(place.type)), "use set, with one value");
      return {};
    }
    const Scope scope{.entity = *(*parameters_)[parameter].entity, .parameters = parameters_};
    std::vector<Operand> operands = {places_.operand(scope, expression.first, place.type)};
    for (const auto& [mark, operand] : expression.rest)
      operands.push_back(places_.operand(scope, operand, place.type));
    return operands;
  }

  std::optional<Write> removed(const language::Write& syntax) {
    Write write{.syntax = &syntax};
    for (const Path& path : syntax.paths) {
      const auto parameter = entity_parameter(path);
      if (!parameter) return std::nullopt;
      auto place = member(*parameter, path);
      if (!place || !check_changeable(*parameter, *place, path)) return std::nullopt;
      if (!write.places.empty() && write.parameter != *parameter) {
        mistakes_.tell("bad-operand", path.span, "one remove changes one entity", "write a second remove");
        return std::nullopt;
      }
      if (is_needed(*(*parameters_)[*parameter].entity, *place)) {
        mistakes_.tell("required-field", path.span, path.names.back().text + " is never missing",
                       "declare it with ?, or set it to something else");
        return std::nullopt;
      }
      write.parameter = *parameter;
      write.places.push_back(std::move(*place));
    }
    return write;
  }

  // Whether what a place leads to is always there.
  bool is_needed(EntityId entity, const Place& place) const {
    if (place.kind == Place::Kind::kEntity) return model_.end(place.ends.front()).is_required;
    const Field& field = model_.entities[entity].fields[place.field];
    if (place.inside.empty()) return !field.is_optional;
    const language::Type* type = &field.type;
    const language::Field* last = nullptr;
    for (const std::string& name : place.inside) {
      last = nullptr;
      if (type->kind == language::Type::Kind::kMap) {
        type = &type->element.front();
        continue;
      }
      for (const language::Field& each : type->fields) {
        if (each.name.text == name) last = &each;
      }
      if (last == nullptr || !last->type) break;
      type = &*last->type;
    }
    return last != nullptr && !last->is_optional;
  }

  std::optional<Write> linked(const language::Write& syntax) {
    const Path& path = syntax.paths[0];
    const auto parameter = entity_parameter(path);
    const auto other = entity_parameter(syntax.paths[1]);
    if (!parameter || !other) return std::nullopt;
    auto place = member(*parameter, path);
    if (!place) return std::nullopt;
    if (place->kind != Place::Kind::kEntity) {
      mistakes_.tell("wrong-type", path.span, path.names.back().text + " is a field, not an end", "use set");
      return std::nullopt;
    }
    const EndId end = place->ends.front();
    if (model_.end(end).target != *(*parameters_)[*other].entity) {
      mistakes_.tell(
          "wrong-type", syntax.paths[1].span,
          "the end " + model_.end(end).name + " leads to " + model_.entities[model_.end(end).target].name,
          "use a parameter of type " + model_.entities[model_.end(end).target].name);
      return std::nullopt;
    }
    Write write{.syntax = &syntax, .parameter = *parameter};
    write.edge_values = edge_values(syntax, end);
    write.places.push_back(std::move(*place));
    write.linked.push_back(*other);
    return write;
  }

  std::vector<Operand> edge_values(const language::Write& syntax, EndId end) {
    std::vector<Operand> operands(syntax.edge_values.size());
    const std::vector<Field>& fields = model_.relations[end.relation].edge_fields;
    std::vector<std::string_view> names;
    const size_t mistakes = mistakes_.count();
    const bool is_damaged = model_.relations[end.relation].syntax->is_damaged;
    for (const Field& field : fields) names.push_back(field.name);
    for (size_t i = 0; i < syntax.edge_values.size(); ++i) {
      const auto& [name, operand] = syntax.edge_values[i];
      for (size_t j = 0; j < i; ++j) {
        if (syntax.edge_values[j].first == name)
          mistakes_.tell_duplicate("values", name, syntax.edge_values[j].first.span);
      }
      const Field* found = nullptr;
      for (const Field& field : fields) {
        if (field.name == name.text) found = &field;
      }
      if (found == nullptr) {
        if (is_damaged) {
          mistakes_.pass_over();
          return operands;
        }
        mistakes_.tell_unknown("unknown-field", "edge field", name, names);
      } else {
        const Scope scope{.parameters = parameters_};
        operands[i] = places_.operand(scope, operand, found->type);
      }
    }
    if (syntax.kind != WriteKind::kLink || mistakes_.count() != mistakes || is_damaged) return operands;
    for (const Field& field : fields) {
      const bool is_filled =
          field.is_optional || field.is_generated() || field.syntax->default_value.has_value();
      if (!is_filled) check_given(syntax, operands, field);
    }
    return operands;
  }

  // Every link has a value for the field, also one without optional parameters.
  void check_given(const language::Write& syntax, const std::vector<Operand>& operands, const Field& field) {
    for (size_t i = 0; i < operands.size(); ++i) {
      if (syntax.edge_values[i].first.text != field.name) continue;
      if (!operands[i].parameter || !(*parameters_)[*operands[i].parameter].is_optional) return;
      const Parameter& parameter = (*parameters_)[*operands[i].parameter];
      return mistakes_.tell(
          "required-field", syntax.edge_values[i].first.span,
          "the edge needs its field " + field.name + ", and $" + parameter.name + " may be left out",
          "declare " + parameter.name + " without ?, or give " + field.name + " a default");
    }
    mistakes_.tell("required-field", syntax.paths.front().span, "the edge needs its field " + field.name,
                   "write link ... { " + field.name + " = VALUE }");
  }

  // A write for each parameter that the conditions begin with.
  void checked(const language::Write& syntax, std::vector<Write>& writes) {
    std::vector<Write> made;
    for (const language::Condition& condition : syntax.conditions) {
      const auto parameter = entity_parameter(condition.path);
      if (!parameter) return;
      const Scope scope{.entity = *(*parameters_)[*parameter].entity, .parameters = parameters_};
      const auto names = std::span(condition.path.names).subspan(1);
      auto place = places_.place(scope, names);
      if (!place || !places_.check_single(*place, names)) return;
      if (place->kind == Place::Kind::kEntity && (place->ends.empty() || !condition.operands.empty()))
        return mistakes_.tell(
            "wrong-type", condition.path.span, "an entity can only exist or be missing",
            place->ends.empty() ? "name one of its fields" : "name one of its fields, or write exists");
      const bool is_same = !made.empty() && made.back().parameter == *parameter;
      if (!is_same) made.push_back({.syntax = &syntax, .parameter = *parameter});
      made.back().conditions.push_back(places_.condition(scope, condition, std::move(*place)));
    }
    for (Write& write : made) writes.push_back(std::move(write));
  }

  // --- What the writes of one operation mean together

  static bool is_whole(const Write& write) {
    return write.syntax->kind == WriteKind::kPut || write.syntax->kind == WriteKind::kUpsert ||
           write.syntax->kind == WriteKind::kDelete;
  }

  static bool makes(const Operation& operation, size_t parameter) {
    return std::any_of(operation.writes.begin(), operation.writes.end(), [&](const Write& write) {
      return write.parameter == parameter && is_whole(write) && write.syntax->kind != WriteKind::kDelete;
    });
  }

  static bool deletes(const Operation& operation, size_t parameter) {
    return std::any_of(operation.writes.begin(), operation.writes.end(), [&](const Write& write) {
      return write.parameter == parameter && write.syntax->kind == WriteKind::kDelete;
    });
  }

  // An entity is put or deleted once, and what is deleted is not changed.
  void check_conflicts(const Operation& operation) {
    for (size_t i = 0; i < operation.writes.size(); ++i) {
      for (size_t j = 0; j < operation.writes.size(); ++j) {
        const Write &whole = operation.writes[i], &other = operation.writes[j];
        if (i == j || !is_whole(whole)) continue;
        const bool is_linked =
            std::find(other.linked.begin(), other.linked.end(), whole.parameter) != other.linked.end() &&
            other.syntax->kind != WriteKind::kUnlink;
        if (whole.syntax->kind == WriteKind::kDelete && is_linked)
          mistakes_.tell(
              "contradiction", other.syntax->span,
              "$" + operation.parameters[whole.parameter].name + " is deleted in the same transaction",
              "remove this", {{.span = whole.syntax->span, .text = "it is here"}});
        if (whole.parameter != other.parameter) continue;
        const std::string name = "$" + operation.parameters[whole.parameter].name;
        const bool is_change =
            other.syntax->kind == WriteKind::kSet || other.syntax->kind == WriteKind::kAdd ||
            other.syntax->kind == WriteKind::kRemove || other.syntax->kind == WriteKind::kLink;
        if (is_whole(other) && i < j)
          mistakes_.tell("contradiction", other.syntax->span, name + " is written as a whole already",
                         "keep one of the two", {{.span = whole.syntax->span, .text = "it is here"}});
        if (whole.syntax->kind == WriteKind::kDelete && is_change)
          mistakes_.tell("contradiction", other.syntax->span, name + " is deleted in the same transaction",
                         "remove this", {{.span = whole.syntax->span, .text = "it is here"}});
      }
    }
  }

  // Two writes of one value, or of a value and something inside it, depend on their order; sums do not.
  void check_places(const Operation& operation) {
    struct Written {
      const Write* write;
      const Place* place;
      language::Span span;
    };
    std::vector<Written> all;
    for (const Write& write : operation.writes) {
      const WriteKind kind = write.syntax->kind;
      const bool is_assigned = kind == WriteKind::kSet || kind == WriteKind::kAdd;
      if (!is_assigned && kind != WriteKind::kRemove) continue;
      for (size_t i = 0; i < write.places.size(); ++i) {
        const Place& place = write.places[i];
        const language::Span span =
            is_assigned ? write.syntax->assignments[i].first.span : write.syntax->paths[i].span;
        const auto before = std::find_if(all.begin(), all.end(), [&](const Written& other) {
          const bool is_sum = kind == WriteKind::kAdd && other.write->syntax->kind == WriteKind::kAdd &&
                              other.place->inside == place.inside;
          return other.write->parameter == write.parameter && overlap(*other.place, place) && !is_sum;
        });
        if (before == all.end()) {
          all.push_back({.write = &write, .place = &place, .span = span});
        } else {
          mistakes_.tell("said-twice", span, "this is written already", "keep one of the two",
                         {{.span = before->span, .text = "it is here"}});
        }
      }
    }
  }

  static bool overlap(const Place& a, const Place& b) {
    const bool is_end = a.kind == Place::Kind::kEntity;
    if (is_end != (b.kind == Place::Kind::kEntity)) return false;
    if (is_end) return a.ends == b.ends;
    const size_t shared = std::min(a.inside.size(), b.inside.size());
    return a.field == b.field &&
           std::equal(a.inside.begin(), a.inside.begin() + static_cast<long>(shared), b.inside.begin());
  }

  static bool is_link(const Write& write) {
    return write.syntax->kind == WriteKind::kLink || write.syntax->kind == WriteKind::kUnlink;
  }

  // Two are linked or unlinked once, and nothing with itself unless the relation says so.
  void check_pairs(const Operation& operation) {
    for (size_t i = 0; i < operation.writes.size(); ++i) {
      const Write& write = operation.writes[i];
      if (!is_link(write)) continue;
      const EndId end = write.places.front().ends.front();
      const size_t from = write.parameter, to = write.linked.front();
      if (from == to && !model_.relations[end.relation].syntax->loops)
        mistakes_.tell("contradiction", write.syntax->span,
                       "$" + operation.parameters[from].name + " would be linked with itself",
                       "use two parameters, or say loops in the relation");
      for (size_t j = 0; j < i; ++j) {
        const Write& other = operation.writes[j];
        if (!is_link(other) || other.places.front().ends.front().relation != end.relation) continue;
        const EndId other_end = other.places.front().ends.front();
        const bool is_pair =
            (other_end == end && other.parameter == from && other.linked.front() == to) ||
            (other_end == model_.back(end) && other.parameter == to && other.linked.front() == from);
        if (is_pair && write.syntax->edge_values.empty())
          mistakes_.tell("contradiction", write.syntax->span, "these two are linked or unlinked already",
                         "keep one of the two", {{.span = other.syntax->span, .text = "it is here"}});
      }
    }
  }

  // What is required is always linked: it can be moved, but not linked or unlinked.
  void check_links(const Operation& operation, const Write& write) {
    const bool is_link = write.syntax->kind == WriteKind::kLink;
    if (!is_link && write.syntax->kind != WriteKind::kUnlink) return;
    const EndId end = write.places.front().ends.front();
    const std::pair<EndId, size_t> holders[] = {{end, write.parameter}, {end.other(), write.linked.front()}};
    for (const auto& [held, parameter] : holders) {
      const End& required = model_.end(held);
      if (!required.is_required) continue;
      const std::string& name = operation.parameters[parameter].name;
      if (is_link && !makes(operation, parameter)) {
        mistakes_.tell("contradiction", write.syntax->span,
                       "every " + model_.entities[required.holder].name + " has its " + required.name +
                           ", so that link always fails",
                       "write set $" + name + "." + required.name + " = ..");
      } else if (!is_link && !deletes(operation, parameter)) {
        mistakes_.tell("required-field", write.syntax->span,
                       "every " + model_.entities[required.holder].name + " has its " + required.name,
                       "move it with set $" + name + "." + required.name + " = .., or remove required");
      }
    }
  }

  // What becomes of those that cannot be without it must be said.
  void check_deletion(const Operation& operation, const Write& write) {
    if (write.syntax->kind != WriteKind::kDelete) return;
    const EntityId deleted = *operation.parameters[write.parameter].entity;
    for (const Relation& relation : model_.relations) {
      for (const End& end : relation.ends) {
        if (end.target != deleted || !end.is_required || relation.on_delete) continue;
        mistakes_.tell("missing-on-delete", write.syntax->paths.front().span,
                       "every " + model_.entities[end.holder].name + " has its " + end.name +
                           ": what becomes of it when that is deleted?",
                       "say on delete cascade or on delete restrict in the relation",
                       {{.span = relation.syntax->forward.span, .text = "the relation is here"}});
      }
    }
  }

  Model& model_;
  Mistakes& mistakes_;
  PlaceResolver places_;
  const std::vector<Parameter>* parameters_ = nullptr;
};

}  // namespace

void resolve_operations(Model& model, Mistakes& mistakes) {
  OperationResolver resolver(model, mistakes);
  for (const language::Operation& operation : model.syntax().operations) resolver.run(operation);
}

}  // namespace sheaf::model
