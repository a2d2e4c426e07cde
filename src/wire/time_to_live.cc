#include "wire/time_to_live.h"

#include "wire/json_object.h"

namespace sheaf::wire {
namespace {

constexpr Member kTable{
    "TableName", &kString, {.required = true, .alone = true, .min = 3, .max = 255, .table_name = true}};

enum SpecificationMember : size_t { kAttribute, kEnabled };
constexpr Member kSpecificationMembers[] = {
    {"AttributeName", &kString, {.required = true, .min = 1, .max = 255}},
    {"Enabled", &kBoolean, {.required = true}},
};
constexpr Shape kSpecification{
    .kind = Kind::kStructure, .class_name = "TimeToLiveSpecification", .members = kSpecificationMembers};

enum UpdateMember : size_t { kUpdateTtlTable, kUpdateTtlSpecification };
constexpr Member kUpdateMembers[] = {kTable,
                                     {"TimeToLiveSpecification", &kSpecification, {.required = true}}};

enum DescribeMember : size_t { kDescribeTtlTable };
constexpr Member kDescribeMembers[] = {kTable};

}  // namespace

constexpr Shape kUpdateTimeToLiveShape{
    .kind = Kind::kStructure, .class_name = "UpdateTimeToLiveInput", .members = kUpdateMembers};
constexpr Shape kDescribeTimeToLiveShape{
    .kind = Kind::kStructure, .class_name = "DescribeTimeToLiveInput", .members = kDescribeMembers};

void update_time_to_live(Call call, const Input& input) {
  const Fields specification = input.fields().fields(kUpdateTtlSpecification);
  const std::string attribute(specification.text(kAttribute));
  const bool enabled = specification.flag(kEnabled);
  const Result<void> updated =
      call.database.update_time_to_live(input.table(kUpdateTtlTable), attribute, enabled);
  if (!updated.ok()) return call.done(error_answer(updated.error()));
  call.done(object_answer([&](JsonObject& object) {
    JsonObject echo(object.member("TimeToLiveSpecification"));
    echo.flag("Enabled", enabled);
    echo.text("AttributeName", attribute);
  }));
}

void describe_time_to_live(Call call, const Input& input) {
  const Result<TableDescription> table = call.database.describe_table(input.table(kDescribeTtlTable));
  if (!table.ok()) return call.done(error_answer(table.error()));
  if (table->status == TableStatus::kDeleting) {
    return call.done(
        error_answer({Code::kInvalid,
                      "Cannot describe time to live while table is in DELETING state: Current table state is "
                      "DELETING"}));
  }
  call.done(object_answer([&](JsonObject& object) {
    JsonObject description(object.member("TimeToLiveDescription"));
    description.text("TimeToLiveStatus", table->ttl_enabled ? "ENABLED" : "DISABLED");
    if (table->ttl_enabled) description.text("AttributeName", table->ttl_attribute);
  }));
}

}  // namespace sheaf::wire
