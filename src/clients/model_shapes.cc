#include "clients/model_shapes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "base/article.h"
#include "exports/names.h"
#include "model/value_type.h"

namespace sheaf::clients {
namespace {

using exports::pascal_case;
using model::EndId;
using model::EntityId;
using TypeKind = language::Type::Kind;
using WriteKind = language::Write::Kind;

Shape named(std::string name) { return {.kind = Shape::Kind::kNamed, .name = std::move(name)}; }
Shape list_of(Shape element) { return {.kind = Shape::Kind::kList, .elements = {std::move(element)}}; }

// The same for shapes that are the same.
std::string signature(const Shape& shape) {
  std::string text = std::to_string(static_cast<int>(shape.kind)) + shape.format + ":" + shape.name;
  for (const std::string& value : shape.values) text += "|" + value;
  for (const Shape& element : shape.elements) text += "<" + signature(element) + ">";
  for (const Member& member : shape.members)
    text += "{" + member.name + (member.is_optional ? "?" : "") + signature(member.shape) + "}";
  return text;
}

class ShapeMaker {
 public:
  ShapeMaker(const model::Model& model, const model::Layout& layout, const std::vector<std::string>& taken)
      : model_(model), layout_(layout), names_(std::set<std::string>(taken.begin(), taken.end())) {
    made_.name = model.name();
    made_.doc = model.syntax().doc;
  }

  ModelShapes run() {
    for (EntityId id = 0; id < model_.entities.size(); ++id) add_entity(id);
    for (const model::Pattern& pattern : model_.patterns) add_pattern(pattern);
    for (EntityId id = 0; id < model_.entities.size(); ++id) add_put(id);
    for (const model::Operation& operation : model_.operations) add_operation(operation);
    for (EntityId id = 0; id < model_.entities.size(); ++id) add_basic_operations(id);
    return std::move(made_);
  }

 private:
  struct EntityNames {
    std::string id, whole, put;
    std::string whole_signature;
  };

  const std::string& add(const std::string& wanted, Shape shape, std::string doc) {
    made_.named.push_back({.name = names_.claim(wanted), .shape = std::move(shape), .doc = std::move(doc)});
    return made_.named.back().name;
  }

  // --- Types of fields

  Shape type_shape(const language::Type& type, const std::string& name) {
    const auto text = [](std::string format) {
      return Shape{.kind = Shape::Kind::kText, .format = std::move(format)};
    };
    switch (type.kind) {
      case TypeKind::kString:
        return text("");
      case TypeKind::kNumber:
        return {.kind = Shape::Kind::kNumber};
      case TypeKind::kInt:
        return {.kind = Shape::Kind::kWhole};
      case TypeKind::kBool:
        return {.kind = Shape::Kind::kFlag};
      case TypeKind::kBinary:
        return text("base64");
      case TypeKind::kTime:
        return text("time");
      case TypeKind::kDate:
        return text("date");
      case TypeKind::kUlid:
        return text("ulid");
      case TypeKind::kUuid:
        return text("uuid");
      case TypeKind::kAny:
        return {};
      case TypeKind::kEnum: {
        Shape shape{.kind = Shape::Kind::kEnum};
        for (const language::Name& value : type.values) shape.values.push_back(value.text);
        return shape;
      }
      case TypeKind::kList:
        return list_of(type_shape(type.element.front(), name));
      case TypeKind::kSet: {
        Shape shape = list_of(type_shape(type.element.front(), name));
        shape.is_set = true;
        return shape;
      }
      case TypeKind::kMap:
        return {.kind = Shape::Kind::kMap, .elements = {type_shape(type.element.front(), name)}};
      case TypeKind::kObject:
        break;
    }
    Shape shape{.kind = Shape::Kind::kObject};
    for (const language::Field& field : type.fields) {
      shape.members.push_back(
          {.name = field.name.text,
           .shape = type_shape(field.type.value_or(language::Type{}), name + pascal_case(field.name.text)),
           .is_optional = field.is_optional || field.default_value.has_value(),
           .doc = field.doc});
    }
    return named(add(name, std::move(shape), ""));
  }

  // Inner objects of a field are named once for its entity, or its edge.
  const Shape& field_shape(const std::string& owner, const model::Field& field) {
    const auto found = field_shapes_.find(&field);
    if (found != field_shapes_.end()) return found->second;
    return field_shapes_.emplace(&field, type_shape(field.type, pascal_case(owner) + pascal_case(field.name)))
        .first->second;
  }

  static std::string doc_of(const model::Field& field) {
    return field.syntax == nullptr ? std::string() : field.syntax->doc;
  }

  Member member(const std::string& owner, const model::Field& field, bool is_optional) {
    return {.name = field.name,
            .shape = field_shape(owner, field),
            .is_optional = is_optional,
            .doc = doc_of(field)};
  }

  // --- Entities

  Shape id_shape(EntityId id, const std::vector<model::FieldPath>& paths) {
    Shape whole{.kind = Shape::Kind::kTuple};
    for (const model::FieldPath& path : paths)
      whole.elements.push_back(type_shape(model_.field(id, path).type, ""));
    return whole.elements.size() == 1 ? Shape(whole.elements.front()) : whole;
  }

  Shape parent_id(EndId within) { return named(entities_[model_.end(within).target].id); }

  void add_entity(EntityId id) {
    if (entities_.contains(id)) return;
    const model::Entity& entity = model_.entities[id];
    // A parent's id is named before it is referred to.
    if (entity.within) add_entity(model_.end(*entity.within).target);
    EntityNames names;
    std::string parts;
    for (const model::FieldPath& path : entity.identity)
      parts += (parts.empty() ? "" : ", ") + model_.text(id, path);
    names.whole = names_.claim(pascal_case(entity.name));
    names.id = add(pascal_case(entity.name) + "Id", id_shape(id, entity.identity),
                   "The id of " + with_article(entity.name) + ": " + parts);
    Shape whole{.kind = Shape::Kind::kObject};
    for (const model::Field& field : entity.fields)
      whole.members.push_back(member(entity.name, field,
                                     field.is_optional || field.syntax == nullptr
                                         ? field.is_optional
                                         : field.syntax->since.has_value()));
    if (entity.within)
      whole.members.push_back({.name = model_.end(*entity.within).name, .shape = parent_id(*entity.within)});
    names.whole_signature = signature(whole);
    made_.named.push_back({.name = names.whole,
                           .shape = std::move(whole),
                           .doc = entity.syntax == nullptr ? "" : entity.syntax->doc});
    entities_.emplace(id, std::move(names));
  }

  // --- Documents of patterns

  // How the entities of a document are reached.
  struct Reached {
    std::optional<EndId> by;
    int64_t depth = 1;           // of several levels each document says which one it is of
    bool is_from_parent = true;  // by a single step, so that the parent need not be shown
  };
  Shape document(const model::Node& node, const Reached& reached, const std::string& name) {
    const model::Entity& entity = model_.entities[node.entity];
    Shape shape{.kind = Shape::Kind::kObject};
    for (model::FieldId id = 0; id < entity.fields.size(); ++id) {
      const model::Field& field = entity.fields[id];
      if (!node.shows(entity, id)) continue;
      const bool came_later = field.syntax != nullptr && field.syntax->since.has_value();
      shape.members.push_back(member(entity.name, field, field.is_optional || came_later));
    }
    const auto& nested = node.nested;
    if (entity.within) {
      const bool is_above = reached.by && reached.is_from_parent && reached.by->other() == *entity.within;
      const bool is_nested = std::any_of(nested.begin(), nested.end(), [&](const model::Nested& each) {
        return each.end == *entity.within;
      });
      if (!is_above && !is_nested)
        shape.members.push_back(
            {.name = model_.end(*entity.within).name, .shape = parent_id(*entity.within)});
    }
    if (reached.by) add_edge(shape, *reached.by);
    if (reached.depth > 1) shape.members.push_back({.name = "depth", .shape = {.kind = Shape::Kind::kWhole}});
    for (const model::AggregateField& field : node.aggregates) shape.members.push_back(aggregate(field));
    for (const model::Nested& each : nested) {
      const model::End& end = model_.end(each.end);
      Shape below = document(*each.node, {.by = each.end, .depth = each.depth}, name + pascal_case(end.name));
      const bool is_many = end.leads_to_many || each.depth > 1;
      // What it leads to may be on its way out, whatever the model requires.
      shape.members.push_back({.name = end.name,
                               .shape = is_many ? list_of(std::move(below)) : std::move(below),
                               .is_optional = !is_many});
    }
    const EntityNames& names = entities_[node.entity];
    if (signature(shape) == names.whole_signature) return named(names.whole);
    return named(add(name, std::move(shape), ""));
  }

  void add_edge(Shape& shape, EndId reached_by) {
    if (auto edge = edge_shape(reached_by.relation)) {
      const auto& fields = model_.relations[reached_by.relation].edge_fields;
      const bool is_sure = std::any_of(fields.begin(), fields.end(),
                                       [](const model::Field& field) { return !field.is_optional; });
      shape.members.push_back(
          {.name = "edge", .shape = *edge, .is_optional = !is_sure, .doc = "What the link itself holds"});
    }
  }

  std::optional<Shape> edge_shape(model::RelationId id) {
    const model::Relation& relation = model_.relations[id];
    if (relation.edge_fields.empty()) return std::nullopt;
    const auto found = edges_.find(id);
    if (found != edges_.end()) return named(found->second);
    const std::string wanted = pascal_case(model_.entities[relation.ends[0].holder].name) +
                               pascal_case(relation.ends[0].name) + "Edge";
    Shape shape{.kind = Shape::Kind::kObject};
    for (const model::Field& field : relation.edge_fields)
      shape.members.push_back(member(wanted, field, field.is_optional));
    const std::string name = add(wanted, std::move(shape), "");
    edges_.emplace(id, name);
    return named(name);
  }

  Member aggregate(const model::AggregateField& field) {
    const language::Selection& syntax = *field.syntax;
    Member made{.name = field.name};
    if (syntax.aggregate == language::Aggregate::kCount) {
      made.shape = {.kind = Shape::Kind::kWhole};
      return made;
    }
    const bool is_plain = syntax.expression && syntax.expression->rest.empty() && field.operands.size() == 1;
    made.shape = {.kind = Shape::Kind::kNumber};
    if (is_plain && syntax.aggregate != language::Aggregate::kSum)
      made.shape = type_shape(field.operands.front().type, pascal_case(field.name));
    // Nothing is the least of nothing; its sum is 0.
    made.is_optional = syntax.aggregate != language::Aggregate::kSum;
    return made;
  }

  std::vector<Member> parameters_of(const std::vector<model::Parameter>& parameters, const std::string& owner,
                                    const std::function<std::optional<Shape>(size_t)>& special = {}) {
    std::vector<Member> made;
    for (size_t i = 0; i < parameters.size(); ++i) {
      const model::Parameter& parameter = parameters[i];
      std::optional<Shape> shape = special ? special(i) : std::nullopt;
      if (!shape)
        shape = parameter.entity
                    ? named(entities_[*parameter.entity].id)
                    : type_shape(parameter.type, pascal_case(owner) + pascal_case(parameter.name));
      made.push_back(
          {.name = parameter.name, .shape = std::move(*shape), .is_optional = parameter.is_optional});
    }
    return made;
  }

  void add_pattern(const model::Pattern& pattern) {
    Reached reached{.is_from_parent = pattern.steps.size() == 1};
    if (!pattern.steps.empty()) {
      reached.by = pattern.steps.back().first;
      reached.depth = pattern.steps.back().second;
    }
    const bool leads_to_one = std::none_of(pattern.steps.begin(), pattern.steps.end(), [&](const auto& step) {
      return model_.end(step.first).leads_to_many || step.second > 1;
    });
    PatternShape made{.name = pattern.name,
                      .doc = pattern.syntax->doc,
                      .parameters = parameters_of(pattern.parameters, pattern.name),
                      .is_single = pattern.one || (pattern.start && leads_to_one)};
    made.document = document(pattern.node, reached, pascal_case(pattern.name) + "Document");
    made_.patterns.push_back(std::move(made));
  }

  // --- Operations

  static bool is_kept(const model::Field& field) {
    return field.kept != model::Kept::kNo || field.count_of.has_value();
  }
  static bool is_filled(const model::Field& field) {
    return field.is_generated() || (field.syntax != nullptr && field.syntax->default_value.has_value());
  }

  std::vector<Member> put_fields(const model::Entity& entity) {
    std::vector<Member> members;
    for (const model::Field& field : entity.fields) {
      if (!is_kept(field))
        members.push_back(member(entity.name, field, field.is_optional || is_filled(field)));
    }
    return members;
  }

  // What is put, if the operation itself links `linked`.
  Shape put_shape(EntityId id, const std::vector<EndId>& linked) {
    const model::Entity& entity = model_.entities[id];
    Shape shape{.kind = Shape::Kind::kObject, .members = put_fields(entity)};
    for (const EndId end : entity.ends) {
      const model::End& declared = model_.end(end);
      const model::EndStorage storage = layout_.storage(end);
      const bool is_linked = std::find(linked.begin(), linked.end(), end) != linked.end();
      if (storage == model::EndStorage::kEmbeds) {
        Shape child{.kind = Shape::Kind::kObject, .members = put_fields(model_.entities[declared.target])};
        Shape below = named(embedded(end, std::move(child)));
        shape.members.push_back(
            {.name = declared.name,
             .shape = declared.leads_to_many ? list_of(std::move(below)) : std::move(below),
             .is_optional = true});
      } else if (!declared.leads_to_many) {
        const bool is_needed = (entity.within == end || declared.is_required) && !is_linked;
        shape.members.push_back({.name = declared.name,
                                 .shape = named(entities_[declared.target].id),
                                 .is_optional = !is_needed});
      } else if (storage == model::EndStorage::kIds) {
        shape.members.push_back({.name = declared.name,
                                 .shape = list_of(named(entities_[declared.target].id)),
                                 .is_optional = true});
      }
    }
    return shape;
  }

  const std::string& embedded(EndId end, Shape child) {
    const auto found = embedded_.find(end.relation);
    if (found != embedded_.end()) return found->second;
    const model::End& declared = model_.end(end);
    const std::string& name =
        add("Embedded" + pascal_case(model_.entities[declared.target].name), std::move(child), "");
    return embedded_.emplace(end.relation, name).first->second;
  }

  bool has_own_life(EntityId id) const {
    return layout_.has_items(id) || layout_.embedding_end(model_, id).has_value();
  }

  void add_put(EntityId id) {
    if (!has_own_life(id)) return;
    const std::string& entity = model_.entities[id].name;
    entities_[id].put =
        add("New" + pascal_case(entity), put_shape(id, {}), with_article(entity) + " to put or upsert");
  }

  void add_operation(const model::Operation& operation) {
    const auto special = [&](size_t i) -> std::optional<Shape> {
      bool is_put = false;
      std::vector<EndId> linked;
      for (const model::Write& write : operation.writes) {
        if (write.parameter != i) continue;
        const WriteKind kind = write.syntax->kind;
        is_put |= kind == WriteKind::kPut || kind == WriteKind::kUpsert;
        if ((kind == WriteKind::kLink || kind == WriteKind::kSet) && !write.linked.empty())
          linked.push_back(write.places.front().ends.front());
      }
      if (!is_put || !operation.parameters[i].entity) return std::nullopt;
      const EntityId id = *operation.parameters[i].entity;
      Shape shape = put_shape(id, linked);
      const Shape* const usual = made_.find(entities_[id].put);
      if (usual != nullptr && signature(*usual) == signature(shape)) return named(entities_[id].put);
      return named(add(pascal_case(operation.name) + "New" + pascal_case(model_.entities[id].name),
                       std::move(shape), ""));
    };
    made_.operations.push_back({.name = operation.name,
                                .doc = operation.syntax->doc,
                                .parameters = parameters_of(operation.parameters, operation.name, special)});
  }

  void basic(std::string name, std::string doc, std::vector<Member> parameters) {
    made_.operations.push_back({.name = std::move(name),
                                .doc = std::move(doc),
                                .parameters = std::move(parameters),
                                .is_basic = true});
  }

  void add_basic_operations(EntityId id) {
    const model::Entity& entity = model_.entities[id];
    const std::string one = with_article(entity.name);
    const Member self{.name = "id", .shape = named(entities_[id].id)};
    if (has_own_life(id)) {
      const Member document{.name = "document", .shape = named(entities_[id].put)};
      basic("put." + entity.name, "Puts " + one + " that does not exist yet", {document});
      basic("upsert." + entity.name, "Puts " + one + ", or replaces it", {document});
      basic("delete." + entity.name, "Deletes " + one, {self});
      add_changes(id, self);
    }
    std::set<std::string> seen;  // a symmetric relation has two ends of one name
    for (const EndId end : entity.ends) {
      const model::End& declared = model_.end(end);
      if (layout_.is_embedded(end) || !seen.insert(declared.name).second) continue;
      const std::string name = entity.name + "." + declared.name;
      const Member to{.name = "to", .shape = named(entities_[declared.target].id)};
      std::vector<Member> linking = {self, to};
      if (auto edge = edge_shape(end.relation))
        linking.push_back({.name = "edge", .shape = std::move(*edge), .is_optional = !has_needed(end)});
      basic("link." + name, "Links " + one + " by its end " + declared.name, std::move(linking));
      basic("unlink." + name, "Takes such a link away", {self, to});
      if (!declared.leads_to_many) basic("move." + name, "Links it to another one instead", {self, to});
    }
  }

  bool has_needed(EndId end) const {
    const auto& fields = model_.relations[end.relation].edge_fields;
    return std::any_of(fields.begin(), fields.end(),
                       [](const model::Field& field) { return !field.is_optional && !is_filled(field); });
  }

  void add_changes(EntityId id, const Member& self) {
    const model::Entity& entity = model_.entities[id];
    Shape set{.kind = Shape::Kind::kObject}, amounts{.kind = Shape::Kind::kObject};
    Shape removable{.kind = Shape::Kind::kEnum};
    for (const model::Field& field : entity.fields) {
      if (field.is_id || is_kept(field) || (field.syntax != nullptr && field.syntax->is_immutable)) continue;
      Member changed = member(entity.name, field, true);
      if (model::is_numeric(field.type) || field.type.kind == TypeKind::kSet)
        amounts.members.push_back(changed);
      if (field.is_optional) removable.values.push_back(field.name);
      set.members.push_back(std::move(changed));
    }
    for (const EndId end : entity.ends) {
      const model::End& declared = model_.end(end);
      if (declared.leads_to_many || layout_.is_embedded(end) || entity.within == end) continue;
      set.members.push_back(
          {.name = declared.name, .shape = named(entities_[declared.target].id), .is_optional = true});
      if (!declared.is_required) removable.values.push_back(declared.name);
    }
    if (!set.members.empty())
      basic("set." + entity.name, "Sets fields, or ends that lead to one",
            {self, {.name = "fields", .shape = named(add(pascal_case(entity.name) + "Changes", set, ""))}});
    if (!amounts.members.empty())
      basic(
          "add." + entity.name, "Adds to numbers and sets",
          {self, {.name = "fields", .shape = named(add(pascal_case(entity.name) + "Amounts", amounts, ""))}});
    if (!removable.values.empty())
      basic("remove." + entity.name, "Removes fields, or ends that lead to one",
            {self, {.name = "names", .shape = list_of(std::move(removable))}});
  }

  const model::Model& model_;
  const model::Layout& layout_;
  exports::UniqueNames names_;
  ModelShapes made_;
  std::map<EntityId, EntityNames> entities_;
  std::map<const model::Field*, Shape> field_shapes_;
  std::map<model::RelationId, std::string> edges_, embedded_;
};

}  // namespace

const Shape* ModelShapes::find(const std::string& wanted) const {
  for (const NamedShape& each : named) {
    if (each.name == wanted) return &each.shape;
  }
  return nullptr;
}

ModelShapes shapes_of(const model::Model& model, const model::Layout& layout,
                      const std::vector<std::string>& taken) {
  return ShapeMaker(model, layout, taken).run();
}

}  // namespace sheaf::clients
