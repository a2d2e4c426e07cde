#include "run/change.h"

#include <algorithm>

#include "base/try.h"
#include "run/conditions.h"
#include "run/document.h"
#include "run/expression.h"
#include "run/value_check.h"

namespace sheaf::run {
namespace {

using Kind = Change::Kind;
using language::Literal;

class ChangeReader {
 public:
  ChangeReader(const model::Model& model, const model::Layout& layout, const model::Operation& operation,
               const std::vector<Argument>& arguments, std::chrono::system_clock::time_point now)
      : model_(model), layout_(layout), operation_(operation), arguments_(arguments), now_(now) {}

  Result<std::vector<Change>> run() {
    documents_.resize(arguments_.size());
    identities_.resize(arguments_.size());
    TRY(read_entities());
    std::vector<Change> changes;
    for (const model::Write& write : operation_.writes) {
      Change change = TRY(change_of(write));
      changes.push_back(std::move(change));
    }
    return changes;
  }

 private:
  const model::Parameter& parameter(size_t id) const { return operation_.parameters[id]; }

  bool is_put(size_t id) const {
    return std::any_of(operation_.writes.begin(), operation_.writes.end(), [&](const model::Write& write) {
      return write.parameter == id &&
             (write.syntax->kind == Kind::kPut || write.syntax->kind == Kind::kUpsert);
    });
  }

  // Documents of what is put; identities of everything else, first: a document may be within one of those.
  Result<void> read_entities() {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (!parameter(i).entity || is_put(i)) continue;
      if (arguments_[i].value)
        return Error{Code::kInvalid, "the parameter " + parameter(i).name + " is an id, not a document"};
      identities_[i] = arguments_[i].identity;
    }
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (!parameter(i).entity || !is_put(i)) continue;
      if (!arguments_[i].value)
        return Error{Code::kInvalid,
                     "the parameter " + parameter(i).name + " is a document: write an object"};
      DocumentOptions options{.now = now_, .ends = linked_ends(i)};
      Result<Document> read =
          read_document(model_, layout_, *parameter(i).entity, *arguments_[i].value, options);
      if (!read.ok())
        return Error{read.error().code, "the parameter " + parameter(i).name + ": " + read.error().message};
      // Those that the operation links are linked by it.
      read->ends.erase(read->ends.begin(),
                       read->ends.begin() + static_cast<std::ptrdiff_t>(options.ends.size()));
      identities_[i] = read->record.identity;
      documents_[i] = std::move(*read);
    }
    return {};
  }

  // link $e.department $d, from $e
  std::vector<std::pair<model::EndId, Identity>> linked_ends(size_t id) const {
    std::vector<std::pair<model::EndId, Identity>> ends;
    for (const model::Write& write : operation_.writes) {
      if (write.linked.empty() || identities_[write.linked.front()].empty()) continue;
      const bool links = write.syntax->kind == Kind::kLink || write.syntax->kind == Kind::kSet;
      if (links && write.parameter == id)
        ends.emplace_back(write.places.front().ends.front(), identities_[write.linked.front()]);
    }
    return ends;
  }

  Result<Change> change_of(const model::Write& write) {
    Change change{.kind = write.syntax->kind,
                  .entity = *parameter(write.parameter).entity,
                  .identity = identities_[write.parameter]};
    switch (change.kind) {
      case Kind::kPut:
      case Kind::kUpsert: {
        const Document& document = documents_[write.parameter];
        change.fields = document.record.fields;
        change.embedded = document.record.embedded;
        change.ends = document.ends;
        break;
      }
      case Kind::kDelete:
        break;
      case Kind::kSet:
      case Kind::kAdd:
        TRY(read_assignments(write, change));
        break;
      case Kind::kRemove:
        for (const model::Place& place : write.places) {
          if (place.kind == model::Place::Kind::kEntity) {
            change.removed_ends.push_back(place.ends.front());
          } else {
            change.removed.push_back({.field = place.field, .inside = place.inside});
          }
        }
        break;
      case Kind::kLink:
      case Kind::kUnlink:
        change.ends.emplace_back(write.places.front().ends.front(), identities_[write.linked.front()]);
        TRY(read_edge_fields(write, change));
        break;
      case Kind::kCheck:
        TRY(read_checks(write, change));
        break;
    }
    return change;
  }

  Result<void> read_assignments(const model::Write& write, Change& change) const {
    size_t linked = 0;
    for (size_t i = 0; i < write.places.size(); ++i) {
      const model::Place& place = write.places[i];
      if (place.kind == model::Place::Kind::kEntity) {
        change.ends.emplace_back(place.ends.front(), identities_[write.linked[linked++]]);
        continue;
      }
      Assigned assigned{.to = {.field = place.field, .inside = place.inside}};
      const bool is_given = TRY(read_expression(write, i, change.kind == Kind::kAdd, assigned));
      if (is_given) change.assigned.push_back(std::move(assigned));
    }
    return {};
  }

  // Returns whether none of its operands is left out.
  Result<bool> read_expression(const model::Write& write, size_t i, bool is_add, Assigned& assigned) const {
    const model::Place& place = write.places[i];
    const std::vector<model::Operand>& operands = write.expressions[i];
    const auto& marks = write.syntax->assignments[i].second.rest;
    bool is_known = true;
    for (size_t k = 0; k < operands.size(); ++k) {
      auto made = operand(operands[k], place.type, write.parameter);
      if (!made) return false;
      is_known = is_known && std::holds_alternative<Value>(*made);
      if (k == 0) {
        assigned.first = std::move(*made);
      } else {
        assigned.rest.emplace_back(marks[k - 1].first, std::move(*made));
      }
    }
    if (!is_known) return true;
    std::vector<std::pair<char, Value>> rest;
    for (const auto& [mark, value] : assigned.rest) rest.emplace_back(mark, std::get<Value>(value));
    Value value = TRY(evaluated(std::get<Value>(assigned.first), rest));
    TRY(check_value(write, place, is_add, value));
    assigned.first = stored_form(value, place.type);
    assigned.rest.clear();
    return true;
  }

  Result<void> check_value(const model::Write& write, const model::Place& place, bool is_add,
                           const Value& value) const {
    const model::Field& field = model_.entities[*parameter(write.parameter).entity].fields[place.field];
    const bool is_set = place.type.kind == language::Type::Kind::kSet;
    if (is_add && !is_set) {
      const bool is_sum = value.type() == Type::kNumber || place.type.kind == language::Type::Kind::kAny;
      if (!is_sum) return Error{Code::kInvalid, "what is added to " + field.name + " must be a number"};
      return {};
    }
    if (const auto why = misfit(value, field, place.inside))
      return Error{Code::kInvalid, "the field " + field.name + " " + *why};
    return {};
  }

  // Nothing if it is a parameter that is left out. `self`: the parameter whose fields are its own.
  std::optional<ChangeOperand> operand(const model::Operand& operand, const language::Type& type,
                                       std::optional<size_t> self) const {
    if (!operand.parameter) {
      const auto& literal = std::get<Literal>(*operand.syntax);
      return stored_form(literal_value(literal, type, now_), type, now_);
    }
    const size_t id = *operand.parameter;
    if (!arguments_[id].is_given) return std::nullopt;
    if (!parameter(id).entity) return stored_form(*arguments_[id].value, type, now_);
    const model::Place& place = *operand.place;
    const model::EntityId entity = *parameter(id).entity;
    const std::vector<model::FieldPath>& identity = model_.entities[entity].identity;
    const auto part = std::find(identity.begin(), identity.end(),
                                model::FieldPath{.ends = place.ends, .field = place.field});
    if (place.kind == model::Place::Kind::kField && part != identity.end())
      return value_of(identities_[id][static_cast<size_t>(part - identity.begin())], place.type);
    const bool is_own = self && place.ends.empty() && parameter(*self).entity == entity &&
                        identities_[*self] == identities_[id];
    if (is_own) return OwnField{.field = place.field, .inside = place.inside};
    return StoredValue{.entity = entity, .identity = identities_[id], .place = place};
  }

  Result<void> read_edge_fields(const model::Write& write, Change& change) const {
    const model::Relation& relation = model_.relations[change.ends.front().first.relation];
    for (size_t i = 0; i < write.edge_values.size(); ++i) {
      for (const model::Field& field : relation.edge_fields) {
        if (field.name != write.syntax->edge_values[i].first.text) continue;
        auto made = operand(write.edge_values[i], field.type, std::nullopt);
        if (!made) continue;
        if (auto* stored = std::get_if<StoredValue>(&*made)) {
          change.edge_operands.emplace_back(field.name, std::move(*stored));
          continue;
        }
        Value value = std::get<Value>(std::move(*made));
        if (const auto why = misfit(value, field))
          return Error{Code::kInvalid, "the field " + field.name + " " + *why};
        change.edge_fields[field.name] = std::move(value);
      }
    }
    if (change.kind == Kind::kLink) fill_link(relation.edge_fields, change.edge_fields, now_);
    return {};
  }

  Result<void> read_checks(const model::Write& write, Change& change) const {
    for (const model::Condition& condition : write.conditions) {
      Checked checked{.place = &condition.place, .test = condition.syntax->test};
      for (const language::Name& name : condition.syntax->path.names)
        checked.text += (checked.text.empty() ? "$" : ".") + name.text;
      const bool is_prefix = checked.test == language::Condition::Test::kBegins;
      const language::Type type = is_prefix ? language::Type{} : condition.place.type;
      bool is_left_out = false;
      for (const model::Operand& each : condition.operands) {
        auto made = operand(each, type, write.parameter);
        is_left_out = is_left_out || !made;
        if (made) checked.operands.push_back(std::move(*made));
      }
      if (!is_left_out) change.checks.push_back(std::move(checked));
    }
    return {};
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const model::Operation& operation_;
  const std::vector<Argument>& arguments_;
  const std::chrono::system_clock::time_point now_;
  std::vector<Document> documents_;   // one a parameter; of what is put
  std::vector<Identity> identities_;  // one a parameter; of entities
};

}  // namespace

Result<std::vector<Change>> changes_of(const model::Model& model, const model::Layout& layout,
                                       const model::Operation& operation,
                                       const std::vector<Argument>& arguments,
                                       std::chrono::system_clock::time_point now) {
  return ChangeReader(model, layout, operation, arguments, now).run();
}

}  // namespace sheaf::run
