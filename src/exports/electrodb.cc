#include "exports/electrodb.h"

#include <algorithm>
#include <map>

#include "exports/client_schema.h"
#include "exports/names.h"
#include "exports/stored_tables.h"
#include "model/value_type.h"

namespace sheaf::exports {
namespace {

using Kind = run::ShapeValue::Kind;
using TypeKind = language::Type::Kind;

std::string type_members(const language::Type& type);

std::string property_type(const language::Field& field) {
  language::Type type = field.type.value_or(language::Type());
  return "{ " + type_members(type) + (field.is_optional ? "" : ", required: true") + " }";
}

// type: 'string', or what says more.
std::string type_members(const language::Type& type) {
  switch (type.kind) {
    case TypeKind::kNumber:
    case TypeKind::kInt:
      return "type: 'number'";
    case TypeKind::kBool:
      return "type: 'boolean'";
    case TypeKind::kEnum: {
      std::string values;
      for (const language::Name& name : type.values)
        values += (values.empty() ? "" : ", ") + single_quoted(name.text);
      return "type: [" + values + "]";
    }
    case TypeKind::kList:
      return type.element.empty() ? "type: 'any'"
                                  : "type: 'list', items: { " + type_members(type.element.front()) + " }";
    case TypeKind::kSet: {
      const bool is_numeric = !type.element.empty() && model::is_numeric(type.element.front());
      const bool is_binary = !type.element.empty() && type.element.front().kind == TypeKind::kBinary;
      return is_binary    ? "type: 'any'"
             : is_numeric ? "type: 'set', items: 'number'"
                          : "type: 'set', items: 'string'";
    }
    case TypeKind::kObject: {
      std::string properties;
      for (const language::Field& field : type.fields)
        properties +=
            (properties.empty() ? " " : ", ") + property_name(field.name.text) + ": " + property_type(field);
      return "type: 'map', properties: {" + properties + " }";
    }
    case TypeKind::kMap:
    case TypeKind::kBinary:
    case TypeKind::kAny:
      return "type: 'any'";
    case TypeKind::kString:
    case TypeKind::kTime:
    case TypeKind::kDate:
    case TypeKind::kUlid:
    case TypeKind::kUuid:
      break;
  }
  return "type: 'string'";
}

std::string electrodb_hole(const ClientValue& value) { return "${" + value.name + "}"; }

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + single_quoted(name);
  return "[" + out + "]";
}

// Why ElectroDB cannot have this key.
std::optional<std::string> refusal(const ClientKind& kind, const ClientKey& key) {
  if (key.sk == nullptr) return std::nullopt;
  const std::vector<std::string> pk = properties_of(kind, *key.pk);
  const std::vector<std::string> sk = properties_of(kind, *key.sk);
  const bool is_shared = std::any_of(sk.begin(), sk.end(), [&](const std::string& name) {
    return std::find(pk.begin(), pk.end(), name) != pk.end();
  });
  if (is_shared && sk.size() > 1)
    return "partition and sort key share a property, and ElectroDB takes that only from a sort key of one";
  return std::nullopt;
}

constexpr std::string_view kConnecting = R"(
// Before ElectroDB reads items, what their keys hold is put beside it. Without a tag, keys also tell of which kind they are.
const restoring = (table, tag) => (event) => {
  if (event.type !== 'results' || !event.success) return;
  const { Item, Items = [], Responses = [] } = event.results;
  const many = Object.values(Responses).flatMap((each) => (Array.isArray(each) ? each : [each.Item]));
  for (const item of [Item, ...Items, ...many]) {
    if (!item) continue;
    for (const kind of KINDS) {
      if (kind.table !== table || (tag && item[tag] !== undefined && item[tag] !== kind.tag)) continue;
      const values = valuesOf(kind, item);
      if (!values) continue;
      const { attributes } = schemas[kind.name];
      for (const [name, value] of Object.entries(values)) item[attributes[name].field ?? name] ??= value;
      if (!tag) Object.assign(item, { __edb_e__: kind.tag, __edb_v__: '1' });
      break;
    }
  }
};

// Keys of the model escape what would not be told apart in them. ElectroDB has no option for it: the function by which it writes an
// attribute into keys is replaced. `next`: what follows there.
function escapeInKeys(entity, name, next) {
  const attribute = entity.model.schema.getAttribute(name);
  if (typeof attribute?.format !== 'function') throw new Error('this version of ElectroDB writes keys otherwise; take 3.9');
  const { format } = attribute;
  attribute.format = (value) => keyText(format(value), next);
}

// The entities, and for each table a service with its collections. `options` go to every entity.
export function connect(client, options = {}) {
  const entities = {};
  const services = {};
  for (const { table, tag, kinds } of TABLES) {
    const configuration = {
      ...options,
      client,
      table,
      // The tag says what ElectroDB wants to know twice.
      ...(tag ? { identifiers: { entity: tag, version: tag } } : { ignoreOwnership: true }),
      listeners: [restoring(table, tag), ...(options.listeners ?? [])],
    };
    for (const kind of kinds) {
      entities[kind] = new Entity(schemas[kind], configuration);
      for (const [name, next] of Object.entries(ESCAPED[kind])) escapeInKeys(entities[kind], name, next);
    }
    services[table] = new Service(Object.fromEntries(kinds.map((kind) => [kind, entities[kind]])), { client, table });
  }
  return { entities, services };
}
)";

struct ElectroKind {
  const ClientKind* kind = nullptr;
  std::vector<const ClientKey*> keys;
  std::vector<std::string> collections;       // one a key; empty: in none
  std::vector<std::string> left_out;          // indexes
  std::map<std::string, std::string> fields;  // the attribute of each property
};

class ElectroDbWriter {
 public:
  ElectroDbWriter(const model::Model& model, const model::Layout& layout)
      : model_(model), layout_(layout), all_(client_kinds(model, layout)) {}

  std::string run() {
    choose_kinds();
    agree_on_fields();
    choose_collections();
    std::string out = comments(
        {"Entities of the model " + model_.name() + " in its layout " + layout_.name +
             " for ElectroDB 3, by sheaf model export.",
         "They read and write the items of the model. What is put by them is not checked against other "
         "items, and",
         "deletions take nothing with them; what only operations of the model keep is said at each entity."},
        "//");
    for (const std::string& line : left_out_) out += comments({line}, "//");
    if (kinds_.empty()) return out + "export const schemas = {};\n";
    out += "import { Entity, Service } from 'electrodb';\n\n";
    out += key_tables(layout_, specific_first());
    out += "\nexport const schemas = {\n";
    for (const ElectroKind& kind : kinds_) out += schema(kind);
    out += "};\n" + connecting();
    return out;
  }

 private:
  const model::Table& table_of(const ClientKind& kind) const { return layout_.tables[kind.kind->table]; }

  void choose_kinds() {
    for (const ClientKind& kind : all_) {
      std::optional<std::string> why = kind.unfit;
      if (!why) why = refusal(kind, kind.keys.front());
      if (!why && !table_of(kind).tag) why = twin_of(kind);
      if (why) {
        left_out_.push_back("Left out: " + kind.kind->name + ": " + *why + ".");
        continue;
      }
      ElectroKind made{.kind = &kind, .left_out = kind.left_out};
      for (const ClientKey& key : kind.keys) {
        if (const auto refused = refusal(kind, key)) {
          made.left_out.push_back(table_of(kind).indexes[*key.index].name + ": " + *refused);
        } else {
          made.keys.push_back(&key);
        }
      }
      made.collections.resize(made.keys.size());
      kinds_.push_back(std::move(made));
    }
  }

  // Without a tag ElectroDB tells kinds apart by the text that their keys begin with.
  std::optional<std::string> twin_of(const ClientKind& kind) const {
    const auto covers = [](const model::KeyTemplate* key, const model::KeyTemplate* other) {
      return key == nullptr || other == nullptr || other->leading_text().starts_with(key->leading_text());
    };
    for (const ClientKind& other : all_) {
      if (&other == &kind || other.kind->table != kind.kind->table) continue;
      if (!covers(kind.keys[0].pk, other.keys[0].pk) || !covers(kind.keys[0].sk, other.keys[0].sk)) continue;
      return "the table " + table_of(kind).name + " has no tag, and keys of " + other.kind->name +
             " begin as its own do";
    }
    return std::nullopt;
  }

  // A property of several entities of a collection must have one attribute. What only keys hold can have any:
  // it takes the one under which others store it.
  void agree_on_fields() {
    std::map<std::pair<size_t, std::string>, std::set<std::string>> stored;
    for (const ElectroKind& each : kinds_) {
      for (const ClientValue& value : each.kind->values) {
        if (!value.value.is_in_key) stored[{each.kind->kind->table, value.name}].insert(value.attribute);
      }
    }
    for (ElectroKind& each : kinds_) {
      for (const ClientValue& value : each.kind->values) {
        std::string& field = each.fields[value.name];
        field = value.attribute;
        const auto found = stored.find({each.kind->kind->table, value.name});
        if (!value.value.is_in_key || value.attribute != value.name || found == stored.end() ||
            found->second.size() != 1)
          continue;
        const std::string& wanted = *found->second.begin();
        const bool is_taken = std::any_of(
            each.kind->values.begin(), each.kind->values.end(),
            [&](const ClientValue& other) { return other.name != value.name && other.attribute == wanted; });
        if (!is_taken) field = wanted;
      }
    }
  }

  // Kinds whose keys begin with the same partition key are one item collection.
  void choose_collections() {
    struct Member {
      ElectroKind* kind;
      size_t key;
    };
    std::map<std::tuple<size_t, std::string, std::string>, std::vector<Member>> groups;
    std::vector<std::tuple<size_t, std::string, std::string>> order;
    for (ElectroKind& kind : kinds_) {
      for (size_t i = 0; i < kind.keys.size(); ++i) {
        const ClientKey& key = *kind.keys[i];
        if (key.sk == nullptr || is_attribute(kind, key)) continue;
        // There it picks items by an identifier, which only a tag can be.
        if (key.index && !table_of(*kind.kind).tag) continue;
        const std::tuple group(kind.kind->kind->table, key.name,
                               template_text(*kind.kind, *key.pk, electrodb_hole));
        if (groups[group].empty()) order.push_back(group);
        const bool fits = std::all_of(groups[group].begin(), groups[group].end(), [&](const Member& other) {
          return std::all_of(kind.fields.begin(), kind.fields.end(), [&](const auto& field) {
            const auto found = other.kind->fields.find(field.first);
            return found == other.kind->fields.end() || found->second == field.second;
          });
        });
        if (fits) groups[group].push_back({.kind = &kind, .key = i});
      }
    }
    std::map<size_t, UniqueNames> names;  // one a table
    for (const auto& group : order) {
      if (groups[group].size() < 2) continue;
      const Member& first = groups[group].front();
      std::string text;
      for (const model::KeyTemplate::Piece& piece : first.kind->keys[first.key]->pk->pieces()) {
        if (const auto* literal = std::get_if<std::string>(&piece)) text += *literal + " ";
      }
      if (text.empty()) text = first.kind->kind->name;
      const std::string name = names[std::get<0>(group)].claim(camel_case(text));
      for (const Member& member : groups[group]) member.kind->collections[member.key] = name;
    }
  }

  // ElectroDB has no collections over keys that are attributes by themselves.
  static bool is_attribute(const ElectroKind& kind, const ClientKey& key) {
    return std::any_of(kind.fields.begin(), kind.fields.end(), [&](const auto& field) {
      return field.second == key.pk_attribute->name ||
             (key.sk_attribute != nullptr && field.second == key.sk_attribute->name);
    });
  }

  std::string attribute_text(const ElectroKind& of, const ClientValue& value) const {
    std::string out;
    if (value.value.kind == Kind::kIds) {
      out = "type: 'list', items: { type: 'any' }";
    } else if (value.value.kind == Kind::kEmbedded) {
      out = run::stored_type(layout_, value.value) == "L" ? "type: 'list', items: { type: 'any' }"
                                                          : "type: 'any'";
    } else if (value.value.kind == Kind::kExpiry) {
      out = "type: 'number'";
    } else {
      out = type_members(value.value.field.type);
    }
    const std::string& field = of.fields.at(value.name);
    if (field != value.name) out += ", field: " + single_quoted(field);
    if (is_needed(value)) out += ", required: true";
    if (const auto text = default_text(value)) out += ", default: " + *text;
    const language::Field* const syntax = value.value.field.syntax;
    const bool is_fixed = value.value.kind == Kind::kField && syntax != nullptr && syntax->is_immutable;
    if (is_fixed) out += ", readOnly: true";
    if (value.digits) out += ", padding: { length: " + std::to_string(*value.digits) + ", char: '0' }";
    const bool is_text =
        model::is_textual(value.value.field.type) && value.value.field.type.kind != TypeKind::kEnum;
    const auto pattern = is_text ? plain_pattern(value) : std::nullopt;
    if (pattern) out += ", validate: " + *pattern;
    return "{ " + out + " }";
  }

  std::string part_text(const ClientKind& kind, const model::KeyTemplate& key,
                        const model::KeyAttribute& attribute) const {
    std::string out =
        "{ field: " + single_quoted(attribute.name) + ", composite: " + list_of(properties_of(kind, key)) +
        ", template: " + single_quoted(template_text(kind, key, electrodb_hole)) + ", casing: 'none'";
    if (attribute.type == TypeKind::kNumber) out += ", cast: 'number'";
    return out + " }";
  }

  // The optional properties of an index.
  static std::vector<std::string> optional_in(const ClientKind& kind, const ClientKey& key) {
    std::vector<std::string> names;
    for (const model::KeyTemplate* part : {key.pk, key.sk}) {
      if (part == nullptr) continue;
      for (const model::Hole* hole : part->holes()) {
        const ClientValue* const value = kind.find(hole->source);
        const bool is_new =
            value != nullptr && std::find(names.begin(), names.end(), value->name) == names.end();
        if (is_new && value->value.is_optional) names.push_back(value->name);
      }
    }
    return names;
  }

  // An item that lacks a value is not in the index. Without a condition ElectroDB would write half a key.
  static std::string condition_line(const ClientKind& kind, const ClientKey& key) {
    std::string all;
    for (const std::string& name : optional_in(kind, key))
      all += (all.empty() ? "" : " && ") + ("item[" + single_quoted(name) + "] !== undefined");
    return all.empty() ? all : "        condition: (item) => " + all + ",\n";
  }

  // With one, it wants all values of the index at once.
  static std::vector<std::string> demands(const ElectroKind& of) {
    std::vector<std::string> lines;
    for (const ClientKey* key : of.keys) {
      if (!key->index) continue;
      const std::vector<std::string> names = optional_in(*of.kind, *key);
      std::vector<std::string> all = properties_of(*of.kind, *key->pk);
      if (key->sk != nullptr) {
        for (std::string& name : properties_of(*of.kind, *key->sk)) all.push_back(std::move(name));
      }
      const bool has_others = std::any_of(all.begin(), all.end(), [&](const std::string& name) {
        return std::find(names.begin(), names.end(), name) == names.end();
      });
      if (names.empty() || !has_others) continue;
      std::string list;
      for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
      lines.push_back("Not put without " + list + ": ElectroDB wants all values of an index at once.");
    }
    return lines;
  }

  std::string key_lines(const ElectroKind& of, size_t i) const {
    const ClientKey& key = *of.keys[i];
    std::string out = "      " + property_name(key.name) + ": {\n";
    if (key.index) {
      const model::Index& index = table_of(*of.kind).indexes[*key.index];
      out += "        index: " + single_quoted(index.name) + ",\n";
      if (index.projection == language::Gsi::Projection::kKeys) out += "        projection: 'keys_only',\n";
      if (index.projection == language::Gsi::Projection::kInclude) {
        std::vector<std::string> names;
        for (const ClientValue& value : of.kind->values) {
          if (std::find(index.included.begin(), index.included.end(), value.attribute) !=
              index.included.end())
            names.push_back(value.name);
        }
        out += "        projection: " + (names.empty() ? "'keys_only'" : list_of(names)) + ",\n";
      }
    }
    if (key.index) out += condition_line(*of.kind, key);
    if (!of.collections[i].empty()) out += "        collection: " + single_quoted(of.collections[i]) + ",\n";
    out += "        pk: " + part_text(*of.kind, *key.pk, *key.pk_attribute) + ",\n";
    if (key.sk != nullptr) out += "        sk: " + part_text(*of.kind, *key.sk, *key.sk_attribute) + ",\n";
    return out + "      },\n";
  }

  std::string schema(const ElectroKind& of) const {
    const ClientKind& kind = *of.kind;
    std::vector<std::string> notes;
    for (const std::string& line : of.left_out) notes.push_back("Left out: the index " + line + ".");
    for (const std::string& line : kind.kept_only) notes.push_back("Only the model keeps: " + line + ".");
    for (const std::string& line : of.left_out) {
      const bool is_said = std::find(kind.left_out.begin(), kind.left_out.end(), line) != kind.left_out.end();
      if (!is_said) notes.push_back("Only the model keeps: keys of the index " + line + ".");
    }
    for (std::string& line : demands(of)) notes.push_back(std::move(line));
    const bool has_tag = table_of(kind).tag.has_value();
    std::string out = comments(notes, "  //");
    out += "  " + kind.name + ": {\n    model: { entity: " + single_quoted(kind.kind->tag) +
           ", version: " + (has_tag ? single_quoted(kind.kind->tag) : "'1'") +
           ", service: " + single_quoted(model_.name()) + " },\n    attributes: {\n";
    for (const ClientValue& value : kind.values)
      out += "      " + property_name(value.name) + ": " + attribute_text(of, value) + ",\n";
    out += "    },\n    indexes: {\n";
    for (size_t i = 0; i < of.keys.size(); ++i) out += key_lines(of, i);
    return out + "    },\n  },\n";
  }

  // Where there is no tag, the first kind whose keys fit is the one: so those with more text in them go
  // first.
  std::vector<const ClientKind*> specific_first() const {
    std::vector<const ClientKind*> kinds;
    for (const ElectroKind& each : kinds_) kinds.push_back(each.kind);
    const auto literals = [](const ClientKind* kind) {
      size_t bytes = 0;
      for (const model::KeyTemplate* key : {kind->keys[0].pk, kind->keys[0].sk}) {
        if (key == nullptr) continue;
        for (const model::KeyTemplate::Piece& piece : key->pieces()) {
          const auto* text = std::get_if<std::string>(&piece);
          bytes += text != nullptr ? text->size() : 0;
        }
      }
      return bytes;
    };
    std::stable_sort(kinds.begin(), kinds.end(),
                     [&](const ClientKind* a, const ClientKind* b) { return literals(a) > literals(b); });
    return kinds;
  }

  std::string connecting() const {
    std::string out = "\nconst TABLES = [\n";
    for (size_t i = 0; i < layout_.tables.size(); ++i) {
      const model::Table& table = layout_.tables[i];
      std::vector<std::string> names;
      for (const ElectroKind& each : kinds_) {
        if (each.kind->kind->table == i) names.push_back(each.kind->name);
      }
      if (names.empty()) continue;
      out += "  { table: " + single_quoted(table.name);
      if (table.tag) out += ", tag: " + single_quoted(*table.tag);
      out += ", kinds: " + list_of(names) + " },\n";
    }
    out += "];\nconst ESCAPED = {\n";
    for (const ElectroKind& each : kinds_) {
      std::string names;
      for (const ClientValue& value : each.kind->values) {
        if (value.is_escapable() && model::is_textual(value.value.field.type))
          names += (names.empty() ? " " : ", ") + property_name(value.name) + ": " +
                   single_quoted(value.common_follower());
      }
      out += "  " + each.kind->name + ": {" + names + (names.empty() ? "" : " ") + "},\n";
    }
    return out + "};\n" + std::string(kConnecting);
  }

  const model::Model& model_;
  const model::Layout& layout_;
  std::vector<ClientKind> all_;
  std::vector<ElectroKind> kinds_;
  std::vector<std::string> left_out_;
};

}  // namespace

std::string to_electrodb(const model::Model& model, const model::Layout& layout) {
  return ElectroDbWriter(model, layout).run();
}

}  // namespace sheaf::exports
