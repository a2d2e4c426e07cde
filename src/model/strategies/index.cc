// The id of the parent on the child, and an index with a partition for each parent.
#include <algorithm>

#include "model/key_allocation.h"
#include "model/strategies/tree.h"

namespace sheaf::model {
namespace {

// The part of the parent's id that an index does not hold in its partition key; none if it holds all.
std::optional<std::string> missing_part(const LayoutDraft& draft, EndId to_parent, const IndexEntry& entry) {
  const EntityId parent = draft.model.end(to_parent).target;
  const std::vector<const Hole*> holes = entry.pk.holes();
  for (const FieldPath& part : draft.model.entities[parent].identity) {
    HoleSource source{.path = part};
    source.path.ends.insert(source.path.ends.begin(), to_parent);
    const bool is_held = std::any_of(holes.begin(), holes.end(), [&](const Hole* hole) {
      return hole->source == source && hole->holds_value();
    });
    if (!is_held) return "<" + draft.model.end(to_parent).name + "." + draft.model.text(parent, part) + ">";
  }
  return std::nullopt;
}

// Where a pattern begins the one itself is always read: it may not be there.
bool reads_both(const Node& node, EndId to_children, bool is_start) {
  const bool has_own = is_start || node.all_fields || !node.fields.empty();
  return std::any_of(node.nested.begin(), node.nested.end(), [&](const Nested& nested) {
    return (has_own && nested.end == to_children && nested.depth == 1) ||
           (nested.node != nullptr && reads_both(*nested.node, to_children, false));
  });
}

// Whether some pattern reads a parent and its children, and may do so from an index: with the parent's own
// item in the partition that is one request.
bool is_read_with_parent(const Model& model, EndId to_children) {
  return std::any_of(model.patterns.begin(), model.patterns.end(), [&](const Pattern& pattern) {
    return !pattern.syntax->clauses.strong && !pattern.syntax->clauses.snapshot &&
           reads_both(pattern.node, to_children, pattern.start && pattern.steps.empty());
  });
}

void store_index(LayoutDraft& draft, StoredRelation& stored, const std::optional<language::Via>& said) {
  const Relation& relation = draft.model.relations[stored.relation];
  const auto child_id = draft.layout.kind_of_entity[relation.ends[0].target];
  if (!child_id) return;
  ItemKind& child = draft.layout.item_kinds[*child_id];
  Table& table = draft.layout.tables[child.table];
  const EndId to_parent{.relation = stored.relation, .side = 1};
  std::optional<size_t> wanted;
  if (said && said->on) {
    wanted = table.find_index(said->on->text);
    if (!wanted) {
      std::vector<std::string_view> names;
      for (const Index& each : table.indexes) names.push_back(each.name);
      return draft.mistakes.tell_unknown("unknown-index", "index of " + table.name, *said->on, names);
    }
  }
  for (const IndexEntry& entry : child.entries) {
    if (wanted && entry.index != *wanted) continue;
    const auto missing = missing_part(draft, to_parent, entry);
    if (!missing) {
      stored.index = entry.index;
      return;
    }
    if (wanted) {
      return draft.mistakes.tell("wrong-strategy", said->on->span,
                                 "the index " + table.indexes[entry.index].name + " is not partitioned by " +
                                     relation.ends[1].name + ": " + *missing + " is missing",
                                 "put it into its partition key",
                                 {{.span = entry.span, .text = "its keys are here"}});
    }
  }
  if (wanted && table.indexes[*wanted].is_over_table_keys) {
    return draft.mistakes.tell("wrong-strategy", said->on->span, "this index is over the table's own keys",
                               "use another index, or edges");
  }
  IndexEntry entry = child_view(draft.model, draft.templates, to_parent, child);
  if (wanted) {
    entry.index = *wanted;
    if (!table.indexes[*wanted].sk) entry.sk.reset();
    child.entries.push_back(std::move(entry));
    stored.index = wanted;
    return;
  }
  WantedView view{.table = child.table, .relation = stored.relation};
  view.entries.emplace_back(*child_id, std::move(entry));
  const auto parent_id = draft.layout.kind_of_entity[relation.ends[0].holder];
  const bool can_join = parent_id && *parent_id != *child_id &&
                        draft.layout.item_kinds[*parent_id].table == child.table &&
                        !draft.layout.item_kinds[*parent_id].is_by_field();
  if (can_join && is_read_with_parent(draft.model, to_parent.other())) {
    view.entries.emplace_back(*parent_id, parent_view(draft.model, draft.templates, to_parent,
                                                      draft.layout.item_kinds[*parent_id]));
  }
  draft.views.push_back(std::move(view));
}

class IndexStrategy : public TreeStrategy {
 public:
  language::Via::Kind kind() const override { return language::Via::Kind::kIndex; }
  std::string detail(const Model& model, const Layout& layout, const StoredRelation& stored) const override {
    const ItemKind* const child = layout.kind(model.relations[stored.relation].ends[0].target);
    if (!stored.index || child == nullptr) return {};
    return "on " + layout.tables[child->table].indexes[*stored.index].name;
  }
  void store(LayoutDraft& draft, StoredRelation& stored,
             const std::optional<language::Via>& said) const override {
    store_index(draft, stored, said);
  }
};

}  // namespace

const Strategy& index_strategy() {
  static const IndexStrategy strategy;
  return strategy;
}

}  // namespace sheaf::model
