#include "model/by_field.h"

#include <algorithm>

#include "model/strategies/strategy.h"

namespace sheaf::model {
namespace {

// It is put, and deleted, in one transaction of 100 actions, of which some are for what it is linked to.
constexpr size_t kFieldsMax = 80;

bool is_of_identity(const Model& model, EntityId entity, const Hole& hole) {
  const std::vector<FieldPath>& identity = model.entities[entity].identity;
  return hole.source.root == HoleSource::Root::kEntity && hole.holds_value() &&
         std::find(identity.begin(), identity.end(), hole.source.path) != identity.end();
}

}  // namespace

bool begin_by_field(LayoutDraft& draft, ItemKind& kind) {
  const Entity& entity = draft.model.entities[*kind.entity];
  const language::Physical& physical = draft.clauses.entities[*kind.entity];
  const auto refuse = [&](language::ErrorId id, language::Span span, std::string why, std::string fix) {
    draft.mistakes.tell(id, span, entity.name + why, std::move(fix));
    return false;
  };
  const auto anchor = std::find_if(entity.fields.begin(), entity.fields.end(),
                                   [](const Field& field) { return field.tells_presence(); });
  if (anchor == entity.fields.end())
    return refuse("contradiction", physical.store_span,
                  " has no field that is never missing, and no other item would tell that it is there",
                  "add one, or remove a ?");
  kind.anchor = static_cast<FieldId>(anchor - entity.fields.begin());
  if (entity.fields.size() > kFieldsMax)
    return refuse("contradiction", physical.store_span,
                  " has more than " + std::to_string(kFieldsMax) +
                      " fields, too many for the transaction that puts an item for each",
                  "use store item");
  if (const auto named = draft.model.find_field(*kind.entity, "attribute"))
    return refuse(
        "contradiction", entity.fields[*named].syntax->name.span,
        " is stored field by field: in its key <attribute> is the name of a field, and not this one",
        "give the field another name");
  if (entity.syntax->ttl)
    return refuse("contradiction", entity.syntax->ttl->span,
                  " is stored field by field, and its items could not expire together", "use store item");
  if (!physical.indexes.empty())
    return refuse("contradiction", physical.indexes.front().span,
                  " is stored field by field: no item of it holds the fields of an index key together",
                  "use store item, or leave the index out");
  if (!draft.layout.tables[kind.table].sk)
    return refuse("missing-key", physical.store_span,
                  " is stored field by field, which needs a table with a sort key",
                  "add sk SK; to " + draft.layout.tables[kind.table].name);
  return true;
}

bool check_by_field(LayoutDraft& draft, const ItemKind& kind) {
  if (kind.pk.pieces().empty()) return true;  // it is allocated later
  const Entity& entity = draft.model.entities[*kind.entity];
  const auto refuse = [&](language::Span span, std::string why, std::string fix) {
    draft.mistakes.tell("contradiction", span, std::move(why), std::move(fix));
    return false;
  };
  const std::vector<const Hole*> in_pk = kind.pk.holes(), in_sk = kind.sk->holes();
  const auto* const last = kind.sk->pieces().empty() ? nullptr : std::get_if<Hole>(&kind.sk->pieces().back());
  const auto is_attribute = [](const Hole* hole) { return hole->is_attribute(); };
  const bool is_once = std::none_of(in_pk.begin(), in_pk.end(), is_attribute) &&
                       std::count_if(in_sk.begin(), in_sk.end(), is_attribute) == 1;
  if (last == nullptr || !last->is_attribute() || !is_once)
    return refuse(kind.sk->span(),
                  entity.name + " has an item for each field, and nothing else tells them apart",
                  "end the sort key, and nothing else, with <attribute>");
  for (const FieldPath& part : entity.identity) {
    const bool is_there = std::any_of(in_pk.begin(), in_pk.end(), [&](const Hole* hole) {
      return hole->source == HoleSource{.path = part} && hole->holds_value();
    });
    if (!is_there)
      return refuse(kind.pk.span(),
                    "the items of one " + entity.name + " must have a partition of their own, and this key " +
                        "puts several into one",
                    "put <" + draft.model.text(*kind.entity, part) + "> into the partition key");
  }
  for (const std::vector<const Hole*>& holes : {in_pk, in_sk}) {
    for (const Hole* hole : holes) {
      if (hole->is_attribute() || is_of_identity(draft.model, *kind.entity, *hole)) continue;
      return refuse(hole->span, hole->text + " is a field with an item of its own, which no key can hold",
                    "use ids alone, or store item");
    }
  }
  return true;
}

void check_relations_by_field(LayoutDraft& draft) {
  const Layout& layout = draft.layout;
  for (const StoredRelation& stored : layout.relations) {
    const Relation& relation = draft.model.relations[stored.relation];
    for (const int side : {0, 1}) {
      const EndId end{.relation = stored.relation, .side = side};
      const Entity& holder = draft.model.entities[relation.ends[side].holder];
      if (!layout.is_by_field(relation.ends[side].holder)) continue;
      if (layout.is_named(end) || layout.is_embedded(end)) {
        draft.mistakes.tell("wrong-strategy", stored.span,
                            holder.name + " is stored field by field: no item of it has room for its " +
                                relation.ends[side].name,
                            "use via edges, or store item for " + holder.name);
        break;
      }
    }
    if (stored.strategy->child_key() == Strategy::ChildKey::kBehindParent &&
        layout.is_by_field(relation.ends[0].holder)) {
      const std::string& parent = draft.model.entities[relation.ends[0].holder].name;
      draft.mistakes.tell(
          "wrong-strategy", stored.span,
          parent + " is stored field by field: there is no one item behind which a path goes on",
          "use via collection, or store item for " + parent);
    }
    for (const CopiedFields& copied : stored.copies) {
      const Entity& source = draft.model.entities[relation.ends[copied.side].target];
      if (!layout.is_by_field(relation.ends[copied.side].target)) continue;
      draft.mistakes.tell("contradiction", copied.span,
                          source.name + " is stored field by field: no version tells whether copies are old",
                          "leave the copy out, or store item for " + source.name);
    }
  }
}

}  // namespace sheaf::model
