// Rules about how many indexes a table has, and what they are for.
#include <algorithm>
#include <iterator>
#include <map>

#include "language/lexer.h"
#include "lint/rule.h"
#include "model/strategies/strategy.h"
#include "model/view_allocation.h"
#include "plan/related.h"

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

bool are_alike(const model::Index& one, const model::Index& other) {
  return one.sk && other.sk && one.pk.type == other.pk.type && one.sk->type == other.sk->type &&
         one.projection == other.projection && one.included == other.included;
}

// Lets the items of the second lie in the first, and takes the second away. Where other layouts have a say in
// it, somebody must look.
std::optional<Repair> merged(const Subject& subject, const model::Table& table, size_t first, size_t second) {
  const language::Model& syntax = subject.model().syntax();
  const std::string& kept = table.indexes[first].name;
  const std::string& dropped = table.indexes[second].name;
  if (!syntax.layouts.empty() || !are_alike(table.indexes[first], table.indexes[second])) return std::nullopt;
  Repair repair{.title = "use " + kept + " in place of " + dropped, .moves_items = true};
  std::optional<language::Span> clause;
  for (const language::Table& each : syntax.tables) {
    if (each.name.text != table.name) continue;
    for (const language::Gsi& gsi : each.indexes) {
      if (gsi.name.text == dropped) clause = gsi.span;
    }
  }
  if (!clause) return std::nullopt;
  language::Diagnostics ignored;
  std::vector<language::Token> tokens = language::tokens_of(subject.source(), ignored);
  std::vector<language::Token> comments;
  std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(comments), language::is_comment);
  std::erase_if(tokens, language::is_comment);
  std::optional<size_t> first_word, last_word;
  for (size_t i = 1; i < tokens.size(); ++i) {
    const language::Span span = tokens[i].span;
    const bool is_inside = span.begin >= clause->begin && span.end <= clause->end;
    const bool is_reference = tokens[i - 1].text == "index" || tokens[i - 1].text == "on";
    if (is_inside) {
      if (!first_word) first_word = tokens[i - 1].text == "gsi" ? i - 1 : i;
      last_word = i;
    } else if (is_reference && tokens[i].text == dropped) {
      repair.edits.push_back({.span = span, .text = kept});
    }
  }
  if (!first_word || *first_word == 0 || *last_word + 1 >= tokens.size()) return std::nullopt;
  // With what stands before it, up to the clause before.
  const bool has_mark = tokens[*last_word + 1].text == ";";
  const language::Span gone{.begin = tokens[*first_word - 1].span.end,
                            .end = tokens[*last_word + (has_mark ? 1 : 0)].span.end};
  const bool has_comment = std::any_of(comments.begin(), comments.end(), [&](const language::Token& comment) {
    return comment.span.begin < gone.end && comment.span.end > gone.begin;
  });
  if (has_comment) return std::nullopt;
  repair.edits.push_back({.span = gone, .text = {}});
  return repair;
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
                           "GSI1PK / GSI1SK",
                    .repair = merged(subject, table, pair->first, pair->second)});
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

// --- unused-index

// Whoever deletes, links or copies finds the other side of a relation by the index, too.
bool is_needed_to_write(const Subject& subject, const model::Layout& layout, const plan::View& view) {
  const model::Model& model = subject.model();
  const auto reads = [&](const std::optional<plan::Plan>& plan) {
    return plan && std::any_of(plan->requests.begin(), plan->requests.end(),
                               [&](const plan::Request& request) { return request.view == view; });
  };
  for (const model::StoredRelation& stored : layout.relations) {
    for (const int side : {0, 1}) {
      if (reads(plan::related_plan(model, layout, {.relation = stored.relation, .side = side}))) return true;
    }
  }
  for (model::EntityId id = 0; id < model.entities.size() && !model.operations.empty(); ++id) {
    if (layout.has_items(id) && reads(plan::lookup_plan(model, layout, id))) return true;
  }
  return false;
}

enum class IndexUse : uint8_t { kNothingThere, kNotRead, kUsed };

IndexUse use_of(const Subject& subject, size_t layout_id, const plan::View& view) {
  const model::Layout& layout = subject.planned.compiled.layouts[layout_id];
  const bool holds_any =
      layout.tables[view.table].indexes[*view.index].is_over_table_keys ||
      std::any_of(layout.item_kinds.begin(), layout.item_kinds.end(), [&](const model::ItemKind& kind) {
        return kind.table == view.table &&
               std::any_of(kind.entries.begin(), kind.entries.end(),
                           [&](const model::IndexEntry& entry) { return entry.index == *view.index; });
      });
  if (!holds_any) return IndexUse::kNothingThere;
  // Nobody knows what a model without patterns is read by.
  if (subject.model().patterns.empty() || !layout.is_sound) return IndexUse::kUsed;
  for (const plan::PlannedPattern& planned : subject.planned.plans[layout_id]) {
    if (!planned.ok()) continue;
    for (const plan::Request& request : std::get<plan::Plan>(planned.plan).requests) {
      if (request.kind == plan::Request::Kind::kQuery && request.view == view) return IndexUse::kUsed;
    }
  }
  return is_needed_to_write(subject, layout, view) ? IndexUse::kUsed : IndexUse::kNotRead;
}

// The same of all layouts that have it: they share what is declared once.
IndexUse use_in_any(const Subject& subject, const model::Table& table, const model::Index& index) {
  IndexUse most = IndexUse::kNothingThere;
  const std::vector<model::Layout>& layouts = subject.planned.compiled.layouts;
  for (size_t id = 0; id < layouts.size(); ++id) {
    for (size_t t = 0; t < layouts[id].tables.size(); ++t) {
      const auto at = layouts[id].tables[t].find_index(index.name);
      if (layouts[id].tables[t].name == table.name && at)
        most = std::max(most, use_of(subject, id, {.table = t, .index = *at}));
    }
  }
  return most;
}

// Of the index itself, where it is written.
language::Span index_span(const Subject& subject, const model::Table& table, const model::Index& index) {
  const language::Model& syntax = subject.model().syntax();
  std::vector<const language::Table*> tables;
  for (const language::Table& each : syntax.tables) tables.push_back(&each);
  for (const language::Layout& layout : syntax.layouts) {
    for (const language::Table& each : layout.tables) tables.push_back(&each);
  }
  for (const language::Table* each : tables) {
    if (each->name.span != table.span) continue;
    for (const language::Gsi& gsi : each->indexes) {
      if (gsi.name.text == index.name) return gsi.name.span;
    }
  }
  return table_span(subject, table);
}

void find_unused_indexes(const Subject& subject, Tell& tell) {
  for (const model::Table& table : subject.layout().tables) {
    for (const model::Index& index : table.indexes) {
      if (index.is_allocated) continue;
      const IndexUse use = use_in_any(subject, table, index);
      if (use == IndexUse::kUsed) continue;
      const bool is_empty = use == IndexUse::kNothingThere;
      tell.push_back({.span = index_span(subject, table, index),
                      .message = "the index " + index.name + " of the table " + table.name +
                                 (is_empty ? " holds nothing: no item has a key in it"
                                           : " is read by no pattern, and no relation needs it"),
                      .fix = is_empty
                                 ? "leave it out; or give items keys in it (index " + index.name + " ..)"
                                 : "leave it out, with the keys that items have in it; or write down the "
                                   "pattern that it is for"});
    }
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
      {.id = "unused-index",
       .points = "G5",
       .title = "An index holds nothing, or no pattern reads it.",
       .why = "It is one of 20, and every write of what it holds pays for it.",
       .check = find_unused_indexes},
  };
  return kRules;
}

}  // namespace sheaf::lint
