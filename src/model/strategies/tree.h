// What the strategies have in common that put the id of its parent on each child.
#pragma once

#include "model/strategies/strategy.h"

namespace sheaf::model {

class TreeStrategy : public Strategy {
 public:
  bool fits(const Model& model, const Relation& relation, language::Span span,
            Mistakes& mistakes) const override;
  bool has_room(const LayoutDraft& draft, const StoredRelation& stored, const language::Copy& copy,
                int side) const override;
  EndStorage storage(const StoredRelation& stored, int side) const override;
  bool is_found_strongly(const StoredRelation&, int) const override { return false; }
};

// Whether each child has one parent; if not, tells so.
bool is_tree(const Relation& relation, language::Span span, Mistakes& mistakes);
// Whether edges have no fields, which need an item a pair; if they have, tells so.
bool is_without_edge_fields(const Relation& relation, language::Span span, Mistakes& mistakes);

}  // namespace sheaf::model
