#include "model/strategies/tree.h"

#include "base/article.h"

namespace sheaf::model {

bool is_tree(const Relation& relation, language::Span span, Mistakes& mistakes) {
  if (relation.cardinality != language::Cardinality::kManyToMany) return true;
  mistakes.tell("wrong-strategy", span, "many to many needs an item, or an entry, for each pair",
                "use edges or ids END");
  return false;
}

bool is_without_edge_fields(const Relation& relation, language::Span span, Mistakes& mistakes) {
  if (relation.edge_fields.empty()) return true;
  mistakes.tell("wrong-strategy", span, "this strategy has no room for the fields of the edge", "use edges",
                {{.span = relation.edge_fields.front().syntax->name.span, .text = "they are here"}});
  return false;
}

bool TreeStrategy::fits(const Model&, const Relation& relation, language::Span span,
                        Mistakes& mistakes) const {
  return is_tree(relation, span, mistakes) && is_without_edge_fields(relation, span, mistakes);
}

bool TreeStrategy::has_room(const LayoutDraft& draft, const StoredRelation& stored,
                            const language::Copy& copy, int side) const {
  if (side == 1) return true;
  const Relation& relation = draft.model.relations[stored.relation];
  const std::string& parent = draft.model.entities[relation.ends[0].holder].name;
  draft.mistakes.tell(
      "wrong-strategy", copy.end.span,
      "copies lie on the many, and " + with_article(parent) + " has no single " + copy.end.text,
      "write copy " + relation.ends[1].name + "(..), or use edges");
  return false;
}

EndStorage TreeStrategy::storage(const StoredRelation&, int side) const {
  return side == 1 ? EndStorage::kReference : EndStorage::kOther;
}

}  // namespace sheaf::model
