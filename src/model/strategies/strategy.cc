#include "model/strategies/strategy.h"

namespace sheaf::model {

std::string Strategy::detail(const Model&, const Layout&, const StoredRelation&) const { return {}; }

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
