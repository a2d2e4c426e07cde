#include "model/attribute_check.h"

#include <algorithm>
#include <map>
#include <set>

namespace sheaf::model {
namespace {

using language::Span;
using Via = language::Via::Kind;

// One attribute of an item: whose it is, and where that is said.
struct Use {
  std::string what;
  HoleSource source;  // where its value comes from, if it is a single one
  Span span;
  std::string fix;
};

std::string with_underscores(std::string text) {
  std::replace(text.begin(), text.end(), '.', '_');
  return text;
}

class AttributeCheck {
 public:
  AttributeCheck(const Model& model, const Layout& layout, Mistakes& mistakes)
      : model_(model), layout_(layout), mistakes_(mistakes) {}

  // The names of all attributes that items of the kind can have.
  std::set<std::string> run(const ItemKind& kind) {
    kind_ = &kind;
    uses_.clear();
    if (kind.entity) {
      add_entity();
    } else {
      add_edge();
    }
    check_shared_keys();
    std::set<std::string> names;
    for (const auto& [name, use] : uses_) names.insert(name);
    return names;
  }

 private:
  const Table& table() const { return layout_.tables[kind_->table]; }

  // A template with its formats.
  static std::string shape(const KeyTemplate& key) {
    std::string text = key.text();
    for (const Hole* hole : key.holes())
      text += " " + std::to_string(static_cast<int>(hole->format)) + ":" + std::to_string(hole->count);
    return text;
  }

  // Keys that share an attribute hold the same in it.
  void check_shared_keys() {
    std::map<std::string, const KeyTemplate*> keys = {{table().pk.name, &kind_->pk}};
    if (kind_->sk) keys.emplace(table().sk->name, &*kind_->sk);
    const auto check = [&](const std::string& attribute, const KeyTemplate& key, const Index& index) {
      const auto [other, is_new] = keys.emplace(attribute, &key);
      if (is_new || shape(*other->second) == shape(key)) return;
      mistakes_.tell("attribute-clash", key.span(),
                     "the index " + index.name + " shares the attribute " + attribute +
                         " with another key of " + table().name + ", which holds \"" + other->second->text() +
                         "\"",
                     "write the same, or give the index an attribute of its own",
                     {{.span = other->second->span(), .text = "the other is here"}});
    };
    for (const IndexEntry& entry : kind_->entries) {
      const Index& index = table().indexes[entry.index];
      check(index.pk.name, entry.pk, index);
      if (entry.sk) check(index.sk->name, *entry.sk, index);
    }
  }

  void add_entity() {
    const Entity& entity = model_.entities[*kind_->entity];
    if (kind_->is_by_field()) check_value(entity);
    for (FieldId id = 0; id < entity.fields.size(); ++id)
      add_field(entity.fields[id], {.path = {.field = id}});
    if (entity.syntax->ttl) check_ttl(*entity.syntax->ttl);
    for (const EndId end : entity.ends) add_end(end);
  }

  // Under which each item has its one field.
  void check_value(const Entity& entity) {
    std::vector<std::string> taken = {table().pk.name, table().sk->name, table().tag.value_or(""),
                                      table().ttl.value_or("")};
    for (const Index& index : table().indexes) {
      taken.push_back(index.pk.name);
      if (index.sk) taken.push_back(index.sk->name);
    }
    if (std::find(taken.begin(), taken.end(), kValueAttribute) == taken.end()) return;
    mistakes_.tell("attribute-clash", kind_->span,
                   "each item of " + entity.name + " holds its field as " + std::string(kValueAttribute) +
                       ", which " + table().name + " has for something else",
                   "give that another name, or use store item");
  }

  void add_edge() {
    const Relation& relation = model_.relations[*kind_->relation];
    for (FieldId id = 0; id < relation.edge_fields.size(); ++id)
      add_field(relation.edge_fields[id], {.root = HoleSource::Root::kEdgeField, .path = {.field = id}});
    for (const int side : {0, 1}) {
      add_reference({.relation = *kind_->relation, .side = side},
                    {.root = HoleSource::Root::kEdgeEnd, .side = side});
      if (kind_->holds_copies(side)) add_copies({.relation = *kind_->relation, .side = side});
    }
  }

  void add_field(const Field& field, const HoleSource& source) {
    const language::Name& name = field.syntax->stored_as ? *field.syntax->stored_as : field.syntax->name;
    add(field.attribute, {.what = "the field " + field.name,
                          .source = source,
                          .span = name.span,
                          .fix = "rename the field, or use stored as"});
  }

  void add_end(EndId end) {
    const End& member = model_.end(end);
    const EndStorage storage = layout_.storage(end);
    if (storage == EndStorage::kEmbeds || storage == EndStorage::kIds || storage == EndStorage::kEntries) {
      add(member.name,
          {.what = "the list " + member.name, .span = span_of(end), .fix = "rename one of the two"});
    } else if (storage == EndStorage::kReference) {
      add_reference(end, {.path = {.ends = {end}}});
      add_copies(end);
    }
  }

  // customer_id, unless the primary key holds it.
  void add_reference(EndId end, const HoleSource& start) {
    const EntityId target = model_.end(end).target;
    for (const FieldPath& part : model_.entities[target].identity) {
      HoleSource source = start;
      source.path.ends.insert(source.path.ends.end(), part.ends.begin(), part.ends.end());
      source.path.field = part.field;
      if (kind_->holds_in_key(source)) continue;
      const std::string name =
          std::string(kind_->relation ? model_.relations[end.relation].edge_end_name(end.side)
                                      : std::string_view(model_.end(end).name)) +
          "_" + with_underscores(model_.text(target, part));
      add(name, {.what = "the reference of the end " + model_.end(end).name,
                 .source = source,
                 .span = span_of(end),
                 .fix = "remove the field: the end holds it already"});
    }
  }

  void add_copies(EndId end) {
    for (const CopiedFields& copied : layout_.relations[end.relation].copies) {
      if (copied.side != end.side) continue;
      const EntityId source = model_.end(end).target;
      for (const FieldId field : copied.fields) {
        add(model_.end(end).name + "_" + model_.entities[source].fields[field].name,
            {.what = "the copy of " + model_.end(end).name + "." + model_.entities[source].fields[field].name,
             .span = copied.span,
             .fix = "rename the field"});
      }
    }
  }

  void add(const std::string& name, Use use) {
    check_key(name, use);
    const auto [other, is_new] = uses_.emplace(name, use);
    if (is_new) return;
    mistakes_.tell("attribute-clash", other->second.span,
                   other->second.what + " and " + use.what + " are both stored as " + name, use.fix,
                   {{.span = use.span, .text = "the other is here"}});
  }

  // An attribute that is a key by itself holds what its template says, which must be the same.
  void check_key(const std::string& name, const Use& use) {
    const auto is_same = [&](const KeyTemplate* key) {
      return key != nullptr && key->bare_hole() != nullptr && key->bare_hole()->source == use.source;
    };
    if (name == table().pk.name && !is_same(&kind_->pk)) return tell_key(name, use, "the partition key");
    if (table().sk && name == table().sk->name && !is_same(kind_->sk ? &*kind_->sk : nullptr))
      return tell_key(name, use, "the sort key");
    if (name == table().tag) return tell_key(name, use, "the tag");
    if (name == table().ttl && !is_time_to_live(use)) return tell_key(name, use, "the time to live");
    for (size_t i = 0; i < table().indexes.size(); ++i) {
      const Index& index = table().indexes[i];
      if (index.is_over_table_keys) continue;
      const IndexEntry* entry = nullptr;
      for (const IndexEntry& each : kind_->entries) {
        if (each.index == i) entry = &each;
      }
      const bool is_pk = name == index.pk.name, is_sk = index.sk && name == index.sk->name;
      if (!is_pk && !is_sk) continue;
      if (entry == nullptr) return tell_unlisted(name, use, index);
      const KeyTemplate* const key = is_pk ? &entry->pk : entry->sk ? &*entry->sk : nullptr;
      if (!is_same(key)) return tell_key(name, use, "a key of the index " + index.name);
    }
  }

  bool is_time_to_live(const Use& use) const {
    if (!kind_->entity) return false;
    const Entity& entity = model_.entities[*kind_->entity];
    return entity.syntax->ttl && use.source.path.ends.empty() &&
           entity.fields[use.source.path.field].name == entity.syntax->ttl->text &&
           entity.fields[use.source.path.field].type.kind == language::Type::Kind::kInt;
  }

  void tell_key(const std::string& name, const Use& use, const std::string& what) {
    mistakes_.tell("attribute-clash", use.span,
                   use.what + " is stored as " + name + ", which is " + what + " of " + table().name,
                   "rename the field, use stored as, or write the key as \"<" + name + ">\"");
  }

  void tell_unlisted(const std::string& name, const Use& use, const Index& index) {
    mistakes_.tell("attribute-clash", use.span,
                   use.what + " is stored as " + name + ", which would put every " + kind_->name +
                       " into the index " + index.name,
                   "add index " + index.name + " \"<" + name + ">\", or use stored as");
  }

  void check_ttl(const language::Name& name) {
    if (table().ttl || table().is_allocated) return;
    mistakes_.tell("bad-ttl", name.span,
                   "the table " + table().name + " has no attribute for the time to live",
                   "add ttl NAME to the table");
  }

  Span span_of(EndId end) const {
    const language::Relation& syntax = *model_.relations[end.relation].syntax;
    return end.side == 1 && syntax.backward ? syntax.backward->span : syntax.forward.span;
  }

  const Model& model_;
  const Layout& layout_;
  Mistakes& mistakes_;
  const ItemKind* kind_ = nullptr;
  std::map<std::string, Use> uses_;
};

}  // namespace

void check_attributes(const Model& model, const LayoutClauses& clauses, const Layout& layout,
                      Mistakes& mistakes) {
  std::vector<std::set<std::string>> names(layout.tables.size());
  AttributeCheck check(model, layout, mistakes);
  for (const ItemKind& kind : layout.item_kinds) names[kind.table].merge(check.run(kind));
  for (size_t i = 0; i < clauses.tables.size(); ++i) {
    const language::Table& table = *clauses.tables[i];
    std::vector<std::string_view> candidates(names[i].begin(), names[i].end());
    if (table.tag) candidates.push_back(table.tag->text);
    for (const language::Gsi& gsi : table.indexes) {
      for (const language::Name& name : gsi.included) {
        if (std::find(candidates.begin(), candidates.end(), name.text) == candidates.end())
          mistakes.tell_unknown("unknown-field", "attribute of items in " + table.name.text, name,
                                candidates);
      }
    }
  }
}

}  // namespace sheaf::model
