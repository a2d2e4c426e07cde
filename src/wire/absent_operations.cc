#include "wire/absent_operations.h"

#include <array>

#include "wire/json_object.h"

namespace sheaf::wire {
namespace {

constexpr std::array<std::string_view, 4> kBackupTypes = {"USER", "SYSTEM", "AWS_BACKUP", "ALL"};

constexpr Member kGlobalName{
    "GlobalTableName", &kString, {.required = true, .min = 3, .max = 255, .table_name = true}};
constexpr Member kTable{"TableName", &kString, {.required = true, .min = 1, .max = 1024}};
constexpr Member kStreamArn{"StreamArn", &kString, {.required = true, .min = 37, .max = 1024}};
constexpr Shape kAnyMember{.kind = Kind::kStructure};
constexpr Shape kAnyList{.kind = Kind::kList, .element = &kAnyMember};

constexpr Member kListGlobalMembers[] = {
    {"ExclusiveStartGlobalTableName", &kString, {.min = 3, .max = 255, .table_name = true}},
    {"Limit", &kInteger, {.min = 1}},
    {"RegionName", &kString}};
constexpr Member kGlobalMembers[] = {kGlobalName};
constexpr Member kGroupMembers[] = {kGlobalName, {"ReplicationGroup", &kAnyList, {.required = true}}};
constexpr Member kUpdatesMembers[] = {kGlobalName, {"ReplicaUpdates", &kAnyList, {.required = true}}};
constexpr Member kTableMembers[] = {kTable};
constexpr Member kStreamMembers[] = {kTable, kStreamArn};
constexpr Member kListBackupsMembers[] = {{"TableName", &kString, {.min = 1, .max = 1024}},
                                          {"Limit", &kInteger, {.min = 1, .max = 100}},
                                          {"ExclusiveStartBackupArn", &kString, {.min = 37, .max = 1024}},
                                          {"BackupType", &kString, {.values = kBackupTypes}}};
constexpr Member kBackupMembers[] = {{"BackupArn", &kString, {.required = true, .min = 37, .max = 1024}}};
constexpr Member kListMembers[] = {{"TableArn", &kString, {.min = 1, .max = 1024}},
                                   {"NextToken", &kString},
                                   {"MaxResults", &kInteger, {.min = 1, .max = 25}}};
constexpr Member kExportMembers[] = {{"ExportArn", &kString, {.required = true, .min = 37, .max = 1024}}};
constexpr Member kImportMembers[] = {{"ImportArn", &kString, {.required = true, .min = 37, .max = 1024}}};
constexpr Member kResource{"ResourceArn", &kString, {.required = true, .min = 1, .max = 1283}};
constexpr Member kGetPolicyMembers[] = {kResource};
constexpr Member kPutPolicyMembers[] = {kResource, {"Policy", &kString, {.required = true}}};

Answer empty_list(std::string_view name) {
  return object_answer([&](JsonObject& object) { object.member(name) += "[]"; });
}

std::string first_text(const Input& input) { return std::string(input.fields().text(0)); }

// The table that the first member names, or what is to be answered if there is none.
Result<std::string> existing_table(Call& call, const Input& input) {
  const Result<TableDescription> table = call.database.describe_table(input.table(0));
  if (!table.ok()) return table.error();
  return table->name;
}

void refuse(Call& call, const Input& input, const std::string& message) {
  const Result<std::string> table = existing_table(call, input);
  call.done(error_answer(table.ok() ? Error{Code::kInvalid, message} : table.error()));
}

}  // namespace

constexpr Shape kListGlobalTablesShape{
    .kind = Kind::kStructure, .class_name = "ListGlobalTablesInput", .members = kListGlobalMembers};
constexpr Shape kGlobalTableShape{
    .kind = Kind::kStructure, .class_name = "DescribeGlobalTableInput", .members = kGlobalMembers};
constexpr Shape kReplicationGroupShape{
    .kind = Kind::kStructure, .class_name = "CreateGlobalTableInput", .members = kGroupMembers};
constexpr Shape kReplicaUpdatesShape{
    .kind = Kind::kStructure, .class_name = "UpdateGlobalTableInput", .members = kUpdatesMembers};
constexpr Shape kReplicaAutoScalingShape{
    .kind = Kind::kStructure, .class_name = "DescribeTableReplicaAutoScalingInput", .members = kTableMembers};
constexpr Shape kDescribeKinesisShape{.kind = Kind::kStructure,
                                      .class_name = "DescribeKinesisStreamingDestinationInput",
                                      .members = kTableMembers};
constexpr Shape kChangeKinesisShape{
    .kind = Kind::kStructure, .class_name = "KinesisStreamingDestinationInput", .members = kStreamMembers};
constexpr Shape kListBackupsShape{
    .kind = Kind::kStructure, .class_name = "ListBackupsInput", .members = kListBackupsMembers};
constexpr Shape kBackupShape{
    .kind = Kind::kStructure, .class_name = "DescribeBackupInput", .members = kBackupMembers};
constexpr Shape kListExportsShape{
    .kind = Kind::kStructure, .class_name = "ListExportsInput", .members = kListMembers};
constexpr Shape kExportShape{
    .kind = Kind::kStructure, .class_name = "DescribeExportInput", .members = kExportMembers};
constexpr Shape kListImportsShape{
    .kind = Kind::kStructure, .class_name = "ListImportsInput", .members = kListMembers};
constexpr Shape kImportShape{
    .kind = Kind::kStructure, .class_name = "DescribeImportInput", .members = kImportMembers};
constexpr Shape kGetPolicyShape{
    .kind = Kind::kStructure, .class_name = "GetResourcePolicyInput", .members = kGetPolicyMembers};
constexpr Shape kPutPolicyShape{
    .kind = Kind::kStructure, .class_name = "PutResourcePolicyInput", .members = kPutPolicyMembers};

// --- Global tables

void list_global_tables(Call call, const Input&) { call.done(empty_list("GlobalTables")); }

void describe_global_table(Call call, const Input& input) {
  call.done(exception("GlobalTableNotFoundException", "Global table not found: Global table with name: '" +
                                                          first_text(input) + "' does not exist."));
}

void global_table_settings(Call call, const Input& input) {
  call.done(exception("GlobalTableNotFoundException",
                      "Global table with name: '" + first_text(input) + "' does not exist."));
}

void change_global_table(Call call, const Input&) {
  call.done(error_answer({Code::kInvalid,
                          "One or more parameter values were invalid: DynamoDB global tables version "
                          "2017.11.29 is not supported. "
                          "We recommend using DynamoDB global tables version 2019.11.21, instead of version "
                          "2017.11.29 (Legacy)."}));
}

void replica_auto_scaling(Call call, const Input& input) {
  call.done(
      error_answer({Code::kNotFound, "Global table with name: '" + input.table(0) + "' does not exist."}));
}

// --- Kinesis

void describe_kinesis_destination(Call call, const Input& input) {
  const Result<std::string> table = existing_table(call, input);
  if (!table.ok()) return call.done(error_answer(table.error()));
  call.done(object_answer([&](JsonObject& object) {
    object.member("KinesisDataStreamDestinations") += "[]";
    object.text("TableName", *table);
  }));
}

void enable_kinesis_destination(Call call, const Input& input) {
  refuse(call, input, "There is no Kinesis here for changes to go to. Read them from the table's stream.");
}

void disable_kinesis_destination(Call call, const Input& input) {
  refuse(
      call, input,
      "Table is not in a valid state to disable Kinesis Streaming Destination: KinesisStreamingDestination "
      "must be ACTIVE to perform DISABLE operation.");
}

void update_kinesis_destination(Call call, const Input& input) {
  refuse(call, input,
         "Table is not in a valid state to update Kinesis Streaming Destination: Kinesis streaming is not in "
         "ACTIVE state. Updates are only allowed in ACTIVE state. TableName: " +
             input.table(0) + ", kdsArn: " + std::string(input.fields().text(1)));
}

// --- Backups, exports, imports

void list_backups(Call call, const Input&) { call.done(empty_list("BackupSummaries")); }
void list_exports(Call call, const Input&) { call.done(empty_list("ExportSummaries")); }
void list_imports(Call call, const Input&) { call.done(empty_list("ImportSummaryList")); }

void find_backup(Call call, const Input& input) {
  call.done(exception("BackupNotFoundException", "Backup not found: " + first_text(input)));
}

// AWS says it twice.
void find_export(Call call, const Input& input) {
  call.done(exception("ExportNotFoundException", "Export not found: Export not found: " + first_text(input)));
}

void find_import(Call call, const Input& input) {
  call.done(exception("ImportNotFoundException", "Import not found: " + first_text(input)));
}

// --- Resource policies

void get_resource_policy(Call call, const Input& input) {
  const Result<std::string> table = existing_table(call, input);
  if (!table.ok()) return call.done(error_answer(table.error()));
  call.done(exception("PolicyNotFoundException",
                      "Resource-based policy not found for the provided ResourceArn: " + first_text(input)));
}

void put_resource_policy(Call call, const Input& input) {
  refuse(call, input, "Resource policies are not obeyed here. The server's credentials say who may do what.");
}

void delete_resource_policy(Call call, const Input& input) {
  const Result<std::string> table = existing_table(call, input);
  if (!table.ok()) return call.done(error_answer(table.error()));
  call.done(object_answer([](JsonObject&) {}));
}

}  // namespace sheaf::wire
