#include "watch/key_names.h"

#include <algorithm>

#include "run/plain_json.h"
#include "run/record.h"
#include "run/system_table.h"
#include "run/value_check.h"

namespace sheaf::watch {
namespace {

using model::FieldPath;
using model::Hole;
using model::HoleSource;
using model::ItemKind;
using model::KeyTemplate;

// A hole of a key's template, and what the key has in its place.
struct HeldValue {
  const Hole* hole;
  std::string text;
};

// An item kind whose templates fit a key.
struct Match {
  const model::Model* model;
  const ItemKind* kind;
  std::vector<HeldValue> held;
};

// Adds what the key's text has in the holes; false if the template cannot have given it.
bool read_template(const KeyTemplate& key, ItemView item, std::string_view attribute,
                   std::vector<HeldValue>& held) {
  const auto value = item.find(attribute);
  const auto text = value ? run::key_text(*value) : std::nullopt;
  const auto decoded = text ? key.decode(*text) : std::nullopt;
  if (!decoded) return false;
  const std::vector<const Hole*> holes = key.holes();
  for (size_t i = 0; i < holes.size(); ++i) {
    const model::Field& field = holes[i]->field;
    // Where templates are alike it is the values that tell kinds apart.
    if (holes[i]->holds_value() && run::misfit(run::value_of((*decoded)[i], field.type), field)) return false;
    held.push_back({.hole = holes[i], .text = (*decoded)[i]});
  }
  return true;
}

// A template for each attribute of a key.
struct KeyPart {
  const KeyTemplate* key;
  std::string_view attribute;
};

const KeyTemplate* own_template(const model::Table& table, const ItemKind& kind, std::string_view attribute) {
  if (attribute == table.pk.name) return &kind.pk;
  return table.sk && attribute == table.sk->name && kind.sk ? &*kind.sk : nullptr;
}

// How items of a kind are found in the table, or in one of its indexes: once, or once for each of its lines.
std::vector<std::vector<KeyPart>> key_parts(const model::Table& table, const ItemKind& kind,
                                            std::string_view index_name) {
  std::vector<std::vector<KeyPart>> all;
  if (index_name.empty()) {
    all.push_back({{&kind.pk, table.pk.name}});
    if (kind.sk && table.sk) all.back().push_back({&*kind.sk, table.sk->name});
    return all;
  }
  const std::optional<size_t> found = table.find_index(index_name);
  if (!found) return all;
  const model::Index& index = table.indexes[*found];
  for (const model::IndexEntry& entry : kind.entries) {
    if (entry.index != *found) continue;
    all.push_back({{&entry.pk, index.pk.name}});
    if (entry.sk && index.sk) all.back().push_back({&*entry.sk, index.sk->name});
  }
  if (!all.empty()) return all;
  // An index over the table's own keys has no lines.
  const KeyTemplate* const pk = own_template(table, kind, index.pk.name);
  if (pk == nullptr) return all;
  all.push_back({{pk, index.pk.name}});
  const KeyTemplate* const sk = index.sk ? own_template(table, kind, index.sk->name) : nullptr;
  if (sk != nullptr) all.back().push_back({sk, index.sk->name});
  return all;
}

enum class Whole : uint8_t { kItem, kPartition };

std::vector<Match> matches(const std::vector<KeyNames::Stored>& stored, std::string_view index, ItemView key,
                           Whole whole) {
  std::vector<Match> found;
  for (const KeyNames::Stored& each : stored) {
    const model::Table& table = each.layout->tables[each.table];
    for (const ItemKind& kind : each.layout->item_kinds) {
      if (kind.table != each.table) continue;
      for (std::vector<KeyPart>& parts : key_parts(table, kind, index)) {
        if (whole == Whole::kPartition) parts.resize(1);
        Match match{.model = each.model, .kind = &kind, .held = {}};
        const bool fits = std::all_of(parts.begin(), parts.end(), [&](const KeyPart& part) {
          return read_template(*part.key, key, part.attribute, match.held);
        });
        if (!fits) continue;
        found.push_back(std::move(match));
        break;
      }
    }
  }
  return found;
}

// The entity that a held value is of the identity of, as seen from the item: itself, or what its first end
// leads to.
struct Owner {
  std::optional<model::EntityId> entity;
  bool is_item = false;                       // the item's own entity
  std::string end;                            // else the name of the end, of an edge or a reference
  std::vector<const HeldValue*> of_identity;  // its parts that are held, in no order
  std::vector<const HeldValue*> of_others;    // other fields
};

bool is_part_of(const model::Entity& entity, const FieldPath& path) {
  return std::find(entity.identity.begin(), entity.identity.end(), path) != entity.identity.end();
}

void add_to(std::vector<Owner>& owners, const model::Model& model, model::EntityId entity, bool is_item,
            const std::string& end, const HeldValue& value, const FieldPath& path) {
  auto owner = std::find_if(owners.begin(), owners.end(), [&](const Owner& each) {
    return each.entity == entity && each.is_item == is_item && each.end == end;
  });
  if (owner == owners.end())
    owner = owners.insert(owners.end(), {.entity = entity, .is_item = is_item, .end = end});
  const bool is_identity = value.hole->holds_value() && is_part_of(model.entities[entity], path);
  std::vector<const HeldValue*>& list = is_identity ? owner->of_identity : owner->of_others;
  const auto is_same = [&](const HeldValue* each) {
    return each->hole->source == value.hole->source && each->hole->format == value.hole->format;
  };
  if (std::none_of(list.begin(), list.end(), is_same)) list.push_back(&value);
}

FieldPath behind_first(const FieldPath& path) {
  return {.ends = {path.ends.begin() + 1, path.ends.end()}, .field = path.field};
}

std::vector<Owner> owners_of(const Match& match) {
  std::vector<Owner> owners;
  const model::Model& model = *match.model;
  if (match.kind->entity) owners.push_back({.entity = match.kind->entity, .is_item = true});
  for (const HeldValue& value : match.held) {
    const HoleSource& source = value.hole->source;
    if (match.kind->entity && source.root == HoleSource::Root::kEntity) {
      if (source.path.ends.empty()) {
        add_to(owners, model, *match.kind->entity, true, "", value, source.path);
      } else {
        const model::End& end = model.end(source.path.ends.front());
        add_to(owners, model, end.target, false, end.name, value, behind_first(source.path));
      }
    } else if (match.kind->relation && source.root == HoleSource::Root::kEdgeEnd) {
      const model::End& end = model.relations[*match.kind->relation].ends[source.side];
      add_to(owners, model, end.target, false, end.name, value, source.path);
    }
  }
  return owners;
}

std::string joined_values(const std::vector<const HeldValue*>& values) {
  std::string out;
  for (const HeldValue* value : values) out += (out.empty() ? "" : "/") + value->text;
  return out;
}

// Customer c-3; with fields that are in the key: Order o-17 (status OPEN)
std::string owner_text(const model::Model& model, const Owner& owner) {
  std::string out = model.entities[*owner.entity].name;
  if (!owner.of_identity.empty()) out += " " + joined_values(owner.of_identity);
  std::string more;
  for (const HeldValue* value : owner.of_others) {
    const std::string& path =
        value->hole->source.path.ends.empty() ? value->hole->field.name : value->hole->text;
    const std::string name = value->hole->is_shard()    ? "shard"
                             : value->hole->is_bucket() ? path + " in"
                                                        : path;
    more += (more.empty() ? "" : ", ") + name + " " + value->text;
  }
  return more.empty() ? out : out + " (" + more + ")";
}

std::string item_text(const Match& match) {
  const std::vector<Owner> owners = owners_of(match);
  std::string out = match.kind->entity ? "" : match.kind->name + ":";
  for (const Owner& owner : owners) {
    // An entity that is only known by what it belongs to: Order of Customer c-3.
    if (!out.empty()) out += match.kind->entity ? " of " : (out.back() == ':' ? " " : ", ");
    out += owner_text(*match.model, owner);
  }
  return out.empty() ? match.kind->name : out;
}

// Whose partition it is: the entity, of which all of the identity is held.
struct PartitionOwner {
  std::string kind;
  std::string text;
  bool is_own = false;    // the item kind's own entity
  bool is_whole = false;  // its whole identity is known
};

// The item's own entity can be told from what is held.
bool tells_identity(const Match& match) {
  if (!match.kind->entity) return false;
  const std::vector<FieldPath>& identity = match.model->entities[*match.kind->entity].identity;
  return std::all_of(identity.begin(), identity.end(), [&](const FieldPath& path) {
    return std::any_of(match.held.begin(), match.held.end(), [&](const HeldValue& value) {
      return value.hole->holds_value() && value.hole->source == HoleSource{.path = path};
    });
  });
}

PartitionOwner partition_owner(const Match& match) {
  const model::Model& model = *match.model;
  if (tells_identity(match))
    return {.kind = match.kind->name, .text = item_text(match), .is_own = true, .is_whole = true};
  for (const Owner& owner : owners_of(match)) {
    const model::Entity& entity = model.entities[*owner.entity];
    if (owner.is_item || owner.of_identity.size() < entity.identity.size()) continue;
    return {.kind = entity.name, .text = owner_text(model, owner), .is_whole = true};
  }
  return {.kind = match.kind->name,
          .text = match.held.empty() ? "all of " + match.kind->name : item_text(match)};
}

void add_once(std::string& out, std::vector<std::string>& seen, const std::string& more) {
  if (std::find(seen.begin(), seen.end(), more) != seen.end()) return;
  seen.push_back(more);
  out += (out.empty() ? "" : ", ") + more;
}

}  // namespace

std::string plain_key_text(ItemView key) {
  std::string out;
  for (const Attribute attribute : key) {
    out += (out.empty() ? "" : ", ") + std::string(attribute.name) + "=" +
           run::key_text(attribute.value).value_or("?");
  }
  return out;
}

void KeyNames::add(const model::Model& model, const model::Layout& layout) {
  for (size_t i = 0; i < layout.tables.size(); ++i)
    tables_[layout.tables[i].name].push_back({.model = &model, .layout = &layout, .table = i});
  own_tables_.emplace(run::system_table_name(model), model.name());
}

// The key itself.
KeyName KeyNames::unexplained(std::string_view table, ItemView key) const {
  const auto own = own_tables_.find(table);
  return {.kind = own == own_tables_.end() ? "" : "records of " + own->second, .text = plain_key_text(key)};
}

std::vector<std::string> KeyNames::tables() const {
  std::vector<std::string> names;
  for (const auto& [name, stored] : tables_) names.push_back(name);
  return names;
}

const std::vector<KeyNames::Stored>& KeyNames::stored(std::string_view table) const {
  static const std::vector<Stored> kNone;
  const auto found = tables_.find(table);
  return found == tables_.end() ? kNone : found->second;
}

KeyName KeyNames::item(std::string_view table, std::string_view index, ItemView key) const {
  const std::vector<Match> found = matches(stored(table), index, key, Whole::kItem);
  if (found.empty()) return unexplained(table, key);
  return {.kind = found.front().kind->name, .text = item_text(found.front())};
}

KeyName KeyNames::partition(std::string_view table, std::string_view index, ItemView key) const {
  const std::vector<Match> found = matches(stored(table), index, key, Whole::kPartition);
  if (found.empty()) return unexplained(table, key);
  std::vector<PartitionOwner> owners;
  for (const Match& match : found) owners.push_back(partition_owner(match));
  const auto rank = [](const PartitionOwner& owner) {
    return (owner.is_own ? 2 : 0) + (owner.is_whole ? 1 : 0);
  };
  const auto best = std::max_element(owners.begin(), owners.end(),
                                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  if (best->is_whole) return {.kind = best->kind, .text = best->text};
  KeyName name;
  std::vector<std::string> kinds, texts;
  for (const PartitionOwner& owner : owners) {
    add_once(name.kind, kinds, owner.kind);
    add_once(name.text, texts, owner.text);
  }
  return name;
}

}  // namespace sheaf::watch
