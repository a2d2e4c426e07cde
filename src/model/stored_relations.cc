#include "model/stored_relations.h"

#include <algorithm>

#include "base/article.h"
#include "model/claim_check.h"
#include "model/edge_storage.h"
#include "model/key_allocation.h"
#include "model/strategy_choice.h"

namespace sheaf::model {
namespace {

using language::Name;
using Via = language::Via::Kind;

constexpr int64_t kItemBytesMax = 400 * 1024;
// As plans take it: nobody says how large items are.
constexpr int64_t kEmbeddedBytes = 400;
constexpr int64_t kIdBytes = 40;

// What has no items is an end of edges, and of nothing else.
void check_items(LayoutDraft& draft, RelationId id, const StoredRelation& stored) {
  if (stored.via == Via::kEdges || stored.via == Via::kGraph) return;
  for (const End& end : draft.model.relations[id].ends) {
    if (draft.clauses.entities[end.target].store != language::Store::kNone) continue;
    return draft.mistakes.tell(
        "wrong-strategy", stored.span,
        draft.model.entities[end.target].name + " is stored as none: only edges lead to it", "use via edges");
  }
}

void choose(LayoutDraft& draft, RelationId id) {
  const std::optional<language::Via>& said = draft.clauses.relations[id];
  StoredRelation stored{.relation = id,
                        .span = said ? said->span : draft.model.relations[id].syntax->forward.span};
  if (said && said->kind != Via::kAuto) {
    stored.via = said->kind;
    stored.embed_as = said->embed_as;
    if (check_strategy(draft.model, id, stored.via, stored.span, draft.mistakes))
      check_items(draft, id, stored);
  } else {
    Choice choice = choose_strategy(draft.model, draft.clauses, id);
    stored.via = choice.via;
    stored.reason = std::move(choice.reason);
    stored.is_chosen = true;
  }
  if (stored.via == Via::kGraph || stored.via == Via::kLists)
    draft.mistakes.tell("not-yet", stored.span, "this strategy is not there yet", "use edges");
  draft.layout.relations.push_back(std::move(stored));
}

// --- Copies

class CopyReader {
 public:
  CopyReader(LayoutDraft& draft, StoredRelation& stored)
      : draft_(draft), stored_(stored), relation_(draft.model.relations[stored.relation]) {}

  void read(const language::Copy& copy) {
    const auto side = draft_.names.side(relation_, copy.end);
    if (!side || !has_room(copy, *side)) return;
    CopiedFields copied{.side = *side, .span = copy.span};
    const EntityId source = relation_.ends[*side].target;
    const std::vector<Field>& fields = draft_.model.entities[source].fields;
    if (copy.all) {
      const bool is_said = std::any_of(stored_.copies.begin(), stored_.copies.end(),
                                       [&](const CopiedFields& other) { return other.side == *side; });
      if (is_said) {
        return draft_.mistakes.tell("said-twice", copy.end.span, "some of these are copied already",
                                    "keep copy " + copy.end.text + "(*) alone");
      }
      for (FieldId field = 0; field < fields.size(); ++field) {
        if (!fields[field].is_id) copied.fields.push_back(field);
      }
    }
    for (const Name& name : copy.fields) {
      const auto field = draft_.model.find_field(source, name.text);
      if (!field) {
        draft_.names.tell_unknown_field(source, name);
      } else if (fields[*field].is_id) {
        draft_.mistakes.tell("contradiction", name.span,
                             name.text + " is an id, which every reference holds already", "remove it");
      } else if (is_copied(*side, copied, *field)) {
        draft_.mistakes.tell("said-twice", name.span, name.text + " is copied already",
                             "keep one of the two");
      } else {
        copied.fields.push_back(*field);
      }
    }
    stored_.copies.push_back(std::move(copied));
  }

 private:
  bool is_copied(int side, const CopiedFields& now, FieldId field) const {
    const auto contains = [&](const CopiedFields& copied) {
      return std::find(copied.fields.begin(), copied.fields.end(), field) != copied.fields.end();
    };
    return contains(now) ||
           std::any_of(stored_.copies.begin(), stored_.copies.end(),
                       [&](const CopiedFields& other) { return other.side == side && contains(other); });
  }

  // A copy lies on the child, on the edge, or on an entry of a list.
  bool has_room(const language::Copy& copy, int side) {
    if (stored_.via == Via::kEdges || stored_.via == Via::kGraph || stored_.via == Via::kLists) return true;
    if (stored_.via == Via::kIds || stored_.via == Via::kEmbed) {
      draft_.mistakes.tell("wrong-strategy", copy.end.span,
                           stored_.via == Via::kIds
                               ? "ids alone have no room for copies"
                               : "an embedded entity lies in its parent: there is nothing to copy",
                           stored_.via == Via::kIds ? "use edges" : "remove copy");
      return false;
    }
    if (side == 1) return true;
    const std::string& parent = draft_.model.entities[relation_.ends[0].holder].name;
    draft_.mistakes.tell(
        "wrong-strategy", copy.end.span,
        "copies lie on the many, and " + with_article(parent) + " has no single " + copy.end.text,
        "write copy " + relation_.ends[1].name + "(..), or use edges");
    return false;
  }

  LayoutDraft& draft_;
  StoredRelation& stored_;
  const Relation& relation_;
};

// --- What `via` claims

// `via collection` with explicit keys.
void check_partition(LayoutDraft& draft, const StoredRelation& stored) {
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
  allocate_child_key(draft.model, draft.templates, *parent, {.relation = stored.relation, .side = 1},
                     stored.via == Via::kPath, expected);
  if (child->pk.text() != expected.pk.text()) {
    return mistakes.tell("wrong-strategy", stored.span,
                         "the key of " + child->name + ", \"" + child->pk.text() +
                             "\", is not in the partition of its " + relation.ends[1].name + ", \"" +
                             expected.pk.text() + "\"",
                         "write key \"" + expected.pk.text() + "\" / ..., or use via index",
                         {{.span = child->span, .text = "the key is here"}});
  }
  if (stored.via != Via::kPath) return;
  const std::string text = expected.sk->text();
  const std::string parent_part = text.substr(0, text.find("#" + key_word(child->name) + "#") + 1);
  if (!child->sk->text().starts_with(parent_part))
    mistakes.tell("wrong-strategy", stored.span,
                  "the sort key of " + child->name + " does not begin with its parent's levels, \"" +
                      parent_part + "\"",
                  "write / \"" + text + "\"", {{.span = child->span, .text = "the key is here"}});
}

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
  const size_t index = wanted ? *wanted : allocate_index(table, child);
  child.entries.push_back(child_view(draft.model, draft.templates, to_parent, child, index));
  stored.index = index;
}

void tell_too_large(LayoutDraft& draft, const StoredRelation& stored, const End& end, int64_t each_bytes) {
  if (!end.leads_to_many || !end.max || *end.max <= kItemBytesMax / each_bytes) return;
  draft.mistakes.tell("item-too-large", stored.span,
                      std::to_string(*end.max) + " " + end.name + " of " + std::to_string(each_bytes) +
                          " bytes do not fit an item of 400 KB",
                      "lower size max, or use a strategy with an item for each of them");
}

void store_ids(LayoutDraft& draft, StoredRelation& stored, const language::Via& said) {
  const Relation& relation = draft.model.relations[stored.relation];
  stored.ids_side = draft.names.side(relation, *said.ids);
  if (!stored.ids_side) return;
  const End& end = relation.ends[*stored.ids_side];
  if (end.leads_to_many && !end.max)
    draft.mistakes.tell("unbounded-list", said.ids->span,
                        "a list of ids without bound does not fit an item of 400 KB",
                        "say size of " + end.name + " max N, or use edges");
  tell_too_large(draft, stored, end, kIdBytes);
}

void check_embedded(LayoutDraft& draft, const StoredRelation& stored) {
  const End& end = draft.model.relations[stored.relation].ends[0];
  const Entity& child = draft.model.entities[end.target];
  if (end.leads_to_many && !end.max)
    draft.mistakes.tell("unbounded-list", stored.span, "a list without bound does not fit an item of 400 KB",
                        "say size max N, or use via collection");
  tell_too_large(draft, stored, end, kEmbeddedBytes);
  const bool has_others = std::any_of(child.ends.begin(), child.ends.end(),
                                      [&](const EndId& other) { return other.relation != stored.relation; });
  if (has_others)
    draft.mistakes.tell("wrong-strategy", stored.span,
                        child.name + " has other relations, and an embedded entity cannot: it has no item",
                        "use via collection");
}

void store(LayoutDraft& draft, RelationId id) {
  StoredRelation& stored = draft.layout.relations[id];
  const std::optional<language::Via>& said = draft.clauses.relations[id];
  if (said) {
    CopyReader reader(draft, stored);
    for (const language::Copy& copy : said->copies) reader.read(copy);
  }
  const bool has_edges = stored.via == Via::kEdges || stored.via == Via::kGraph;
  if (said && !has_edges && !said->physical.empty()) {
    draft.mistakes.tell("contradiction", said->span,
                        "this strategy has no items of its own: in, tag, store, key and index are for edges",
                        "write them in the entity, or use via edges");
  }
  switch (stored.via) {
    case Via::kCollection:
    case Via::kPath:
      return check_partition(draft, stored);
    case Via::kIndex:
      return store_index(draft, stored, said);
    case Via::kEdges:
    case Via::kGraph:
      return store_edges(draft, stored, said);
    case Via::kIds:
      return store_ids(draft, stored, *said);
    case Via::kEmbed:
      return check_embedded(draft, stored);
    default:
      break;
  }
}

}  // namespace

void choose_strategies(LayoutDraft& draft) {
  for (RelationId id = 0; id < draft.model.relations.size(); ++id) choose(draft, id);
}

void store_relations(LayoutDraft& draft) {
  for (RelationId id = 0; id < draft.model.relations.size(); ++id) store(draft, id);
}

}  // namespace sheaf::model
