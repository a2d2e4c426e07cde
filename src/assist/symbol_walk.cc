// Goes through a model, and looks up every name in it. Unlike the checks it does not stop at mistakes.
#include <algorithm>
#include <map>
#include <span>

#include "assist/index_names.h"
#include "assist/symbol_writer.h"
#include "model/model.h"

namespace sheaf::assist {
namespace {

using language::Name;
using language::Span;
using model::EndId;
using model::EntityId;

// Where a path goes on: an entity, perhaps reached over an end.
struct ReachedEntity {
  EntityId entity = 0;
  std::optional<EndId> by;
};

class SymbolWalk {
 public:
  explicit SymbolWalk(const model::Model& model) : model_(model), syntax_(model.syntax()) {}

  Symbols run() {
    writer_.declare(SymbolKind::kModel, syntax_.name);
    declare_tables();
    for (EntityId id = 0; id < model_.entities.size(); ++id) declare_entity(id);
    for (model::RelationId id = 0; id < model_.relations.size(); ++id) declare_relation(id);
    for (const language::Layout& layout : syntax_.layouts) writer_.declare(SymbolKind::kLayout, layout.name);
    for (const language::Pattern& pattern : syntax_.patterns) declare_pattern(pattern);
    for (const language::Pattern& pattern : syntax_.damage.patterns) declare_pattern(pattern);
    for (const language::Operation& operation : syntax_.operations) declare_operation(operation);
    for (const language::Operation& operation : syntax_.damage.operations) declare_operation(operation);

    for (EntityId id = 0; id < model_.entities.size(); ++id) walk_entity(id);
    for (const language::Relation& relation : syntax_.relations) walk_entities_of(relation);
    for (model::RelationId id = 0; id < model_.relations.size(); ++id) walk_relation(id);
    for (const language::Layout& layout : syntax_.layouts) walk_layout(layout);
    for (const language::Pattern& pattern : syntax_.patterns) walk_pattern(pattern);
    for (const language::Pattern& pattern : syntax_.damage.patterns) walk_pattern(pattern);
    for (const language::Operation& operation : syntax_.operations) walk_operation(operation);
    for (const language::Operation& operation : syntax_.damage.operations) walk_operation(operation);
    for (const language::Compare& compare : syntax_.compares) walk_compare(compare);
    for (const language::Expect& expect : syntax_.expects) refer_by_name(patterns_, expect.pattern);
    refer_tables_and_indexes(model_, writer_);
    return writer_.finish();
  }

 private:
  using Names = std::map<std::string_view, Span>;

  void refer_by_name(const Names& names, const Name& name) {
    const auto found = names.find(name.text);
    if (found != names.end()) writer_.refer(name, found->second);
  }

  // --- Declarations

  void declare_tables() {
    for (const language::Table& table : syntax_.tables) declare_table(table);
    for (const language::Layout& layout : syntax_.layouts) {
      for (const language::Table& table : layout.tables) declare_table(table);
    }
  }

  void declare_table(const language::Table& table) {
    const auto [first, is_new] = tables_.emplace(table.name.text, table.name.span);
    if (is_new) {
      writer_.declare(SymbolKind::kTable, table.name);
    } else {
      writer_.declare_again(first->second, table.name);
    }
    for (const language::Gsi& gsi : table.indexes) {
      const auto [same, is_first] =
          indexes_.emplace(std::pair(table.name.text, gsi.name.text), gsi.name.span);
      if (is_first) {
        writer_.declare(SymbolKind::kIndex, gsi.name, table.name.text);
      } else {
        writer_.declare_again(same->second, gsi.name);
      }
    }
  }

  void declare_fields(const std::vector<language::Field>& fields, const std::string& owner) {
    for (const language::Field& field : fields) {
      if (Symbol* const symbol = writer_.declare(SymbolKind::kField, field.name, owner))
        symbol->field_syntax = &field;
      if (field.type) declare_inside(*field.type, owner + "." + field.name.text);
    }
  }

  void declare_inside(const language::Type& type, const std::string& owner) {
    declare_fields(type.fields, owner);
    for (const language::Type& element : type.element) declare_inside(element, owner);
  }

  void declare_entity(EntityId id) {
    const model::Entity& entity = model_.entities[id];
    if (Symbol* const symbol = writer_.declare(SymbolKind::kEntity, entity.syntax->name)) symbol->entity = id;
    for (model::FieldId field = 0; field < entity.fields.size(); ++field) {
      const model::Field& each = entity.fields[field];
      if (each.kept != model::Kept::kNo) continue;  // nobody wrote it down
      Symbol* const symbol = writer_.declare(SymbolKind::kField, each.syntax->name, entity.name);
      if (symbol == nullptr) continue;
      symbol->entity = id;
      symbol->field = field;
      symbol->field_syntax = each.syntax;
    }
    for (const language::Field& field : entity.syntax->fields) {
      if (field.type) declare_inside(*field.type, entity.name + "." + field.name.text);
    }
  }

  void declare_relation(model::RelationId id) {
    const model::Relation& relation = model_.relations[id];
    const auto declare = [&](const Name& name, int side) {
      const EntityId holder = relation.ends[side].holder;
      Symbol* const symbol = writer_.declare(SymbolKind::kEnd, name, model_.entities[holder].name);
      if (symbol == nullptr) return;
      symbol->entity = holder;
      symbol->end = EndId{.relation = id, .side = side};
    };
    declare(relation.syntax->forward, 0);
    if (relation.syntax->backward) declare(*relation.syntax->backward, 1);
    const std::string owner = model_.entities[relation.ends[0].holder].name + "." + relation.ends[0].name;
    for (const language::Field& field : relation.syntax->edge_fields) {
      if (Symbol* const symbol = writer_.declare(SymbolKind::kField, field.name, owner)) {
        symbol->relation = id;
        symbol->field_syntax = &field;
      }
      if (field.type) declare_inside(*field.type, owner + "." + field.name.text);
    }
  }

  void declare_parameters(const std::vector<language::Parameter>& parameters, const std::string& owner) {
    for (const language::Parameter& parameter : parameters) {
      if (Symbol* const symbol = writer_.declare(SymbolKind::kParameter, parameter.name, owner))
        symbol->parameter = &parameter;
      if (const auto* type = std::get_if<language::Type>(&parameter.type))
        declare_inside(*type, owner + "." + parameter.name.text);
    }
  }

  void declare_pattern(const language::Pattern& pattern) {
    patterns_.emplace(pattern.name.text, pattern.name.span);
    writer_.declare(SymbolKind::kPattern, pattern.name);
    declare_parameters(pattern.parameters, pattern.name.text);
  }

  void declare_operation(const language::Operation& operation) {
    writer_.declare(SymbolKind::kOperation, operation.name);
    declare_parameters(operation.parameters, operation.name.text);
  }

  // --- References

  std::optional<EntityId> refer_entity(const Name& name) {
    const auto found = model_.find_entity(name.text);
    if (found) writer_.refer(name, model_.entities[*found].syntax->name.span);
    return found;
  }

  Span span_of(EndId end) const {
    const language::Relation& syntax = *model_.relations[end.relation].syntax;
    return end.side == 1 && syntax.backward ? syntax.backward->span : syntax.forward.span;
  }

  std::optional<ReachedEntity> refer_end(EntityId entity, const Name& name, bool is_in_template = false) {
    const auto end = model_.find_end(entity, name.text);
    if (!end) return std::nullopt;
    writer_.refer(name, span_of(*end), is_in_template);
    return ReachedEntity{.entity = model_.end(*end).target, .by = end};
  }

  // One of the ends of a relation; the entity that it leads to.
  std::optional<EntityId> refer_side(model::RelationId id, const Name& name) {
    const model::Relation& relation = model_.relations[id];
    for (const int side : {0, 1}) {
      if (relation.ends[side].name != name.text) continue;
      writer_.refer(name, span_of({.relation = id, .side = side}));
      return relation.ends[side].target;
    }
    return std::nullopt;
  }

  void refer_field(EntityId entity, const Name& name, bool is_in_template = false) {
    if (const auto field = model_.find_field(entity, name.text)) {
      const model::Field& found = model_.entities[entity].fields[*field];
      if (found.kept == model::Kept::kNo) writer_.refer(name, found.syntax->name.span, is_in_template);
    }
  }

  static const language::Field* find(const std::vector<language::Field>& fields, const Name& name) {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const language::Field& each) { return each.name == name; });
    return found == fields.end() ? nullptr : &*found;
  }

  void walk_inside(const language::Type* type, std::span<const Name> names) {
    for (const Name& name : names) {
      if (type == nullptr) return;
      if (type->kind == language::Type::Kind::kMap) {
        type = type->element.empty() ? nullptr : &type->element.front();
        continue;
      }
      const language::Field* const field = find(type->fields, name);
      if (field == nullptr) return;
      writer_.refer(name, field->name.span);
      type = field->type ? &*field->type : nullptr;
    }
  }

  void walk_field(const language::Field& field, std::span<const Name> names, bool is_in_template) {
    writer_.refer(names.front(), field.name.span, is_in_template);
    walk_inside(field.type ? &*field.type : nullptr, names.subspan(1));
  }

  // From an entity, over ends to a field and into it. Where it leads, if that is an entity.
  std::optional<ReachedEntity> walk_path(ReachedEntity from, std::span<const Name> names,
                                         bool is_in_template = false) {
    for (size_t i = 0; i < names.size(); ++i) {
      const bool is_field = model_.find_field(from.entity, names[i].text).has_value();
      if (names[i].text == "edge" && from.by && i + 1 < names.size() && !is_field) {
        const auto& fields = model_.relations[from.by->relation].syntax->edge_fields;
        if (const auto* field = find(fields, names[i + 1]))
          walk_field(*field, names.subspan(i + 1), is_in_template);
        return std::nullopt;
      }
      if (is_field) {
        const auto* const field = find(model_.entities[from.entity].syntax->fields, names[i]);
        if (field != nullptr) walk_field(*field, names.subspan(i), is_in_template);
        return std::nullopt;
      }
      const auto next = refer_end(from.entity, names[i], is_in_template);
      if (!next) return std::nullopt;
      from = *next;
    }
    return from;
  }

  // --- Entities and relations

  void walk_entity(EntityId id) {
    const language::Entity& entity = *model_.entities[id].syntax;
    if (entity.within) refer_end(id, *entity.within);
    if (entity.ttl) refer_field(id, *entity.ttl);
    for (const language::Field& field : entity.fields) {
      if (field.count_of) refer_end(id, *field.count_of);
    }
    walk_physical(entity.physical, id, std::nullopt);
  }

  void walk_entities_of(const language::Relation& relation) {
    for (const Name& name : relation.from) refer_entity(name);
    for (const Name& name : relation.to) refer_entity(name);
  }

  void walk_relation(model::RelationId id) {
    const language::Relation& relation = *model_.relations[id].syntax;
    for (const language::Required& required : relation.required) {
      if (required.end) refer_side(id, *required.end);
    }
    for (const language::Size& size : relation.sizes) {
      if (size.end) refer_side(id, *size.end);
    }
    if (relation.via) walk_via(*relation.via, id);
  }

  void walk_via(const language::Via& via, model::RelationId id) {
    if (via.ids) refer_side(id, *via.ids);
    const bool is_word =
        via.pk && (via.pk->text == "one" || via.pk->text == "many" || via.pk->text == "both");
    if (via.pk && !is_word) refer_side(id, *via.pk);
    for (const language::Copy& copy : via.copies) {
      const auto source = refer_side(id, copy.end);
      if (!source) continue;
      for (const Name& field : copy.fields) refer_field(*source, field);
    }
    walk_physical(via.physical, std::nullopt, id);
  }

  // Of an entity, or of the edges of a relation.
  void walk_physical(const language::Physical& physical, std::optional<EntityId> entity,
                     std::optional<model::RelationId> relation) {
    const auto walk_template = [&](const language::Template& text) {
      for (const auto& piece : text.pieces) {
        const auto* hole = std::get_if<language::Hole>(&piece);
        if (hole == nullptr || hole->path.names.empty()) continue;
        if (entity) {
          walk_path({.entity = *entity}, hole->path.names, true);
        } else {
          walk_edge_path(*relation, hole->path.names, true);
        }
      }
    };
    const auto walk_keys = [&](const language::Keys& keys) {
      walk_template(keys.pk);
      if (keys.sk) walk_template(*keys.sk);
    };
    if (physical.key) walk_keys(*physical.key);
    if (physical.second_key) walk_keys(*physical.second_key);
    for (const language::IndexKeys& index : physical.indexes) {
      walk_keys(index.keys);
      for (const language::Condition& condition : index.when) {
        if (entity) {
          walk_path({.entity = *entity}, condition.path.names);
        } else {
          walk_edge_path(*relation, condition.path.names, false);
        }
      }
    }
  }

  // <department.id>, <from.id> and <to.id> of a symmetric relation, or a field of the edge.
  void walk_edge_path(model::RelationId id, std::span<const Name> names, bool is_in_template) {
    if (names.empty()) return;
    const model::Relation& relation = model_.relations[id];
    for (const int side : {0, 1}) {
      if (names.front().text != relation.edge_end_name(side)) continue;
      if (!relation.is_symmetric)
        writer_.refer(names.front(), span_of({.relation = id, .side = side}), is_in_template);
      walk_path({.entity = relation.ends[side].target}, names.subspan(1), is_in_template);
      return;
    }
    if (const auto* field = find(relation.syntax->edge_fields, names.front()))
      walk_field(*field, names, is_in_template);
  }

  void walk_layout(const language::Layout& layout) {
    if (layout.extends) refer_layout(*layout.extends);
    for (const language::LayoutEntity& entity : layout.entities) {
      if (const auto id = refer_entity(entity.name)) walk_physical(entity.physical, *id, std::nullopt);
    }
    for (const language::LayoutRelation& relation : layout.relations) {
      const auto entity = refer_entity(relation.entity);
      const auto end = entity ? refer_end(*entity, relation.end) : std::nullopt;
      if (end) walk_via(relation.via, end->by->relation);
    }
  }

  void refer_layout(const Name& name) {
    for (const language::Layout& layout : syntax_.layouts) {
      if (layout.name == name) return writer_.refer(name, layout.name.span);
    }
  }

  void walk_compare(const language::Compare& compare) {
    for (const Name& layout : compare.layouts) refer_layout(layout);
    if (!compare.relation) return;
    const auto entity = refer_entity(compare.relation->first);
    const auto end = entity ? refer_end(*entity, compare.relation->second) : std::nullopt;
    if (!end) return;
    for (const language::Via& way : compare.ways) walk_via(way, end->by->relation);
  }

  // --- Patterns and operations

  void walk_parameters(const std::vector<language::Parameter>& parameters) {
    parameters_ = &parameters;
    for (const language::Parameter& parameter : parameters) {
      if (const auto* entity = std::get_if<Name>(&parameter.type)) refer_entity(*entity);
    }
  }

  const language::Parameter* refer_parameter(const Name& name) {
    for (const language::Parameter& parameter : *parameters_) {
      if (parameter.name != name) continue;
      writer_.refer(name, parameter.name.span);
      return &parameter;
    }
    return nullptr;
  }

  static const Name* entity_of(const language::Parameter& parameter) {
    return std::get_if<Name>(&parameter.type);
  }

  std::optional<ReachedEntity> walk_parameter_path(std::span<const Name> names) {
    const language::Parameter* const parameter = refer_parameter(names.front());
    if (parameter == nullptr) return std::nullopt;
    if (const Name* const name = entity_of(*parameter)) {
      const auto entity = model_.find_entity(name->text);
      return entity ? walk_path({.entity = *entity}, names.subspan(1)) : std::nullopt;
    }
    walk_inside(&std::get<language::Type>(parameter->type), names.subspan(1));
    return std::nullopt;
  }

  void walk_path(const language::Path& path, const std::optional<ReachedEntity>& scope) {
    if (path.names.empty()) return;
    if (path.from_parameter) {
      walk_parameter_path(path.names);
    } else if (scope) {
      walk_path(*scope, path.names);
    }
  }

  void walk_operand(const language::Operand& operand, const std::optional<ReachedEntity>& scope) {
    if (const auto* path = std::get_if<language::Path>(&operand)) walk_path(*path, scope);
  }

  void walk_expression(const language::Expression& expression, const std::optional<ReachedEntity>& scope) {
    walk_operand(expression.first, scope);
    for (const auto& [mark, operand] : expression.rest) walk_operand(operand, scope);
  }

  void walk_conditions(const std::vector<language::Condition>& conditions,
                       const std::optional<ReachedEntity>& scope) {
    for (const language::Condition& condition : conditions) {
      walk_path(condition.path, scope);
      for (const language::Operand& operand : condition.operands) walk_operand(operand, scope);
    }
  }

  void walk_tail(const language::Tail& tail, const std::optional<ReachedEntity>& scope) {
    walk_conditions(tail.where, scope);
    walk_conditions(tail.filter, scope);
    if (tail.order) walk_path(tail.order->path, scope);
    for (const language::Selection& selection : tail.selection) {
      if (selection.kind == language::Selection::Kind::kAggregate) {
        writer_.declare(SymbolKind::kAggregate, selection.step.name,
                        scope ? model_.entities[scope->entity].name : std::string());
        if (selection.expression) walk_expression(*selection.expression, scope);
      } else if (selection.kind == language::Selection::Kind::kNested) {
        const std::optional<ReachedEntity> inner =
            scope ? walk_path(*scope, std::span(&selection.step.name, 1)) : std::nullopt;
        walk_tail(selection.tail, inner);
      }
    }
  }

  void walk_pattern(const language::Pattern& pattern) {
    walk_parameters(pattern.parameters);
    std::optional<ReachedEntity> scope;
    if (pattern.read.from_parameter) {
      std::vector<Name> names = {pattern.read.start};
      for (const language::Step& step : pattern.read.steps) names.push_back(step.name);
      scope = walk_parameter_path(names);
    } else if (const auto entity = refer_entity(pattern.read.start)) {
      scope = ReachedEntity{.entity = *entity};
    }
    walk_tail(pattern.read.tail, scope);
  }

  void walk_operation(const language::Operation& operation) {
    walk_parameters(operation.parameters);
    for (const language::Write& write : operation.writes) {
      std::optional<ReachedEntity> linked;
      for (const language::Path& path : write.paths) {
        if (!path.from_parameter || path.names.empty()) continue;
        const auto reached = walk_parameter_path(path.names);
        if (!linked) linked = reached;
      }
      for (const auto& [path, expression] : write.assignments) {
        walk_path(path, std::nullopt);
        walk_expression(expression, std::nullopt);
      }
      for (const auto& [name, operand] : write.edge_values) {
        if (linked && linked->by) {
          const auto& fields = model_.relations[linked->by->relation].syntax->edge_fields;
          if (const auto* field = find(fields, name)) writer_.refer(name, field->name.span);
        }
        walk_operand(operand, std::nullopt);
      }
      walk_conditions(write.conditions, std::nullopt);
    }
  }

  const model::Model& model_;
  const language::Model& syntax_;
  SymbolWriter writer_;
  Names tables_;
  std::map<std::pair<std::string, std::string>, Span> indexes_;
  Names patterns_;
  const std::vector<language::Parameter>* parameters_ = nullptr;
};

}  // namespace

Symbols Symbols::of(const model::Model& model) { return SymbolWalk(model).run(); }

}  // namespace sheaf::assist
