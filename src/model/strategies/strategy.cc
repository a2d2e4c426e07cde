#include "model/strategies/strategy.h"

namespace sheaf::model {

std::string Strategy::detail(const Model&, const Layout&, const StoredRelation&) const { return {}; }

bool fits(const Strategy& strategy, const Model& model, const Relation& relation, language::Span span,
          Mistakes& mistakes) {
  if (!relation.is_symmetric || strategy.takes_symmetric())
    return strategy.fits(model, relation, span, mistakes);
  mistakes.tell("wrong-strategy", span,
                "a relation with one name has no parent: each of the two leads to the other",
                "use edges, lists or ids " + relation.ends[0].name);
  return false;
}

const Strategy* find_strategy(language::Via::Kind kind) {
  static const Strategy* const all[] = {&ref_strategy(),   &collection_strategy(), &path_strategy(),
                                        &index_strategy(), &embed_strategy(),      &ids_strategy(),
                                        &edges_strategy(), &graph_strategy(),      &lists_strategy()};
  for (const Strategy* strategy : all) {
    if (strategy->kind() == kind) return strategy;
  }
  return nullptr;
}

}  // namespace sheaf::model
