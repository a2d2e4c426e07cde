#include "infer/workbench_file.h"

#include <algorithm>
#include <map>

#include "base/try.h"
#include "language/json_tree.h"
#include "value/base64.h"

namespace sheaf::infer {
namespace {

using language::Json;

const Json* member(const Json& json, std::string_view name) {
  if (json.kind != Json::Kind::kObject) return nullptr;
  for (size_t i = 0; i < json.names.size(); ++i) {
    if (json.names[i] == name) return &json.items[i];
  }
  return nullptr;
}

std::string text_at(const Json& json, std::string_view name) {
  const Json* const found = member(json, name);
  return found != nullptr && found->kind == Json::Kind::kString ? found->text : std::string();
}

const std::vector<Json>& list_at(const Json& json, std::string_view name) {
  static const std::vector<Json> kNone;
  const Json* const found = member(json, name);
  return found != nullptr && found->kind == Json::Kind::kArray ? found->items : kNone;
}

Error wrong(const std::string& where, const std::string& what) {
  return Error{Code::kInvalid, where + ": " + what};
}

// --- Items in DynamoDB's JSON

class ItemReader {
 public:
  explicit ItemReader(std::string where) : where_(std::move(where)) {}

  Result<Item> item(const Json& json) {
    if (json.kind != Json::Kind::kObject) return wrong(where_, "an item is an object of attributes");
    writer_.begin_item();
    for (size_t i = 0; i < json.items.size(); ++i) {
      writer_.key(json.names[i]);
      TRY(value(json.items[i]));
    }
    writer_.end_item();
    Result<std::string> bytes = writer_.finish();
    if (!bytes.ok()) return wrong(where_, bytes.error().message);
    return Item::from_encoded(std::move(*bytes));
  }

 private:
  // {"S": "text"} and the like; anything else is taken for plain JSON, which files of Workbench have in maps.
  static bool is_typed(const Json& json) {
    if (json.kind != Json::Kind::kObject || json.items.size() != 1) return false;
    const std::string& type = json.names.front();
    const Json::Kind kind = json.items.front().kind;
    const bool is_text = kind == Json::Kind::kString;
    if (type == "S" || type == "B") return is_text;
    if (type == "N") return is_text || kind == Json::Kind::kNumber;
    if (type == "BOOL") return is_text || kind == Json::Kind::kTrue || kind == Json::Kind::kFalse;
    if (type == "NULL") return true;
    if (type == "M") return kind == Json::Kind::kObject;
    return (type == "L" || type == "SS" || type == "NS" || type == "BS") && kind == Json::Kind::kArray;
  }

  Result<void> plain(const Json& json) {
    switch (json.kind) {
      case Json::Kind::kNull:
        writer_.null();
        break;
      case Json::Kind::kTrue:
      case Json::Kind::kFalse:
        writer_.boolean(json.kind == Json::Kind::kTrue);
        break;
      case Json::Kind::kNumber: {
        const Value number = TRY(scalar("N", json));
        writer_.copy(number);
        break;
      }
      case Json::Kind::kString:
        writer_.string(json.text);
        break;
      case Json::Kind::kArray:
        writer_.begin_list();
        for (const Json& element : json.items) TRY(value(element));
        writer_.end_list();
        break;
      case Json::Kind::kObject:
        writer_.begin_map();
        for (size_t i = 0; i < json.items.size(); ++i) {
          writer_.key(json.names[i]);
          TRY(value(json.items[i]));
        }
        writer_.end_map();
        break;
    }
    return {};
  }

  Result<void> value(const Json& json) {
    if (!is_typed(json)) return plain(json);
    const std::string& type = json.names.front();
    const Json& content = json.items.front();
    if (type == "NULL") {
      writer_.null();
    } else if (type == "BOOL") {
      writer_.boolean(content.kind == Json::Kind::kTrue || content.text == "true");
    } else if (type == "M" && content.kind == Json::Kind::kObject) {
      writer_.begin_map();
      for (size_t i = 0; i < content.items.size(); ++i) {
        writer_.key(content.names[i]);
        TRY(value(content.items[i]));
      }
      writer_.end_map();
    } else if (type == "L" && content.kind == Json::Kind::kArray) {
      writer_.begin_list();
      for (const Json& element : content.items) TRY(value(element));
      writer_.end_list();
    } else if ((type == "SS" || type == "NS" || type == "BS") && content.kind == Json::Kind::kArray) {
      writer_.begin_set(type == "SS" ? Type::kStringSet : type == "NS" ? Type::kNumberSet : Type::kBinarySet);
      for (const Json& element : content.items) {
        const Value one = TRY(scalar(type.substr(0, 1), element));
        writer_.element(one.type() == Type::kNumber ? one.view().number().encoded() : one.view().bytes());
      }
      writer_.end_set();
    } else {
      const Value one = TRY(scalar(type, content));
      writer_.copy(one);
    }
    return {};
  }

  Result<Value> scalar(const std::string& type, const Json& json) const {
    if (json.kind != Json::Kind::kString && json.kind != Json::Kind::kNumber)
      return wrong(where_, "a value of type " + type + " is a text");
    if (type == "S") return Value(json.text);
    if (type == "N") {
      const Result<Number> number = Number::parse(json.text);
      if (!number.ok()) return wrong(where_, json.text + " is no number");
      return Value(*number);
    }
    std::string bytes;
    if (type != "B" || !decode_base64(bytes, json.text)) return wrong(where_, "no value of type " + type);
    return Value::binary(bytes);
  }

  std::string where_;
  ValueWriter writer_;
};

// --- Tables

Result<KeyAttribute> key_attribute(const Json& json, const std::string& where) {
  const std::string name = text_at(json, "AttributeName");
  const std::string type = text_at(json, "AttributeType");
  if (name.empty()) return wrong(where, "a key has an AttributeName");
  return KeyAttribute{.name = name,
                      .type = type == "N"   ? Type::kNumber
                              : type == "B" ? Type::kBinary
                                            : Type::kString};
}

Result<KeySchema> key_schema(const Json& json, const std::string& where) {
  const Json* const keys = member(json, "KeyAttributes");
  const Json* const pk = keys == nullptr ? nullptr : member(*keys, "PartitionKey");
  if (pk == nullptr) return wrong(where, "there are no KeyAttributes with a PartitionKey");
  KeySchema schema;
  schema.partition.push_back(TRY(key_attribute(*pk, where)));
  if (const Json* const sk = member(*keys, "SortKey")) schema.sort.push_back(TRY(key_attribute(*sk, where)));
  return schema;
}

class TableReader {
 public:
  TableReader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

  Result<ObservedTable> run() {
    table_.name = text_at(json_, "TableName");
    if (table_.name.empty()) return wrong(where_, "a table has a TableName");
    where_ += " (" + table_.name + ")";
    table_.key = TRY(key_schema(json_, where_));
    for (const Json& each : list_at(json_, "NonKeyAttributes"))
      table_.declared_attributes.push_back(
          {.name = text_at(each, "AttributeName"), .type = text_at(each, "AttributeType")});
    for (const std::string_view name : {"GlobalSecondaryIndexes", "LocalSecondaryIndexes"}) {
      for (const Json& each : list_at(json_, name)) TRY(add_index(each, name.starts_with("Local")));
    }
    for (const Json& each : list_at(json_, "TableData")) TRY(add_item(each));
    for (const Json& each : list_at(json_, "TableFacets")) TRY(add_facet(each));
    table_.item_count = static_cast<int64_t>(table_.items.size());
    return std::move(table_);
  }

 private:
  Result<void> add_index(const Json& json, bool is_local) {
    ObservedIndex index{.name = text_at(json, "IndexName"), .is_local = is_local};
    if (index.name.empty()) return wrong(where_, "an index has an IndexName");
    index.key = TRY(key_schema(json, where_ + ", index " + index.name));
    if (const Json* const projection = member(json, "Projection")) {
      const std::string kind = text_at(*projection, "ProjectionType");
      index.projection = kind == "KEYS_ONLY" ? ProjectionKind::kKeysOnly
                         : kind == "INCLUDE" ? ProjectionKind::kInclude
                                             : ProjectionKind::kAll;
      for (const Json& name : list_at(*projection, "NonKeyAttributes")) add_included(index, name.text);
    }
    table_.indexes.push_back(std::move(index));
    return {};
  }

  // Keys are in every index, and need not be said.
  void add_included(ObservedIndex& index, const std::string& name) const {
    const auto is_key = [&](const KeySchema& key) {
      const auto is_it = [&](const KeyAttribute& each) { return each.name == name; };
      return std::any_of(key.partition.begin(), key.partition.end(), is_it) ||
             std::any_of(key.sort.begin(), key.sort.end(), is_it);
    };
    const bool is_there =
        std::find(index.included.begin(), index.included.end(), name) != index.included.end();
    if (!name.empty() && !is_there && !is_key(index.key) && !is_key(table_.key))
      index.included.push_back(name);
  }

  // Sample data may lack what it needs, or have the same key twice: the last one stays, as in the table.
  Result<void> add_item(const Json& json, Facet* facet = nullptr) {
    Item item = TRY(ItemReader(where_).item(json));
    std::string key;
    for (const KeyAttribute& each : all_keys()) {
      const auto value = item.find(each.name);
      if (!value || value->type() != each.type)
        return wrong(where_, "an item has no key " + each.name + " of the table's type");
      key += std::string(value->encoded());
    }
    const auto [at, is_new] = by_key_.emplace(key, table_.items.size());
    if (is_new) {
      table_.items.push_back(std::move(item));
      if (facet != nullptr) facet->items.push_back(at->second);
    } else {
      table_.items[at->second] = std::move(item);
    }
    return {};
  }

  std::vector<KeyAttribute> all_keys() const {
    std::vector<KeyAttribute> keys = table_.key.partition;
    keys.insert(keys.end(), table_.key.sort.begin(), table_.key.sort.end());
    return keys;
  }

  Result<void> add_facet(const Json& json) {
    Facet facet{.name = text_at(json, "FacetName")};
    if (const Json* const alias = member(json, "KeyAttributeAlias")) {
      facet.pk_alias = text_at(*alias, "PartitionKeyAlias");
      facet.sk_alias = text_at(*alias, "SortKeyAlias");
    }
    for (const Json& name : list_at(json, "NonKeyAttributes")) facet.attributes.push_back(name.text);
    for (const Json& item : list_at(json, "TableData")) TRY(add_item(item, &facet));
    table_.facets.push_back(std::move(facet));
    return {};
  }

  const Json& json_;
  std::string where_;
  ObservedTable table_;
  std::map<std::string, size_t> by_key_;
};

}  // namespace

Result<Observed> read_workbench(std::string_view json) {
  const Json root = TRY(language::read_json(json));
  const std::vector<Json>& tables = list_at(root, "DataModel");
  if (tables.empty())
    return wrong("$", "this is no data model of NoSQL Workbench: there is no DataModel with tables");
  Observed observed{.name = text_at(root, "ModelName")};
  for (size_t i = 0; i < tables.size(); ++i) {
    ObservedTable table = TRY(TableReader(tables[i], "$.DataModel[" + std::to_string(i) + "]").run());
    if (table.name.ends_with("-sheaf") && table.items.empty()) continue;
    observed.tables.push_back(std::move(table));
  }
  if (observed.name.empty()) observed.name = observed.tables.front().name;
  return observed;
}

}  // namespace sheaf::infer
