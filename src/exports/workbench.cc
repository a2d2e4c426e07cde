#include "exports/workbench.h"

#include <algorithm>

#include "base/try.h"
#include "exports/stored_tables.h"
#include "language/json_writer.h"
#include "run/item_codec.h"
#include "run/item_shape.h"

namespace sheaf::exports {
namespace {

// The same model gives the same text, so it cannot say when it was made; Workbench wants a date all the same.
constexpr std::string_view kDate = "Jan 01, 2024, 12:00 AM";
constexpr std::string_view kVersion = "3.0";
constexpr char kSystemMark = '_';

using Items = std::vector<std::vector<Item>>;  // one list a kind of items

Result<Items> items_of(const model::Model& model, const model::Layout& layout, const run::Data* data) {
  Items items(layout.item_kinds.size());
  if (data == nullptr) return items;
  const run::ItemCodec codec(model, layout);
  for (const run::Record& record : data->records) {
    const auto kind = layout.kind_of_entity[record.entity];
    if (!kind) continue;  // it exists as an end of edges only
    for (Item& item : TRY(codec.items(record))) items[*kind].push_back(std::move(item));
  }
  for (const run::Edge& edge : data->edges) {
    for (const run::Edge& each : codec.directions(edge)) {
      Item item = TRY(codec.encode(each));
      items[codec.item_kind(each)].push_back(std::move(item));
    }
  }
  return items;
}

struct NamedType {
  std::string name;
  std::string_view type;
};

std::string_view type_of(ValueView value) {
  switch (value.type()) {
    case Type::kNumber:
      return "N";
    case Type::kBinary:
      return "B";
    case Type::kBool:
      return "BOOL";
    case Type::kNull:
      return "NULL";
    case Type::kList:
      return "L";
    case Type::kMap:
      return "M";
    case Type::kStringSet:
      return "SS";
    case Type::kNumberSet:
      return "NS";
    case Type::kBinarySet:
      return "BS";
    case Type::kString:
      break;
  }
  return "S";
}

// Beside the table's own keys. What may be anything has the type of the first item that has it.
std::vector<NamedType> attributes_of(const model::Model& model, const model::Layout& layout,
                                     const model::ItemKind& kind, const std::vector<Item>& items) {
  const model::Table& table = layout.tables[kind.table];
  std::vector<NamedType> all;
  const auto add = [&](const std::string& name, std::string_view type) {
    const bool is_key = name == table.pk.name || (table.sk && name == table.sk->name);
    const bool is_there =
        std::any_of(all.begin(), all.end(), [&](const NamedType& each) { return each.name == name; });
    if (!is_key && !is_there) all.push_back({.name = name, .type = type});
  };
  const auto letter = [](const model::KeyAttribute& key) {
    language::Type type;
    type.kind = key.type;
    return run::stored_type(type);
  };
  if (table.tag) add(*table.tag, "S");
  for (const run::ShapeValue& value : run::item_shape(model, layout, kind)) {
    if (value.is_in_key) continue;
    const bool is_any = value.has_source() && value.field.type.kind == language::Type::Kind::kAny;
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&](const Item& item) { return item.find(value.attribute).has_value(); });
    const bool is_seen = is_any && found != items.end();
    add(value.attribute, is_seen ? type_of(*found->find(value.attribute)) : run::stored_type(layout, value));
  }
  for (const model::IndexEntry& entry : kind.entries) {
    const model::Index& index = table.indexes[entry.index];
    add(index.pk.name, letter(index.pk));
    if (index.sk) add(index.sk->name, letter(*index.sk));
  }
  return all;
}

class ModelWriter {
 public:
  ModelWriter(const model::Model& model, const model::Layout& layout, const Items& items)
      : model_(model), layout_(layout), items_(items) {}

  std::string run() {
    json_.object([&] {
      member("ModelName", model_.name());
      json_.member("ModelMetadata");
      json_.object([&] {
        member("Author", "");
        member("DateCreated", kDate);
        member("DateLastModified", kDate);
        member("Description", description());
        member("AWSService", "Amazon DynamoDB");
        member("Version", kVersion);
      });
      json_.member("DataModel");
      json_.array([&] {
        for (const StoredTable& table : stored_tables(model_, layout_)) write(table);
      });
    });
    return json_.take();
  }

 private:
  void member(std::string_view name, std::string_view value) {
    json_.member(name);
    json_.text(value);
  }

  std::string description() const {
    std::string text;
    for (const std::string& line : heading(model_, layout_)) text += (text.empty() ? "" : "\n") + line;
    return text;
  }

  void attribute(std::string_view name, std::string_view type) {
    json_.object([&] {
      member("AttributeName", name);
      member("AttributeType", type);
    });
  }

  void key(const KeySchema& schema) {
    json_.member("KeyAttributes");
    json_.object([&] {
      json_.member("PartitionKey");
      attribute(schema.partition.front().name, type_letter(schema.partition.front().type));
      if (schema.sort.empty()) return;
      json_.member("SortKey");
      attribute(schema.sort.front().name, type_letter(schema.sort.front().type));
    });
  }

  void write(const StoredTable& table) {
    json_.object([&] {
      member("TableName", table.request.table);
      key(table.request.key);
      non_key_attributes(table);
      json_.member("TableFacets");
      json_.array([&] {
        for (size_t i = 0; i < layout_.item_kinds.size(); ++i) {
          if (is_in(layout_.item_kinds[i], table)) facet(i);
        }
      });
      json_.member("GlobalSecondaryIndexes");
      json_.array([&] {
        for (const IndexDeclaration& each : table.request.global_indexes) index(each);
      });
      // With facets the items are theirs.
      if (table.is_system) {
        json_.member("TableData");
        json_.array([] {});
      }
      data_access();
      member("BillingMode", "PAY_PER_REQUEST");
    });
  }

  bool is_in(const model::ItemKind& kind, const StoredTable& table) const {
    return !table.is_system && layout_.tables[kind.table].name == table.request.table;
  }

  void non_key_attributes(const StoredTable& table) {
    std::vector<NamedType> all;
    for (size_t i = 0; i < layout_.item_kinds.size(); ++i) {
      if (!is_in(layout_.item_kinds[i], table)) continue;
      for (NamedType& each : attributes_of(model_, layout_, layout_.item_kinds[i], items_[i])) {
        const bool is_there = std::any_of(all.begin(), all.end(),
                                          [&](const NamedType& other) { return other.name == each.name; });
        if (!is_there) all.push_back(std::move(each));
      }
    }
    json_.member("NonKeyAttributes");
    json_.array([&] {
      for (const NamedType& each : all) attribute(each.name, each.type);
    });
  }

  void facet(size_t id) {
    const model::ItemKind& kind = layout_.item_kinds[id];
    const std::vector<NamedType> attributes = attributes_of(model_, layout_, kind, items_[id]);
    json_.object([&] {
      member("FacetName", kind.name);
      json_.member("KeyAttributeAlias");
      json_.object([&] {
        member("PartitionKeyAlias", kind.pk.text());
        if (kind.sk) member("SortKeyAlias", kind.sk->text());
      });
      json_.member("TableData");
      json_.array([&] {
        for (const Item& item : items_[id]) {
          Item shown;
          for (const Attribute each : item.view()) {
            if (!each.name.starts_with(kSystemMark)) shown.set(each.name, Value(each.value));
          }
          json_.word(shown.to_json());
        }
      });
      json_.member("NonKeyAttributes");
      json_.array([&] {
        for (const NamedType& each : attributes) json_.text(each.name);
      });
      data_access();
    });
  }

  void index(const IndexDeclaration& index) {
    json_.object([&] {
      member("IndexName", index.name);
      key(index.key);
      write_projection(json_, index);
    });
  }

  void data_access() {
    json_.member("DataAccess");
    json_.object([&] {
      json_.member("MySql");
      json_.object([] {});
    });
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const Items& items_;
  language::JsonWriter json_;
};

}  // namespace

Result<std::string> to_workbench(const model::Model& model, const model::Layout& layout,
                                 const run::Data* data) {
  const Items items = TRY(items_of(model, layout, data));
  return ModelWriter(model, layout, items).run();
}

}  // namespace sheaf::exports
