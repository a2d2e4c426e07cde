// A layout while it is being made: what all its parts look at.
#pragma once

#include "model/layout.h"
#include "model/layout_clauses.h"
#include "model/mistakes.h"
#include "model/model.h"
#include "model/name_lookup.h"
#include "model/template_resolver.h"

namespace sheaf::model {

// Entries that lie in one index, one a kind of items, and that nobody wrote down.
struct WantedView {
  size_t table = 0;
  std::vector<std::pair<size_t, IndexEntry>> entries;  // with the kinds; which index is not known yet
  std::optional<RelationId> relation;                  // whose index it is
};

struct LayoutDraft {
  LayoutDraft(const Model& logical, const LayoutClauses& said, Mistakes& told)
      : model(logical), clauses(said), mistakes(told), templates(logical, told), names(logical, told) {}

  // Whether `entity` lies in the items of another, and so has none.
  bool is_embedded(EntityId entity) const;

  const Model& model;
  const LayoutClauses& clauses;
  Mistakes& mistakes;
  TemplateResolver templates;
  NameLookup names;
  Layout layout;
  std::vector<WantedView> views;
};

}  // namespace sheaf::model
