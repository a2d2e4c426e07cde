#include "wire/account_operations.h"

#include "wire/json_object.h"

namespace sheaf::wire {
namespace {

// The quotas with which an AWS account begins. Nothing is held to them here.
constexpr int64_t kAccountUnitsMax = 80'000;
constexpr int64_t kTableUnitsMax = 40'000;
constexpr int64_t kEndpointMinutes = 1440;

enum BackupsMember : size_t { kBackupsTable };
constexpr Member kBackupsMembers[] = {
    {"TableName", &kString, {.required = true, .min = 3, .max = 255, .table_name = true}}};

}  // namespace

constexpr Shape kDescribeLimitsShape{.kind = Kind::kStructure, .class_name = "DescribeLimitsInput"};
constexpr Shape kDescribeEndpointsShape{.kind = Kind::kStructure, .class_name = "DescribeEndpointsRequest"};
constexpr Shape kDescribeContinuousBackupsShape{
    .kind = Kind::kStructure, .class_name = "DescribeContinuousBackupsInput", .members = kBackupsMembers};

void describe_limits(Call call, const Input&) {
  call.done(object_answer([](JsonObject& object) {
    object.integer("AccountMaxReadCapacityUnits", kAccountUnitsMax);
    object.integer("AccountMaxWriteCapacityUnits", kAccountUnitsMax);
    object.integer("TableMaxReadCapacityUnits", kTableUnitsMax);
    object.integer("TableMaxWriteCapacityUnits", kTableUnitsMax);
  }));
}

void describe_endpoints(Call call, const Input&) {
  call.done(object_answer([&](JsonObject& object) {
    std::string& out = object.member("Endpoints");
    append_json_list(out, std::initializer_list<std::string_view>{call.account.endpoint},
                     [&](std::string_view address) {
                       JsonObject endpoint(out);
                       endpoint.text("Address", address);
                       endpoint.integer("CachePeriodInMinutes", kEndpointMinutes);
                     });
  }));
}

// There are none, and tools that ask before each of their runs shall learn just that.
void describe_continuous_backups(Call call, const Input& input) {
  const std::string name = input.table(kBackupsTable);
  const Result<TableDescription> table = call.database.describe_table(name);
  if (!table.ok() && table.error().code == Code::kNotFound)
    return call.done(exception("TableNotFoundException", "Table not found: " + name));
  if (!table.ok()) return call.done(error_answer(table.error()));
  call.done(object_answer([](JsonObject& object) {
    JsonObject backups(object.member("ContinuousBackupsDescription"));
    backups.text("ContinuousBackupsStatus", "DISABLED");
    JsonObject recovery(backups.member("PointInTimeRecoveryDescription"));
    recovery.text("PointInTimeRecoveryStatus", "DISABLED");
  }));
}

}  // namespace sheaf::wire
