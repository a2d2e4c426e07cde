#include "assist/index_names.h"

#include <algorithm>
#include <map>

#include "model/layout_clauses.h"

namespace sheaf::assist {
namespace {

using language::Name;
using language::Span;
using Tables = std::vector<const language::Table*>;

class ClauseNames {
 public:
  ClauseNames(const model::Model& model, SymbolWriter& writer) : model_(model), writer_(writer) {}

  void run() {
    language::Diagnostics ignored;
    model::Mistakes mistakes(ignored);
    const std::vector<model::LayoutClauses> layouts = model::layout_clauses(model_, mistakes);
    for (const model::LayoutClauses& clauses : layouts) {
      clauses_ = &clauses;
      for (const language::Physical& physical : clauses.entities) refer(physical, {physical.table});
      for (size_t i = 0; i < clauses.relations.size(); ++i) {
        if (clauses.relations[i]) refer(i, *clauses.relations[i]);
      }
    }
    clauses_ = &layouts.front();
    for (const language::Compare& compare : model_.syntax().compares) refer(compare);
    refer_included();
  }

 private:
  const language::Table* find(const Name& name) const {
    const auto found = std::find_if(clauses_->tables.begin(), clauses_->tables.end(),
                                    [&](const language::Table* each) { return each->name == name; });
    return found == clauses_->tables.end() ? nullptr : *found;
  }

  // The index with this name in the first of these tables that has it, or else in any.
  const language::Gsi* find(const Name& name, const std::vector<std::optional<Name>>& tables) const {
    const auto in = [&](const language::Table& table) -> const language::Gsi* {
      for (const language::Gsi& gsi : table.indexes) {
        if (gsi.name == name) return &gsi;
      }
      return nullptr;
    };
    for (const std::optional<Name>& table : tables) {
      const language::Table* const named = table ? find(*table) : nullptr;
      const language::Gsi* const found = named != nullptr ? in(*named) : nullptr;
      if (found != nullptr) return found;
    }
    for (const language::Table* table : clauses_->tables) {
      if (const language::Gsi* const found = in(*table)) return found;
    }
    return nullptr;
  }

  void refer_index(const Name& name, const std::vector<std::optional<Name>>& tables) {
    const language::Gsi* const gsi = find(name, tables);
    if (gsi == nullptr) return;
    const auto [first, is_new] = meant_.emplace(name.span.begin, gsi->name.span);
    if (is_new) {
      writer_.refer(name, gsi->name.span);
    } else {
      writer_.merge(first->second, gsi->name.span);
    }
  }

  void refer(const language::Physical& physical, const std::vector<std::optional<Name>>& tables) {
    if (physical.table) {
      if (const language::Table* const named = find(*physical.table))
        writer_.refer(*physical.table, named->name.span);
    }
    for (const language::IndexKeys& index : physical.indexes) refer_index(index.index, tables);
  }

  void refer(size_t relation, const language::Via& via) {
    const model::Relation& declared = model_.relations[relation];
    const std::vector<std::optional<Name>> tables = {via.physical.table,
                                                     clauses_->entities[declared.ends[0].target].table,
                                                     clauses_->entities[declared.ends[1].target].table};
    if (via.on) refer_index(*via.on, tables);
    refer(via.physical, tables);
  }

  void refer(const language::Compare& compare) {
    if (!compare.relation) return;
    const auto entity = model_.find_entity(compare.relation->first.text);
    const auto end = entity ? model_.find_end(*entity, compare.relation->second.text) : std::nullopt;
    if (!end) return;
    for (const language::Via& way : compare.ways) refer(end->relation, way);
  }

  // include(title): the attribute of the one field that is stored like this.
  void refer_included() {
    std::map<std::string_view, std::vector<Span>> fields;
    for (const model::Entity& entity : model_.entities) {
      for (const model::Field& field : entity.fields) {
        if (field.kept == model::Kept::kNo && !field.syntax->stored_as)
          fields[field.attribute].push_back(field.syntax->name.span);
      }
    }
    const auto refer_in = [&](const language::Table& table) {
      for (const language::Gsi& gsi : table.indexes) {
        for (const Name& name : gsi.included) {
          const auto found = fields.find(name.text);
          if (found != fields.end() && found->second.size() == 1) writer_.refer(name, found->second.front());
        }
      }
    };
    for (const language::Table& table : model_.syntax().tables) refer_in(table);
    for (const language::Layout& layout : model_.syntax().layouts) {
      for (const language::Table& table : layout.tables) refer_in(table);
    }
  }

  const model::Model& model_;
  SymbolWriter& writer_;
  const model::LayoutClauses* clauses_ = nullptr;
  std::map<uint32_t, Span> meant_;  // by where the reference begins
};

}  // namespace

void refer_tables_and_indexes(const model::Model& model, SymbolWriter& writer) {
  ClauseNames(model, writer).run();
}

}  // namespace sheaf::assist
