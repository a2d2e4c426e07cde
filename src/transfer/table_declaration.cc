#include "transfer/table_declaration.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/errors.h"
#include "base/try.h"
#include "run/plain_json.h"
#include "value/value_json.h"
#include "wire/json_object.h"
#include "wire/table_description.h"

namespace sheaf::transfer {
namespace {

using wire::append_json_list;
using wire::JsonObject;

constexpr std::array<std::pair<ProjectionKind, std::string_view>, 3> kProjections{
    {{ProjectionKind::kAll, "ALL"},
     {ProjectionKind::kKeysOnly, "KEYS_ONLY"},
     {ProjectionKind::kInclude, "INCLUDE"}}};
constexpr std::array kViews{StreamView::kKeysOnly, StreamView::kNewImage, StreamView::kOldImage,
                            StreamView::kNewAndOldImages};

std::optional<Type> key_type(std::string_view name) {
  for (const Type type : {Type::kString, Type::kNumber, Type::kBinary}) {
    if (type_name(type) == name) return type;
  }
  return std::nullopt;
}

void add_attributes(std::vector<KeyAttribute>& all, const KeySchema& key) {
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      if (std::find(all.begin(), all.end(), attribute) == all.end()) all.push_back(attribute);
    }
  }
}

void append_throughput(JsonObject& object, BillingMode billing, const Throughput& throughput) {
  if (billing != BillingMode::kProvisioned) return;
  JsonObject units(object.member("ProvisionedThroughput"));
  units.integer("ReadCapacityUnits", throughput.read_units);
  units.integer("WriteCapacityUnits", throughput.write_units);
}

void append_indexes(JsonObject& object, std::string_view name, const std::vector<IndexDeclaration>& indexes,
                    std::optional<BillingMode> billing) {
  if (indexes.empty()) return;
  std::string& out = object.member(name);
  append_json_list(out, indexes, [&](const IndexDeclaration& index) {
    JsonObject each(out);
    each.text("IndexName", index.name);
    wire::append_key_schema(each.member("KeySchema"), index.key);
    {
      JsonObject projection(each.member("Projection"));
      for (const auto& [kind, text] : kProjections) {
        if (kind == index.projection) projection.text("ProjectionType", text);
      }
      if (index.projection == ProjectionKind::kInclude) {
        std::string& list = projection.member("NonKeyAttributes");
        append_json_list(list, index.included,
                         [&](const std::string& attribute) { append_json_string(list, attribute); });
      }
    }
    if (billing) append_throughput(each, *billing, index.throughput);
  });
}

// Reading: what is missing or of another type than it must be is told by its name.
Error missing(std::string_view name) { return invalid("it has no " + std::string(name)); }

Result<std::string> text_in(ItemView object, std::string_view name) {
  const std::optional<ValueView> value = object.find(name);
  if (!value || value->type() != Type::kString) return missing(name);
  return std::string(value->bytes());
}

Result<std::vector<ItemView>> objects_in(ItemView object, std::string_view name) {
  const std::optional<ValueView> value = object.find(name);
  std::vector<ItemView> objects;
  if (!value) return objects;
  if (value->type() != Type::kList) return missing(name);
  for (const ValueView each : value->list()) {
    if (each.type() != Type::kMap) return missing(name);
    objects.push_back(each.map());
  }
  return objects;
}

Result<KeySchema> key_in(ItemView object, const std::vector<KeyAttribute>& definitions) {
  KeySchema key;
  for (const ItemView element : TRY(objects_in(object, "KeySchema"))) {
    const std::string name = TRY(text_in(element, "AttributeName"));
    const std::string kind = TRY(text_in(element, "KeyType"));
    const auto found = std::find_if(definitions.begin(), definitions.end(),
                                    [&](const KeyAttribute& attribute) { return attribute.name == name; });
    if (found == definitions.end()) return invalid("AttributeDefinitions does not have " + name);
    (kind == "HASH" ? key.partition : key.sort).push_back(*found);
  }
  if (key.partition.empty()) return missing("KeySchema");
  return key;
}

Throughput throughput_in(ItemView object) {
  Throughput throughput;
  const std::optional<ValueView> value = object.find("ProvisionedThroughput");
  if (!value || value->type() != Type::kMap) return throughput;
  const auto units = [&](std::string_view name) -> int64_t {
    const std::optional<ValueView> number = value->map().find(name);
    if (!number || number->type() != Type::kNumber) return 0;
    const Result<int64_t> whole = number->number().to_int64();
    return whole.ok() ? *whole : 0;
  };
  throughput.read_units = units("ReadCapacityUnits");
  throughput.write_units = units("WriteCapacityUnits");
  return throughput;
}

Result<std::vector<IndexDeclaration>> indexes_in(ItemView object, std::string_view member,
                                                 const std::vector<KeyAttribute>& definitions) {
  std::vector<IndexDeclaration> indexes;
  for (const ItemView each : TRY(objects_in(object, member))) {
    IndexDeclaration index;
    index.name = TRY(text_in(each, "IndexName"));
    index.key = TRY(key_in(each, definitions));
    index.throughput = throughput_in(each);
    const std::optional<ValueView> projection = each.find("Projection");
    if (!projection || projection->type() != Type::kMap) return missing("Projection");
    const std::string kind = TRY(text_in(projection->map(), "ProjectionType"));
    const auto found = std::find_if(kProjections.begin(), kProjections.end(),
                                    [&](const auto& known) { return known.second == kind; });
    if (found == kProjections.end()) return invalid("there is no ProjectionType " + kind);
    index.projection = found->first;
    const std::optional<ValueView> included = projection->map().find("NonKeyAttributes");
    if (included && included->type() == Type::kList) {
      for (const ValueView name : included->list()) {
        if (name.type() == Type::kString) index.included.emplace_back(name.bytes());
      }
    }
    indexes.push_back(std::move(index));
  }
  return indexes;
}

}  // namespace

CreateTable declaration_of(const TableDescription& table) {
  CreateTable request{
      .table = table.name, .key = table.key, .billing = table.billing, .throughput = table.throughput};
  for (const IndexDescription& index : table.indexes) {
    if (index.status == IndexStatus::kDeleting) continue;
    IndexDeclaration declaration{.name = index.name,
                                 .key = index.key,
                                 .projection = index.projection,
                                 .included = index.included,
                                 .throughput = index.throughput};
    (index.local ? request.local_indexes : request.global_indexes).push_back(std::move(declaration));
  }
  if (!table.streams.empty() && table.streams.back().open) request.stream = table.streams.back().view;
  return request;
}

std::string to_json(const CreateTable& request) {
  std::string out;
  {
    JsonObject object(out);
    object.text("TableName", request.table);
    wire::append_key_schema(object.member("KeySchema"), request.key);
    std::vector<KeyAttribute> attributes;
    add_attributes(attributes, request.key);
    for (const IndexDeclaration& index : request.local_indexes) add_attributes(attributes, index.key);
    for (const IndexDeclaration& index : request.global_indexes) add_attributes(attributes, index.key);
    std::string& list = object.member("AttributeDefinitions");
    append_json_list(list, attributes, [&](const KeyAttribute& attribute) {
      JsonObject each(list);
      each.text("AttributeName", attribute.name);
      each.text("AttributeType", type_name(attribute.type));
    });
    append_indexes(object, "LocalSecondaryIndexes", request.local_indexes, std::nullopt);
    append_indexes(object, "GlobalSecondaryIndexes", request.global_indexes, request.billing);
    object.text("BillingMode",
                request.billing == BillingMode::kProvisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
    append_throughput(object, request.billing, request.throughput);
    if (request.stream) {
      JsonObject stream(object.member("StreamSpecification"));
      stream.flag("StreamEnabled", true);
      stream.text("StreamViewType", wire::view_name(*request.stream));
    }
  }
  return out;
}

Result<CreateTable> read_declaration(std::string_view json) {
  const Value value = TRY(run::from_plain_json(json));
  if (value.type() != Type::kMap) return invalid("it is no object of JSON");
  const ItemView object = value.view().map();
  std::vector<KeyAttribute> definitions;
  for (const ItemView each : TRY(objects_in(object, "AttributeDefinitions"))) {
    const std::optional<Type> type = key_type(TRY(text_in(each, "AttributeType")));
    if (!type) return missing("AttributeType that is S, N or B");
    std::string name = TRY(text_in(each, "AttributeName"));
    definitions.push_back({.name = std::move(name), .type = *type});
  }
  CreateTable request;
  request.table = TRY(text_in(object, "TableName"));
  request.key = TRY(key_in(object, definitions));
  request.local_indexes = TRY(indexes_in(object, "LocalSecondaryIndexes", definitions));
  request.global_indexes = TRY(indexes_in(object, "GlobalSecondaryIndexes", definitions));
  const std::optional<ValueView> billing = object.find("BillingMode");
  const bool is_provisioned =
      billing && billing->type() == Type::kString && billing->bytes() == "PROVISIONED";
  request.billing = is_provisioned ? BillingMode::kProvisioned : BillingMode::kOnDemand;
  request.throughput = throughput_in(object);
  const std::optional<ValueView> stream = object.find("StreamSpecification");
  if (stream && stream->type() == Type::kMap) {
    const Result<std::string> named = text_in(stream->map(), "StreamViewType");
    for (const StreamView view : kViews) {
      if (named.ok() && wire::view_name(view) == *named) request.stream = view;
    }
  }
  return request;
}

Result<KeySchema> parse_key(std::string_view text) {
  KeySchema key;
  while (!text.empty() && key.sort.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const size_t colon = part.rfind(':');
    const std::optional<Type> type =
        colon == std::string_view::npos ? Type::kString : key_type(part.substr(colon + 1));
    const std::string_view name = part.substr(0, colon);
    if (!type || name.empty())
      return invalid("\"" + std::string(part) + "\" is no key: NAME:S, NAME:N or NAME:B");
    (key.partition.empty() ? key.partition : key.sort).push_back({.name = std::string(name), .type = *type});
  }
  if (key.partition.empty() || !text.empty())
    return invalid("a key has one or two attributes: PK:S, or PK:S,SK:N");
  return key;
}

}  // namespace sheaf::transfer
