#include <algorithm>
#include <map>

#include "base/try.h"
#include "generate/arguments.h"
#include "generate/found_values.h"
#include "run/item_codec.h"

namespace sheaf::generate {
namespace {

using WriteKind = language::Write::Kind;
using model::EndId;
using model::EntityId;

constexpr int kOperationTries = 40;
constexpr uint64_t kNonces = uint64_t{1} << 36;
constexpr uint64_t kLookedThrough = 1000;

class OperationArguments {
 public:
  OperationArguments(const Generator& generator, const model::Operation& operation, Chance& chance)
      : generator_(generator),
        model_(generator.model()),
        operation_(operation),
        chance_(chance),
        chosen_(operation.parameters.size()),
        values_(operation.parameters.size()) {}

  Result<ArgumentValues> run() {
    for (const model::Write& write : operation_.writes) {
      if (write.syntax->kind == WriteKind::kLink || write.syntax->kind == WriteKind::kUnlink)
        choose_pair(write);
    }
    // Those who are there.
    for (size_t i = 0; i < values_.size(); ++i) {
      const auto& entity = operation_.parameters[i].entity;
      if (!entity || is_put(i)) continue;
      TRY(choose(i));
      values_[i] = generator_.id(*entity, *chosen_[i]);
    }
    // Those who are new, parents first.
    for (size_t round = 0; round < values_.size(); ++round) {
      for (size_t i = 0; i < values_.size(); ++i) {
        if (!is_put(i) || values_[i] || (waits(i) && round + 1 < values_.size())) continue;
        values_[i] = TRY(new_document(i));
      }
    }
    for (const model::Write& write : operation_.writes) give_values(write);
    ArgumentValues made;
    for (size_t i = 0; i < values_.size(); ++i) {
      const model::Parameter& parameter = operation_.parameters[i];
      if (parameter.is_optional && chance_.one_in(3)) values_[i] = Value();
      made.push_back(fitted(values_[i].value_or(Value()), parameter));
    }
    return made;
  }

 private:
  const model::Parameter& parameter(size_t i) const { return operation_.parameters[i]; }

  bool is_put(size_t i) const {
    return std::any_of(operation_.writes.begin(), operation_.writes.end(), [&](const model::Write& write) {
      return write.parameter == i &&
             (write.syntax->kind == WriteKind::kPut || write.syntax->kind == WriteKind::kUpsert);
    });
  }

  Result<void> choose(size_t i) {
    if (chosen_[i]) return {};
    const EntityId entity = *parameter(i).entity;
    if (generator_.count(entity) == 0)
      return Error{Code::kInvalid, "there is no " + model_.entities[entity].name};
    // Two parameters of one kind are two entities, if there are two.
    for (int t = 0; t < kOperationTries; ++t) {
      chosen_[i] = pick(entity, t);
      bool is_alone = passes_checks(i);
      for (size_t k = 0; k < chosen_.size(); ++k)
        is_alone = is_alone && (k == i || parameter(k).entity != entity || chosen_[k] != chosen_[i]);
      if (is_alone) break;
    }
    return {};
  }

  // Popular ones at first, then any.
  uint64_t pick(EntityId entity, int attempt) {
    return attempt < kOperationTries / 2 ? generator_.pick(entity, chance_)
                                         : chance_.below(generator_.count(entity));
  }

  // The checks of the operation that say what must be there.
  bool passes_checks(size_t i) {
    const Met met{.entity = *parameter(i).entity, .ordinal = *chosen_[i]};
    for (const model::Write& write : operation_.writes) {
      for (const model::Condition& condition : write.conditions) {
        if (condition.syntax->path.names.front().text == parameter(i).name &&
            !holds(generator_, met, condition, chance_).value_or(true))
          return false;
      }
    }
    return true;
  }

  bool are_linked(EndId end, uint64_t from, uint64_t to) const {
    bool found = false;
    uint64_t seen = 0;
    generator_.each_edge(end, from, [&](const EdgePlace&, uint64_t other) {
      found = other == to;
      return !found && ++seen < kLookedThrough;
    });
    return found;
  }

  // Two who are linked, or not, as the write needs it.
  void choose_pair(const model::Write& write) {
    const size_t from = write.parameter, to = write.linked.front();
    const EndId end = write.places.front().ends.front();
    const bool is_unlinked = write.syntax->kind == WriteKind::kUnlink;
    if (is_put(from) || is_put(to) || generator_.count(*parameter(from).entity) == 0 ||
        generator_.count(*parameter(to).entity) == 0)
      return;
    const bool is_from_chosen = chosen_[from].has_value(), is_to_chosen = chosen_[to].has_value();
    for (int t = 0; t < kOperationTries; ++t) {
      if (!is_from_chosen) chosen_[from] = pick(*parameter(from).entity, t);
      if (is_unlinked) {
        const Met met{.entity = *parameter(from).entity, .ordinal = *chosen_[from]};
        const auto other = step(generator_, met, end, chance_);
        if (!other) continue;
        if (!is_to_chosen) chosen_[to] = other->ordinal;
        return;
      }
      if (!is_to_chosen) chosen_[to] = pick(*parameter(to).entity, t);
      const bool is_free = (model_.end(end).leads_to_many || generator_.degree(end, *chosen_[from]) == 0) &&
                           (model_.end(model_.back(end)).leads_to_many ||
                            generator_.degree(model_.back(end), *chosen_[to]) == 0);
      const bool is_loop = model_.end(end).holder == model_.end(end).target && chosen_[from] == chosen_[to];
      if (is_free && !is_loop && !are_linked(end, *chosen_[from], *chosen_[to])) return;
    }
  }

  // The parameter to which the operation itself links a new one by an end.
  bool is_linked_by_operation(size_t i, EndId end) const {
    for (const model::Write& write : operation_.writes) {
      for (size_t k = 0; k < write.linked.size(); ++k) {
        if (write.places.size() <= k || write.places[k].ends.empty()) continue;
        const EndId written = write.places[k].ends.front();
        if (write.parameter == i && written == end) return true;
        if (write.linked[k] == i && model_.back(written) == end) return true;
      }
    }
    return false;
  }

  // Another parameter to which a new one can lead by an end.
  std::optional<size_t> parameter_for(size_t i, EndId end) const {
    for (size_t k = 0; k < values_.size(); ++k) {
      if (k != i && parameter(k).entity == model_.end(end).target) return k;
    }
    return std::nullopt;
  }

  bool is_needed(size_t i, EndId end) const {
    return model_.end(end).is_required || model_.entities[*parameter(i).entity].within == end;
  }

  // Whether it leads to one that is new, too, and not made yet.
  bool waits(size_t i) const {
    for (const EndId end : model_.entities[*parameter(i).entity].ends) {
      if (!is_needed(i, end) || is_linked_by_operation(i, end)) continue;
      const auto other = parameter_for(i, end);
      if (other && is_put(*other) && !values_[*other]) return true;
    }
    return false;
  }

  Result<Value> new_document(size_t i) {
    const EntityId entity = *parameter(i).entity;
    std::vector<EndId> without;
    run::Fields ends;
    for (const EndId end : model_.entities[entity].ends) {
      if (is_linked_by_operation(i, end)) {
        without.push_back(end);
        continue;
      }
      const auto other = is_needed(i, end) ? parameter_for(i, end) : std::nullopt;
      if (!other || !values_[*other]) continue;
      without.push_back(end);
      ends[model_.end(end).name] = is_put(*other) ? id_in(*other, *values_[*other]) : *values_[*other];
    }
    const uint64_t nonces = std::clamp<uint64_t>(generator_.room(entity), 1, kNonces);
    const Value made = TRY(generator_.new_document(entity, chance_.below(nonces), without));
    run::Fields fields = std::move(ends);
    for (const Attribute part : made.view().map()) fields[std::string(part.name)] = Value(part.value);
    return Value(run::item_of(fields));
  }

  // The id that a new document has.
  Value id_in(size_t i, const Value& document) const {
    const model::Entity& entity = model_.entities[*parameter(i).entity];
    std::vector<Value> parts;
    if (entity.within) {
      if (const auto parent = document.view().map().find(model_.end(*entity.within).name)) {
        if (parent->type() == Type::kList) {
          for (const ValueView part : parent->list()) parts.emplace_back(part);
        } else {
          parts.emplace_back(*parent);
        }
      }
    }
    for (const model::Field& field : entity.fields) {
      const auto value = field.is_id ? document.view().map().find(field.name) : std::nullopt;
      if (value) parts.emplace_back(*value);
    }
    return parts.size() == 1 ? parts.front() : Value::list(parts);
  }

  std::optional<size_t> value_parameter(const language::Operand& operand) const {
    const auto* const path = std::get_if<language::Path>(&operand);
    if (path == nullptr || !path->from_parameter || path->names.size() != 1) return std::nullopt;
    for (size_t i = 0; i < operation_.parameters.size(); ++i) {
      if (parameter(i).name == path->names.front().text && !parameter(i).entity) return i;
    }
    return std::nullopt;
  }

  void give(const language::Operand& operand, const std::function<Value()>& value) {
    const auto i = value_parameter(operand);
    if (i && !values_[*i]) values_[*i] = value();
  }

  // Parameters that are values: by where they are written or compared.
  void give_values(const model::Write& write) {
    const EntityId entity = *parameter(write.parameter).entity;
    const bool is_added = write.syntax->kind == WriteKind::kAdd;
    for (size_t k = 0; k < write.syntax->assignments.size(); ++k) {
      const model::Place& place = write.places[k];
      if (place.kind == model::Place::Kind::kEntity) continue;
      const language::Expression& expression = write.syntax->assignments[k].second;
      const bool is_sum = is_added || !expression.rest.empty();
      const auto value = [&] { return value_for(entity, place, is_sum); };
      give(expression.first, value);
      for (const auto& [mark, operand] : expression.rest) give(operand, value);
    }
    for (const auto& [name, operand] : write.syntax->edge_values) {
      const model::RelationId relation = write.places.front().ends.front().relation;
      const auto& fields = model_.relations[relation].edge_fields;
      for (model::FieldId field = 0; field < fields.size(); ++field) {
        if (fields[field].name == name.text)
          give(operand, [&] { return generator_.some_edge_value(relation, field, chance_); });
      }
    }
    for (const model::Condition& condition : write.conditions) give_compared(condition);
  }

  Value value_for(EntityId entity, const model::Place& place, bool is_sum) {
    if (is_sum &&
        (place.type.kind == language::Type::Kind::kInt || place.type.kind == language::Type::Kind::kNumber))
      return Value(static_cast<int64_t>(1 + chance_.below(10)));
    if (place.kind == model::Place::Kind::kField) return generator_.some_value(entity, place.field, chance_);
    const model::Field field{.name = place.inside.back(), .type = place.type};
    const Period period{.begin_ms = generator_.until_ms() - 86'400'000, .end_ms = generator_.until_ms()};
    const auto values = FieldValues::of(field, {.period = period});
    return values.ok() ? values->some({.time_ms = period.begin_ms, .period = period}, chance_) : Value();
  }

  // What the chosen one has there.
  void give_compared(const model::Condition& condition) {
    const std::string& name = condition.syntax->path.names.front().text;
    for (size_t i = 0; i < operation_.parameters.size(); ++i) {
      if (parameter(i).name != name || !chosen_[i]) continue;
      const Met met{.entity = *parameter(i).entity, .ordinal = *chosen_[i]};
      for (size_t k = 0; k < condition.syntax->operands.size(); ++k) {
        give(condition.syntax->operands[k], [&] {
          const auto found = value_at(generator_, met, condition.place, chance_);
          return found ? operand_for(condition.syntax->test, k == 1, *found, *found) : Value();
        });
      }
    }
  }

  const Generator& generator_;
  const model::Model& model_;
  const model::Operation& operation_;
  Chance& chance_;
  std::vector<std::optional<uint64_t>> chosen_;  // those who are there
  std::vector<std::optional<Value>> values_;
};

}  // namespace

Result<ArgumentValues> arguments(const Generator& generator, const model::Operation& operation,
                                 Chance& chance) {
  return OperationArguments(generator, operation, chance).run();
}

}  // namespace sheaf::generate
