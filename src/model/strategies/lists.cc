// Entries on both sides.
#include "model/strategies/strategy.h"

namespace sheaf::model {
namespace {

class ListsStrategy : public Strategy {
 public:
  language::Via::Kind kind() const override { return language::Via::Kind::kLists; }
  bool fits(const Model&, const Relation&, language::Span, Mistakes&) const override { return true; }
  bool has_room(const LayoutDraft&, const StoredRelation&, const language::Copy&, int) const override {
    return true;
  }
  void store(LayoutDraft& draft, StoredRelation& stored, const std::optional<language::Via>&) const override {
    draft.mistakes.tell("not-yet", stored.span, "this strategy is not there yet", "use edges");
  }
  EndStorage storage(const StoredRelation&, int) const override { return EndStorage::kIds; }
  bool is_found_strongly(const StoredRelation&, int) const override { return true; }
};

}  // namespace

const Strategy& lists_strategy() {
  static const ListsStrategy strategy;
  return strategy;
}

}  // namespace sheaf::model
