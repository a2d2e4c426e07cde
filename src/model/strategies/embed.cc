// Children in a map or a list on the item of their parent.
#include <algorithm>

#include "base/article.h"
#include "model/strategies/entry_bounds.h"
#include "model/strategies/tree.h"

namespace sheaf::model {
namespace {

class EmbedStrategy : public Strategy {
 public:
  language::Via::Kind kind() const override { return language::Via::Kind::kEmbed; }
  std::string detail(const Model&, const Layout&, const StoredRelation& stored) const override {
    return stored.embed_as == language::Via::EmbedAs::kList ? "list" : "map";
  }
  bool fits(const Model&, const Relation& relation, language::Span span, Mistakes& mistakes) const override {
    if (!is_tree(relation, span, mistakes)) return false;
    if (relation.ends[0].holder != relation.ends[0].target)
      return is_without_edge_fields(relation, span, mistakes);
    mistakes.tell("wrong-strategy", span,
                  "nothing lies in an item of its own kind: there would be no first one",
                  "use via index or via edges");
    return false;
  }
  bool has_room(const LayoutDraft& draft, const StoredRelation&, const language::Copy& copy,
                int) const override {
    draft.mistakes.tell("wrong-strategy", copy.end.span,
                        "an embedded entity lies in its parent: there is nothing to copy", "remove copy");
    return false;
  }
  void store(LayoutDraft& draft, StoredRelation& stored, const std::optional<language::Via>&) const override {
    const End& end = draft.model.relations[stored.relation].ends[0];
    check_entries(draft, stored, end,
                  {.what = "a list",
                   .bytes = embedded_bytes(draft.model.entities[end.target]),
                   .span = stored.span,
                   .bounded_by = "say size max N, or use via collection"});
    const Entity& child = draft.model.entities[end.target];
    if (child.within != EndId{.relation = stored.relation, .side = 1} && end.holder != end.target)
      draft.mistakes.tell("wrong-strategy", stored.span,
                          "the id of " + with_article(child.name) + " does not say in which " +
                              draft.model.entities[end.holder].name + " it lies",
                          "write entity " + child.name + " within " +
                              draft.model.relations[stored.relation].ends[1].name + ", or use via index");
    const bool is_unique = std::any_of(child.fields.begin(), child.fields.end(),
                                       [](const Field& field) { return field.syntax->is_unique; });
    if (is_unique || child.syntax->versioned || child.syntax->timestamps)
      draft.mistakes.tell("wrong-strategy", stored.span,
                          "what is embedded has no item of its own: " + child.name + " cannot have " +
                              (is_unique                 ? "unique fields"
                               : child.syntax->versioned ? "a version"
                                                         : "timestamps"),
                          "use via collection");
    const bool has_others = std::any_of(child.ends.begin(), child.ends.end(), [&](const EndId& other) {
      return other.relation != stored.relation;
    });
    if (has_others)
      draft.mistakes.tell("wrong-strategy", stored.span,
                          child.name + " has other relations, and an embedded entity cannot: it has no item",
                          "use via collection");
  }
  EndStorage storage(const StoredRelation&, int side) const override {
    return side == 0 ? EndStorage::kEmbeds : EndStorage::kEmbedded;
  }
  bool is_found_strongly(const StoredRelation&, int side) const override { return side == 0; }
};

}  // namespace

const Strategy& embed_strategy() {
  static const EmbedStrategy strategy;
  return strategy;
}

}  // namespace sheaf::model
