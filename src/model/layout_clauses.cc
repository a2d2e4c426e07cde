#include "model/layout_clauses.h"

#include <algorithm>

#include "model/layout.h"

namespace sheaf::model {
namespace {

using language::Physical;

void replace(Physical& base, const Physical& by) {
  if (by.table) base.table = by.table;
  if (by.tag) base.tag = by.tag;
  if (by.store) base.store = by.store;
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

class ClauseReader {
 public:
  ClauseReader(const Model& model, Mistakes& mistakes) : model_(model), mistakes_(mistakes) {}

  std::vector<LayoutClauses> run() {
    LayoutClauses base{.name = std::string(kDefaultLayout)};
    add_tables(base, model_.syntax().tables, mistakes_);
    for (const Entity& entity : model_.entities) base.entities.push_back(entity.syntax->physical);
    for (const Relation& relation : model_.relations) base.relations.push_back(relation.syntax->via);
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
    LayoutClauses clauses = *base;
    clauses.name = layout.name.text;
    add_tables(clauses, layout.tables, mistakes_);
    for (const language::LayoutEntity& entity : layout.entities) {
      if (const auto id = find_entity(entity.name)) replace(clauses.entities[*id], entity.physical);
    }
    for (const language::LayoutRelation& relation : layout.relations) {
      const auto entity = find_entity(relation.entity);
      if (!entity) continue;
      const auto end = model_.find_end(*entity, relation.end.text);
      if (!end) {
        std::vector<std::string_view> ends;
        for (const EndId each : model_.entities[*entity].ends) ends.push_back(model_.end(each).name);
        mistakes_.tell_unknown("unknown-end", "end of " + relation.entity.text, relation.end, ends);
      } else {
        clauses.relations[end->relation] = relation.via;
      }
    }
    all_.push_back(std::move(clauses));
  }

  std::optional<EntityId> find_entity(const language::Name& name) {
    const auto found = model_.find_entity(name.text);
    if (found) return found;
    std::vector<std::string_view> names;
    for (const Entity& entity : model_.entities) names.push_back(entity.name);
    mistakes_.tell_unknown("unknown-entity", "entity", name, names);
    return std::nullopt;
  }

  const Model& model_;
  Mistakes& mistakes_;
  std::vector<LayoutClauses> all_;
};

}  // namespace

std::vector<LayoutClauses> layout_clauses(const Model& model, Mistakes& mistakes) {
  return ClauseReader(model, mistakes).run();
}

}  // namespace sheaf::model
