#include "lint/change_rates.h"

#include <algorithm>
#include <cstdlib>

#include "plan/budgets.h"

namespace sheaf::lint {
namespace {

using WriteKind = language::Write::Kind;

double per_day(const language::Rate& rate) {
  constexpr double kTimes[] = {86'400, 1'440, 24, 1};
  return std::strtod(rate.count.c_str(), nullptr) * kTimes[static_cast<size_t>(rate.per)];
}

template <typename Changes>
ChangeRate rate_of(const model::Model& model, Changes changes) {
  ChangeRate found;
  for (const model::Operation& operation : model.operations) {
    const auto& rate = operation.syntax->clauses.rate;
    if (!rate || !changes(operation)) continue;
    found.per_day += per_day(*rate);
    found.operations.push_back(&operation);
  }
  return found;
}

bool is_of(const model::Write& write, WriteKind kind, model::RelationId relation) {
  return write.syntax->kind == kind && !write.places.empty() && !write.places.front().ends.empty() &&
         write.places.front().ends.front().relation == relation;
}

}  // namespace

std::string ChangeRate::text() const {
  std::string names;
  for (size_t i = 0; i < operations.size(); ++i) {
    const bool is_last = i + 1 == operations.size();
    names += (i == 0 ? "" : is_last ? " and " : ", ") + operations[i]->name;
  }
  return names + (operations.size() == 1 ? " changes it " : " change it ") + plan::number_text(per_day) +
         " times a day";
}

std::vector<language::Note> ChangeRate::notes() const {
  std::vector<language::Note> notes;
  for (const model::Operation* each : operations)
    notes.push_back({.span = each->syntax->name.span, .text = "the operation is here"});
  return notes;
}

ChangeRate field_changes(const model::Model& model, model::EntityId entity, model::FieldId field) {
  return rate_of(model, [&](const model::Operation& operation) {
    return std::any_of(operation.writes.begin(), operation.writes.end(), [&](const model::Write& write) {
      if (operation.parameters[write.parameter].entity != entity) return false;
      if (write.syntax->kind == WriteKind::kUpsert) return true;
      // What is only looked at is not changed.
      if (write.syntax->kind == WriteKind::kCheck) return false;
      return std::any_of(write.places.begin(), write.places.end(), [&](const model::Place& place) {
        const bool is_field =
            place.kind == model::Place::Kind::kField || place.kind == model::Place::Kind::kInside;
        return is_field && place.ends.empty() && place.field == field;
      });
    });
  });
}

ChangeRate edge_changes(const model::Model& model, model::RelationId relation) {
  return rate_of(model, [&](const model::Operation& operation) {
    const auto relinks = [&](const model::Write& linked) {
      if (!is_of(linked, WriteKind::kLink, relation) || linked.syntax->edge_values.empty()) return false;
      return std::any_of(operation.writes.begin(), operation.writes.end(), [&](const model::Write& other) {
        if (!is_of(other, WriteKind::kUnlink, relation)) return false;
        const auto pair = [](const model::Write& write) {
          std::vector<size_t> both = write.linked;
          both.push_back(write.parameter);
          std::sort(both.begin(), both.end());
          return both;
        };
        return pair(other) == pair(linked);
      });
    };
    return std::any_of(operation.writes.begin(), operation.writes.end(), relinks);
  });
}

}  // namespace sheaf::lint
