#include "model/key_proof.h"

#include <algorithm>

#include "base/article.h"
#include "model/value_type.h"

namespace sheaf::model {
namespace {

using language::Span;

struct Texts {
  RegularLanguage pk;
  std::optional<RegularLanguage> sk;
};

Texts texts_of(const KeyTemplate& pk, const std::optional<KeyTemplate>& sk) {
  return {.pk = pk.language(), .sk = sk ? std::optional(sk->language()) : std::nullopt};
}

// Whether their texts begin alike. Most templates do not, and then nothing has to be compared with care.
bool may_meet(const KeyTemplate& a, const KeyTemplate& b) {
  const std::string one = a.leading_text(), other = b.leading_text();
  return one.starts_with(other) || other.starts_with(one);
}

std::string shown(const KeyTemplate& pk, const std::optional<KeyTemplate>& sk) {
  return "\"" + pk.text() + "\"" + (sk ? " / \"" + sk->text() + "\"" : "");
}

class Prover {
 public:
  Prover(const Model& model, const Layout& layout, Mistakes& mistakes)
      : model_(model), layout_(layout), mistakes_(mistakes) {}

  void run() {
    for (const ItemKind& kind : layout_.item_kinds) {
      check_template(kind, kind.pk, kPartitionKeyBytesMax, "partition");
      if (kind.sk) check_template(kind, *kind.sk, kSortKeyBytesMax, "sort");
      check_present(kind);
      check_reach(kind);
      check_unique(kind);
      for (const IndexEntry& entry : kind.entries) {
        check_template(kind, entry.pk, kPartitionKeyBytesMax, "partition");
        if (entry.sk) check_template(kind, *entry.sk, kSortKeyBytesMax, "sort");
      }
    }
    if (mistakes_.any()) return;  // most collisions would follow from those
    check_collisions();
  }

 private:
  void check_template(const ItemKind& kind, const KeyTemplate& key, int64_t bytes_max,
                      std::string_view which) {
    if (const auto pair = key.ambiguous()) {
      const Span span =
          kind.is_allocated ? kind.span : language::joined(pair->first->span, pair->second->span);
      mistakes_.tell(
          "ambiguous-key", span,
          "nobody can tell where " + pair->first->text + " ends and " + pair->second->text + " begins",
          "put a # between them");
    }
    for (const Hole* hole : key.holes()) {
      if (which != "partition" || !hole->is_bucket() || hole->field.syntax->since) continue;
      mistakes_.tell("bad-hole", hole->span,
                     "nobody can tell where the buckets of " + hole->field.name + " begin",
                     "say the first day that there can be: " + hole->field.name + " " +
                         text_of(hole->field.type) + " since \"2020-01-01\"");
    }
    const auto bytes = key.bytes_max();
    if (bytes && *bytes > bytes_max) {
      mistakes_.tell("key-too-long", key.span(),
                     "this " + std::string(which) + " key can have " + std::to_string(*bytes) +
                         " bytes, and " + std::to_string(bytes_max) + " is the limit",
                     "lower the max of its fields");
    }
  }

  // Whether the item knows the value: its own field, the identity of what it refers to, or a copy.
  void check_reach(const ItemKind& kind) {
    const auto check = [&](const KeyTemplate& key) {
      for (const Hole* hole : key.holes()) {
        if (hole->source.root != HoleSource::Root::kEdgeField) check_reach(kind, *hole);
      }
    };
    check(kind.pk);
    if (kind.sk) check(*kind.sk);
    for (const IndexEntry& entry : kind.entries) {
      check(entry.pk);
      if (entry.sk) check(*entry.sk);
    }
  }

  void check_reach(const ItemKind& kind, const Hole& hole) {
    const FieldPath& path = hole.source.path;
    const bool is_edge = hole.source.root == HoleSource::Root::kEdgeEnd;
    if (!is_edge && (path.ends.empty() || contains(model_.entities[*kind.entity].identity, path))) return;
    const EndId end =
        is_edge ? EndId{.relation = *kind.relation, .side = hole.source.side} : path.ends.front();
    FieldPath rest = path;
    if (!is_edge) rest.ends.erase(rest.ends.begin());
    const StoredRelation& stored = layout_.relations[end.relation];
    const std::string& name = model_.end(end).name;
    const bool is_referred = is_edge || layout_.storage(end) == EndStorage::kReference;
    const Span span = hole.span.end > 0 ? hole.span : kind.span;
    if (!is_referred) {
      return mistakes_.tell("unreachable-field", span,
                            "the item of " + with_article(kind.name) + " does not say its " + name +
                                ": the relation is stored elsewhere",
                            "use via index or via collection, or put it into the key of the edges",
                            {{.span = stored.span, .text = "it is stored so"}});
    }
    const EntityId target = model_.end(end).target;
    if (contains(model_.entities[target].identity, rest)) return;
    const bool is_copied =
        rest.ends.empty() &&
        std::any_of(stored.copies.begin(), stored.copies.end(), [&](const CopiedFields& copied) {
          return copied.side == end.side &&
                 std::find(copied.fields.begin(), copied.fields.end(), rest.field) != copied.fields.end();
        });
    if (is_copied) return;
    mistakes_.tell(
        "unreachable-field", span,
        "an item knows the id of its " + name + ", and not " + hole.text.substr(1, hole.text.size() - 2),
        rest.ends.empty() ? "copy it: via .. copy " + name + "(" + hole.field.name + ")"
                          : "declare the parent's id as a part of its own, with within");
  }

  static bool contains(const std::vector<FieldPath>& identity, const FieldPath& path) {
    return std::find(identity.begin(), identity.end(), path) != identity.end();
  }

  // A value that can be missing: then there is no key.
  void check_present(const ItemKind& kind) {
    const std::string what = kind.entity ? with_article(kind.name) : "an edge of " + kind.name;
    const auto check = [&](const KeyTemplate& key) {
      for (const Hole* hole : key.holes()) {
        bool may_miss = hole->field.is_optional;
        for (const EndId end : hole->source.path.ends) may_miss = may_miss || !model_.end(end).is_required;
        if (!may_miss) continue;
        mistakes_.tell(
            "missing-in-key", hole->span.end > 0 ? hole->span : kind.span,
            what + " can be without " + hole->text.substr(1, hole->text.size() - 2) + ", and then has no key",
            hole->source.path.ends.empty()
                ? "remove the ? of " + hole->field.name
                : "say required in the relation of " + model_.end(hole->source.path.ends.front()).name);
      }
    };
    check(kind.pk);
    if (kind.sk) check(*kind.sk);
  }

  // Two entities with the same key would overwrite each other.
  void check_unique(const ItemKind& kind) {
    std::vector<HoleSource> held;
    const auto note = [&](const KeyTemplate& key) {
      for (const Hole* hole : key.holes()) {
        if (hole->holds_value()) held.push_back(hole->source);
      }
    };
    note(kind.pk);
    if (kind.sk) note(*kind.sk);
    const auto holds = [&](const HoleSource& source) {
      return std::find(held.begin(), held.end(), source) != held.end();
    };
    if (kind.entity) {
      for (const FieldPath& path : model_.entities[*kind.entity].identity) {
        if (holds({.path = path})) continue;
        const std::string name = model_.text(*kind.entity, path);
        mistakes_.tell("key-not-unique", kind.span,
                       "two " + kind.name + " that differ only in " + name +
                           " would have the same key, and the second would replace the first",
                       "put <" + name + "> into the key");
        return;
      }
      return;
    }
    const Relation& relation = model_.relations[*kind.relation];
    check_edge_key(kind, relation);
    for (const int side : {0, 1}) {
      const EntityId target = relation.ends[side].target;
      for (const FieldPath& path : model_.entities[target].identity) {
        if (holds({.root = HoleSource::Root::kEdgeEnd, .side = side, .path = path})) continue;
        const std::string name = std::string(relation.edge_end_name(side)) + "." + model_.text(target, path);
        mistakes_.tell("key-not-unique", kind.span,
                       "two edges that differ only in " + name + " would have the same key",
                       "put <" + name + "> into the key");
        return;
      }
    }
    for (FieldId field = 0; field < relation.edge_fields.size(); ++field) {
      if (!relation.edge_fields[field].is_id ||
          holds({.root = HoleSource::Root::kEdgeField, .path = {.field = field}}))
        continue;
      mistakes_.tell(
          "key-not-unique", kind.span,
          "two edges that differ only in " + relation.edge_fields[field].name + " would have the same key",
          "put <" + relation.edge_fields[field].name + "> into the key");
      return;
    }
  }

  // Who unlinks two knows their ids, and those of the edge.
  void check_edge_key(const ItemKind& kind, const Relation& relation) {
    const auto is_known = [&](const Hole& hole) {
      if (hole.source.root == HoleSource::Root::kEdgeField)
        return relation.edge_fields[hole.source.path.field].is_id;
      const EntityId target = relation.ends[hole.source.side].target;
      return contains(model_.entities[target].identity, hole.source.path);
    };
    const auto check = [&](const KeyTemplate& key) {
      for (const Hole* hole : key.holes()) {
        if (hole->field.is_optional || is_known(*hole)) continue;  // the first is told elsewhere
        const bool is_field = hole->source.root == HoleSource::Root::kEdgeField;
        mistakes_.tell("key-not-unique", hole->span.end > 0 ? hole->span : kind.span,
                       "with another " + hole->text +
                           " the same two would have a second edge, and who unlinks them knows only ids",
                       (is_field ? "mark " + hole->field.name + " as id, or move it" : "move it") +
                           " into an index line of the relation");
      }
    };
    check(kind.pk);
    if (kind.sk) check(*kind.sk);
  }

  void check_collisions() {
    std::vector<std::optional<Texts>> texts(layout_.item_kinds.size());
    for (size_t i = 0; i < layout_.item_kinds.size(); ++i) {
      for (size_t j = 0; j < i; ++j) check_collision(j, i, texts);
    }
  }

  const Texts& of(size_t kind, std::vector<std::optional<Texts>>& texts) {
    if (!texts[kind]) texts[kind] = texts_of(layout_.item_kinds[kind].pk, layout_.item_kinds[kind].sk);
    return *texts[kind];
  }

  void check_collision(size_t first, size_t second, std::vector<std::optional<Texts>>& texts) {
    const ItemKind& a = layout_.item_kinds[first];
    const ItemKind& b = layout_.item_kinds[second];
    if (a.table != b.table) return;
    const auto tell = [&](std::string_view where, const std::string& key, const KeyTemplate& pk,
                          const std::optional<KeyTemplate>& sk, Span span, Span other) {
      std::vector<language::Note> notes;
      if (other != span) notes.push_back({.span = other, .text = "the other is here"});
      mistakes_.tell("key-collision", span,
                     with_article(a.name) + " and " + with_article(b.name) + " can have the same key" +
                         std::string(where) + ": " + key,
                     "begin " + shown(pk, sk) +
                         " with a word of its own, or say what ids look like: id matches \"e-.+\"",
                     std::move(notes));
    };
    if (may_meet(a.pk, b.pk)) {
      if (const auto key = common_key(of(first, texts), of(second, texts)))
        tell("", *key, b.pk, b.sk, b.span, a.span);
    }
    const Table& table = layout_.tables[a.table];
    for (const IndexEntry& x : a.entries) {
      for (const IndexEntry& y : b.entries) {
        if (x.index != y.index) continue;
        // Without a sort key the index is a plain lookup by a field: several kinds may share a value.
        if (!x.sk || !y.sk || table.indexes[x.index].pk.name.empty()) continue;
        if (!may_meet(x.pk, y.pk) || !may_meet(*x.sk, *y.sk)) continue;
        if (const auto key = common_key(texts_of(x.pk, x.sk), texts_of(y.pk, y.sk)))
          tell(" in " + table.indexes[x.index].name, *key, y.pk, y.sk, y.span, x.span);
      }
    }
  }

  static std::optional<std::string> common_key(const Texts& a, const Texts& b) {
    const auto pk = RegularLanguage::common_text(a.pk, b.pk);
    if (!pk) return std::nullopt;
    if (!a.sk || !b.sk) return "\"" + *pk + "\"";
    const auto sk = RegularLanguage::common_text(*a.sk, *b.sk);
    if (!sk) return std::nullopt;
    return "\"" + *pk + "\" / \"" + *sk + "\"";
  }

  const Model& model_;
  const Layout& layout_;
  Mistakes& mistakes_;
};

}  // namespace

void prove_keys(const Model& model, const Layout& layout, Mistakes& mistakes) {
  Prover(model, layout, mistakes).run();
}

}  // namespace sheaf::model
