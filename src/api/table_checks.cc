#include "api/table_checks.h"

#include <algorithm>
#include <set>
#include <vector>

#include "api/expressions.h"
#include "base/try.h"
#include "engine/table_throughput.h"
#include "engine/tables.h"

namespace sheaf::api {
namespace {

Error constraint(std::string_view value, std::string_view member, std::string_view must) {
  return invalid("1 validation error detected: Value '" + std::string(value) + "' at '" +
                 std::string(member) + "' failed to satisfy constraint: Member must " + std::string(must));
}

Result<void> check_length(std::string_view value, std::string_view member, size_t min, size_t max) {
  if (value.size() < min)
    return constraint(value, member, "have length greater than or equal to " + std::to_string(min));
  if (value.size() > max)
    return constraint(value, member, "have length less than or equal to " + std::to_string(max));
  return {};
}

bool matches_name_pattern(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

// Of tables and of indexes.
Result<void> check_name(std::string_view name, const std::string& member) {
  TRY(check_length(name, member, kTableNameBytesMin, kTableNameBytesMax));
  if (matches_name_pattern(name)) return {};
  return constraint(name, member, "satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
}

// As AWS shows a key schema.
std::string key_text(const KeySchema& key) {
  std::string text;
  const auto add = [&](const std::vector<KeyAttribute>& attributes, std::string_view kind) {
    for (const KeyAttribute& attribute : attributes) {
      text += (text.empty() ? "KeySchemaElement(attributeName=" : ", KeySchemaElement(attributeName=") +
              attribute.name + ", keyType=" + std::string(kind) + ")";
    }
  };
  add(key.partition, "HASH");
  add(key.sort, "RANGE");
  return "[" + text + "]";
}

Result<void> check_key_shape(const KeySchema& key, const std::string& member, size_t attributes_max) {
  const size_t count = key.partition.size() + key.sort.size();
  if (count < 1) return constraint("[]", member, "have length greater than or equal to 1");
  if (count > attributes_max) {
    return constraint(key_text(key), member,
                      "have length less than or equal to " + std::to_string(attributes_max));
  }
  size_t at = 0;
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      const std::string name_member = member + "." + std::to_string(++at) + ".member.attributeName";
      TRY(check_length(attribute.name, name_member, 1, kKeyNameBytesMax));
      if (attribute.type == Type::kString || attribute.type == Type::kNumber ||
          attribute.type == Type::kBinary)
        continue;
      return constraint(type_name(attribute.type),
                        "attributeDefinitions." + std::to_string(at) + ".member.attributeType",
                        "satisfy enum value set: [B, N, S]");
    }
  }
  return {};
}

std::string list_text(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return "[" + text + "]";
}

Result<void> check_index_shape(const IndexDeclaration& index, const std::string& member,
                               size_t key_attributes_max) {
  TRY(check_name(index.name, member + ".indexName"));
  TRY(check_key_shape(index.key, member + ".keySchema", key_attributes_max));
  const std::string included = member + ".projection.nonKeyAttributes";
  if (index.included.size() > kIncludedPerIndexMax)
    return constraint(list_text(index.included), included, "have length less than or equal to 20");
  for (const std::string& name : index.included) TRY(check_length(name, included, 1, kKeyNameBytesMax));
  return {};
}

Result<void> check_shape(const CreateTable& request) {
  TRY(check_table_name(request.table));
  TRY(check_key_shape(request.key, "keySchema", kTableKeyAttributesMax));
  size_t at = 0;
  for (const IndexDeclaration& index : request.global_indexes) {
    const std::string member = "globalSecondaryIndexes." + std::to_string(++at) + ".member";
    TRY(check_index_shape(index, member, 2 * engine::kIndexKeyAttributesMax));
  }
  at = 0;
  for (const IndexDeclaration& index : request.local_indexes) {
    const std::string member = "localSecondaryIndexes." + std::to_string(++at) + ".member";
    TRY(check_index_shape(index, member, kTableKeyAttributesMax));
  }
  return {};
}

Result<void> check_distinct_names(const KeySchema& key) {
  std::set<std::string_view> names;
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      if (names.insert(attribute.name).second) continue;
      const bool pair = key.partition.size() == 1 && key.sort.size() == 1;
      return invalid(pair ? "Both the Hash Key and the Range Key element in the KeySchema have the same name"
                          : "The KeySchema contains multiple key attributes with the same name");
    }
  }
  return {};
}

// The key of a table or of a local index.
Result<void> check_single_key(const KeySchema& key) {
  TRY(check_distinct_names(key));
  if (key.partition.empty())
    return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  if (key.partition.size() > 1)
    return invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  return {};
}

Result<void> check_global_key(const KeySchema& key) {
  if (key.partition.empty())
    return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  for (const auto& [attributes, word] : {std::pair(&key.partition, "HASH"), std::pair(&key.sort, "RANGE")}) {
    if (attributes->size() > engine::kIndexKeyAttributesMax) {
      return invalid_parameter("The KeySchema exceeds the maximum allowed number of " + std::string(word) +
                               " key attributes");
    }
  }
  return check_distinct_names(key);
}

Result<void> check_local_key(const CreateTable& request, const IndexDeclaration& index) {
  if (request.key.sort.empty()) {
    return invalid_parameter(
        "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex");
  }
  TRY(check_single_key(index.key));
  if (index.key.sort.empty())
    return invalid_parameter("Index KeySchema does not have a range key for index: " + index.name);
  if (index.key.partition.front().name != request.key.partition.front().name) {
    return invalid_parameter(
        "Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
        index.name + ". index hash key: " + index.key.partition.front().name +
        ", table hash key: " + request.key.partition.front().name);
  }
  return {};
}

Result<void> check_projection(const IndexDeclaration& index) {
  const bool include = index.projection == ProjectionKind::kInclude;
  if (include && index.included.empty())
    return invalid_parameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  if (!include && !index.included.empty()) {
    return invalid_parameter(std::string("ProjectionType is ") +
                             (index.projection == ProjectionKind::kAll ? "ALL" : "KEYS_ONLY") +
                             ", but NonKeyAttributes is specified");
  }
  std::set<std::string_view> names;
  for (const std::string& name : index.included) {
    if (!names.insert(name).second)
      return invalid_parameter("Duplicate element in NonKeyAttributes: " + name);
  }
  return {};
}

// An attribute has one type, whatever keys it is part of. DynamoDB's requests have no room for this mistake.
Result<void> check_one_type(std::vector<KeyAttribute>& known, const KeySchema& key) {
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      const auto found = std::find_if(known.begin(), known.end(),
                                      [&](const auto& each) { return each.name == attribute.name; });
      if (found == known.end()) {
        known.push_back(attribute);
      } else if (found->type != attribute.type) {
        return invalid_parameter(
            "Attributes cannot be redefined. Please check that your attribute has the same type as "
            "previously defined. Attribute: " +
            attribute.name);
      }
    }
  }
  return {};
}

bool has_units(const Throughput& throughput) {
  return throughput.read_units != 0 || throughput.write_units != 0;
}

bool has_both_units(const Throughput& throughput) {
  return throughput.read_units > 0 && throughput.write_units > 0;
}

bool has_maxima(const Throughput& throughput) {
  return throughput.read_units_max != 0 || throughput.write_units_max != 0;
}

bool has_warm_units(const Throughput& throughput) {
  return throughput.read_units_warm != 0 || throughput.write_units_warm != 0;
}

Result<void> check_units_bounds(const Throughput& throughput) {
  for (const auto& [units, name] : {std::pair(throughput.read_units, "ReadCapacityUnits"),
                                    std::pair(throughput.write_units, "WriteCapacityUnits")}) {
    if (units > kUnitsMax)
      return invalid("Given value " + std::to_string(units) + " for " + name + " is out of bounds");
  }
  return {};
}

// `place`: "table" or "index : X".
Result<void> check_maxima_bounds(const Throughput& throughput, const std::string& place) {
  for (const auto& [units, name] : {std::pair(throughput.read_units_max, "MaxReadRequestUnits"),
                                    std::pair(throughput.write_units_max, "MaxWriteRequestUnits")}) {
    if (units >= -1 && units <= kUnitsMax) continue;
    return invalid_parameter("Requested " + std::string(name) + " for OnDemandThroughput for " + place +
                             " is outside of valid range");
  }
  return {};
}

// `place`: empty or "for index: X ".
Error maxima_of_provisioned(const Throughput& throughput, const std::string& place) {
  return invalid_parameter(
      std::string(throughput.read_units_max != 0 ? "MaxReadRequestUnits" : "MaxWriteRequestUnits") +
      " for OnDemandThroughput " + place + "cannot be specified when table BillingMode is PROVISIONED.");
}

// A new table or index is ready for what its billing mode brings; less cannot be asked for. `place`: "table"
// or "index X".
Result<void> check_warm_units(BillingMode billing, const Throughput& throughput, const std::string& place) {
  const engine::WarmUnits least = engine::warm_units(
      billing, {.read_units = throughput.read_units, .write_units = throughput.write_units});
  const bool few_read = throughput.read_units_warm != 0 && throughput.read_units_warm < least.read;
  const bool few_write = throughput.write_units_warm != 0 && throughput.write_units_warm < least.write;
  if (!few_read && !few_write) return {};
  return invalid_parameter(
      std::string("Requested ") + (few_read ? "ReadUnitsPerSecond" : "WriteUnitsPerSecond") +
      " for WarmThroughput for " + place + " is lower than " +
      (billing == BillingMode::kOnDemand
           ? "initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/"
             "developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial"
       : few_read ? "ReadCapacityUnits of ProvisionedThroughput"
                  : "WriteCapacityUnits of ProvisionedThroughput"));
}

Error units_on_demand() {
  return invalid_parameter(
      "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
      "PAY_PER_REQUEST");
}

Result<void> check_maxima_and_warm_units(const CreateTable& request) {
  const bool provisioned = request.billing == BillingMode::kProvisioned;
  if (provisioned && has_maxima(request.throughput)) return maxima_of_provisioned(request.throughput, "");
  TRY(check_maxima_bounds(request.throughput, "table"));
  for (const IndexDeclaration& index : request.global_indexes) {
    if (provisioned && has_maxima(index.throughput))
      return maxima_of_provisioned(index.throughput, "for index: " + index.name + " ");
    TRY(check_maxima_bounds(index.throughput, "index : " + index.name));
  }
  TRY(check_warm_units(request.billing, request.throughput, "table"));
  for (const IndexDeclaration& index : request.global_indexes)
    TRY(check_warm_units(request.billing, index.throughput, "index " + index.name));
  return {};
}

Result<void> check_index_throughput(const CreateTable& request) {
  for (const IndexDeclaration& index : request.global_indexes) {
    if (request.billing == BillingMode::kProvisioned && !has_both_units(index.throughput))
      return invalid_parameter("ProvisionedThroughput is not specified for index: " + index.name);
    if (request.billing == BillingMode::kOnDemand && has_units(index.throughput)) {
      return invalid_parameter("ProvisionedThroughput should not be specified for index: " + index.name +
                               " when BillingMode is PAY_PER_REQUEST");
    }
    TRY(check_units_bounds(index.throughput));
  }
  return {};
}

Result<void> check_keys(const CreateTable& request) {
  std::vector<KeyAttribute> known;
  TRY(check_single_key(request.key));
  TRY(check_one_type(known, request.key));
  for (const IndexDeclaration& index : request.local_indexes) {
    TRY(check_local_key(request, index));
    TRY(check_one_type(known, index.key));
  }
  for (const IndexDeclaration& index : request.global_indexes) {
    TRY(check_global_key(index.key));
    TRY(check_one_type(known, index.key));
  }
  return {};
}

Result<void> check_index_lists(const CreateTable& request) {
  std::vector<const IndexDeclaration*> indexes;
  for (const IndexDeclaration& index : request.local_indexes) indexes.push_back(&index);
  for (const IndexDeclaration& index : request.global_indexes) indexes.push_back(&index);
  for (const IndexDeclaration* index : indexes) TRY(check_projection(*index));
  std::set<std::string_view> names;
  size_t included = 0;
  for (const IndexDeclaration* index : indexes) {
    included += index->included.size();
    if (!names.insert(index->name).second) return invalid_parameter("Duplicate index name: " + index->name);
  }
  if (request.local_indexes.size() > engine::kLocalIndexesMax)
    return invalid_parameter("Number of LocalSecondaryIndexes exceeds per-table limit of 5");
  if (request.global_indexes.size() > engine::kGlobalIndexesMax)
    return invalid_parameter("GlobalSecondaryIndex count exceeds the per-table limit of 20");
  if (included > engine::kIncludedMax) return invalid_parameter(engine::kTooManyIncluded);
  return {};
}

Result<void> check_something_changes(const UpdateTable& request) {
  if (request.billing || request.throughput || !request.index_throughput.empty() || request.open_stream ||
      request.close_stream || request.add_index || request.remove_index || request.deletion_protected ||
      request.table_class)
    return {};
  return invalid(std::string(kNothingToUpdate));
}

// One kind of change a request, as far as DynamoDB keeps them apart.
Result<void> check_combination(const UpdateTable& request) {
  const Throughput throughput = request.throughput.value_or(Throughput{});
  const bool units = has_units(throughput);
  const bool stream = request.open_stream || request.close_stream;
  const bool index = request.add_index || request.remove_index;
  const bool others = request.billing || has_units(throughput) || has_maxima(throughput) ||
                      !request.index_throughput.empty() || stream || index;
  const bool warm = has_warm_units(throughput);
  if (request.table_class && (others || warm || request.deletion_protected))
    return invalid_parameter("TableClass modification must be the only operation in the request");
  if (request.deletion_protected && (others || warm))
    return invalid_parameter("DeletionProtection modification must be the only operation in the request");
  if (warm && request.add_index) {
    return invalid_parameter(
        "Create global secondary index cannot be specified when updating WarmThroughput");
  }
  if (warm && others) return invalid_parameter("WarmThroughput must be the only operation in the request");
  if (has_maxima(throughput) && (has_units(throughput) || stream || index)) {
    return invalid_parameter(
        "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
  }
  if (units && stream) return invalid_parameter("You cannot modify stream status while updating table IOPS");
  // With the billing mode, the units of a table may change along with its indexes.
  if (units && index && !request.billing)
    return invalid_parameter("You cannot create or delete index while updating table IOPS");
  if (stream && index)
    return invalid_parameter("You cannot create or delete index while changing stream status");
  return {};
}

Result<void> check_update_throughput(const UpdateTable& request) {
  if (request.billing == BillingMode::kOnDemand && request.throughput && has_units(*request.throughput))
    return units_on_demand();
  if (request.billing == BillingMode::kProvisioned &&
      (!request.throughput || !has_both_units(*request.throughput))) {
    return invalid_parameter("ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  }
  if (request.throughput) {
    TRY(check_units_bounds(*request.throughput));
    TRY(check_maxima_bounds(*request.throughput, "table"));
  }
  for (const auto& [name, throughput] : request.index_throughput) {
    TRY(check_units_bounds(throughput));
    TRY(check_maxima_bounds(throughput, "index : " + name));
  }
  return {};
}

}  // namespace

Result<void> check_table_name(std::string_view name) { return check_name(name, "tableName"); }

Result<void> check_billing(const CreateTable& request) {
  if (request.billing == BillingMode::kOnDemand)
    return has_units(request.throughput) ? units_on_demand() : Result<void>();
  if (has_both_units(request.throughput)) return check_units_bounds(request.throughput);
  return invalid_parameter(
      "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED");
}

Result<void> check_create(const CreateTable& request) {
  TRY(check_shape(request));
  TRY(check_billing(request));
  TRY(check_keys(request));
  TRY(check_index_lists(request));
  TRY(check_index_throughput(request));
  TRY(check_maxima_and_warm_units(request));
  if (request.tags.size() > engine::kTagsMax)
    return invalid("Number of Tags exceed the current limit for the provided ResourceArn");
  return {};
}

Result<void> check_update(const UpdateTable& request) {
  TRY(check_table_name(request.table));
  if (request.add_index) {
    TRY(check_index_shape(*request.add_index, "globalSecondaryIndexUpdates.1.member.create",
                          2 * engine::kIndexKeyAttributesMax));
  }
  TRY(check_something_changes(request));
  TRY(check_combination(request));
  TRY(check_update_throughput(request));
  if (!request.add_index) return {};
  TRY(check_global_key(request.add_index->key));
  TRY(check_projection(*request.add_index));
  TRY(check_units_bounds(request.add_index->throughput));
  return check_maxima_bounds(request.add_index->throughput, "index : " + request.add_index->name);
}

Result<void> check_insights_index(std::string_view name) {
  // DynamoDB has other words for it here than where indexes are declared.
  if (name.size() < kTableNameBytesMin || name.size() > kTableNameBytesMax)
    return invalid("IndexName must be at least 3 characters long and at most 255 characters long");
  return check_name(name, "indexName");
}

Result<void> check_ttl_attribute(std::string_view attribute) {
  return check_length(attribute, "timeToLiveSpecification.attributeName", 1, kTtlNameBytesMax);
}

}  // namespace sheaf::api
