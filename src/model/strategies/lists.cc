// Entries on the items of both sides, each with the id of the other, copies of it, and the fields of the
// edge.
#include <algorithm>

#include "model/strategies/entry_bounds.h"
#include "model/strategies/strategy.h"

namespace sheaf::model {
namespace {

class ListsStrategy : public Strategy {
 public:
  language::Via::Kind kind() const override { return language::Via::Kind::kLists; }
  bool takes_symmetric() const override { return true; }
  bool fits(const Model&, const Relation& relation, language::Span span, Mistakes& mistakes) const override {
    if (!relation.syntax->unchecked) return true;
    mistakes.tell("wrong-strategy", span,
                  "each has an entry on the item of the other, which must be there: nothing is unchecked",
                  "remove unchecked, or use edges");
    return false;
  }
  bool has_room(const LayoutDraft&, const StoredRelation&, const language::Copy&, int) const override {
    return true;
  }
  void store(LayoutDraft& draft, StoredRelation& stored, const std::optional<language::Via>&) const override {
    check_side(draft, stored, 0);
    if (!draft.model.relations[stored.relation].is_symmetric) check_side(draft, stored, 1);
  }
  EndStorage storage(const StoredRelation&, int) const override { return EndStorage::kEntries; }
  bool is_found_strongly(const StoredRelation&, int) const override { return true; }

 private:
  // The entries of one end: how large they are, and that no two things in them have one name.
  static void check_side(LayoutDraft& draft, const StoredRelation& stored, int side) {
    const Relation& relation = draft.model.relations[stored.relation];
    const End& end = relation.ends[side];
    for (const CopiedFields& copied : stored.copies) {
      if (copied.side != side) continue;
      for (const FieldId id : copied.fields) {
        const Field& source = draft.model.entities[end.target].fields[id];
        const std::string attribute = end.name + "_" + source.name;
        const auto same = std::find_if(relation.edge_fields.begin(), relation.edge_fields.end(),
                                       [&](const Field& field) { return field.attribute == attribute; });
        if (same == relation.edge_fields.end()) continue;
        draft.mistakes.tell("attribute-clash", copied.span,
                            "the copy of " + end.name + "." + source.name + " and the field " + same->name +
                                " of the edge are both stored as " + attribute,
                            "rename the field, or use stored as",
                            {{.span = same->syntax->name.span, .text = "the other is here"}});
      }
    }
    check_entries(draft, stored, end,
                  {.what = "a list",
                   .bytes = entry_bytes(draft.model, stored, side),
                   .span = stored.span,
                   .bounded_by = "say size of " + end.name + " max N, or use edges"});
  }
};

}  // namespace

const Strategy& lists_strategy() {
  static const ListsStrategy strategy;
  return strategy;
}

}  // namespace sheaf::model
