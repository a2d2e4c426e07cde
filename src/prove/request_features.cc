#include <algorithm>

#include "language/syntax_words.h"
#include "prove/feature_walk.h"

namespace sheaf::prove {
namespace {

using PlaceKind = model::Place::Kind;

class PatternWalk {
 public:
  PatternWalk(const model::Model& model, Features& found) : model_(model), found_(found) {}

  void visit(const model::Pattern& pattern) {
    parameters_ = &pattern.parameters;
    const language::Read& read = pattern.syntax->read;
    if (!pattern.syntax->doc.empty()) found_.insert("doc of a pattern");
    found_.insert(read.from_parameter ? "read from a parameter" : "read by search");
    if (read.one) found_.insert(read.from_parameter ? "one from a parameter" : "one by search");
    if (read.from_parameter) found_.insert("steps " + std::to_string(std::min<size_t>(read.steps.size(), 3)));
    for (const auto& [end, depth] : pattern.steps) {
      found_.insert(std::string("step to ") + (model_.end(end).leads_to_many ? "many" : "one"));
      note_depth(depth, "step");
    }
    add_parameter_features(pattern.parameters, found_);
    add_clause_features(pattern.syntax->clauses, "pattern", found_);
    visit(pattern.node, read.tail, 0);
  }

 private:
  void note_depth(int64_t depth, const std::string& where) {
    if (depth > 1) found_.insert(where + (depth == 10 ? " ^10" : " ^k"));
  }

  void visit(const std::vector<model::Condition>& conditions, const std::string& where,
             model::EntityId entity) {
    if (conditions.size() > 1) found_.insert(where + " and");
    for (const model::Condition& condition : conditions) {
      const std::string test = where + " " + test_word(condition.syntax->test);
      const std::string place = " on " + place_word(model_, entity, condition.place);
      // Inside of others the test, the place and the operands count each for itself.
      const bool is_nested = where.starts_with("nested");
      found_.insert(is_nested ? where + place : test + place);
      if (is_nested) found_.insert(test);
      if (!is_nested && condition.place.kind != PlaceKind::kEntity)
        found_.insert(where + " on " + kind_word(condition.place.type.kind));
      for (const language::Operand& operand : condition.syntax->operands)
        found_.insert((is_nested ? where : test) + " " + operand_word(model_, *parameters_, operand, ""));
      const size_t count = condition.syntax->operands.size();
      if (!is_nested && condition.syntax->test == language::Condition::Test::kIn)
        found_.insert(where + (count > 1 ? " in several" : " in one"));
    }
  }

  void visit(const model::Node& node, const language::Tail& tail, int depth) {
    const std::string nested = depth > 0 ? "nested " : "";
    if (depth > 0) found_.insert("nested " + std::to_string(std::min(depth, 3)) + " deep");
    visit(node.where, nested + "where", node.entity);
    visit(node.filter, nested + "filter", node.entity);
    if (node.order) {
      const bool is_down = node.order->second == language::Direction::kDescending;
      found_.insert(nested + "order " + (is_down ? "desc " : "") + "by " +
                    place_word(model_, node.entity, node.order->first));
      found_.insert("order by " + kind_word(node.order->first.type.kind));
    }
    if (node.limit) found_.insert(nested + "limit" + (node.order ? " with order" : ""));
    if (node.page) found_.insert(std::string("page") + (node.order ? " with order" : ""));
    if (node.filter.size() + node.where.size() > 0 && node.limit)
      found_.insert(nested + "limit behind conditions");
    select(node, tail, nested, depth);
  }

  void select(const model::Node& node, const language::Tail& tail, const std::string& nested, int depth) {
    if (!tail.selects) return void(found_.insert(nested + "select nothing said"));
    if (tail.selection.empty()) return void(found_.insert(nested + "select {}"));
    if (node.all_fields) found_.insert(nested + "select *");
    if (!node.fields.empty()) found_.insert(nested + "select fields");
    if (!node.all_fields && node.fields.empty() && !node.nested.empty())
      found_.insert(nested + "select ends alone");
    for (const model::AggregateField& each : node.aggregates) aggregate(each, nested);
    for (const model::Nested& each : node.nested) {
      const model::End& end = model_.end(each.end);
      found_.insert(nested + "select end to " + (end.leads_to_many ? "many" : "one"));
      note_depth(each.depth, "nested end");
      visit(*each.node, each.syntax->tail, depth + 1);
    }
    if (node.nested.size() > 1) found_.insert(nested + "select several ends");
  }

  void aggregate(const model::AggregateField& each, const std::string& nested) {
    const std::string word(language::word_for(language::kAggregateWords, each.syntax->aggregate));
    found_.insert(nested + word);
    for (const model::Place& place : each.operands) {
      const model::Place inner{.kind = place.kind,
                               .ends = {place.ends.begin() + 1, place.ends.end()},
                               .field = place.field,
                               .inside = place.inside,
                               .type = place.type};
      found_.insert(word + " of " + place_word(model_, model_.end(each.over).target, inner));
      if (inner.kind != PlaceKind::kEntity) found_.insert(word + " of " + kind_word(place.type.kind));
    }
    for (const auto& [sign, operand] : each.syntax->expression->rest) {
      found_.insert(word + " with " + sign);
      if (std::holds_alternative<language::Literal>(operand)) found_.insert(word + " with literal");
    }
  }

  const model::Model& model_;
  Features& found_;
  const std::vector<model::Parameter>* parameters_ = nullptr;
};

class OperationWalk {
 public:
  OperationWalk(const model::Model& model, Features& found) : model_(model), found_(found) {}

  void visit(const model::Operation& operation) {
    operation_ = &operation;
    if (!operation.syntax->doc.empty()) found_.insert("doc of an operation");
    const size_t count = operation.writes.size();
    found_.insert("op of " + (count > 4 ? "many" : std::to_string(count)) + " writes");
    add_parameter_features(operation.parameters, found_);
    add_clause_features(operation.syntax->clauses, "op", found_);
    for (const model::Write& write : operation.writes) visit(write);
    for (size_t i = 0; i < count; ++i) {
      for (size_t j = i + 1; j < count; ++j) {
        const model::Write &a = operation.writes[i], &b = operation.writes[j];
        if (a.parameter == b.parameter) found_.insert(word_of(a) + " and " + word_of(b) + " of one");
      }
    }
  }

 private:
  static std::string word_of(const model::Write& write) {
    return std::string(language::word_for(language::kWriteWords, write.syntax->kind));
  }

  const model::Entity& entity_of(const model::Write& write) const {
    return model_.entities[*operation_->parameters[write.parameter].entity];
  }

  void visit(const model::Write& write) {
    const std::string word = word_of(write);
    found_.insert(word);
    const std::string& own = operation_->parameters[write.parameter].name;
    for (size_t i = 0; i < write.syntax->assignments.size(); ++i)
      assignment(word, write, write.places[i], write.syntax->assignments[i].second, own);
    if (write.syntax->assignments.size() > 1) found_.insert(word + " several");
    if (write.syntax->kind == language::Write::Kind::kRemove) {
      for (const model::Place& place : write.places) {
        const bool is_end = place.kind == PlaceKind::kEntity;
        found_.insert(std::string("remove ") + (is_end                             ? "end"
                                                : place.kind == PlaceKind::kInside ? "inside"
                                                                                   : "field"));
      }
    }
    if (!write.linked.empty() && write.places.front().kind == PlaceKind::kEntity) link(word, write);
    for (const auto& [name, operand] : write.syntax->edge_values)
      found_.insert("edge value " + operand_word(model_, operation_->parameters, operand, own));
    for (const model::Condition& condition : write.conditions) check(condition, write, own);
    if (write.conditions.size() > 1) found_.insert("check and");
  }

  void assignment(const std::string& word, const model::Write& write, const model::Place& place,
                  const language::Expression& expression, const std::string& own) {
    if (place.kind == PlaceKind::kEntity) return void(found_.insert("set end"));
    found_.insert(word + " " + kind_word(place.type.kind));
    if (place.kind == PlaceKind::kInside) found_.insert(word + " inside");
    if (entity_of(write).fields[place.field].is_optional) found_.insert(word + " optional field");
    found_.insert(word + " to " + operand_word(model_, operation_->parameters, expression.first, own));
    for (const auto& [sign, operand] : expression.rest) {
      found_.insert(word + " with " + sign);
      found_.insert(word + " with " + operand_word(model_, operation_->parameters, operand, own));
    }
    if (expression.rest.size() > 1) found_.insert(word + " with three terms");
  }

  void link(const std::string& word, const model::Write& write) {
    if (write.syntax->kind == language::Write::Kind::kSet) return;
    const model::Relation& relation = model_.relations[write.places.front().ends.front().relation];
    const std::string kind(language::word_for(language::kCardinalityWords, relation.cardinality));
    found_.insert(word + " " + kind + (relation.is_symmetric ? " symmetric" : ""));
    if (write.linked.front() == write.parameter) found_.insert(word + " with itself");
    const bool is_forward = write.places.front().ends.front().side == 0;
    found_.insert(word + (is_forward ? " forward" : " backward"));
  }

  void check(const model::Condition& condition, const model::Write& write, const std::string& own) {
    const std::string test = "check " + test_word(condition.syntax->test);
    const model::EntityId entity = *operation_->parameters[write.parameter].entity;
    found_.insert(test + " on " + place_word(model_, entity, condition.place));
    if (condition.place.kind != PlaceKind::kEntity)
      found_.insert("check on " + kind_word(condition.place.type.kind));
    for (const language::Operand& operand : condition.syntax->operands)
      found_.insert(test + " " + operand_word(model_, operation_->parameters, operand, own));
  }

  const model::Model& model_;
  Features& found_;
  const model::Operation* operation_ = nullptr;
};

}  // namespace

void add_pattern_features(const model::Model& model, Features& found) {
  PatternWalk walk(model, found);
  for (const model::Pattern& pattern : model.patterns) walk.visit(pattern);
}

void add_operation_features(const model::Model& model, Features& found) {
  OperationWalk walk(model, found);
  for (const model::Operation& operation : model.operations) walk.visit(operation);
}

}  // namespace sheaf::prove
