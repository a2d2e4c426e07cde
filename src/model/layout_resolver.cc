#include "model/layout_resolver.h"

#include <algorithm>

#include "model/key_allocation.h"
#include "model/key_proof.h"
#include "model/layout_clauses.h"
#include "model/mistakes.h"
#include "model/place_resolver.h"
#include "model/strategy_choice.h"
#include "model/template_resolver.h"
#include "model/value_type.h"

namespace sheaf::model {

std::optional<size_t> Table::find_index(std::string_view wanted) const {
  for (size_t i = 0; i < indexes.size(); ++i) {
    if (indexes[i].name == wanted) return i;
  }
  return std::nullopt;
}

namespace {

using language::Cardinality;
using language::Name;
using language::Span;
using Via = language::Via::Kind;

constexpr size_t kIndexesMax = 20;

class LayoutResolver {
 public:
  LayoutResolver(const Model& model, const LayoutClauses& clauses, Mistakes& mistakes)
      : model_(model), clauses_(clauses), mistakes_(mistakes), templates_(model, mistakes) {}

  Layout run() {
    layout_.name = clauses_.name;
    for (const language::Table* table : clauses_.tables) add_table(*table);
    if (layout_.tables.empty()) {
      // A table's name has three characters at least.
      const std::string& name = model_.name();
      layout_.tables.push_back({.name = name.size() < 3 ? name + "-data" : name,
                                .pk = {.name = "PK"},
                                .sk = KeyAttribute{.name = "SK"},
                                .tag = "Type",
                                .is_allocated = true});
    }
    for (RelationId id = 0; id < model_.relations.size(); ++id) choose(id);
    layout_.kind_of_entity.resize(model_.entities.size());
    for (EntityId id = 0; id < model_.entities.size(); ++id) add_entity(id);
    for (EntityId id = 0; id < model_.entities.size(); ++id) give_key(id, 0);
    for (RelationId id = 0; id < model_.relations.size(); ++id) store_relation(id);
    for (const Table& table : layout_.tables) {
      if (table.indexes.size() > kIndexesMax)
        mistakes_.tell("too-many-indexes", table.span,
                       "the table " + table.name + " has " + std::to_string(table.indexes.size()) +
                           " indexes, and 20 is the limit",
                       "let entities share indexes: views of different entities can lie in one");
    }
    if (!mistakes_.any()) prove_keys(model_, layout_, mistakes_);
    return std::move(layout_);
  }

 private:
  // --- Tables

  KeyAttribute key_attribute(const language::KeyAttribute& syntax) {
    KeyAttribute attribute{.name = syntax.name.text};
    if (!syntax.type) return attribute;
    using Kind = language::Type::Kind;
    if (syntax.type->kind == Kind::kInt || syntax.type->kind == Kind::kNumber) {
      attribute.type = Kind::kNumber;
    } else if (syntax.type->kind == Kind::kBinary) {
      attribute.type = Kind::kBinary;
    } else if (!is_textual(*syntax.type)) {
      mistakes_.tell("wrong-type", syntax.type->span, "a key attribute is a string, a number or a binary",
                     "remove the type");
    }
    return attribute;
  }

  void add_table(const language::Table& syntax) {
    Table table{.name = syntax.name.text, .span = syntax.name.span};
    if (!syntax.pk) {
      mistakes_.tell("missing-key", syntax.name.span, "the table " + table.name + " has no partition key",
                     "add pk PK;");
    } else {
      table.pk = key_attribute(*syntax.pk);
    }
    if (syntax.sk) table.sk = key_attribute(*syntax.sk);
    if (syntax.sk && syntax.pk && syntax.sk->name == syntax.pk->name)
      mistakes_.tell_duplicate("key attributes", syntax.sk->name, syntax.pk->name.span);
    if (syntax.tag) table.tag = syntax.tag->text;
    if (syntax.ttl) table.ttl = syntax.ttl->text;
    for (const language::Gsi& gsi : syntax.indexes) {
      if (const auto first = table.find_index(gsi.name.text)) {
        mistakes_.tell_duplicate("indexes", gsi.name, syntax.indexes[*first].name.span);
        continue;
      }
      Index index{.name = gsi.name.text, .projection = gsi.projection};
      const auto type_of = [&](const Name& name) {
        if (name.text == table.pk.name) return table.pk;
        if (table.sk && name.text == table.sk->name) return *table.sk;
        return KeyAttribute{.name = name.text};
      };
      index.pk = type_of(gsi.pk);
      if (gsi.sk) index.sk = type_of(*gsi.sk);
      for (const Name& name : gsi.included) index.included.push_back(name.text);
      index.is_over_table_keys =
          table.sk && index.sk && index.pk.name == table.sk->name && index.sk->name == table.pk.name;
      table.indexes.push_back(std::move(index));
    }
    layout_.tables.push_back(std::move(table));
  }

  // --- Strategies

  void choose(RelationId id) {
    const std::optional<language::Via>& said = clauses_.relations[id];
    StoredRelation stored{.relation = id, .span = said ? said->span : model_.relations[id].syntax->span};
    if (said && said->kind != Via::kAuto) {
      stored.via = said->kind;
      stored.embed_as = said->embed_as;
    } else {
      Choice choice = choose_strategy(model_, clauses_, id);
      stored.via = choice.via;
      stored.reason = std::move(choice.reason);
      stored.is_chosen = true;
    }
    const bool is_later = stored.via == Via::kGraph || stored.via == Via::kLists;
    if (is_later) {
      mistakes_.tell("not-yet", stored.span, "this strategy is not there yet", "use edges");
    }
    const Cardinality cardinality = model_.relations[id].cardinality;
    const bool is_tree = stored.via == Via::kEmbed || stored.via == Via::kCollection ||
                         stored.via == Via::kPath || stored.via == Via::kIndex || stored.via == Via::kRef;
    if (cardinality == Cardinality::kManyToMany && is_tree)
      mistakes_.tell("wrong-strategy", stored.span, "many to many needs an item, or an entry, for each pair",
                     "use edges, ids or lists");
    layout_.relations.push_back(std::move(stored));
  }

  bool is_embedded(EntityId entity) const {
    return std::any_of(layout_.relations.begin(), layout_.relations.end(), [&](const StoredRelation& stored) {
      return stored.via == Via::kEmbed && model_.relations[stored.relation].ends[0].target == entity;
    });
  }

  // --- Entities

  std::optional<size_t> table_of(const language::Physical& physical, Span span, std::string_view what) {
    if (physical.table) {
      std::vector<std::string_view> names;
      for (size_t i = 0; i < layout_.tables.size(); ++i) {
        names.push_back(layout_.tables[i].name);
        if (layout_.tables[i].name == physical.table->text) return i;
      }
      mistakes_.tell_unknown("unknown-table", "table", *physical.table, names);
      return std::nullopt;
    }
    if (layout_.tables.size() == 1) return 0;
    mistakes_.tell("missing-table", span, "there are several tables: in which is " + std::string(what) + "?",
                   "add in TABLE");
    return std::nullopt;
  }

  void add_entity(EntityId id) {
    const language::Physical& physical = clauses_.entities[id];
    const Entity& entity = model_.entities[id];
    if (physical.store == language::Store::kEav)
      return mistakes_.tell("not-yet", entity.syntax->name.span, "store eav is not there yet", "remove it");
    if (physical.store == language::Store::kNone || is_embedded(id)) {
      if (physical.key && is_embedded(id))
        mistakes_.tell("contradiction", physical.key->span,
                       entity.name + " is embedded: it has no item, and so no key",
                       "remove the key, or use via collection");
      return;
    }
    const auto table = table_of(physical, entity.syntax->name.span, entity.name);
    if (!table) return;
    ItemKind kind{.entity = id, .name = entity.name, .table = *table, .span = entity.syntax->name.span};
    kind.tag = physical.tag ? physical.tag->text : entity.name;
    if (physical.key) {
      kind.span = physical.key->span;
      if (!read_keys({.entity = id}, physical.key.value(), *table, kind)) return;
    }
    layout_.kind_of_entity[id] = layout_.item_kinds.size();
    layout_.item_kinds.push_back(std::move(kind));
    for (const language::IndexKeys& index : physical.indexes)
      add_entry({.entity = id}, index, layout_.item_kinds.back());
  }

  bool read_keys(const TemplateOwner& owner, const language::Keys& keys, size_t table_id, ItemKind& kind) {
    const Table& table = layout_.tables[table_id];
    auto pk = templates_.resolve(owner, keys.pk);
    if (!pk) return false;
    if (table.sk && !keys.sk) {
      mistakes_.tell("missing-key", keys.span,
                     "the table " + table.name + " has a sort key, " + table.sk->name,
                     "write key \"" + pk->text() + "\" / \"...\"");
      return false;
    }
    if (!table.sk && keys.sk) {
      mistakes_.tell("missing-key", keys.sk->span, "the table " + table.name + " has no sort key",
                     "add sk SK; to it, or remove / and what follows");
      return false;
    }
    kind.pk = std::move(*pk);
    check_attribute(table.pk, kind.pk);
    if (!keys.sk) return true;
    kind.sk = templates_.resolve(owner, *keys.sk);
    if (!kind.sk) return false;
    check_attribute(*table.sk, *kind.sk);
    return true;
  }

  // A number can be a key by itself, but not be part of a text there.
  void check_attribute(const KeyAttribute& attribute, const KeyTemplate& key) {
    if (attribute.type == language::Type::Kind::kString) {
      const Hole* const bare = key.bare_hole();
      if (bare != nullptr && !is_textual(bare->field.type))
        mistakes_.tell(
            "wrong-type", key.span(),
            attribute.name + " is a string, and " + bare->field.name + " is a " + text_of(bare->field.type),
            "declare the attribute as number, or put a word before the hole");
      return;
    }
    const Hole* const bare = key.bare_hole();
    const bool fits = bare != nullptr && (attribute.type == language::Type::Kind::kNumber
                                              ? is_numeric(bare->field.type)
                                              : bare->field.type.kind == language::Type::Kind::kBinary);
    if (!fits)
      mistakes_.tell("wrong-type", key.span(),
                     attribute.name + " is no string: it can only hold a field by itself",
                     "write \"<FIELD>\", or declare " + attribute.name + " as string");
  }

  void add_entry(const TemplateOwner& owner, const language::IndexKeys& syntax, ItemKind& kind) {
    Table& table = layout_.tables[kind.table];
    const auto index = table.find_index(syntax.index.text);
    if (!index) {
      std::vector<std::string_view> names;
      for (const Index& each : table.indexes) names.push_back(each.name);
      return mistakes_.tell_unknown("unknown-index", "index of " + table.name, syntax.index, names);
    }
    const Index& found = table.indexes[*index];
    if (found.is_over_table_keys) {
      return mistakes_.tell("contradiction", syntax.span,
                            found.name + " is over the table's own keys: it holds every item already",
                            "remove this line");
    }
    IndexEntry entry{.index = *index, .span = syntax.span};
    auto pk = templates_.resolve(owner, syntax.keys.pk);
    if (!pk) return;
    if (found.sk.has_value() != syntax.keys.sk.has_value()) {
      return mistakes_.tell(
          "missing-key", syntax.keys.span,
          found.sk ? found.name + " has a sort key, " + found.sk->name : found.name + " has no sort key",
          found.sk ? "add / \"...\"" : "remove / and what follows");
    }
    entry.pk = std::move(*pk);
    check_attribute(found.pk, entry.pk);
    if (syntax.keys.sk) {
      entry.sk = templates_.resolve(owner, *syntax.keys.sk);
      if (!entry.sk) return;
      check_attribute(*found.sk, *entry.sk);
    }
    if (owner.entity) {
      const std::vector<Parameter> none;
      entry.when = PlaceResolver(model_, mistakes_)
                       .conditions({.entity = *owner.entity, .parameters = &none}, syntax.when);
    } else if (!syntax.when.empty()) {
      mistakes_.tell("not-yet", syntax.span, "when is for entities", "remove it");
    }
    kind.entries.push_back(std::move(entry));
  }

  // Gives the entity a key, after its parent's, if nobody wrote one down.
  void give_key(EntityId id, size_t depth) {
    const auto kind_id = layout_.kind_of_entity[id];
    if (!kind_id || depth > model_.entities.size()) return;
    if (!layout_.item_kinds[*kind_id].pk.pieces().empty()) return;
    for (const StoredRelation& stored : layout_.relations) {
      const Relation& relation = model_.relations[stored.relation];
      const bool is_in_partition = stored.via == Via::kCollection || stored.via == Via::kPath;
      if (!is_in_partition || relation.ends[0].target != id) continue;
      const EntityId parent = relation.ends[0].holder;
      const auto parent_kind = layout_.kind_of_entity[parent];
      if (parent == id || !parent_kind) break;
      give_key(parent, depth + 1);
      ItemKind& kind = layout_.item_kinds[*kind_id];
      const ItemKind& above = layout_.item_kinds[*parent_kind];
      if (above.pk.pieces().empty() || !layout_.tables[kind.table].sk || kind.table != above.table) break;
      allocate_child_key(model_, templates_, above, {.relation = stored.relation, .side = 1},
                         stored.via == Via::kPath, kind);
      return;
    }
    ItemKind& kind = layout_.item_kinds[*kind_id];
    allocate_own_key(model_, templates_, layout_.tables[kind.table], kind);
  }

  // --- Relations

  void store_relation(RelationId id) {
    StoredRelation& stored = layout_.relations[id];
    const std::optional<language::Via>& said = clauses_.relations[id];
    if (said) read_copies(*said, stored);
    switch (stored.via) {
      case Via::kCollection:
      case Via::kPath:
        return check_partition(id, stored);
      case Via::kIndex:
        return store_index(id, stored, said);
      case Via::kEdges:
      case Via::kGraph:
        return store_edges(id, stored, said);
      case Via::kIds:
        return store_ids(id, stored, said);
      case Via::kEmbed:
        return check_embedded(id, stored);
      default:
        break;
    }
  }

  void read_copies(const language::Via& said, StoredRelation& stored) {
    const Relation& relation = model_.relations[stored.relation];
    for (const language::Copy& copy : said.copies) {
      std::optional<int> side;
      for (const int each : {0, 1}) {
        if (relation.ends[each].name == copy.end.text) side = each;
      }
      if (!side) {
        mistakes_.tell_unknown("unknown-end", "end", copy.end,
                               {relation.ends[0].name, relation.ends[1].name});
        continue;
      }
      CopiedFields copied{.side = *side, .span = copy.span};
      const Entity& source = model_.entities[relation.ends[*side].target];
      if (copy.all) {
        for (FieldId field = 0; field < source.fields.size(); ++field) {
          if (!source.fields[field].is_id) copied.fields.push_back(field);
        }
      }
      std::vector<std::string_view> names;
      for (const Field& field : source.fields) names.push_back(field.name);
      for (const Name& name : copy.fields) {
        const auto field = model_.find_field(relation.ends[*side].target, name.text);
        if (!field) {
          mistakes_.tell_unknown("unknown-field", "field of " + source.name, name, names);
        } else {
          copied.fields.push_back(*field);
        }
      }
      stored.copies.push_back(std::move(copied));
    }
  }

  // `via collection` with explicit keys is a claim.
  void check_partition(RelationId id, const StoredRelation& stored) {
    const Relation& relation = model_.relations[id];
    const ItemKind* const parent = layout_.kind(relation.ends[0].holder);
    const ItemKind* const child = layout_.kind(relation.ends[0].target);
    if (parent == nullptr || child == nullptr || parent->pk.pieces().empty() || child->pk.pieces().empty())
      return;
    if (parent->table != child->table) {
      return mistakes_.tell("wrong-strategy", stored.span,
                            parent->name + " and " + child->name + " are in different tables",
                            "put both into one table, or use via index");
    }
    if (!layout_.tables[parent->table].sk) {
      return mistakes_.tell(
          "wrong-strategy", stored.span,
          "the table " + layout_.tables[parent->table].name + " has no sort key: a partition holds one item",
          "add sk SK; to the table, or use via index");
    }
    ItemKind expected = *child;
    allocate_child_key(model_, templates_, *parent, {.relation = id, .side = 1}, stored.via == Via::kPath,
                       expected);
    if (child->pk.text() != expected.pk.text()) {
      return mistakes_.tell("wrong-strategy", stored.span,
                            "the key of " + child->name + ", \"" + child->pk.text() +
                                "\", is not in the partition of its " + relation.ends[1].name + ", \"" +
                                expected.pk.text() + "\"",
                            "write key \"" + expected.pk.text() + "\" / ..., or use via index",
                            {{.span = child->span, .text = "the key is here"}});
    }
    if (stored.via != Via::kPath) return;
    KeyTemplate behind = *expected.sk;
    const std::string parent_part =
        behind.text().substr(0, behind.text().find("#" + key_word(child->name) + "#") + 1);
    if (!child->sk->text().starts_with(parent_part))
      mistakes_.tell("wrong-strategy", stored.span,
                     "the sort key of " + child->name + " does not begin with its parent's levels, \"" +
                         parent_part + "\"",
                     "write / \"" + behind.text() + "\"", {{.span = child->span, .text = "the key is here"}});
  }

  void store_index(RelationId id, StoredRelation& stored, const std::optional<language::Via>& said) {
    const Relation& relation = model_.relations[id];
    const auto child_id = layout_.kind_of_entity[relation.ends[0].target];
    if (!child_id) return;
    ItemKind& child = layout_.item_kinds[*child_id];
    Table& table = layout_.tables[child.table];
    const EndId to_parent{.relation = id, .side = 1};
    std::optional<size_t> wanted;
    if (said && said->on) {
      wanted = table.find_index(said->on->text);
      if (!wanted) {
        std::vector<std::string_view> names;
        for (const Index& each : table.indexes) names.push_back(each.name);
        return mistakes_.tell_unknown("unknown-index", "index of " + table.name, *said->on, names);
      }
    }
    for (const IndexEntry& entry : child.entries) {
      if (wanted && entry.index != *wanted) continue;
      const std::vector<const Hole*> holes = entry.pk.holes();
      const bool is_led = !holes.empty() && !holes.front()->source.path.ends.empty() &&
                          holes.front()->source.path.ends.front() == to_parent;
      if (is_led) {
        stored.index = entry.index;
        return;
      }
      if (wanted) {
        return mistakes_.tell("wrong-strategy", stored.span,
                              "the index " + table.indexes[entry.index].name + " is not partitioned by " +
                                  relation.ends[1].name,
                              "begin its partition key with <" + relation.ends[1].name + ".FIELD>",
                              {{.span = entry.span, .text = "its keys are here"}});
      }
    }
    if (wanted && table.indexes[*wanted].is_over_table_keys) {
      return mistakes_.tell("wrong-strategy", stored.span, "this index is over the table's own keys",
                            "use another index, or edges");
    }
    const size_t index = wanted ? *wanted : allocate_index(table, child);
    child.entries.push_back(child_view(model_, templates_, to_parent, child, index));
    stored.index = index;
  }

  void store_edges(RelationId id, StoredRelation& stored, const std::optional<language::Via>& said) {
    const Relation& relation = model_.relations[id];
    const language::Physical physical = said ? said->physical : language::Physical{};
    ItemKind edge{.relation = id,
                  .name = model_.entities[relation.ends[0].holder].name + "." + relation.ends[0].name,
                  .span = stored.span};
    edge.tag = physical.tag ? physical.tag->text : edge.name;
    stored.pk_side = pk_side(id, said, physical);
    if (!stored.pk_side) return;
    stored.both_directions = said && said->pk && said->pk->text == "both";
    const ItemKind* const partition = layout_.kind(relation.ends[*stored.pk_side].target);
    if (!physical.table && partition != nullptr) {
      edge.table = partition->table;
    } else {
      const auto table = table_of(physical, stored.span, "the edge");
      if (!table) return;
      edge.table = *table;
    }
    if (physical.key) {
      edge.span = physical.key->span;
      if (!read_keys({.relation = id}, *physical.key, edge.table, edge)) return;
    } else if (!layout_.tables[edge.table].sk) {
      return mistakes_.tell("wrong-strategy", stored.span, "edges need a table with a sort key",
                            "add sk SK; to " + layout_.tables[edge.table].name);
    } else if (partition == nullptr) {
      return mistakes_.tell("missing-key", stored.span,
                            model_.entities[relation.ends[*stored.pk_side].target].name +
                                " has no items: edges have no partition to lie in",
                            "write the key of the edges: key \"...\" / \"...\"");
    } else {
      allocate_edge_key(model_, templates_, *partition, *stored.pk_side, edge);
    }
    for (const language::IndexKeys& index : physical.indexes) add_entry({.relation = id}, index, edge);
    give_other_direction(stored, edge);
    stored.edge_kind = layout_.item_kinds.size();
    layout_.item_kinds.push_back(std::move(edge));
  }

  // one: the entity that has many of them; many: those; an end: what it leads to.
  std::optional<int> pk_side(RelationId id, const std::optional<language::Via>& said,
                             const language::Physical& physical) {
    const Relation& relation = model_.relations[id];
    if (!said || !said->pk || said->pk->text == "both") {
      if (physical.key) return side_of_key(id, *physical.key);
      return 1;  // the holder of the first end
    }
    const Name& pk = *said->pk;
    if (pk.text == "one" || pk.text == "many") {
      if (relation.cardinality != Cardinality::kOneToMany) {
        mistakes_.tell("missing-end", pk.span, "one and many are for 1--*",
                       "name the end whose entities are the partitions");
        return std::nullopt;
      }
      return pk.text == "one" ? 1 : 0;
    }
    for (const int side : {0, 1}) {
      if (relation.ends[side].name == pk.text) return side;
    }
    mistakes_.tell_unknown("unknown-end", "end", pk,
                           {relation.ends[0].name, relation.ends[1].name, "one", "many", "both"});
    return std::nullopt;
  }

  int side_of_key(RelationId id, const language::Keys& keys) const {
    const Relation& relation = model_.relations[id];
    for (const auto& piece : keys.pk.pieces) {
      const auto* hole = std::get_if<language::Hole>(&piece);
      if (hole == nullptr) continue;
      for (const int side : {0, 1}) {
        if (relation.ends[side].name == hole->path.names.front().text) return side;
      }
    }
    return 1;
  }

  void give_other_direction(const StoredRelation& stored, ItemKind& edge) {
    if (stored.both_directions || !edge.entries.empty()) return;
    Table& table = layout_.tables[edge.table];
    for (const Index& index : table.indexes) {
      if (index.is_over_table_keys) return;  // it has them already
    }
    const size_t index = allocate_index(table, edge);
    edge.entries.push_back(edge_view(model_, templates_, 1 - *stored.pk_side, edge, index));
  }

  void store_ids(RelationId id, StoredRelation& stored, const std::optional<language::Via>& said) {
    const Relation& relation = model_.relations[id];
    for (const int side : {0, 1}) {
      if (said && said->ids && relation.ends[side].name == said->ids->text) stored.ids_side = side;
    }
    if (!stored.ids_side)
      return mistakes_.tell_unknown("unknown-end", "end", *said->ids,
                                    {relation.ends[0].name, relation.ends[1].name});
    const End& end = relation.ends[*stored.ids_side];
    if (end.leads_to_many && !end.max)
      mistakes_.tell("unbounded-list", stored.span,
                     "a list of ids without bound does not fit an item of 400 KB",
                     "say size of " + end.name + " max N, or use edges");
    if (!relation.edge_fields.empty())
      mistakes_.tell("wrong-strategy", stored.span, "ids alone have no room for the edge's fields",
                     "use edges");
  }

  void check_embedded(RelationId id, const StoredRelation& stored) {
    const Relation& relation = model_.relations[id];
    const End& end = relation.ends[0];
    if (end.leads_to_many && !end.max)
      mistakes_.tell("unbounded-list", stored.span, "a list without bound does not fit an item of 400 KB",
                     "say size max N, or use via collection");
    for (const EndId other : model_.entities[end.target].ends) {
      if (other.relation == id) continue;
      mistakes_.tell("wrong-strategy", stored.span,
                     model_.entities[end.target].name +
                         " has other relations, and an embedded entity cannot: it has no item",
                     "use via collection");
      break;
    }
    if (stored.embed_as == language::Via::EmbedAs::kMap && model_.entities[end.target].identity.empty())
      mistakes_.tell("missing-id", stored.span, "a map needs an id for each of them", "use embed list");
  }

  const Model& model_;
  const LayoutClauses& clauses_;
  Mistakes& mistakes_;
  TemplateResolver templates_;
  Layout layout_;
};

}  // namespace

std::vector<Layout> resolve_layouts(const Model& model, language::Diagnostics& diagnostics) {
  Mistakes mistakes(diagnostics);
  const auto all = std::make_shared<const std::vector<LayoutClauses>>(layout_clauses(model, mistakes));
  std::vector<Layout> layouts;
  for (const LayoutClauses& clauses : *all) {
    layouts.push_back(LayoutResolver(model, clauses, mistakes).run());
    layouts.back().clauses = all;
  }
  return layouts;
}

}  // namespace sheaf::model
