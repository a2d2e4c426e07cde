// The id of the parent on the child: it leads to the parent, and nothing leads back.
#include "base/article.h"
#include "model/strategies/tree.h"

namespace sheaf::model {
namespace {

class RefStrategy : public TreeStrategy {
 public:
  language::Via::Kind kind() const override { return language::Via::Kind::kRef; }
  bool finds_copies(const LayoutDraft& draft, const StoredRelation& stored, const language::Copy& copy,
                    const Field& field) const override {
    const End& end = draft.model.relations[stored.relation].ends[1];
    draft.mistakes.tell("wrong-strategy", copy.end.span,
                        "no key leads from " + with_article(draft.model.entities[end.target].name) +
                            " to its " + draft.model.relations[stored.relation].ends[0].name +
                            ": copies of " + field.name + " would stay as they are",
                        "use via index, or copy only what is immutable");
    return false;
  }
  void store(LayoutDraft&, StoredRelation&, const std::optional<language::Via>&) const override {}
};

}  // namespace

const Strategy& ref_strategy() {
  static const RefStrategy strategy;
  return strategy;
}

}  // namespace sheaf::model
