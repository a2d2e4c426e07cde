#include "wire/update_table.h"

#include <algorithm>
#include <set>

#include "api/table_checks.h"
#include "base/errors.h"
#include "base/try.h"
#include "engine/tables.h"
#include "wire/json_object.h"
#include "wire/table_declarations.h"
#include "wire/table_description.h"

namespace sheaf::wire {
namespace {

struct UpdateInput {
  UpdateTable request;
  size_t index_changes = 0;  // indexes to be made or removed; of these the request has the first
  // An attribute of the index to be made that is not defined: looked at once the table is known.
  std::optional<Error> undefined;
  bool encryption = false;  // asked for, and none of keys: which is what there is
};

// What there is not here, and what would be misunderstood if it were left out silently.
Result<void> check_supported(const Fields& request) {
  for (const size_t member :
       {kUpdateReplicas, kUpdateConsistency, kUpdateWitnesses, kUpdateReplication, kUpdateDisassociation}) {
    if (request.has(member)) {
      return invalid_parameter(std::string(request.name(member)) +
                               " is not supported: there are no global tables");
    }
  }
  if (request.has(kUpdateVectors) && request.list(kUpdateVectors).size() > 0)
    return invalid_parameter("VectorIndexUpdates is not supported");
  return {};
}

bool has_any(const Fields& request, std::initializer_list<size_t> members) {
  return std::any_of(members.begin(), members.end(), [&](size_t member) { return request.has(member); });
}

Result<void> check_something_changes(const Fields& request) {
  const bool indexes = request.has(kUpdateIndexes);
  const bool settings = has_any(request, {kUpdateBilling, kUpdateMode, kUpdateThroughput, kUpdateStream,
                                          kUpdateClass, kUpdateProtected, kUpdateOnDemand, kUpdateWarm});
  const bool none_listed = indexes && request.list(kUpdateIndexes).size() == 0;
  if (!settings && !request.has(kUpdateEncryption) && (!indexes || none_listed))
    return Error{Code::kInvalid, std::string(api::kNothingToUpdate)};
  if (none_listed) return invalid_parameter("List of GlobalSecondaryIndexUpdates is empty");
  if (!request.has(kUpdateEncryption) || !(settings || indexes)) return {};
  return invalid_parameter("Server-Side Encryption modification must be the only operation in the request");
}

// The one action that an element of GlobalSecondaryIndexUpdates has.
Result<size_t> action_of(const Fields& update) {
  std::optional<size_t> action;
  for (const size_t member : {kIndexUpdate, kIndexCreate, kIndexDelete}) {
    if (!update.has(member)) continue;
    if (action) {
      return invalid_parameter(
          "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object");
    }
    action = member;
  }
  if (action) return *action;
  return invalid_parameter(
      "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
      "GlobalSecondaryIndexUpdate.Delete must not be null");
}

Result<IndexDeclaration> read_new_index(const Fields& index, const AttributeDefinitions& definitions,
                                        std::optional<Error>& undefined) {
  const std::vector<KeyElement> elements = read_key_elements(index, kIndexKey);
  KeySchema key = TRY(make_global_key(elements, definitions));
  IndexDeclaration declaration = TRY(read_index(index, false));
  declaration.key = std::move(key);
  if (definitions.empty()) {
    undefined = invalid_parameter("AttributeDefinitions is not specified for index: " + declaration.name);
  } else if (const Result<void> defined = check_defined(elements, definitions); !defined.ok()) {
    undefined = defined.error();
  }
  return declaration;
}

Result<void> read_index_update(const Fields& update, const AttributeDefinitions& definitions,
                               std::set<std::string>& names, UpdateInput& read) {
  const size_t action = TRY(action_of(update));
  const Fields fields = update.fields(action);
  const std::string name(fields.text(kIndexName));  // the first member of each of them
  if (!names.insert(name).second) {
    return invalid_parameter(
        "Only one global secondary index update per index is allowed simultaneously. Index: " + name);
  }
  if (action == kIndexUpdate) {
    const Throughput throughput = TRY(read_throughput(
        fields, {.provisioned = kChangeThroughput, .on_demand = kChangeOnDemand, .warm = kChangeWarm},
        "index : " + name, Declared::kBefore));
    if (fields.has(kChangeWarm) && throughput.read_units_warm == 0 && throughput.write_units_warm == 0) {
      return invalid_parameter(
          "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for "
          "index: " +
          name);
    }
    read.request.index_throughput.emplace(name, throughput);
    return {};
  }
  if (read.index_changes++ > 0) return {};
  if (action == kIndexDelete) {
    read.request.remove_index = name;
  } else {
    read.request.add_index = TRY(read_new_index(fields, definitions, read.undefined));
  }
  return {};
}

Result<void> read_stream(const Fields& request, UpdateTable& read) {
  if (!request.has(kUpdateStream)) return {};
  const Fields stream = request.fields(kUpdateStream);
  const bool has_view = stream.has(kStreamView);
  if (stream.flag(kStreamEnabled)) {
    if (!has_view) return invalid_parameter("If stream is being enabled then UpdateViewType is required");
    read.open_stream = stream_view(stream.text(kStreamView));
    return {};
  }
  if (has_view)
    return invalid_parameter("If stream is being disabled, then UpdateViewType must not be specified");
  read.close_stream = true;
  return {};
}

Result<UpdateInput> read_update_table(const Input& input) {
  const Fields& request = input.fields();
  TRY(check_supported(request));
  TRY(check_something_changes(request));
  TRY(check_encryption(request, kUpdateEncryption));
  UpdateInput read{.request = {.table = input.table(kUpdateTable)}};
  read.encryption = request.has(kUpdateEncryption);
  read.request.table_class = TRY(read_table_class(request, kUpdateClass));
  read.request.billing = read_billing(request, kUpdateBilling, kUpdateMode);
  const Throughput throughput = TRY(read_throughput(
      request, {.provisioned = kUpdateThroughput, .on_demand = kUpdateOnDemand, .warm = kUpdateWarm}, "table",
      Declared::kBefore));
  if (throughput != Throughput{}) read.request.throughput = throughput;
  if (request.has(kUpdateProtected)) read.request.deletion_protected = request.flag(kUpdateProtected);
  if (request.has(kUpdateIndexes)) {
    const AttributeDefinitions definitions(request, kUpdateDefinitions);
    std::set<std::string> names;
    for (const Json update : request.list(kUpdateIndexes)) {
      TRY(read_index_update(Fields(update, request.element_shape(kUpdateIndexes)), definitions, names, read));
    }
  }
  TRY(read_stream(request, read.request));
  if (!read.encryption) TRY(api::check_update(read.request));
  return read;
}

// Protection, maxima and warm units are changed by AWS while the table stays active, and so are indexes that
// get other units.
bool takes_time(const UpdateTable& request) {
  const Throughput throughput = request.throughput.value_or(Throughput{});
  return request.billing || throughput.read_units != 0 || throughput.write_units != 0 ||
         request.table_class || request.open_stream || request.close_stream || request.add_index ||
         request.remove_index;
}

Result<TableDescription> update(api::LocalDatabase& database, const UpdateInput& input) {
  const TableDescription before = TRY(database.describe_table(input.request.table));
  if (before.status == TableStatus::kDeleting) {
    return Error{
        Code::kInUse,
        "Attempt to change a resource which is still in use: Table is being deleted: " + before.name};
  }
  if (input.encryption) return invalid_parameter("Table is already encrypted by default");
  if (input.undefined) return *input.undefined;
  if (input.index_changes > 1) return engine::one_index_at_a_time();
  return database.update_table(input.request);
}

}  // namespace

void update_table(Call call, const Input& input) {
  const Result<UpdateInput> request = read_update_table(input);
  if (!request.ok()) return call.done(error_answer(request.error()));
  const Result<TableDescription> updated = update(call.database, *request);
  if (!updated.ok()) return call.done(error_answer(updated.error()));
  const Telling telling = takes_time(request->request) ? Telling::kUpdated : Telling::kAsItIs;
  call.done(object_answer([&](JsonObject& object) {
    append_table(object.member("TableDescription"), *updated, call.account,
                 call.database.engine().clock.now_us(), telling);
  }));
}

}  // namespace sheaf::wire
