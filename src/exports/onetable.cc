#include "exports/onetable.h"

#include <algorithm>

#include "exports/client_schema.h"
#include "exports/names.h"
#include "exports/stored_tables.h"
#include "model/value_type.h"

namespace sheaf::exports {
namespace {

using Kind = run::ShapeValue::Kind;
using TypeKind = language::Type::Kind;

std::string type_word(const language::Type& type) {
  switch (type.kind) {
    case TypeKind::kNumber:
    case TypeKind::kInt:
      return "Number";
    case TypeKind::kBool:
      return "Boolean";
    case TypeKind::kList:
      return "Array";
    case TypeKind::kSet:
      return "Set";
    // Its types for bytes write them as text; this one leaves them as they are.
    case TypeKind::kBinary:
    case TypeKind::kMap:
    case TypeKind::kObject:
    case TypeKind::kAny:
      return "Object";
    case TypeKind::kString:
    case TypeKind::kTime:
    case TypeKind::kDate:
    case TypeKind::kUlid:
    case TypeKind::kUuid:
    case TypeKind::kEnum:
      break;
  }
  return "String";
}

std::string onetable_hole(const ClientValue& value) {
  return "${" + value.name + (value.digits ? ":" + std::to_string(*value.digits) + ":0" : "") + "}";
}

class OneTableWriter {
 public:
  OneTableWriter(const model::Model& model, const model::Layout& layout)
      : model_(model), layout_(layout), all_(client_kinds(model, layout)) {}

  std::string run() {
    std::vector<std::string> left_out;
    for (const ClientKind& kind : all_) {
      std::optional<std::string> why = kind.unfit;
      const model::Table& table = layout_.tables[kind.kind->table];
      if (!why && !table.tag)
        why = "OneTable finds items by a type, and the table " + table.name + " has no tag";
      if (why) {
        left_out.push_back("Left out: " + kind.kind->name + ": " + *why + ".");
      } else {
        kinds_.push_back(&kind);
      }
    }
    std::string out = comments(
        {"Schemas of the model " + model_.name() + " in its layout " + layout_.name +
             " for OneTable 2, by sheaf model export.",
         "They read and write the items of the model. What is put by them is not checked against other "
         "items, and",
         "deletions take nothing with them; what only operations of the model keep is said at each entity.",
         "Keys are made by keyOf(): the templates of OneTable itself escape nothing."},
        "//");
    out += comments(left_out, "//");
    if (kinds_.empty()) return out + "export const schemas = {};\n";
    out += "import { Table } from 'dynamodb-onetable';\n\n";
    out += key_tables(layout_, kinds_);
    out += "\nexport const schemas = {\n";
    for (size_t i = 0; i < layout_.tables.size(); ++i) out += schema(i);
    out += "};\n";
    out += R"(
// What the keys of an item hold belongs to it.
function restore(table) {
  return (model, operation, properties, given, params, item) => {
    const kind = KINDS.find((each) => each.table === table && each.tag === model.name);
    return operation === 'read' && kind && item ? { ...properties, ...valuesOf(kind, item) } : properties;
  };
}

// A key from its template: ORG#${orgName}, or with digits ${orderNumber:8:0}. What lacks a value is no key; of the sort key that is
// asked for, it is the beginning.
function keyOf(schema) {
  return (model, attribute, properties, params) => {
    if (properties[attribute] !== undefined) return properties[attribute];
    const [first, ...rest] = schema.models[model.name][attribute].value.split(/\$\{([^{}]*)\}/);
    let key = first;
    for (let i = 0; i < rest.length; i += 2) {
      const [name, digits] = rest[i].split(':');
      const value = properties[name];
      if (value === undefined || value === null)
        return key && schema.indexes[params.index ?? 'primary'].sort === attribute ? { begins: key } : undefined;
      const isAlone = rest.length === 2 && first === '' && rest[1] === '';
      const text = typeof value === 'string' && !isAlone ? keyText(value, [...rest[i + 1]][0]) : String(value);
      key += (digits ? text.padStart(Number(digits), '0') : text) + rest[i + 1];
    }
    return key;
  };
}

// OneTable asks for keys where `value` is true.
const computed = (models) =>
  Object.fromEntries(
    Object.entries(models).map(([name, fields]) => [
      name,
      Object.fromEntries(
        Object.entries(fields).map(([attribute, field]) => [attribute, field.value ? { ...field, value: true } : field]),
      ),
    ]),
  );

// A OneTable for each table. `options` go to all of them.
export function connect(client, options = {}) {
  const tables = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const hooks = { transform: restore(name), value: keyOf(schema) };
    tables[name] = new Table({ partial: true, ...options, ...hooks, client, name, schema: { ...schema, models: computed(schema.models) } });
  }
  return tables;
}
)";
    return out;
  }

 private:
  std::string schema(size_t id) const {
    const model::Table& table = layout_.tables[id];
    std::string models;
    for (const ClientKind* kind : kinds_) {
      if (kind->kind->table == id) models += model_lines(*kind);
    }
    if (models.empty()) return {};
    std::string out =
        "  " + property_name(table.name) + ": {\n    format: 'onetable:1.1.0',\n    version: '0.0.1',\n";
    out += "    indexes: {\n      primary: { hash: " + single_quoted(table.pk.name);
    if (table.sk) out += ", sort: " + single_quoted(table.sk->name);
    out += " },\n";
    for (const model::Index& index : table.indexes) {
      out += "      " + property_name(index.name) + ": { hash: " + single_quoted(index.pk.name);
      if (index.sk) out += ", sort: " + single_quoted(index.sk->name);
      std::string project = "'all'";
      if (index.projection == language::Gsi::Projection::kKeys) project = "'keys'";
      if (index.projection == language::Gsi::Projection::kInclude) {
        project.clear();
        for (const std::string& each : index.included)
          project += (project.empty() ? "" : ", ") + single_quoted(each);
        project = "[" + project + "]";
      }
      out += ", project: " + project + " },\n";
    }
    out += "    },\n    models: {\n" + models + "    },\n";
    return out + "    params: { typeField: " + single_quoted(*table.tag) +
           ", isoDates: true, timestamps: false },\n  },\n";
  }

  // Where a key holds the value: OneTable then neither stores it nor filters by it.
  static std::string encode_text(const ClientKind& kind, const ClientValue& value) {
    for (const auto& [key, attribute] : {std::pair(kind.keys[0].pk, kind.keys[0].pk_attribute),
                                         std::pair(kind.keys[0].sk, kind.keys[0].sk_attribute)}) {
      if (key == nullptr) continue;
      std::ptrdiff_t separators = 0;
      for (const model::KeyTemplate::Piece& piece : key->pieces()) {
        if (const auto* text = std::get_if<std::string>(&piece)) {
          separators += std::count(text->begin(), text->end(), '#');
        } else if (std::get<model::Hole>(piece).source == value.value.source) {
          return "[" + single_quoted(attribute->name) + ", '#', " + std::to_string(separators) + "]";
        }
      }
    }
    return "[]";
  }

  std::string property_text(const ClientKind& kind, const ClientValue& value) const {
    const run::ShapeValue& shape = value.value;
    std::string out = "type: ";
    if (shape.kind == Kind::kIds) {
      out += "Array";
    } else if (shape.kind == Kind::kEmbedded) {
      out += run::stored_type(layout_, shape) == "L" ? "Array" : "Object";
    } else if (shape.kind == Kind::kExpiry) {
      out += "Number";
    } else {
      out += type_word(shape.field.type);
    }
    const bool is_key = is_attribute_of_key(kind, value);
    if (shape.is_in_key && !is_key) {
      out += ", encode: " + encode_text(kind, value);
    } else if (value.attribute != value.name) {
      out += ", map: " + single_quoted(value.attribute);
    }
    if (is_needed(value) && !shape.field.is_generated()) out += ", required: true";
    if (shape.kind == Kind::kField && shape.field.is_generated() && shape.field.is_id)
      out += shape.field.type.kind == TypeKind::kUlid ? ", generate: 'ulid'" : ", generate: 'uuid'";
    if (shape.field.type.kind == TypeKind::kEnum) {
      std::string values;
      for (const language::Name& name : shape.field.type.values)
        values += (values.empty() ? "" : ", ") + single_quoted(name.text);
      out += ", enum: [" + values + "]";
    }
    if (const auto text = default_text(value)) out += ", default: " + *text;
    return "{ " + out + " }";
  }

  // It is a key attribute by itself.
  static bool is_attribute_of_key(const ClientKind& kind, const ClientValue& value) {
    return std::any_of(kind.keys.begin(), kind.keys.end(), [&](const ClientKey& key) {
      return key.pk_attribute->name == value.attribute ||
             (key.sk_attribute != nullptr && key.sk_attribute->name == value.attribute);
    });
  }

  // find() looks at keys alone, so it gives what lies behind the same beginning, too.
  std::vector<std::string> neighbours(const ClientKind& kind) const {
    std::vector<std::string> names;
    for (const ClientKind* other : kinds_) {
      if (other == &kind || other->kind->table != kind.kind->table) continue;
      const bool is_behind = std::any_of(kind.keys.begin(), kind.keys.end(), [&](const ClientKey& key) {
        return std::any_of(other->keys.begin(), other->keys.end(), [&](const ClientKey& theirs) {
          return key.index == theirs.index && key.sk != nullptr && theirs.sk != nullptr &&
                 key.pk->leading_text() == theirs.pk->leading_text() &&
                 theirs.sk->leading_text().starts_with(key.sk->leading_text());
        });
      });
      if (is_behind) names.push_back(other->kind->tag);
    }
    return names;
  }

  std::string model_lines(const ClientKind& kind) const {
    std::vector<std::string> notes;
    if (const std::vector<std::string> others = neighbours(kind); !others.empty()) {
      std::string names;
      for (const std::string& name : others) names += (names.empty() ? "" : ", ") + name;
      notes.push_back("find() may give " + names + ", too: add { where: '${" +
                      *layout_.tables[kind.kind->table].tag + "} = {" + kind.kind->tag + "}' }.");
    }
    for (const std::string& line : kind.left_out) notes.push_back("Left out: the index " + line + ".");
    for (const std::string& line : kind.kept_only) notes.push_back("Only the model keeps: " + line + ".");
    std::string out = comments(notes, "      //");
    out += "      " + property_name(kind.kind->tag) + ": {\n";
    std::set<std::string> written;
    for (const ClientValue& value : kind.values) written.insert(value.attribute);
    for (const ClientKey& key : kind.keys) {
      for (const auto& [part, attribute] :
           {std::pair(key.pk, key.pk_attribute), std::pair(key.sk, key.sk_attribute)}) {
        if (part == nullptr || !written.insert(attribute->name).second) continue;
        out += "        " + property_name(attribute->name) +
               ": { type: " + (attribute->type == TypeKind::kNumber ? "Number" : "String") +
               ", value: " + single_quoted(template_text(kind, *part, onetable_hole)) + " },\n";
      }
    }
    for (const ClientValue& value : kind.values)
      out += "        " + property_name(value.name) + ": " + property_text(kind, value) + ",\n";
    return out + "      },\n";
  }

  const model::Model& model_;
  const model::Layout& layout_;
  std::vector<ClientKind> all_;
  std::vector<const ClientKind*> kinds_;
};

}  // namespace

std::string to_onetable(const model::Model& model, const model::Layout& layout) {
  return OneTableWriter(model, layout).run();
}

}  // namespace sheaf::exports
