#include "model/item_kinds.h"

#include <algorithm>

#include "base/article.h"
#include "model/by_field.h"
#include "model/key_allocation.h"
#include "model/place_resolver.h"
#include "model/strategies/strategy.h"
#include "model/value_type.h"

namespace sheaf::model {
namespace {

using language::Span;
using Via = language::Via::Kind;
using Kind = language::Type::Kind;

// A number can be a key by itself, but not be part of a text there.
void check_attribute(LayoutDraft& draft, const KeyAttribute& attribute, const KeyTemplate& key) {
  const Hole* const bare = key.bare_hole();
  if (attribute.type == Kind::kString) {
    if (bare != nullptr && !is_textual(bare->field.type))
      draft.mistakes.tell("wrong-type", key.span(),
                          attribute.name + " is a string, and " + bare->field.name + " is " +
                              with_article(text_of(bare->field.type)),
                          "declare the attribute as number, or put a word before the hole");
    return;
  }
  const bool fits =
      bare != nullptr && (attribute.type == Kind::kNumber ? is_numeric(bare->field.type)
                                                          : bare->field.type.kind == Kind::kBinary);
  if (!fits)
    draft.mistakes.tell("wrong-type", key.span(),
                        attribute.name + " is no string: it can only hold a field by itself",
                        "write \"<FIELD>\", or declare " + attribute.name + " as string");
}

// The attribute of an index that is a field by itself has the type of that field, as the first `index` line
// has it: there is no place to declare it.
void infer_type(const LayoutDraft& draft, const ItemKind& kind, size_t index, const KeyTemplate& key,
                KeyAttribute& attribute) {
  const Table& table = draft.layout.tables[kind.table];
  const bool is_table_key = attribute.name == table.pk.name || (table.sk && attribute.name == table.sk->name);
  const auto uses = [&](const ItemKind& other) {
    return other.table == kind.table &&
           std::any_of(other.entries.begin(), other.entries.end(),
                       [&](const IndexEntry& entry) { return entry.index == index; });
  };
  const bool is_first = std::none_of(draft.layout.item_kinds.begin(), draft.layout.item_kinds.end(), uses);
  if (is_table_key || !is_first || key.bare_hole() == nullptr) return;
  const language::Type& type = key.bare_hole()->field.type;
  if (is_numeric(type)) attribute.type = Kind::kNumber;
  if (type.kind == Kind::kBinary) attribute.type = Kind::kBinary;
}

// The first physical clause that needs an item.
std::optional<Span> item_clause(const language::Physical& physical) {
  if (physical.key) return physical.key->span;
  if (!physical.indexes.empty()) return physical.indexes.front().span;
  if (physical.table) return physical.table->span;
  if (physical.tag) return physical.tag->span;
  return std::nullopt;
}

// Without items nothing holds a key, or fields.
void check_itemless(LayoutDraft& draft, EntityId id) {
  const language::Physical& physical = draft.clauses.entities[id];
  const Entity& entity = draft.model.entities[id];
  const bool is_embedded = draft.is_embedded(id);
  // A tag may be for other layouts.
  if ((physical.key || !physical.indexes.empty())) {
    draft.mistakes.tell("contradiction", *item_clause(physical),
                        entity.name + (is_embedded ? " is embedded" : " is stored as none") +
                            ": it has no item, and so no key",
                        is_embedded ? "remove this, or use via collection" : "remove this, or store none");
  }
  if (is_embedded) return;
  for (const Field& field : entity.fields) {
    if (field.is_id) continue;
    draft.mistakes.tell("contradiction", field.syntax->name.span,
                        entity.name + " has no items, and nothing else holds its field " + field.name,
                        "remove the field, or store none");
  }
}

void add_entity(LayoutDraft& draft, EntityId id) {
  const language::Physical& physical = draft.clauses.entities[id];
  const Entity& entity = draft.model.entities[id];
  if (physical.store == language::Store::kNone || draft.is_embedded(id)) return check_itemless(draft, id);
  const auto table = table_of(draft, physical, entity.syntax->name.span, entity.name);
  if (!table) return;
  ItemKind kind{.entity = id, .name = entity.name, .table = *table, .span = entity.syntax->name.span};
  kind.tag = physical.tag ? physical.tag->text : entity.name;
  kind.store = physical.store.value_or(language::Store::kItem);
  if (kind.is_by_field() && !begin_by_field(draft, kind)) return;
  if (physical.key) {
    kind.span = physical.key->span;
    if (!read_keys(draft, {.entity = id, .is_by_field = kind.is_by_field()}, *physical.key, kind)) return;
  }
  if (kind.is_by_field() && !check_by_field(draft, kind)) return;
  for (const language::IndexKeys& index : physical.indexes) add_entry(draft, {.entity = id}, index, kind);
  draft.layout.kind_of_entity[id] = draft.layout.item_kinds.size();
  draft.layout.item_kinds.push_back(std::move(kind));
}

// Gives the entity a key, after its parent's, if nobody wrote one down.
void give_key(LayoutDraft& draft, EntityId id, size_t depth) {
  Layout& layout = draft.layout;
  const auto kind_id = layout.kind_of_entity[id];
  if (!kind_id || depth > draft.model.entities.size()) return;
  if (!layout.item_kinds[*kind_id].pk.pieces().empty()) return;
  for (const StoredRelation& stored : layout.relations) {
    const Relation& relation = draft.model.relations[stored.relation];
    const Strategy::ChildKey place = stored.strategy->child_key();
    if (place == Strategy::ChildKey::kOwn || relation.ends[0].target != id) continue;
    const EntityId parent = relation.ends[0].holder;
    const auto parent_kind = layout.kind_of_entity[parent];
    if (parent == id || !parent_kind) break;
    give_key(draft, parent, depth + 1);
    ItemKind& kind = layout.item_kinds[*kind_id];
    const ItemKind& above = layout.item_kinds[*parent_kind];
    if (above.pk.pieces().empty() || !layout.tables[kind.table].sk || kind.table != above.table) break;
    allocate_child_key(draft.model, draft.templates, above, {.relation = stored.relation, .side = 1},
                       place == Strategy::ChildKey::kBehindParent, kind);
    return;
  }
  ItemKind& kind = layout.item_kinds[*kind_id];
  allocate_own_key(draft.model, draft.templates, layout.tables[kind.table], kind);
}

}  // namespace

bool LayoutDraft::is_embedded(EntityId entity) const {
  return layout.embedding_end(model, entity).has_value();
}

std::optional<size_t> table_of(LayoutDraft& draft, const language::Physical& physical, Span span,
                               std::string_view what) {
  const std::vector<Table>& tables = draft.layout.tables;
  if (physical.table) {
    std::vector<std::string_view> names;
    for (size_t i = 0; i < tables.size(); ++i) {
      if (tables[i].name == physical.table->text) return i;
      names.push_back(tables[i].name);
    }
    draft.mistakes.tell_unknown("unknown-table", "table", *physical.table, names);
    return std::nullopt;
  }
  if (tables.size() == 1) return 0;
  draft.mistakes.tell("missing-table", span,
                      "there are several tables: in which is " + std::string(what) + "?", "add in TABLE");
  return std::nullopt;
}

bool read_keys(LayoutDraft& draft, const TemplateOwner& owner, const language::Keys& keys, ItemKind& kind) {
  const Table& table = draft.layout.tables[kind.table];
  auto pk = draft.templates.resolve(owner, keys.pk);
  auto sk = keys.sk ? draft.templates.resolve(owner, *keys.sk) : std::nullopt;
  if (!pk || (keys.sk && !sk)) return false;
  if (table.sk && !keys.sk) {
    draft.mistakes.tell("missing-key", keys.span,
                        "the table " + table.name + " has a sort key, " + table.sk->name,
                        "write key \"" + pk->text() + "\" / \"...\"");
    return false;
  }
  if (!table.sk && keys.sk) {
    draft.mistakes.tell("missing-key", keys.sk->span, "the table " + table.name + " has no sort key",
                        "add sk SK; to it, or remove / and what follows");
    return false;
  }
  kind.pk = std::move(*pk);
  check_attribute(draft, table.pk, kind.pk);
  if (!sk) return true;
  kind.sk = std::move(sk);
  check_attribute(draft, *table.sk, *kind.sk);
  return true;
}

void add_entry(LayoutDraft& draft, const TemplateOwner& owner, const language::IndexKeys& syntax,
               ItemKind& kind) {
  Table& table = draft.layout.tables[kind.table];
  const auto index = table.find_index(syntax.index.text);
  if (!index) {
    std::vector<std::string_view> names;
    for (const Index& each : table.indexes) names.push_back(each.name);
    return draft.mistakes.tell_unknown("unknown-index", "index of " + table.name, syntax.index, names);
  }
  Index& found = table.indexes[*index];
  if (found.is_over_table_keys) {
    return draft.mistakes.tell("contradiction", syntax.index.span,
                               found.name + " is over the table's own keys: it holds every item already",
                               "remove this line");
  }
  // Said twice, which is told.
  if (std::any_of(kind.entries.begin(), kind.entries.end(),
                  [&](const IndexEntry& other) { return other.index == *index; }))
    return;
  IndexEntry entry{.index = *index, .span = syntax.keys.span};
  auto pk = draft.templates.resolve(owner, syntax.keys.pk);
  auto sk = syntax.keys.sk ? draft.templates.resolve(owner, *syntax.keys.sk) : std::nullopt;
  if (!pk || (syntax.keys.sk && !sk)) return;
  if (found.sk.has_value() != syntax.keys.sk.has_value()) {
    return draft.mistakes.tell(
        "missing-key", found.sk ? syntax.keys.span : syntax.keys.sk->span,
        found.sk ? found.name + " has a sort key, " + found.sk->name : found.name + " has no sort key",
        found.sk ? "add / \"...\"" : "remove / and what follows");
  }
  entry.pk = std::move(*pk);
  infer_type(draft, kind, *index, entry.pk, found.pk);
  check_attribute(draft, found.pk, entry.pk);
  if (sk) {
    entry.sk = std::move(sk);
    infer_type(draft, kind, *index, *entry.sk, *found.sk);
    check_attribute(draft, *found.sk, *entry.sk);
  }
  if (owner.entity) {
    const std::vector<Parameter> none;
    entry.when = PlaceResolver(draft.model, draft.mistakes)
                     .conditions({.entity = *owner.entity, .parameters = &none}, syntax.when);
    for (const Condition& condition : entry.when) {
      if (!condition.place.ends.empty())
        draft.mistakes.tell("bad-operand", condition.syntax->path.span,
                            "when looks at fields of the item itself",
                            "name a field of " + draft.model.entities[*owner.entity].name);
      for (const language::Operand& operand : condition.syntax->operands) {
        const auto* literal = std::get_if<language::Literal>(&operand);
        if (literal != nullptr && literal->kind == language::Literal::Kind::kNow)
          draft.mistakes.tell("contradiction", literal->span,
                              "the entry would have to come or go as time passes, and only writes move it",
                              "compare with a value that stays");
      }
    }
  } else if (!syntax.when.empty()) {
    draft.mistakes.tell("not-yet", syntax.when.front().span, "when is for entities, not for edges yet",
                        "remove it");
  }
  kind.entries.push_back(std::move(entry));
}

void add_entities(LayoutDraft& draft) {
  draft.layout.kind_of_entity.resize(draft.model.entities.size());
  for (EntityId id = 0; id < draft.model.entities.size(); ++id) add_entity(draft, id);
  for (EntityId id = 0; id < draft.model.entities.size(); ++id) give_key(draft, id, 0);
}

}  // namespace sheaf::model
