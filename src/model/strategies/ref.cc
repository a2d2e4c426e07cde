// The id of the parent on the child: it leads to the parent, and nothing leads back.
#include "model/strategies/tree.h"

namespace sheaf::model {
namespace {

class RefStrategy : public TreeStrategy {
 public:
  language::Via::Kind kind() const override { return language::Via::Kind::kRef; }
  void store(LayoutDraft&, StoredRelation&, const std::optional<language::Via>&) const override {}
};

}  // namespace

const Strategy& ref_strategy() {
  static const RefStrategy strategy;
  return strategy;
}

}  // namespace sheaf::model
