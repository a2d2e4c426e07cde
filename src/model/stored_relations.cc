#include "model/stored_relations.h"

#include <algorithm>

#include "base/article.h"
#include "model/strategies/choice.h"
#include "model/strategies/strategy.h"

namespace sheaf::model {
namespace {

using language::Name;
using Via = language::Via::Kind;

// What has no items is an end of edges, and of nothing else.
void check_items(LayoutDraft& draft, RelationId id, const StoredRelation& stored) {
  if (!stored.strategy->needs_items()) return;
  for (const End& end : draft.model.relations[id].ends) {
    if (draft.clauses.entities[end.target].store != language::Store::kNone) continue;
    return draft.mistakes.tell(
        "wrong-strategy", stored.span,
        draft.model.entities[end.target].name + " is stored as none: only edges lead to it", "use via edges");
  }
}

void choose(LayoutDraft& draft, RelationId id) {
  const std::optional<language::Via>& said = draft.clauses.relations[id];
  const Relation& relation = draft.model.relations[id];
  StoredRelation stored{.relation = id, .span = said ? said->span : relation.syntax->forward.span};
  if (said && said->kind != Via::kAuto) {
    stored.strategy = find_strategy(said->kind);
    stored.embed_as = said->embed_as;
    if (fits(*stored.strategy, draft.model, relation, stored.span, draft.mistakes))
      check_items(draft, id, stored);
  } else {
    Choice choice = choose_strategy(draft.model, draft.clauses, id);
    stored.strategy = find_strategy(choice.via);
    stored.reason = std::move(choice.reason);
    stored.is_chosen = true;
  }
  draft.layout.relations.push_back(std::move(stored));
}

// --- Copies

class CopyReader {
 public:
  CopyReader(LayoutDraft& draft, StoredRelation& stored)
      : draft_(draft), stored_(stored), relation_(draft.model.relations[stored.relation]) {}

  void read(const language::Copy& copy) {
    const auto side = draft_.names.side(relation_, copy.end);
    if (!side || !stored_.strategy->has_room(draft_, stored_, copy, *side)) return;
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
        if (!fields[field].is_id && !changes_with_others(fields[field])) copied.fields.push_back(field);
      }
    }
    for (const Name& name : copy.fields) {
      const auto field = draft_.model.find_field(source, name.text);
      if (!field) {
        draft_.names.tell_unknown_field(source, name);
      } else if (fields[*field].is_id) {
        draft_.mistakes.tell("contradiction", name.span,
                             name.text + " is an id, which every reference holds already", "remove it");
      } else if (changes_with_others(fields[*field])) {
        draft_.mistakes.tell("contradiction", name.span,
                             name.text + " changes with every write, and copies of it would be old at once",
                             "remove it: it is read where it is kept");
      } else if (is_copied(*side, copied, *field)) {
        draft_.mistakes.tell("said-twice", name.span, name.text + " is copied already",
                             "keep one of the two");
      } else {
        copied.fields.push_back(*field);
      }
    }
    for (const FieldId field : copied.fields) {
      if (!fields[field].syntax->is_immutable &&
          !stored_.strategy->finds_copies(draft_, stored_, copy, fields[field]))
        break;
      warn_of_change(copy, source, fields[field]);
    }
    stored_.copies.push_back(std::move(copied));
  }

 private:
  // An edge is one of many: what it holds should not change with one of its ends.
  void warn_of_change(const language::Copy& copy, EntityId source, const Field& field) {
    const EndStorage storage = stored_.strategy->storage(stored_, 0);
    const bool is_steady = field.is_id || field.kept == Kept::kCreated || field.syntax->is_immutable ||
                           field.syntax->changes == language::Changes::kRarely;
    if (is_steady || (storage != EndStorage::kEdge && storage != EndStorage::kEntries)) return;
    draft_.mistakes.warn("mutable-copy", copy.span,
                         field.name + " of " + draft_.model.entities[source].name + " is copied to " +
                             (storage == EndStorage::kEdge ? "edges" : "entries of lists") +
                             ", and can change: then all of them are written again",
                         "declare it immutable, or changes rarely, or leave it out of the copy",
                         {{.span = field.syntax->name.span, .text = "the field is here"}});
  }

  // Counts, versions and the like.
  static bool changes_with_others(const Field& field) {
    return field.count_of || field.kept == Kept::kUpdated || field.kept == Kept::kVersion;
  }

  bool is_copied(int side, const CopiedFields& now, FieldId field) const {
    const auto contains = [&](const CopiedFields& copied) {
      return std::find(copied.fields.begin(), copied.fields.end(), field) != copied.fields.end();
    };
    return contains(now) ||
           std::any_of(stored_.copies.begin(), stored_.copies.end(),
                       [&](const CopiedFields& other) { return other.side == side && contains(other); });
  }

  LayoutDraft& draft_;
  StoredRelation& stored_;
  const Relation& relation_;
};

// What was said; where Sheaf has chosen, with what goes with the choice.
std::optional<language::Via> said_or_chosen(const LayoutDraft& draft, const StoredRelation& stored) {
  std::optional<language::Via> said = draft.clauses.relations[stored.relation];
  if (!stored.is_chosen) return said;
  Choice choice = choose_strategy(draft.model, draft.clauses, stored.relation);
  if (!choice.details.pk && !choice.details.ids) return said;
  if (!said) said.emplace();
  said->ids = std::move(choice.details.ids);
  // Keys that are written down say it themselves.
  if (!said->physical.key) said->pk = std::move(choice.details.pk);
  return said;
}

void store(LayoutDraft& draft, RelationId id) {
  StoredRelation& stored = draft.layout.relations[id];
  const std::optional<language::Via> said = said_or_chosen(draft, stored);
  if (said) {
    CopyReader reader(draft, stored);
    for (const language::Copy& copy : said->copies) reader.read(copy);
  }
  if (said && !stored.strategy->has_items() && !said->physical.empty()) {
    draft.mistakes.tell("contradiction", said->span,
                        "this strategy has no items of its own: in, tag, store, key and index are for edges",
                        "write them in the entity, or use via edges");
  }
  stored.strategy->store(draft, stored, said);
}

// --- Where each of the two names the other

// Whether these keys lead from an id to the items that have it.
bool lead_from_id(const Entity& entity, const KeyTemplate& pk, const KeyTemplate* sk) {
  const auto is_id = [&](const Hole* hole) {
    return std::find(entity.identity.begin(), entity.identity.end(), hole->source.path) !=
           entity.identity.end();
  };
  std::vector<const Hole*> known = pk.holes();
  if (!std::all_of(known.begin(), known.end(), is_id)) return false;
  const std::vector<const Hole*> in_sk = sk != nullptr ? sk->holes() : std::vector<const Hole*>();
  const auto rest = std::find_if_not(in_sk.begin(), in_sk.end(), is_id);
  known.insert(known.end(), in_sk.begin(), rest);
  const bool is_always_there =
      std::none_of(rest, in_sk.end(), [](const Hole* hole) { return hole->field.is_optional; });
  return is_always_there &&
         std::all_of(entity.identity.begin(), entity.identity.end(), [&](const FieldPath& part) {
           return std::any_of(known.begin(), known.end(), [&](const Hole* hole) {
             return hole->source.path == part && hole->holds_value();
           });
         });
}

bool is_found_by_id(const LayoutDraft& draft, const ItemKind& kind) {
  const Entity& entity = draft.model.entities[*kind.entity];
  if (lead_from_id(entity, kind.pk, kind.sk ? &*kind.sk : nullptr)) return true;
  for (const IndexEntry& entry : kind.entries) {
    if (entry.when.empty() && lead_from_id(entity, entry.pk, entry.sk ? &*entry.sk : nullptr)) return true;
  }
  const std::vector<Index>& indexes = draft.layout.tables[kind.table].indexes;
  const bool has_inverted = std::any_of(indexes.begin(), indexes.end(),
                                        [](const Index& index) { return index.is_over_table_keys; });
  return has_inverted && kind.sk && lead_from_id(entity, *kind.sk, &kind.pk);
}

void check_mutual(LayoutDraft& draft, const StoredRelation& stored) {
  if (!draft.layout.is_mutual({.relation = stored.relation})) return;
  for (const End& end : draft.model.relations[stored.relation].ends) {
    const ItemKind* const kind = draft.layout.kind(end.target);
    if (kind == nullptr || kind->pk.pieces().empty() || is_found_by_id(draft, *kind)) continue;
    return draft.mistakes.tell("wrong-strategy", stored.span,
                               "each of the two names the other, and the id of " + with_article(kind->name) +
                                   " does not tell where its item is",
                               "add an index that is led by it, or use via edges",
                               {{.span = kind->span, .text = "its key is here"}});
  }
}

}  // namespace

void check_mutual_relations(LayoutDraft& draft) {
  for (const StoredRelation& stored : draft.layout.relations) check_mutual(draft, stored);
}

void choose_strategies(LayoutDraft& draft) {
  for (RelationId id = 0; id < draft.model.relations.size(); ++id) choose(draft, id);
}

void store_relations(LayoutDraft& draft) {
  for (RelationId id = 0; id < draft.model.relations.size(); ++id) store(draft, id);
}

}  // namespace sheaf::model
