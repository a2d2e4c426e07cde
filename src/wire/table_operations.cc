#include "wire/table_operations.h"

#include "wire/json_object.h"
#include "wire/table_description.h"

namespace sheaf::wire {
namespace {

constexpr uint32_t kTablesPerPageMax = 100;

Answer table_answer(Call& call, std::string_view member, const Result<TableDescription>& table,
                    Telling telling) {
  if (!table.ok()) return error_answer(table.error());
  return object_answer([&](JsonObject& object) {
    append_table(object.member(member), *table, call.account, call.database.engine().clock.now_us(), telling);
  });
}

}  // namespace

void describe_table(Call call, const Input& input) {
  const Result<TableDescription> table = call.database.describe_table(input.table(kTableOfTable));
  call.done(table_answer(call, "Table", table, Telling::kAsItIs));
}

void delete_table(Call call, const Input& input) {
  const Result<TableDescription> table = call.database.delete_table(input.table(kTableOfTable));
  call.done(table_answer(call, "TableDescription", table, Telling::kDeleted));
}

void list_tables(Call call, const Input& input) {
  const Fields& request = input.fields();
  const uint32_t limit =
      request.has(kListLimit) ? static_cast<uint32_t>(request.integer(kListLimit)) : kTablesPerPageMax;
  const Result<engine::Catalog::Names> found =
      call.database.engine().catalog.list(input.table(kListStart), limit);
  if (!found.ok()) return call.done(error_answer(found.error()));
  call.done(object_answer([&](JsonObject& object) {
    std::string& out = object.member("TableNames");
    append_json_list(out, found->names, [&](const std::string& name) { append_json_string(out, name); });
    if (found->more) object.text("LastEvaluatedTableName", found->names.back());
  }));
}

}  // namespace sheaf::wire
