// A list of ids on the item of one side.
#include "model/strategies/entry_bounds.h"
#include "model/strategies/tree.h"

namespace sheaf::model {
namespace {

class IdsStrategy : public Strategy {
 public:
  language::Via::Kind kind() const override { return language::Via::Kind::kIds; }
  std::string detail(const Model& model, const Layout&, const StoredRelation& stored) const override {
    return stored.ids_side ? model.relations[stored.relation].ends[*stored.ids_side].name : std::string();
  }
  bool takes_symmetric() const override { return true; }
  bool fits(const Model&, const Relation& relation, language::Span span, Mistakes& mistakes) const override {
    return is_without_edge_fields(relation, span, mistakes);
  }
  bool has_room(const LayoutDraft& draft, const StoredRelation&, const language::Copy& copy,
                int) const override {
    draft.mistakes.tell("wrong-strategy", copy.end.span, "ids alone have no room for copies", "use edges");
    return false;
  }
  void store(LayoutDraft& draft, StoredRelation& stored,
             const std::optional<language::Via>& said) const override {
    const Relation& relation = draft.model.relations[stored.relation];
    stored.ids_side = draft.names.side(relation, *said->ids);
    stored.both_directions = relation.is_symmetric;
    if (!stored.ids_side) return;
    const End& end = relation.ends[*stored.ids_side];
    if (!end.leads_to_many)
      draft.mistakes.tell("wrong-strategy", said->ids->span,
                          end.name + " leads to one: there is no list to keep", "use via ref or via index");
    check_entries(draft, stored, end,
                  {.what = "a list of ids",
                   .bytes = kIdBytes,
                   .span = said->ids->span,
                   .bounded_by = "say size of " + end.name + " max N, or use edges"});
  }
  EndStorage storage(const StoredRelation& stored, int side) const override {
    return stored.ids_side == side || stored.both_directions ? EndStorage::kIds : EndStorage::kOther;
  }
  bool is_found_strongly(const StoredRelation& stored, int side) const override {
    return stored.ids_side == side || stored.both_directions;
  }
};

}  // namespace

const Strategy& ids_strategy() {
  static const IdsStrategy strategy;
  return strategy;
}

}  // namespace sheaf::model
