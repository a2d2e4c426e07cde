// A layout while it is being made: what all its parts look at.
#pragma once

#include "model/layout.h"
#include "model/layout_clauses.h"
#include "model/mistakes.h"
#include "model/model.h"
#include "model/name_lookup.h"
#include "model/template_resolver.h"

namespace sheaf::model {

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
};

}  // namespace sheaf::model
