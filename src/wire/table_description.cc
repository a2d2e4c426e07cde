#include "wire/table_description.h"

#include <algorithm>
#include <map>

#include "engine/table_throughput.h"
#include "wire/json_object.h"
#include "wire/resource_names.h"

namespace sheaf::wire {
namespace {

constexpr int64_t kDayUs = int64_t{24} * 3600 * 1'000'000;

std::string_view billing_name(BillingMode billing) {
  return billing == BillingMode::kOnDemand ? "PAY_PER_REQUEST" : "PROVISIONED";
}

std::string_view projection_name(ProjectionKind projection) {
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

// While an index is filled, which may take long, a table counts as active; not while one is begun or removed.
bool is_updating(const TableDescription& table) {
  return std::any_of(table.indexes.begin(), table.indexes.end(), [](const IndexDescription& index) {
    return index.status == IndexStatus::kDeleting ||
           (index.status == IndexStatus::kCreating && index.items_filled == 0);
  });
}

std::string_view status_name(const TableDescription& table, Telling telling) {
  if (table.status == TableStatus::kDeleting) return "DELETING";
  if (telling == Telling::kCreated) return "CREATING";
  return telling == Telling::kUpdated || is_updating(table) ? "UPDATING" : "ACTIVE";
}

std::string_view status_name(IndexStatus status, Telling telling) {
  if (status == IndexStatus::kDeleting) return "DELETING";
  return status == IndexStatus::kCreating || telling == Telling::kCreated ? "CREATING" : "ACTIVE";
}

void append_definitions(std::string& out, const TableDescription& table) {
  std::map<std::string_view, Type> types;  // by name, as DynamoDB shows them
  const auto add = [&](const KeySchema& key) {
    for (const KeyAttribute& attribute : key.partition) types.emplace(attribute.name, attribute.type);
    for (const KeyAttribute& attribute : key.sort) types.emplace(attribute.name, attribute.type);
  };
  add(table.key);
  for (const IndexDescription& index : table.indexes) add(index.key);
  append_json_list(out, types, [&](const auto& definition) {
    JsonObject object(out);
    object.text("AttributeName", definition.first);
    object.text("AttributeType", type_name(definition.second));
  });
}

void append_throughput(std::string& out, const Throughput& throughput, const ThroughputChanges& changes,
                       int64_t now_us) {
  JsonObject object(out);
  if (changes.raised_us != 0) object.time("LastIncreaseDateTime", changes.raised_us);
  if (changes.lowered_us != 0) object.time("LastDecreaseDateTime", changes.lowered_us);
  const bool today = changes.lowered_us / kDayUs == now_us / kDayUs;
  object.integer("NumberOfDecreasesToday", today ? changes.lowered_that_day : 0);
  object.integer("ReadCapacityUnits", throughput.read_units);
  object.integer("WriteCapacityUnits", throughput.write_units);
}

// Of a table or a global index.
void add_on_demand_and_warm(JsonObject& owner, BillingMode billing, const Throughput& throughput,
                            std::string_view status, Telling telling) {
  if (throughput.read_units_max != 0 || throughput.write_units_max != 0) {
    JsonObject maxima(owner.member("OnDemandThroughput"));
    if (throughput.read_units_max != 0) maxima.integer("MaxReadRequestUnits", throughput.read_units_max);
    if (throughput.write_units_max != 0) maxima.integer("MaxWriteRequestUnits", throughput.write_units_max);
  }
  // Of what is only being made, AWS tells what was asked for.
  const bool asked_for = throughput.read_units_warm != 0 || throughput.write_units_warm != 0;
  if (telling == Telling::kCreated && !asked_for) return;
  const engine::WarmUnits warm = engine::warm_units(billing, throughput);
  JsonObject object(owner.member("WarmThroughput"));
  object.integer("ReadUnitsPerSecond", warm.read);
  object.integer("WriteUnitsPerSecond", warm.write);
  object.text("Status", status);
}

void append_projection(std::string& out, const IndexDescription& index) {
  JsonObject object(out);
  object.text("ProjectionType", projection_name(index.projection));
  if (index.projection != ProjectionKind::kInclude) return;
  std::vector<std::string> names = index.included;
  std::sort(names.begin(), names.end());
  append_json_list(object.member("NonKeyAttributes"), names,
                   [&](const std::string& name) { append_json_string(out, name); });
}

struct IndexTelling {
  const TableDescription& table;
  const Account& account;
  int64_t now_us;
  Telling telling;
};

void append_index(std::string& out, const IndexDescription& index, const IndexTelling& how) {
  JsonObject object(out);
  object.text("IndexName", index.name);
  append_key_schema(object.member("KeySchema"), index.key);
  append_projection(object.member("Projection"), index);
  object.integer("IndexSizeBytes", index.size_bytes);
  object.integer("ItemCount", index.item_count);
  object.text("IndexArn", index_arn(how.account, how.table.name, index.name));
  if (index.local) return;
  const std::string_view status = status_name(index.status, how.telling);
  object.text("IndexStatus", status);
  if (index.status == IndexStatus::kCreating) object.flag("Backfilling", index.items_filled > 0);
  append_throughput(object.member("ProvisionedThroughput"), index.throughput, index.throughput_changes,
                    how.now_us);
  add_on_demand_and_warm(object, how.table.billing, index.throughput,
                         status == "ACTIVE" ? "ACTIVE" : "UPDATING", how.telling);
}

void add_indexes(JsonObject& owner, std::string& out, std::string_view name, bool local,
                 const IndexTelling& how) {
  std::vector<const IndexDescription*> indexes;
  for (const IndexDescription& index : how.table.indexes) {
    if (index.local == local) indexes.push_back(&index);
  }
  if (indexes.empty()) return;
  append_json_list(owner.member(name), indexes,
                   [&](const IndexDescription* index) { append_index(out, *index, how); });
}

// Twice, under the name that SDKs know and under an older one.
void add_billing(JsonObject& object, const TableDescription& table, Telling telling) {
  if (table.on_demand_since_us == 0) return;
  const auto add = [&](std::string_view name, std::string_view mode) {
    JsonObject summary(object.member(name));
    summary.text(mode, billing_name(table.billing));
    if (telling != Telling::kCreated)
      summary.time("LastUpdateToPayPerRequestDateTime", table.on_demand_since_us);
  };
  add("BillingModeSummary", "BillingMode");
  add("TableThroughputModeSummary", "TableThroughputMode");
}

void add_class(JsonObject& object, const TableDescription& table) {
  if (table.table_class.empty()) return;
  JsonObject summary(object.member("TableClassSummary"));
  summary.text("TableClass", table.table_class);
  if (table.class_changed_us != 0) summary.time("LastUpdateDateTime", table.class_changed_us);
}

void add_stream(JsonObject& object, const TableDescription& table, const Account& account) {
  if (table.streams.empty()) return;
  const StreamDescription& stream = table.streams.back();
  if (stream.open) {
    JsonObject specification(object.member("StreamSpecification"));
    specification.flag("StreamEnabled", true);
    specification.text("StreamViewType", view_name(stream.view));
  }
  object.text("LatestStreamArn", stream_arn(account, table.name, stream.created_us));
  object.text("LatestStreamLabel", stream_label(stream.created_us));
}

}  // namespace

std::string_view view_name(StreamView view) {
  switch (view) {
    case StreamView::kKeysOnly:
      return "KEYS_ONLY";
    case StreamView::kNewImage:
      return "NEW_IMAGE";
    case StreamView::kOldImage:
      return "OLD_IMAGE";
    case StreamView::kNewAndOldImages:
      break;
  }
  return "NEW_AND_OLD_IMAGES";
}

void append_key_schema(std::string& out, const KeySchema& key) {
  std::vector<std::pair<std::string_view, std::string_view>> elements;
  for (const KeyAttribute& attribute : key.partition) elements.emplace_back(attribute.name, "HASH");
  for (const KeyAttribute& attribute : key.sort) elements.emplace_back(attribute.name, "RANGE");
  append_json_list(out, elements, [&](const auto& element) {
    JsonObject object(out);
    object.text("AttributeName", element.first);
    object.text("KeyType", element.second);
  });
}

void append_table(std::string& out, const TableDescription& table, const Account& account, int64_t now_us,
                  Telling telling) {
  JsonObject object(out);
  const std::string_view status = status_name(table, telling);
  const bool going = telling == Telling::kDeleted;
  object.text("TableName", table.name);
  object.text("TableStatus", status);
  object.text("TableArn", table_arn(account, table.name));
  object.text("TableId", table_uuid(table.name, table.id, table.created_us));
  if (!going) {
    append_definitions(object.member("AttributeDefinitions"), table);
    append_key_schema(object.member("KeySchema"), table.key);
    object.time("CreationDateTime", table.created_us);
  }
  object.integer("TableSizeBytes", table.size_bytes);
  object.integer("ItemCount", table.item_count);
  append_throughput(object.member("ProvisionedThroughput"), table.throughput, table.throughput_changes,
                    now_us);
  add_billing(object, table, telling);
  const IndexTelling how{.table = table, .account = account, .now_us = now_us, .telling = telling};
  if (table.status != TableStatus::kDeleting) {
    add_indexes(object, out, "LocalSecondaryIndexes", true, how);
    add_indexes(object, out, "GlobalSecondaryIndexes", false, how);
  }
  add_stream(object, table, account);
  add_class(object, table);
  object.flag("DeletionProtectionEnabled", table.deletion_protected);
  if (going) return;
  add_on_demand_and_warm(object, table.billing, table.throughput, status == "ACTIVE" ? "ACTIVE" : "UPDATING",
                         telling);
}

}  // namespace sheaf::wire
