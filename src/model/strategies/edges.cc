// One item a pair, in the partition of one of the two; an index leads in the other direction.
#include <algorithm>

#include "model/item_kinds.h"
#include "model/key_allocation.h"
#include "model/strategies/strategy.h"

namespace sheaf::model {
namespace {

using language::Name;

class EdgeItems {
 public:
  EdgeItems(LayoutDraft& draft, StoredRelation& stored, const std::optional<language::Via>& said)
      : draft_(draft), stored_(stored), said_(said), relation_(draft.model.relations[stored.relation]) {
    if (said) physical_ = said->physical;
  }

  void run() {
    ItemKind edge{.relation = stored_.relation,
                  .name = draft_.model.entities[relation_.ends[0].holder].name + "." + relation_.ends[0].name,
                  .span = stored_.span};
    edge.tag = physical_.tag ? physical_.tag->text : edge.name;
    if (physical_.store)
      draft_.mistakes.tell("contradiction", physical_.store_span, "edges are always items", "remove it");
    stored_.pk_side = pk_side();
    if (!stored_.pk_side || !find_table(edge)) return;
    stored_.both_directions = said_ && said_->pk && said_->pk->text == "both";
    if (stored_.both_directions)
      draft_.mistakes.tell("not-yet", said_->pk->span,
                           "a second item for the other direction is not there yet",
                           "leave pk both out: an index leads in the other direction");
    if (!give_key(edge)) return;
    for (const language::IndexKeys& index : physical_.indexes)
      add_entry(draft_, {.relation = stored_.relation}, index, edge);
    stored_.edge_kind = draft_.layout.item_kinds.size();
    draft_.layout.item_kinds.push_back(std::move(edge));
    give_other_direction();
  }

 private:
  EntityId partition_entity() const { return relation_.ends[*stored_.pk_side].target; }

  bool find_table(ItemKind& edge) {
    const ItemKind* const partition = draft_.layout.kind(partition_entity());
    if (!physical_.table && partition != nullptr) {
      edge.table = partition->table;
      return true;
    }
    const auto table = table_of(draft_, physical_, stored_.span, "the edge");
    if (table) edge.table = *table;
    return table.has_value();
  }

  bool give_key(ItemKind& edge) {
    const Table& table = draft_.layout.tables[edge.table];
    if (physical_.key) {
      edge.span = physical_.key->span;
      return read_keys(draft_, {.relation = stored_.relation}, *physical_.key, edge);
    }
    if (!table.sk) {
      draft_.mistakes.tell("wrong-strategy", stored_.span, "edges need a table with a sort key",
                           "add sk SK; to " + table.name);
      return false;
    }
    const ItemKind* const partition = draft_.layout.kind(partition_entity());
    if (partition == nullptr || partition->pk.pieces().empty()) {
      // If it should have items, what is wrong with them is told.
      const bool is_none = draft_.clauses.entities[partition_entity()].store == language::Store::kNone;
      if (!is_none && !draft_.is_embedded(partition_entity())) return false;
      draft_.mistakes.tell(
          "missing-key", stored_.span,
          draft_.model.entities[partition_entity()].name + " has no items: edges have no partition to lie in",
          "write the key of the edges: key \"...\" / \"...\"");
      return false;
    }
    allocate_edge_key(draft_.model, draft_.templates, *partition, *stored_.pk_side, edge);
    return true;
  }

  // one: the entity that has many of them; many: those; an end: what it leads to.
  std::optional<int> pk_side() {
    const std::optional<int> of_key = physical_.key ? side_of_key(*physical_.key) : std::nullopt;
    if (!said_ || !said_->pk || said_->pk->text == "both") {
      // The holder of the first end, if it has items.
      const bool has_items = draft_.layout.kind(relation_.ends[1].target) != nullptr;
      return of_key.value_or(has_items ? 1 : 0);
    }
    const Name& pk = *said_->pk;
    std::optional<int> side;
    if (pk.text == "one" || pk.text == "many") {
      if (relation_.cardinality != language::Cardinality::kOneToMany) {
        draft_.mistakes.tell("missing-end", pk.span, "one and many are for 1--*",
                             "name the end whose entities are the partitions");
        return std::nullopt;
      }
      side = pk.text == "one" ? 1 : 0;
    } else {
      side = draft_.names.side(relation_, pk, {"one", "many", "both"});
    }
    if (side && of_key && !relation_.is_symmetric && *side != *of_key) {
      draft_.mistakes.tell("wrong-strategy", pk.span,
                           "the partition key of the edges is led by " + relation_.ends[*of_key].name +
                               ", not by " + relation_.ends[*side].name,
                           "write pk " + relation_.ends[*of_key].name + ", or turn the key around",
                           {{.span = physical_.key->pk.span, .text = "the key is here"}});
      return std::nullopt;
    }
    return side;
  }

  // By the first hole of the partition key.
  std::optional<int> side_of_key(const language::Keys& keys) const {
    for (const auto& piece : keys.pk.pieces) {
      const auto* hole = std::get_if<language::Hole>(&piece);
      if (hole == nullptr) continue;
      for (const int side : {0, 1}) {
        if (relation_.ends[side].name == hole->path.names.front().text) return side;
      }
    }
    return std::nullopt;
  }

  // Whether the sort key tells the other end and nothing else: then it is a partition of the table inverted.
  bool is_led_by_other(const ItemKind& edge) const {
    const std::vector<const Hole*> holes = edge.sk->holes();
    return std::all_of(holes.begin(), holes.end(), [&](const Hole* hole) {
      return hole->source.root == HoleSource::Root::kEdgeEnd && hole->source.side == 1 - *stored_.pk_side;
    });
  }

  void give_other_direction() {
    const ItemKind& edge = draft_.layout.item_kinds[*stored_.edge_kind];
    if (stored_.both_directions || !edge.entries.empty()) return;
    for (const Index& index : draft_.layout.tables[edge.table].indexes) {
      if (index.is_over_table_keys && is_led_by_other(edge)) return;  // it has them already
    }
    WantedView view{.table = edge.table};
    view.entries.emplace_back(*stored_.edge_kind,
                              edge_view(draft_.model, draft_.templates, 1 - *stored_.pk_side, edge));
    draft_.views.push_back(std::move(view));
  }

  LayoutDraft& draft_;
  StoredRelation& stored_;
  const std::optional<language::Via>& said_;
  const Relation& relation_;
  language::Physical physical_;
};

class EdgesStrategy : public Strategy {
 public:
  language::Via::Kind kind() const override { return language::Via::Kind::kEdges; }
  std::string detail(const Model& model, const Layout&, const StoredRelation& stored) const override {
    if (stored.both_directions) return "pk both";
    return stored.pk_side ? "pk " + model.relations[stored.relation].ends[*stored.pk_side].name
                          : std::string();
  }
  bool fits(const Model&, const Relation&, language::Span, Mistakes&) const override { return true; }
  bool needs_items() const override { return false; }
  bool has_items() const override { return true; }
  bool has_room(const LayoutDraft&, const StoredRelation&, const language::Copy&, int) const override {
    return true;
  }
  void store(LayoutDraft& draft, StoredRelation& stored,
             const std::optional<language::Via>& said) const override {
    EdgeItems(draft, stored, said).run();
  }
  EndStorage storage(const StoredRelation&, int) const override { return EndStorage::kEdge; }
  bool is_found_strongly(const StoredRelation& stored, int side) const override {
    return stored.both_directions || stored.pk_side == 1 - side;
  }
};

// Edges whose keys are led by parts of what they connect and by their own fields: what is looked for by
// those.
class GraphStrategy : public EdgesStrategy {
 public:
  language::Via::Kind kind() const override { return language::Via::Kind::kGraph; }
};

}  // namespace

const Strategy& edges_strategy() {
  static const EdgesStrategy strategy;
  return strategy;
}

const Strategy& graph_strategy() {
  static const GraphStrategy strategy;
  return strategy;
}

}  // namespace sheaf::model
