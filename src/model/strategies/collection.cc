// Children in the partition of their parent; as a path, with sort keys that extend the levels above.
#include <algorithm>

#include "model/key_allocation.h"
#include "model/strategies/tree.h"

namespace sheaf::model {
namespace {

// Whether a key is another, or one of the buckets and shards in which that is split.
bool is_part_of(const KeyTemplate& part, const KeyTemplate& whole) {
  const std::string text = part.text(), start = whole.text();
  if (text == start) return true;
  if (!text.starts_with(start)) return false;
  const std::vector<const Hole*> holes = part.holes();
  const size_t kept = whole.holes().size();
  return holes.size() > kept && std::none_of(holes.begin() + static_cast<ptrdiff_t>(kept), holes.end(),
                                             [](const Hole* hole) { return hole->holds_value(); });
}

// Whether explicit keys put the child into the partition of its parent.
void check_partition(LayoutDraft& draft, const StoredRelation& stored, bool is_path) {
  const Relation& relation = draft.model.relations[stored.relation];
  const ItemKind* const parent = draft.layout.kind(relation.ends[0].holder);
  const ItemKind* const child = draft.layout.kind(relation.ends[0].target);
  if (parent == nullptr || child == nullptr || parent->pk.pieces().empty() || child->pk.pieces().empty())
    return;
  Mistakes& mistakes = draft.mistakes;
  if (parent->table != child->table) {
    return mistakes.tell("wrong-strategy", stored.span,
                         parent->name + " and " + child->name + " are in different tables",
                         "put both into one table, or use via index");
  }
  const Table& table = draft.layout.tables[parent->table];
  if (!table.sk) {
    return mistakes.tell("wrong-strategy", stored.span,
                         "the table " + table.name + " has no sort key: a partition holds one item",
                         "add sk SK; to the table, or use via index");
  }
  ItemKind expected = *child;
  allocate_child_key(draft.model, draft.templates, *parent, {.relation = stored.relation, .side = 1}, is_path,
                     expected);
  if (!is_part_of(child->pk, expected.pk)) {
    return mistakes.tell("wrong-strategy", stored.span,
                         "the key of " + child->name + ", \"" + child->pk.text() +
                             "\", is not in the partition of its " + relation.ends[1].name + ", \"" +
                             expected.pk.text() + "\"",
                         "write key \"" + expected.pk.text() + "\" / ..., or use via index",
                         {{.span = child->span, .text = "the key is here"}});
  }
  if (!is_path) return;
  const std::string text = expected.sk->text();
  const std::string parent_part = text.substr(0, text.find("#" + key_word(child->name) + "#") + 1);
  if (!child->sk->text().starts_with(parent_part))
    mistakes.tell("wrong-strategy", stored.span,
                  "the sort key of " + child->name + " does not begin with its parent's levels, \"" +
                      parent_part + "\"",
                  "write / \"" + text + "\"", {{.span = child->span, .text = "the key is here"}});
}

class CollectionStrategy : public TreeStrategy {
 public:
  language::Via::Kind kind() const override { return language::Via::Kind::kCollection; }
  ChildKey child_key() const override { return ChildKey::kInPartition; }
  bool is_found_strongly(const StoredRelation&, int side) const override { return side == 0; }
  void store(LayoutDraft& draft, StoredRelation& stored, const std::optional<language::Via>&) const override {
    check_partition(draft, stored, child_key() == ChildKey::kBehindParent);
  }
};

class PathStrategy : public CollectionStrategy {
 public:
  language::Via::Kind kind() const override { return language::Via::Kind::kPath; }
  ChildKey child_key() const override { return ChildKey::kBehindParent; }
};

}  // namespace

const Strategy& collection_strategy() {
  static const CollectionStrategy strategy;
  return strategy;
}

const Strategy& path_strategy() {
  static const PathStrategy strategy;
  return strategy;
}

}  // namespace sheaf::model
