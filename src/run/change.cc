#include "run/change.h"

#include <algorithm>

#include "base/try.h"
#include "run/conditions.h"
#include "run/document.h"
#include "run/value_check.h"

namespace sheaf::run {
namespace {

using Kind = Change::Kind;
using language::Literal;
using language::Path;

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
      const language::Expression& expression = write.syntax->assignments[i].second;
      if (place.kind == model::Place::Kind::kEntity) {
        change.ends.emplace_back(place.ends.front(), identities_[write.linked[linked++]]);
        continue;
      }
      Assigned assigned{.to = {.field = place.field, .inside = place.inside}};
      assigned.first = TRY(operand(write, expression.first, place.type));
      for (const auto& [mark, one] : expression.rest) {
        auto value = TRY(operand(write, one, place.type));
        assigned.rest.emplace_back(mark, std::move(value));
      }
      const bool is_value = change.kind == Kind::kSet || place.type.kind == language::Type::Kind::kSet;
      if (assigned.rest.empty() && is_value) TRY(check_value(write, place, assigned));
      change.assigned.push_back(std::move(assigned));
    }
    return {};
  }

  Result<void> check_value(const model::Write& write, const model::Place& place, Assigned& assigned) const {
    auto* value = std::get_if<Value>(&assigned.first);
    if (value == nullptr) return {};
    const model::Field& field = model_.entities[*parameter(write.parameter).entity].fields[place.field];
    const auto why = place.inside.empty() ? misfit(*value, field) : misfit(*value, place.type);
    if (why) return Error{Code::kInvalid, "the field " + field.name + " " + *why};
    *value = stored_form(*value, place.type);
    return {};
  }

  // A literal, a parameter, a part of a parameter's identity, or a stored field of the entity itself.
  Result<std::variant<Value, OwnField>> operand(const model::Write& write, const language::Operand& operand,
                                                const language::Type& type) const {
    using Made = std::variant<Value, OwnField>;
    if (const auto* literal = std::get_if<Literal>(&operand)) return Made(literal_value(*literal, type));
    const Path& path = std::get<Path>(operand);
    const std::string& first = path.names.front().text;
    for (size_t i = 0; i < operation_.parameters.size(); ++i) {
      if (parameter(i).name != first) continue;
      if (!parameter(i).entity) {
        if (arguments_[i].value) return Made(*arguments_[i].value);
        return Error{Code::kInvalid, operation_.name + " needs its parameter " + first};
      }
      if (i == write.parameter && path.names.size() > 1) return own_field(i, path);
      return identity_value(i, path);
    }
    return Error{Code::kInvalid, "there is no parameter " + first};
  }

  Result<std::variant<Value, OwnField>> own_field(size_t id, const Path& path) const {
    using Made = std::variant<Value, OwnField>;
    const model::EntityId entity = *parameter(id).entity;
    const auto field = model_.find_field(entity, path.names[1].text);
    if (!field) return Error{Code::kInvalid, "there is no field " + path.names[1].text};
    if (model_.entities[entity].fields[*field].is_id) return identity_value(id, path);
    OwnField own{.field = *field};
    for (size_t i = 2; i < path.names.size(); ++i) own.inside.push_back(path.names[i].text);
    return Made(own);
  }

  Result<std::variant<Value, OwnField>> identity_value(size_t id, const Path& path) const {
    using Made = std::variant<Value, OwnField>;
    const model::EntityId entity = *parameter(id).entity;
    std::string name;
    for (size_t i = 1; i < path.names.size(); ++i) name += (i > 1 ? "." : "") + path.names[i].text;
    const std::vector<model::FieldPath>& identity = model_.entities[entity].identity;
    for (size_t part = 0; part < identity.size(); ++part) {
      if (model_.text(entity, identity[part]) == name)
        return Made(value_of(identities_[id][part], model_.field(entity, identity[part]).type));
    }
    return Error{Code::kInvalid, name + " is no part of the id of $" + parameter(id).name};
  }

  Result<void> read_edge_fields(const model::Write& write, Change& change) const {
    const model::Relation& relation = model_.relations[change.ends.front().first.relation];
    for (const auto& [name, given] : write.syntax->edge_values) {
      for (const model::Field& field : relation.edge_fields) {
        if (field.name != name.text) continue;
        const auto made = TRY(operand(write, given, field.type));
        const Value& value = std::get<Value>(made);
        if (const auto why = misfit(value, field))
          return Error{Code::kInvalid, "the field " + field.name + " " + *why};
        change.edge_fields[field.name] = stored_form(value, field.type);
      }
    }
    fill_defaults(relation.edge_fields, change.edge_fields);
    return {};
  }

  Result<void> read_checks(const model::Write& write, Change& change) const {
    for (const model::Condition& condition : write.conditions) {
      Checked checked{.place = &condition.place, .test = condition.syntax->test};
      for (const language::Name& name : condition.syntax->path.names)
        checked.text += (checked.text.empty() ? "$" : ".") + name.text;
      bool is_left_out = false;
      for (size_t i = 0; i < condition.syntax->operands.size(); ++i) {
        auto value = operand_value(model_, condition.syntax->operands[i], condition, i, arguments_,
                                   operation_.parameters);
        is_left_out = is_left_out || !value;
        if (value) checked.operands.push_back(std::move(*value));
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
