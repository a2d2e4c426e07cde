#include "model/layout_clauses.h"

#include <algorithm>

#include "model/layout.h"
#include "model/name_lookup.h"

namespace sheaf::model {
namespace {

using language::Physical;

void replace(Physical& base, const Physical& by) {
  if (by.table) base.table = by.table;
  if (by.tag) base.tag = by.tag;
  if (by.store) {
    base.store = by.store;
    base.store_span = by.store_span;
  }
  if (by.key) base.key = by.key;
  for (const language::IndexKeys& index : by.indexes) {
    const auto same =
        std::find_if(base.indexes.begin(), base.indexes.end(),
                     [&](const language::IndexKeys& each) { return each.index == index.index; });
    if (same == base.indexes.end()) {
      base.indexes.push_back(index);
    } else {
      *same = index;
    }
  }
}

void add_tables(LayoutClauses& clauses, const std::vector<language::Table>& tables, Mistakes& mistakes) {
  for (size_t i = 0; i < tables.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (tables[i].name == tables[j].name)
        mistakes.tell_duplicate("tables", tables[i].name, tables[j].name.span);
    }
    const auto same = std::find_if(clauses.tables.begin(), clauses.tables.end(),
                                   [&](const language::Table* each) { return each->name == tables[i].name; });
    if (same == clauses.tables.end()) {
      clauses.tables.push_back(&tables[i]);
    } else {
      *same = &tables[i];
    }
  }
}

void check_index_lines(const Physical& physical, Mistakes& mistakes) {
  for (size_t i = 0; i < physical.indexes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (physical.indexes[i].index == physical.indexes[j].index)
        mistakes.tell_duplicate("keys for the index", physical.indexes[i].index,
                                physical.indexes[j].index.span);
    }
  }
}

class ClauseReader {
 public:
  ClauseReader(const Model& model, Mistakes& mistakes)
      : model_(model), mistakes_(mistakes), names_(model, mistakes) {}

  std::vector<LayoutClauses> run() {
    LayoutClauses base{.name = std::string(kDefaultLayout)};
    add_tables(base, model_.syntax().tables, mistakes_);
    for (const Entity& entity : model_.entities) {
      check_index_lines(entity.syntax->physical, mistakes_);
      base.entities.push_back(entity.syntax->physical);
    }
    for (const Relation& relation : model_.relations) {
      if (relation.syntax->via) check_index_lines(relation.syntax->via->physical, mistakes_);
      base.relations.push_back(relation.syntax->via);
    }
    base.is_sound = !mistakes_.any();
    all_.push_back(std::move(base));
    for (const language::Layout& layout : model_.syntax().layouts) add(layout);
    return std::move(all_);
  }

 private:
  void add(const language::Layout& layout) {
    if (layout.name.text == kDefaultLayout) {
      return mistakes_.tell("reserved-name", layout.name.span,
                            "default is what the clauses in the bodies form", "choose another name");
    }
    for (const language::Layout& other : model_.syntax().layouts) {
      if (&other == &layout) break;
      if (other.name == layout.name) return mistakes_.tell_duplicate("layouts", layout.name, other.name.span);
    }
    std::vector<std::string_view> names;
    const LayoutClauses* base = nullptr;
    const std::string_view wanted = layout.extends ? std::string_view(layout.extends->text) : kDefaultLayout;
    for (const LayoutClauses& each : all_) {
      names.push_back(each.name);
      if (each.name == wanted) base = &each;
    }
    if (base == nullptr)
      return mistakes_.tell_unknown("unknown-layout", "layout before this one with the name", *layout.extends,
                                    names);
    const size_t mistakes = mistakes_.count();
    LayoutClauses clauses = *base;
    clauses.name = layout.name.text;
    add_tables(clauses, layout.tables, mistakes_);
    for (const language::LayoutEntity& entity : layout.entities) add(layout, entity, clauses);
    for (const language::LayoutRelation& relation : layout.relations) add(layout, relation, clauses);
    clauses.is_sound = base->is_sound && mistakes_.count() == mistakes;
    all_.push_back(std::move(clauses));
  }

  void add(const language::Layout& layout, const language::LayoutEntity& entity, LayoutClauses& clauses) {
    for (const language::LayoutEntity& other : layout.entities) {
      if (&other == &entity) break;
      if (other.name == entity.name)
        return mistakes_.tell_duplicate("entities", entity.name, other.name.span);
    }
    check_index_lines(entity.physical, mistakes_);
    if (const auto id = names_.entity(entity.name)) replace(clauses.entities[*id], entity.physical);
  }

  void add(const language::Layout& layout, const language::LayoutRelation& relation, LayoutClauses& clauses) {
    for (const language::LayoutRelation& other : layout.relations) {
      if (&other == &relation) break;
      if (other.entity == relation.entity && other.end == relation.end)
        return mistakes_.tell_duplicate("relations", relation.end, other.end.span);
    }
    const auto entity = names_.entity(relation.entity);
    if (!entity) return;
    check_index_lines(relation.via.physical, mistakes_);
    if (const auto end = names_.end(*entity, relation.end)) clauses.relations[end->relation] = relation.via;
  }

  const Model& model_;
  Mistakes& mistakes_;
  NameLookup names_;
  std::vector<LayoutClauses> all_;
};

}  // namespace

std::vector<LayoutClauses> layout_clauses(const Model& model, Mistakes& mistakes) {
  return ClauseReader(model, mistakes).run();
}

}  // namespace sheaf::model
