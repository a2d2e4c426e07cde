// One item a pair, in the partition of one of the two, and an index that leads in the other direction; or two
// items, one in the partition of each.
#include <algorithm>

#include "model/item_kinds.h"
#include "model/key_allocation.h"
#include "model/strategies/edge_search.h"
#include "model/strategies/strategy.h"

namespace sheaf::model {
namespace {

using language::Name;

class EdgeItems {
 public:
  // `is_graph`: keys that nobody wrote down are led by what patterns search by.
  EdgeItems(LayoutDraft& draft, StoredRelation& stored, const std::optional<language::Via>& said,
            bool is_graph)
      : draft_(draft),
        stored_(stored),
        said_(said),
        is_graph_(is_graph),
        relation_(draft.model.relations[stored.relation]) {
    if (said) physical_ = said->physical;
  }

  void run() {
    if (physical_.store)
      draft_.mistakes.tell("contradiction", physical_.store_span, "edges are always items", "remove it");
    stored_.both_directions = relation_.is_symmetric || (said_ && said_->pk && said_->pk->text == "both");
    stored_.pk_side = relation_.is_symmetric ? symmetric_side() : pk_side();
    if (!stored_.pk_side) return;
    stored_.edge_kind = add_kind(*stored_.pk_side, physical_.key);
    if (!stored_.edge_kind) return;
    if (relation_.is_symmetric) return;
    if (stored_.both_directions) {
      stored_.twin_kind = add_kind(1 - *stored_.pk_side, physical_.second_key);
    } else {
      give_other_direction();
    }
  }

 private:
  // The items in the partitions of what the end of this side leads to; they are read along the other one.
  // None if something is wrong with them.
  std::optional<size_t> add_kind(int side, const std::optional<language::Keys>& key) {
    // With two of them each is called after the end along which it is read.
    const End& named = relation_.ends[stored_.both_directions && !relation_.is_symmetric ? 1 - side : 0];
    ItemKind edge{.relation = stored_.relation,
                  .name = draft_.model.entities[named.holder].name + "." + named.name,
                  .span = stored_.span};
    if (stored_.both_directions) edge.leads = 1 - side;
    edge.tag = physical_.tag ? physical_.tag->text : edge.name;
    if (!find_table(side, edge) || !give_key(side, key, edge)) return std::nullopt;
    if (side == *stored_.pk_side) {
      for (const language::IndexKeys& index : physical_.indexes)
        add_entry(draft_, {.relation = stored_.relation}, index, edge);
    }
    if (!check_copies(edge)) return std::nullopt;
    draft_.layout.item_kinds.push_back(std::move(edge));
    return draft_.layout.item_kinds.size() - 1;
  }

  // Who has one of the two items knows the key of the other, and each has copies of what it leads to alone.
  bool check_copies(const ItemKind& edge) {
    if (!edge.leads) return true;
    const auto is_told = [&](const KeyTemplate& key, bool is_primary) {
      for (const Hole* hole : key.holes()) {
        if (hole->source.root != HoleSource::Root::kEdgeEnd) continue;
        const std::vector<FieldPath>& identity =
            draft_.model.entities[relation_.ends[hole->source.side].target].identity;
        const bool is_id = std::find(identity.begin(), identity.end(), hole->source.path) != identity.end();
        if (is_id || (!is_primary && edge.holds_copies(hole->source.side))) continue;
        draft_.mistakes.tell(
            "wrong-strategy", hole->span.end > 0 ? hole->span : edge.span,
            "a pair has two items, and " +
                std::string(is_primary ? "the other one does not tell " : "this one has no copy of ") +
                hole->text,
            "use ids and edge fields in the keys, or one item a pair: pk END");
        return false;
      }
      return true;
    };
    return is_told(edge.pk, true) && (!edge.sk || is_told(*edge.sk, true)) &&
           std::all_of(edge.entries.begin(), edge.entries.end(), [&](const IndexEntry& entry) {
             return is_told(entry.pk, false) && (!entry.sk || is_told(*entry.sk, false));
           });
  }

  bool find_table(int side, ItemKind& edge) {
    const ItemKind* const partition = draft_.layout.kind(relation_.ends[side].target);
    if (!physical_.table && partition != nullptr) {
      edge.table = partition->table;
      return true;
    }
    const auto table = table_of(draft_, physical_, stored_.span, "the edge");
    if (table) edge.table = *table;
    return table.has_value();
  }

  bool give_key(int side, const std::optional<language::Keys>& key, ItemKind& edge) {
    const Table& table = draft_.layout.tables[edge.table];
    const EntityId entity = relation_.ends[side].target;
    if (key) {
      edge.span = key->span;
      return read_keys(draft_, {.relation = stored_.relation}, *key, edge);
    }
    if (!table.sk) {
      draft_.mistakes.tell("wrong-strategy", stored_.span, "edges need a table with a sort key",
                           "add sk SK; to " + table.name);
      return false;
    }
    const ItemKind* const partition = draft_.layout.kind(entity);
    if (partition == nullptr || partition->pk.pieces().empty()) {
      // If it should have items, what is wrong with them is told.
      const bool is_none = draft_.clauses.entities[entity].store == language::Store::kNone;
      if (!is_none && !draft_.is_embedded(entity)) return false;
      draft_.mistakes.tell(
          "missing-key", stored_.span,
          draft_.model.entities[entity].name + " has no items: edges have no partition to lie in",
          "write the key of the edges: key \"...\" / \"...\"");
      return false;
    }
    allocate_edge_key(draft_.model, draft_.templates, *partition, side, edge);
    return true;
  }

  // one: the entity that has many of them; many: those; an end: what it leads to.
  std::optional<int> pk_side() {
    const std::optional<int> of_key = physical_.key ? side_of_key(*physical_.key) : std::nullopt;
    if (stored_.both_directions && !check_both_keys()) return std::nullopt;
    if (!said_ || !said_->pk || stored_.both_directions) {
      if (of_key) return of_key;
      const bool has_items[2] = {draft_.layout.kind(relation_.ends[0].target) != nullptr,
                                 draft_.layout.kind(relation_.ends[1].target) != nullptr};
      if (is_graph_) return graph_side(draft_.model, stored_.relation, has_items);
      // The holder of the first end, if it has items.
      return has_items[1] ? 1 : 0;
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
    if (side && of_key && *side != *of_key) {
      draft_.mistakes.tell("wrong-strategy", pk.span,
                           "the partition key of the edges is led by " + relation_.ends[*of_key].name +
                               ", not by " + relation_.ends[*side].name,
                           "write pk " + relation_.ends[*of_key].name + ", or turn the key around",
                           {{.span = physical_.key->pk.span, .text = "the key is here"}});
      return std::nullopt;
    }
    return side;
  }

  // Whichever of the two it is, its item lies in the partition of `from`.
  std::optional<int> symmetric_side() {
    constexpr int kFrom = 1;
    if (said_ && said_->pk && said_->pk->text != "both") {
      draft_.mistakes.tell("wrong-strategy", said_->pk->span,
                           "both ends are alike: a pair has an item in the partition of each",
                           "write pk both, or leave it out");
      return std::nullopt;
    }
    if (physical_.second_key) {
      draft_.mistakes.tell("said-twice", physical_.second_key->span,
                           "both ends are alike: one key is that of both items", "keep one of the two");
      return std::nullopt;
    }
    if (physical_.key && !is_led_by(*physical_.key, relation_.edge_end_name(kFrom))) {
      draft_.mistakes.tell("wrong-strategy", physical_.key->pk.span,
                           "the partition of an edge is that of the one from whom it leads",
                           "begin the partition key with a field of from: \"...<from.FIELD>\"");
      return std::nullopt;
    }
    return kFrom;
  }

  static bool is_led_by(const language::Keys& keys, std::string_view name) {
    for (const auto& piece : keys.pk.pieces) {
      if (const auto* hole = std::get_if<language::Hole>(&piece))
        return hole->path.names.front().text == name;
    }
    return false;
  }

  // Two items lie in the partitions of two different ends.
  bool check_both_keys() {
    if (!physical_.key || !physical_.second_key) return true;
    const auto first = side_of_key(*physical_.key), second = side_of_key(*physical_.second_key);
    if (first && second && *first != *second) return true;
    const std::string one = relation_.ends[0].name, other = relation_.ends[1].name;
    draft_.mistakes.tell(
        "wrong-strategy", physical_.second_key->pk.span,
        "of the two items of a pair one lies in the partition of its " + one +
            ", and the other in that of its " + other,
        "begin one partition key with a field of " + one + " and the other with one of " + other,
        {{.span = physical_.key->pk.span, .text = "the first key is here"}});
    return false;
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
    if (!edge.entries.empty()) return;
    if (is_graph_ && !edge_searches(draft_.model, stored_.relation).empty()) {
      for (IndexEntry& entry : graph_views(draft_.model, draft_.templates, *stored_.pk_side, edge)) {
        WantedView wanted{.table = edge.table};
        wanted.entries.emplace_back(*stored_.edge_kind, std::move(entry));
        draft_.views.push_back(std::move(wanted));
      }
      return;
    }
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
  const bool is_graph_;
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
  bool takes_symmetric() const override { return true; }
  bool needs_items() const override { return false; }
  bool has_items() const override { return true; }
  bool has_room(const LayoutDraft&, const StoredRelation&, const language::Copy&, int) const override {
    return true;
  }
  void store(LayoutDraft& draft, StoredRelation& stored,
             const std::optional<language::Via>& said) const override {
    EdgeItems(draft, stored, said, kind() == language::Via::Kind::kGraph).run();
  }
  EndStorage storage(const StoredRelation&, int) const override { return EndStorage::kEdge; }
  bool is_found_strongly(const StoredRelation& stored, int side) const override {
    return stored.both_directions || stored.pk_side == 1 - side;
  }
};

// Edges whose keys are led by parts of what they connect and by their own fields: what is looked for by
// those. Keys that nobody wrote down follow from the patterns.
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
