#include "generate/likely_values.h"

#include <algorithm>

#include "run/value_check.h"

namespace sheaf::generate {
namespace {

using Test = language::Condition::Test;

class LikelyValues {
 public:
  explicit LikelyValues(const model::Model& model) : model_(model) {
    for (const model::Entity& entity : model.entities) found_.emplace_back(entity.fields.size());
  }

  void read(const model::Node& node) {
    read(node.entity, node.where);
    read(node.entity, node.filter);
    for (const model::Nested& nested : node.nested) read(*nested.node);
  }

  void read(model::EntityId entity, const std::vector<model::Condition>& conditions) {
    for (const model::Condition& condition : conditions) {
      const Test test = condition.syntax->test;
      if (condition.place.kind != model::Place::Kind::kField || (test != Test::kEqual && test != Test::kIn))
        continue;
      model::EntityId at = entity;
      for (const model::EndId end : condition.place.ends) at = model_.end(end).target;
      for (const language::Operand& operand : condition.syntax->operands)
        add(at, condition.place.field, operand);
    }
  }

  std::vector<std::vector<std::vector<std::string>>> take() { return std::move(found_); }

 private:
  void add(model::EntityId entity, model::FieldId id, const language::Operand& operand) {
    const auto* const literal = std::get_if<language::Literal>(&operand);
    const model::Field& field = model_.entities[entity].fields[id];
    if (literal == nullptr || literal->kind != language::Literal::Kind::kString || literal->text.empty() ||
        field.type.kind != language::Type::Kind::kString || field.syntax->is_unique)
      return;
    if (run::misfit(Value(literal->text), field)) return;
    std::vector<std::string>& texts = found_[entity][id];
    if (std::find(texts.begin(), texts.end(), literal->text) == texts.end()) texts.push_back(literal->text);
  }

  const model::Model& model_;
  std::vector<std::vector<std::vector<std::string>>> found_;
};

}  // namespace

std::vector<std::vector<std::vector<std::string>>> likely_values(const model::CompiledModel& compiled) {
  const model::Model& model = compiled.model;
  LikelyValues values(model);
  for (const model::Pattern& pattern : model.patterns) values.read(pattern.node);
  for (const model::Operation& operation : model.operations) {
    for (const model::Write& write : operation.writes) {
      const auto& entity = operation.parameters[write.parameter].entity;
      if (entity) values.read(*entity, write.conditions);
    }
  }
  for (const model::Layout& layout : compiled.layouts) {
    for (const model::ItemKind& kind : layout.item_kinds) {
      for (const model::IndexEntry& entry : kind.entries) {
        if (kind.entity) values.read(*kind.entity, entry.when);
      }
    }
  }
  return values.take();
}

}  // namespace sheaf::generate
