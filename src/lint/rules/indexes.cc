// Rules about how many indexes a table has, and what they are for.
#include <algorithm>
#include <map>

#include "lint/rule.h"
#include "model/strategies/strategy.h"
#include "model/view_allocation.h"

namespace sheaf::lint {
namespace {

language::Span table_span(const Subject& subject, const model::Table& table) {
  return table.span.end > table.span.begin ? table.span : subject.model().syntax().name.span;
}

std::string names_of(const model::Table& table, const std::vector<size_t>& indexes) {
  std::string names;
  for (const size_t index : indexes) names += (names.empty() ? "" : ", ") + table.indexes[index].name;
  return names;
}

// Two indexes that no kind of items is in both of: one could hold the items of both.
std::optional<std::pair<size_t, size_t>> mergeable(const model::Layout& layout, size_t table) {
  const std::vector<model::Index>& indexes = layout.tables[table].indexes;
  const auto kinds_in = [&](size_t index) {
    std::vector<size_t> kinds;
    for (size_t id = 0; id < layout.item_kinds.size(); ++id) {
      const model::ItemKind& kind = layout.item_kinds[id];
      const bool is_there =
          kind.table == table && std::any_of(kind.entries.begin(), kind.entries.end(),
                                             [&](const auto& entry) { return entry.index == index; });
      if (is_there) kinds.push_back(id);
    }
    return kinds;
  };
  for (size_t first = 0; first < indexes.size(); ++first) {
    for (size_t second = first + 1; second < indexes.size(); ++second) {
      if (indexes[first].is_over_table_keys || indexes[second].is_over_table_keys) continue;
      const std::vector<size_t> one = kinds_in(first), other = kinds_in(second);
      const bool shares = std::any_of(one.begin(), one.end(), [&](size_t kind) {
        return std::find(other.begin(), other.end(), kind) != other.end();
      });
      if (!one.empty() && !other.empty() && !shares) return std::pair(first, second);
    }
  }
  return std::nullopt;
}

void find_indexes_per_view(const Subject& subject, Tell& tell) {
  for (size_t id = 0; id < subject.layout().tables.size(); ++id) {
    const model::Table& table = subject.layout().tables[id];
    const auto pair = mergeable(subject.layout(), id);
    if (!pair) continue;
    const model::MostViews most = model::most_views(subject.layout(), id);
    tell.push_back({.span = table_span(subject, table),
                    .message = "the table " + table.name + " has " + std::to_string(table.indexes.size()) +
                               " indexes, and could do with fewer: no item is in both of " +
                               names_of(table, {pair->first, pair->second}) + ", and " + most.name +
                               " needs no more than " + std::to_string(most.count),
                    .fix = "give their items keys in one index with attributes of general names: gsi GSI1 "
                           "GSI1PK / GSI1SK"});
  }
}

void find_indexes_per_relation(const Subject& subject, Tell& tell) {
  // Of each entity that is the many of relations: those with an index each.
  std::map<model::EntityId, std::vector<const model::StoredRelation*>> found;
  for (const model::StoredRelation& stored : subject.layout().relations) {
    if (stored.strategy->kind() != language::Via::Kind::kIndex || !stored.index) continue;
    for (const model::End& end : subject.model().relations[stored.relation].ends) {
      if (!end.leads_to_many) continue;
      std::vector<const model::StoredRelation*>& others = found[end.target];
      const bool is_double = std::any_of(others.begin(), others.end(),
                                         [&](const auto* other) { return other->index == stored.index; });
      if (!is_double) others.push_back(&stored);
    }
  }
  for (const auto& [entity, relations] : found) {
    if (static_cast<int64_t>(relations.size()) < subject.limits.relation_indexes) continue;
    const model::ItemKind* const kind = subject.layout().kind(entity);
    if (kind == nullptr) continue;
    std::vector<size_t> indexes;
    for (const model::StoredRelation* each : relations) indexes.push_back(*each->index);
    Told told{.span = subject.model().entities[entity].syntax->name.span,
              .message = subject.model().entities[entity].name + " has a field and an index for each of " +
                         std::to_string(relations.size()) + " relations (" +
                         names_of(subject.layout().tables[kind->table], indexes) +
                         "): the next one takes another",
              .fix = "store them via edges: all relations share one index, and need no field"};
    for (const model::StoredRelation* each : relations)
      told.notes.push_back({.span = subject.model().relations[each->relation].syntax->forward.span,
                            .text = "one of the relations is here"});
    tell.push_back(std::move(told));
  }
}

void find_many_indexes(const Subject& subject, Tell& tell) {
  for (const model::Table& table : subject.layout().tables) {
    if (static_cast<double>(table.indexes.size()) < subject.limits.near(subject.limits.indexes)) continue;
    tell.push_back({.span = table_span(subject, table),
                    .message = "the table " + table.name + " has " + std::to_string(table.indexes.size()) +
                               " indexes, and " + std::to_string(subject.limits.indexes) + " is the limit",
                    .fix = "let kinds of items share indexes, or store relations via edges"});
  }
}

}  // namespace

std::span<const Rule> index_rules() {
  static constexpr Rule kRules[] = {
      {.id = "index-per-view",
       .points = "H4",
       .title = "Kinds of items have indexes of their own where they could share one.",
       .why = "A table has 20 at most, and each has its own throughput to pay for and to watch.",
       .check = find_indexes_per_view},
      {.id = "index-per-relation",
       .points = "H17",
       .title = "An entity has a field and an index for each of its relations.",
       .why =
           "Every relation that is added takes one more of 20 indexes, and every write pays for all of them.",
       .severity = Severity::kNote,
       .check = find_indexes_per_relation},
      {.id = "many-indexes",
       .points = "G5",
       .title = "A table comes near its limit of indexes.",
       .why = "A table has 20 global indexes at most, and every write pays for those that it changes.",
       .check = find_many_indexes},
  };
  return kRules;
}

}  // namespace sheaf::lint
