#include "model/layout_resolver.h"

#include "model/attribute_check.h"
#include "model/by_field.h"
#include "model/deletion_check.h"
#include "model/item_kinds.h"
#include "model/key_proof.h"
#include "model/key_warnings.h"
#include "model/layout_clauses.h"
#include "model/layout_tables.h"
#include "model/operation_check.h"
#include "model/stored_relations.h"
#include "model/view_allocation.h"

namespace sheaf::model {
namespace {

Layout resolve_layout(const Model& model, const LayoutClauses& clauses, language::Diagnostics& diagnostics) {
  const bool is_default = clauses.name == kDefaultLayout;
  Mistakes mistakes(diagnostics, is_default ? std::string() : clauses.name);
  LayoutDraft draft(model, clauses, mistakes);
  draft.layout.name = clauses.name;
  add_tables(draft);
  choose_strategies(draft);
  add_entities(draft);
  store_relations(draft);
  allocate_views(draft);
  check_index_counts(draft);
  if (!mistakes.any()) check_mutual_relations(draft);
  if (!mistakes.any()) check_relations_by_field(draft);
  check_deletions(model, draft.layout, mistakes);
  if (!mistakes.any()) check_attributes(model, clauses, draft.layout, mistakes);
  if (!mistakes.any()) prove_keys(model, draft.layout, mistakes);
  if (!mistakes.any()) warn_of_keys(draft.layout, mistakes);
  if (is_default && !mistakes.any()) check_operations(model, draft.layout, mistakes);
  draft.layout.is_sound = clauses.is_sound && !mistakes.any();
  return std::move(draft.layout);
}

}  // namespace

std::vector<Layout> resolve_layouts(const Model& model, language::Diagnostics& diagnostics) {
  Mistakes mistakes(diagnostics);
  const auto all = std::make_shared<const std::vector<LayoutClauses>>(layout_clauses(model, mistakes));
  std::vector<Layout> layouts;
  for (const LayoutClauses& clauses : *all) {
    layouts.push_back(resolve_layout(model, clauses, diagnostics));
    layouts.back().clauses = all;
  }
  return layouts;
}

}  // namespace sheaf::model
