#include "remote/table_requests.h"

#include <algorithm>

#include "wire/json_object.h"
#include "wire/table_description.h"

namespace sheaf::remote {
namespace {

using wire::append_json_list;
using wire::JsonObject;

// AttributeDefinitions: of every key once.
class Definitions {
 public:
  void add(const KeySchema& key) {
    for (const KeyAttribute& attribute : key.partition) add(attribute);
    for (const KeyAttribute& attribute : key.sort) add(attribute);
  }
  void append(std::string& out) const {
    append_json_list(out, attributes_, [&](const KeyAttribute& attribute) {
      JsonObject object(out);
      object.text("AttributeName", attribute.name);
      object.text("AttributeType", type_name(attribute.type));
    });
  }

 private:
  // One of two types is told as it is, and refused there.
  void add(const KeyAttribute& attribute) {
    if (std::find(attributes_.begin(), attributes_.end(), attribute) == attributes_.end())
      attributes_.push_back(attribute);
  }

  std::vector<KeyAttribute> attributes_;
};

std::string_view name_of(ProjectionKind projection) {
  switch (projection) {
    case ProjectionKind::kAll:
      return "ALL";
    case ProjectionKind::kKeysOnly:
      return "KEYS_ONLY";
    case ProjectionKind::kInclude:
      break;
  }
  return "INCLUDE";
}

std::string_view name_of(BillingMode billing) {
  return billing == BillingMode::kOnDemand ? "PAY_PER_REQUEST" : "PROVISIONED";
}

// Of a table or a global index: what is not 0.
void add_throughput(JsonObject& owner, const Throughput& throughput) {
  const auto add = [&](std::string_view name, std::string_view read_name, int64_t read,
                       std::string_view write_name, int64_t write) {
    if (read == 0 && write == 0) return;
    JsonObject object(owner.member(name));
    if (read != 0) object.integer(read_name, read);
    if (write != 0) object.integer(write_name, write);
  };
  add("ProvisionedThroughput", "ReadCapacityUnits", throughput.read_units, "WriteCapacityUnits",
      throughput.write_units);
  add("OnDemandThroughput", "MaxReadRequestUnits", throughput.read_units_max, "MaxWriteRequestUnits",
      throughput.write_units_max);
  add("WarmThroughput", "ReadUnitsPerSecond", throughput.read_units_warm, "WriteUnitsPerSecond",
      throughput.write_units_warm);
}

void add_index(JsonObject& object, std::string& out, const IndexDeclaration& index) {
  object.text("IndexName", index.name);
  wire::append_key_schema(object.member("KeySchema"), index.key);
  {
    JsonObject projection(object.member("Projection"));
    projection.text("ProjectionType", name_of(index.projection));
    if (!index.included.empty()) {
      append_json_list(projection.member("NonKeyAttributes"), index.included,
                       [&](const std::string& name) { append_json_string(out, name); });
    }
  }
  add_throughput(object, index.throughput);
}

void add_indexes(JsonObject& owner, std::string_view name, const std::vector<IndexDeclaration>& indexes) {
  if (indexes.empty()) return;
  std::string& out = owner.member(name);
  append_json_list(out, indexes, [&](const IndexDeclaration& index) {
    JsonObject object(out);
    add_index(object, out, index);
  });
}

void add_stream(JsonObject& owner, const std::optional<StreamView>& view) {
  JsonObject stream(owner.member("StreamSpecification"));
  stream.flag("StreamEnabled", view.has_value());
  if (view) stream.text("StreamViewType", wire::view_name(*view));
}

void add_tags(JsonObject& owner, const std::map<std::string, std::string>& tags) {
  std::string& out = owner.member("Tags");
  append_json_list(out, tags, [&](const auto& tag) {
    JsonObject object(out);
    object.text("Key", tag.first);
    object.text("Value", tag.second);
  });
}

// What happens to global indexes, one element each.
void add_index_updates(JsonObject& owner, const UpdateTable& request) {
  if (!request.add_index && !request.remove_index && request.index_throughput.empty()) return;
  std::string& out = owner.member("GlobalSecondaryIndexUpdates");
  out += '[';
  const auto begin_update = [&] {
    if (out.back() != '[') out += ',';
  };
  if (request.add_index) {
    JsonObject update(out);
    JsonObject index(update.member("Create"));
    add_index(index, out, *request.add_index);
  }
  if (request.remove_index) {
    begin_update();
    JsonObject update(out);
    JsonObject index(update.member("Delete"));
    index.text("IndexName", *request.remove_index);
  }
  for (const auto& [name, throughput] : request.index_throughput) {
    begin_update();
    JsonObject update(out);
    JsonObject index(update.member("Update"));
    index.text("IndexName", name);
    add_throughput(index, throughput);
  }
  out += ']';
}

}  // namespace

std::string to_json(const CreateTable& request) {
  std::string out;
  {
    JsonObject object(out);
    object.text("TableName", request.table);
    Definitions definitions;
    definitions.add(request.key);
    for (const IndexDeclaration& index : request.local_indexes) definitions.add(index.key);
    for (const IndexDeclaration& index : request.global_indexes) definitions.add(index.key);
    definitions.append(object.member("AttributeDefinitions"));
    wire::append_key_schema(object.member("KeySchema"), request.key);
    add_indexes(object, "LocalSecondaryIndexes", request.local_indexes);
    add_indexes(object, "GlobalSecondaryIndexes", request.global_indexes);
    object.text("BillingMode", name_of(request.billing));
    add_throughput(object, request.throughput);
    if (request.stream) add_stream(object, request.stream);
    if (request.deletion_protected) object.flag("DeletionProtectionEnabled", true);
    if (!request.table_class.empty()) object.text("TableClass", request.table_class);
    if (!request.tags.empty()) add_tags(object, request.tags);
  }
  return out;
}

std::string to_json(const UpdateTable& request) {
  std::string out;
  {
    JsonObject object(out);
    object.text("TableName", request.table);
    if (request.add_index) {
      Definitions definitions;
      definitions.add(request.add_index->key);
      definitions.append(object.member("AttributeDefinitions"));
    }
    if (request.billing) object.text("BillingMode", name_of(*request.billing));
    if (request.throughput) add_throughput(object, *request.throughput);
    add_index_updates(object, request);
    if (request.open_stream || request.close_stream) add_stream(object, request.open_stream);
    if (request.deletion_protected) object.flag("DeletionProtectionEnabled", *request.deletion_protected);
    if (request.table_class) object.text("TableClass", *request.table_class);
  }
  return out;
}

std::string time_to_live_json(std::string_view table, std::string_view attribute, bool enabled) {
  std::string out;
  {
    JsonObject object(out);
    object.text("TableName", table);
    JsonObject specification(object.member("TimeToLiveSpecification"));
    specification.text("AttributeName", attribute);
    specification.flag("Enabled", enabled);
  }
  return out;
}

std::string tag_json(std::string_view arn, const std::map<std::string, std::string>& tags) {
  std::string out;
  {
    JsonObject object(out);
    object.text("ResourceArn", arn);
    add_tags(object, tags);
  }
  return out;
}

std::string untag_json(std::string_view arn, const std::vector<std::string>& keys) {
  std::string out;
  {
    JsonObject object(out);
    object.text("ResourceArn", arn);
    append_json_list(object.member("TagKeys"), keys,
                     [&](const std::string& key) { append_json_string(out, key); });
  }
  return out;
}

std::string object_json(std::initializer_list<Field> fields) {
  std::string out;
  {
    JsonObject object(out);
    for (const Field& field : fields) {
      if (!field.text.empty()) object.text(field.name, field.text);
      if (field.number) object.integer(field.name, *field.number);
    }
  }
  return out;
}

}  // namespace sheaf::remote
