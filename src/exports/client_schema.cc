#include "exports/client_schema.h"

#include <algorithm>
#include <map>

#include "exports/names.h"
#include "model/value_type.h"

namespace sheaf::exports {
namespace {

using model::EntityId;
using model::Hole;
using model::HoleSource;
using model::KeyTemplate;
using HoleFormat = language::Hole::Format;
using Kind = run::ShapeValue::Kind;
using TypeKind = language::Type::Kind;

constexpr unsigned char kPlainFirst = 0x26;  // keys escape all before it

bool begins_like(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), text.begin(), [](char a, char b) {
           const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; };
           return lower(a) == lower(b);
         });
}

// The text that follows a hole, if there is some.
std::string next_text(const KeyTemplate& key, size_t piece) {
  if (piece + 1 >= key.pieces().size()) return {};
  const auto* text = std::get_if<std::string>(&key.pieces()[piece + 1]);
  return text == nullptr ? std::string() : *text;
}

std::string first_character(const std::string& text) {
  if (text.empty()) return {};
  size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) ++bytes;
  return text.substr(0, bytes);
}

// Keys escape it only because it follows.
bool is_special(const std::string& next) {
  return !next.empty() && static_cast<unsigned char>(next.front()) >= kPlainFirst;
}

// For a pattern of JavaScript, inside brackets or outside.
std::string pattern_text(std::string_view text) {
  static constexpr std::string_view kSpecial = "\\^$.*+?()[]{}|/-";
  std::string out;
  for (const char c : text) {
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

class KindReader {
 public:
  KindReader(const model::Model& model, const model::Layout& layout, const model::ItemKind& kind)
      : model_(model), layout_(layout), table_(layout.tables[kind.table]) {
    kind_.kind = &kind;
    kind_.name = pascal_case(kind.name);
  }

  ClientKind run() {
    if (kind_.kind->store != language::Store::kItem) kind_.unfit = "it is not stored as one item";
    for (run::ShapeValue& value : run::item_shape(model_, layout_, *kind_.kind))
      kind_.values.push_back({.value = std::move(value)});
    collect_keys();
    name_values();
    for (const ClientKey& key : kind_.keys) {
      note_holes(*key.pk, key);
      if (key.sk != nullptr) note_holes(*key.sk, key);
    }
    tell_what_is_kept();
    return std::move(kind_);
  }

 private:
  void collect_keys() {
    const model::ItemKind& kind = *kind_.kind;
    kind_.keys.push_back({.name = "primary",
                          .pk_attribute = &table_.pk,
                          .pk = &kind.pk,
                          .sk_attribute = table_.sk ? &*table_.sk : nullptr,
                          .sk = kind.sk ? &*kind.sk : nullptr});
    UniqueNames names({"primary"});
    for (const model::IndexEntry& entry : kind.entries) {
      const model::Index& index = table_.indexes[entry.index];
      if (!entry.when.empty()) {
        kind_.left_out.push_back(index.name + ": it holds only what its `when` picks");
        continue;
      }
      kind_.keys.push_back({.index = entry.index,
                            .name = names.claim(camel_case(index.name)),
                            .pk_attribute = &index.pk,
                            .pk = &entry.pk,
                            .sk_attribute = index.sk ? &*index.sk : nullptr,
                            .sk = entry.sk ? &*entry.sk : nullptr});
    }
    // An index over the table's keys holds every item.
    for (size_t i = 0; i < table_.indexes.size(); ++i) {
      const model::Index& index = table_.indexes[i];
      if (!index.is_over_table_keys || !kind.sk || !index.sk) continue;
      kind_.keys.push_back({.index = i,
                            .name = names.claim(camel_case(index.name)),
                            .pk_attribute = &index.pk,
                            .pk = &*kind.sk,
                            .sk_attribute = &*index.sk,
                            .sk = &kind.pk});
    }
  }

  // The entity that has the field, and how people call it: orgName.
  std::string shared_name(const run::ShapeValue& value) const {
    const HoleSource& source = value.source;
    EntityId owner = 0;
    if (source.root == HoleSource::Root::kEdgeField) return value.field.name;
    if (source.root == HoleSource::Root::kEdgeEnd) {
      owner = model_.relations[*kind_.kind->relation].ends[source.side].target;
    } else {
      owner = *kind_.kind->entity;
    }
    for (const model::EndId end : source.path.ends) owner = model_.end(end).target;
    const std::string& entity = model_.entities[owner].name;
    const bool is_said = begins_like(value.field.name, entity);
    return camel_case(is_said ? value.field.name : entity + "_" + value.field.name);
  }

  // managerId: by the ends that lead there.
  std::string path_name(const run::ShapeValue& value) const {
    std::string name;
    if (value.source.root == HoleSource::Root::kEdgeEnd)
      name = std::string(model_.relations[*kind_.kind->relation].edge_end_name(value.source.side)) + "_";
    for (const model::EndId end : value.source.path.ends) name += model_.end(end).name + "_";
    return camel_case(name + value.field.name);
  }

  bool is_index_attribute(const std::string& attribute) const {
    return std::any_of(kind_.keys.begin() + 1, kind_.keys.end(), [&](const ClientKey& key) {
      return key.pk_attribute->name == attribute ||
             (key.sk_attribute != nullptr && key.sk_attribute->name == attribute);
    });
  }

  // Ids are named for the entity that they tell, so that a parent and its children call them alike; a second
  // one of the same entity is named for the end that leads there. Other fields keep their names.
  void name_values() {
    std::map<std::string, int> times;
    const auto is_own = [](const run::ShapeValue& value) {
      return value.source.root == HoleSource::Root::kEntity && value.source.path.ends.empty();
    };
    const auto is_shared = [](const run::ShapeValue& value) {
      return value.kind == Kind::kReference || (value.kind == Kind::kField && value.field.is_id);
    };
    std::set<std::string> own;
    for (const ClientValue& each : kind_.values) {
      if (!is_shared(each.value)) continue;
      ++times[shared_name(each.value)];
      if (is_own(each.value)) own.insert(shared_name(each.value));
    }
    std::set<std::string> taken;
    for (const ClientKey& key : kind_.keys) {
      taken.insert(key.pk_attribute->name);
      if (key.sk_attribute != nullptr) taken.insert(key.sk_attribute->name);
    }
    if (table_.tag) taken.insert(*table_.tag);
    for (const ClientValue& each : kind_.values) {
      if (!each.value.is_in_key) taken.insert(each.value.attribute);
    }
    UniqueNames names(taken);
    for (ClientValue& each : kind_.values) {
      const run::ShapeValue& value = each.value;
      if (!is_shared(value) || (!value.is_in_key && is_index_attribute(value.attribute))) {
        // A field keeps its name; what is a key of an index by itself must have that of its attribute.
        const bool is_told = value.is_in_key && property_name(value.attribute) != value.attribute;
        each.name = is_told ? names.claim(camel_case(value.attribute)) : value.attribute;
      } else {
        const std::string shared = shared_name(value);
        const bool is_by_path = times[shared] > 1 && !is_own(value);
        const std::string wanted = is_by_path ? path_name(value) : shared;
        each.name = !value.is_in_key && wanted == value.attribute ? wanted : names.claim(wanted);
      }
      each.attribute = value.is_in_key ? each.name : value.attribute;
      if (!value.is_in_key) continue;
      // The key attribute itself.
      for (const auto& [key, attribute] : {std::pair(kind_.keys[0].pk, kind_.keys[0].pk_attribute),
                                           std::pair(kind_.keys[0].sk, kind_.keys[0].sk_attribute)}) {
        if (key != nullptr && key->bare_hole() != nullptr && key->bare_hole()->source == value.source)
          each.attribute = attribute->name;
      }
    }
  }

  void note_holes(const KeyTemplate& key, const ClientKey& of) {
    const std::string where = of.index ? "a key of " + table_.indexes[*of.index].name : "its key";
    const auto refuse = [&](const std::string& why) {
      if (!kind_.unfit) kind_.unfit = where + " " + why;
    };
    for (size_t i = 0; i < key.pieces().size(); ++i) {
      if (std::holds_alternative<std::string>(key.pieces()[i])) continue;
      const Hole& hole = std::get<Hole>(key.pieces()[i]);
      if (!hole.holds_value()) {
        refuse("holds " + std::string(hole.format == HoleFormat::kShard ? "a shard" : "a part") + " of " +
               hole.text + ", which no template can make");
        continue;
      }
      const auto found = std::find_if(kind_.values.begin(), kind_.values.end(), [&](const ClientValue& each) {
        return each.value.has_source() && each.value.source == hole.source;
      });
      if (found == kind_.values.end()) {
        refuse("holds " + hole.text + ", which the item itself does not have");
        continue;
      }
      const std::optional<int64_t> digits =
          hole.format == HoleFormat::kDigits ? std::optional(hole.count) : std::nullopt;
      if (found->is_in_template && found->digits != digits)
        refuse("holds " + hole.text + " with other digits than another key");
      if (key.bare_hole() != nullptr) {
        found->is_bare = true;
        continue;
      }
      found->is_in_template = true;
      found->digits = digits;
      const std::string next = first_character(next_text(key, i));
      found->followers.insert(is_special(next) ? next : std::string());
    }
  }

  void keep(std::string what) {
    if (std::find(kind_.kept_only.begin(), kind_.kept_only.end(), what) == kind_.kept_only.end())
      kind_.kept_only.push_back(std::move(what));
  }

  void tell_what_is_kept() {
    for (const ClientValue& each : kind_.values) {
      const model::Field& field = each.value.field;
      if (each.value.kind == Kind::kExpiry) keep(each.name + " follows its field");
      if (each.value.kind == Kind::kCopy) keep(each.name + " is a copy");
      if (each.value.kind != Kind::kField) continue;
      if (field.syntax != nullptr && field.syntax->is_unique) keep(each.name + " is unique");
      if (field.count_of) keep(each.name + " is a count");
      if (field.kept != model::Kept::kNo) keep(each.name + " is filled by operations");
    }
    for (const std::string& index : kind_.left_out) keep("keys of the index " + index);
    if (kind_.kind->entity) {
      tell_of_entity(*kind_.kind->entity);
    } else {
      const model::Relation& relation = model_.relations[*kind_.kind->relation];
      for (const model::End& end : relation.ends) {
        if (!end.leads_to_many)
          keep("one " + model_.entities[end.target].name + " for each " + model_.entities[end.holder].name);
      }
      tell_of_counts(*kind_.kind->relation);
      if (kind_.kind->leads) keep("the item of the same pair in the other direction");
    }
  }

  void tell_of_entity(EntityId id) {
    const model::Entity& entity = model_.entities[id];
    const auto tells = [&](const KeyTemplate& key) {
      const auto holes = key.holes();
      return std::all_of(holes.begin(), holes.end(), [&](const Hole* hole) {
        return std::find(entity.identity.begin(), entity.identity.end(), hole->source.path) !=
               entity.identity.end();
      });
    };
    const model::ItemKind& kind = *kind_.kind;
    if (!tells(kind.pk) || (kind.sk && !tells(*kind.sk)))
      keep("its id, which its key does not tell, is unique");
    for (const model::EndId end : entity.ends) {
      const model::StoredRelation& stored = layout_.relations[end.relation];
      const bool is_copied =
          std::any_of(stored.copies.begin(), stored.copies.end(),
                      [&](const model::CopiedFields& copied) { return copied.side != end.side; });
      if (is_copied) keep("copies of it at " + model_.end(end).name);
      if (layout_.is_mutual(end)) keep("that its " + model_.end(end).name + " name it, too");
      if (layout_.is_edge(end) && model_.end(end).is_required)
        keep("the edge to its " + model_.end(end).name);
      if (end.side == 1) tell_of_counts(end.relation);
    }
  }

  void tell_of_counts(model::RelationId relation) {
    for (const model::Entity& entity : model_.entities) {
      for (const model::Field& field : entity.fields) {
        if (field.count_of && field.count_of->relation == relation)
          keep(entity.name + "." + field.name + " counts it");
      }
    }
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const model::Table& table_;
  ClientKind kind_;
};

std::string reader_of(const ClientValue& value) {
  if (model::is_numeric(value.value.field.type)) return "number";
  if (value.value.field.type.kind == TypeKind::kBool) return "boolean";
  return value.is_in_template ? "text" : "plain";
}

}  // namespace

const ClientValue* ClientKind::find(const HoleSource& source) const {
  const auto found = std::find_if(values.begin(), values.end(), [&](const ClientValue& each) {
    return each.value.has_source() && each.value.source == source;
  });
  return found == values.end() ? nullptr : &*found;
}

std::vector<ClientKind> client_kinds(const model::Model& model, const model::Layout& layout) {
  std::vector<ClientKind> kinds;
  UniqueNames names;
  for (const model::ItemKind& kind : layout.item_kinds) {
    kinds.push_back(KindReader(model, layout, kind).run());
    kinds.back().name = names.claim(kinds.back().name);
  }
  return kinds;
}

std::string template_text(const ClientKind& kind, const model::KeyTemplate& key,
                          const std::function<std::string(const ClientValue&)>& hole_text) {
  std::string out;
  for (const model::KeyTemplate::Piece& piece : key.pieces()) {
    if (const auto* text = std::get_if<std::string>(&piece)) {
      out += *text;
    } else if (const ClientValue* value = kind.find(std::get<model::Hole>(piece).source)) {
      out += hole_text(*value);
    }
  }
  return out;
}

std::vector<std::string> properties_of(const ClientKind& kind, const KeyTemplate& key) {
  std::vector<std::string> names;
  for (const Hole* hole : key.holes()) {
    const ClientValue* const value = kind.find(hole->source);
    if (value != nullptr) names.push_back(value->name);
  }
  return names;
}

std::string key_pattern(const ClientKind& kind, const KeyTemplate& key) {
  std::string out;
  std::set<std::string> seen;
  for (size_t i = 0; i < key.pieces().size(); ++i) {
    if (const auto* text = std::get_if<std::string>(&key.pieces()[i])) {
      out += pattern_text(*text);
      continue;
    }
    const Hole& hole = std::get<Hole>(key.pieces()[i]);
    const ClientValue* const value = kind.find(hole.source);
    const bool is_named = value != nullptr && seen.insert(value->name).second;
    const std::string next = first_character(next_text(key, i));
    const std::string characters =
        key.bare_hole() != nullptr ? "[^]*"
        : hole.format == HoleFormat::kDigits
            ? "\\d{" + std::to_string(hole.count) + "}"
            : "[^\\x00-\\x24" + (is_special(next) ? pattern_text(next) : "") + "]*";
    out += (is_named ? "(?<" + value->name + ">" : "(?:") + characters + ")";
  }
  return "/^" + out + "$/";
}

std::vector<std::pair<std::string, std::string>> key_readers(const ClientKind& kind) {
  std::vector<std::pair<std::string, std::string>> readers;
  for (const ClientValue& value : kind.values) {
    if (value.value.is_in_key) readers.emplace_back(value.name, reader_of(value));
  }
  return readers;
}

std::optional<std::string> plain_pattern(const ClientValue& value) {
  if (!value.is_in_template || (value.is_escapable() && value.followers.size() == 1)) return std::nullopt;
  std::string characters = value.is_bare ? "\\x00-\\x25" : "";
  for (const std::string& follower : value.followers) characters += pattern_text(follower);
  return "/^[^" + characters + "]*$/";
}

std::optional<std::string> default_text(const ClientValue& value) {
  const language::Field* const syntax = value.value.field.syntax;
  if (value.value.kind != Kind::kField || syntax == nullptr || !syntax->default_value) return std::nullopt;
  using LiteralKind = language::Literal::Kind;
  switch (syntax->default_value->kind) {
    case LiteralKind::kString:
      return single_quoted(syntax->default_value->text);
    case LiteralKind::kNumber:
      return syntax->default_value->text;
    case LiteralKind::kTrue:
      return "true";
    case LiteralKind::kFalse:
      return "false";
    default:
      return std::nullopt;
  }
}

bool is_needed(const ClientValue& value) {
  const model::Field& field = value.value.field;
  return !value.value.is_optional && !field.count_of && field.kept == model::Kept::kNo &&
         !default_text(value);
}

std::string key_tables(const model::Layout& layout, const std::vector<const ClientKind*>& kinds) {
  std::string out =
      "// What the keys of each kind hold. The model's items do not have it a second time.\n"
      "const text = (part) => decodeURIComponent(part);\n"
      "const plain = (part) => part;\n"
      "const number = (part) => Number(part);\n"
      "const boolean = (part) => part === 'true';\n"
      "export const KINDS = [\n";
  for (const ClientKind* kind : kinds) {
    const model::Table& table = layout.tables[kind->kind->table];
    out += "  {\n    name: " + single_quoted(kind->name) + ",\n";
    out += "    table: " + single_quoted(table.name) + ",\n";
    out += "    tag: " + single_quoted(kind->kind->tag) + ",\n";
    out += "    keys: {\n      " + property_name(table.pk.name) + ": " +
           key_pattern(*kind, *kind->keys[0].pk) + ",\n";
    if (kind->keys[0].sk != nullptr)
      out += "      " + property_name(table.sk->name) + ": " + key_pattern(*kind, *kind->keys[0].sk) + ",\n";
    out += "    },\n    values: {";
    bool is_first = true;
    for (const auto& [name, reader] : key_readers(*kind)) {
      out += std::string(is_first ? " " : ", ") + property_name(name) + ": " + reader;
      is_first = false;
    }
    out += std::string(is_first ? "" : " ") + "},\n  },\n";
  }
  out += "];\n\n";
  out +=
      "// The values that an item's keys hold, by property; nothing if it is of another kind.\n"
      "function valuesOf(kind, item) {\n"
      "  const found = {};\n"
      "  for (const [attribute, pattern] of Object.entries(kind.keys)) {\n"
      "    const match = pattern.exec(String(item[attribute]));\n"
      "    if (!match) return undefined;\n"
      "    for (const [name, part] of Object.entries(match.groups ?? {}))\n"
      "      if (kind.values[name]) found[name] = kind.values[name](part);\n"
      "  }\n"
      "  return found;\n"
      "}\n\n"
      "// A text as keys hold it: what sorts before & is escaped, and the character that follows it there.\n"
      "const keyText = (value, next) =>\n"
      "  value.replace(/[^]/gu, (c) =>\n"
      "    c < '&' || c === next\n"
      "      ? [...new TextEncoder().encode(c)].map((byte) => "
      "`%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')\n"
      "      : c,\n"
      "  );\n";
  return out;
}

}  // namespace sheaf::exports
