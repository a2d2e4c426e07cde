#include "wire/create_table.h"

#include <algorithm>
#include <set>

#include "api/table_checks.h"
#include "base/errors.h"
#include "base/try.h"
#include "wire/json_object.h"
#include "wire/table_declarations.h"
#include "wire/table_description.h"
#include "wire/tags.h"

namespace sheaf::wire {
namespace {

using Keys = std::vector<KeyElement>;

// Everything that has a key, in the order of the request.
struct DeclaredKeys {
  Keys table;
  std::vector<Keys> local;
  std::vector<Keys> global;
};

std::vector<Keys> read_index_keys(const Fields& request, size_t member) {
  std::vector<Keys> keys;
  if (!request.has(member)) return keys;
  for (const Json json : request.list(member))
    keys.push_back(read_key_elements(Fields(json, request.element_shape(member)), kIndexKey));
  return keys;
}

// What there is not here, and what would be misunderstood if it were left out silently.
Result<void> check_supported(const Fields& request) {
  for (const size_t member : {kCreateSource, kCreateReplication}) {
    if (request.has(member)) {
      return invalid_parameter(std::string(request.name(member)) +
                               " is not supported: there are no global tables");
    }
  }
  if (request.has(kCreatePolicy)) {
    return invalid_parameter(
        "ResourcePolicy is not supported: the server's own credentials say who may do what");
  }
  if (request.has(kCreateVectors) && request.list(kCreateVectors).size() > 0)
    return invalid_parameter("VectorIndexes is not supported");
  return check_encryption(request, kCreateEncryption);
}

Result<void> check_table_key(const Keys& keys, const AttributeDefinitions& definitions) {
  if (keys.size() > definitions.distinct_count())
    return invalid("Invalid KeySchema: Some index key attribute have no definition");
  return check_defined(keys, definitions);
}

Result<void> check_definitions(const Fields& request, const DeclaredKeys& declared,
                               const AttributeDefinitions& definitions) {
  if (const std::optional<std::string> name = definitions.duplicate())
    return invalid("Attribute Name is duplicated: " + *name);
  const bool has_indexes = request.has(kCreateLocal) || request.has(kCreateGlobal);
  if (has_indexes || declared.table.size() == definitions.size()) return {};
  return invalid_parameter(
      "Number of attributes in KeySchema does not exactly match number of attributes defined in "
      "AttributeDefinitions");
}

// Every definition is for a key.
Result<void> check_definitions_used(const DeclaredKeys& declared, const AttributeDefinitions& definitions) {
  Keys used;
  std::set<std::string> names;
  const auto add = [&](const Keys& keys) {
    for (const KeyElement& key : keys) {
      if (names.insert(key.name).second) used.push_back(key);
    }
  };
  add(declared.table);
  for (const Keys& keys : declared.local) add(keys);
  for (const Keys& keys : declared.global) add(keys);
  const auto& attributes = definitions.attributes();
  const bool all_used = std::all_of(attributes.begin(), attributes.end(),
                                    [&](const KeyAttribute& each) { return names.contains(each.name); });
  if (all_used) return {};
  return invalid_parameter("Some AttributeDefinitions are not used. AttributeDefinitions: " +
                           definitions.text() + ", keys used: " + names_text(used));
}

using MakeKey = Result<KeySchema> (*)(const Keys&, const AttributeDefinitions&);

Result<std::vector<KeySchema>> make_keys(const std::vector<Keys>& declared,
                                         const AttributeDefinitions& definitions, MakeKey make) {
  std::vector<KeySchema> keys;
  for (const Keys& elements : declared) {
    TRY(check_defined(elements, definitions));
    keys.push_back(TRY(make(elements, definitions)));
  }
  return keys;
}

Result<void> check_lists_not_empty(const Fields& request) {
  if (request.has(kCreateLocal) && request.list(kCreateLocal).size() == 0)
    return invalid_parameter("List of LocalSecondaryIndexes is empty");
  if (request.has(kCreateGlobal) && request.list(kCreateGlobal).size() == 0)
    return invalid_parameter("List of GlobalSecondaryIndexes is empty");
  return {};
}

Result<std::vector<IndexDeclaration>> read_indexes(const Fields& request, size_t member,
                                                   std::vector<KeySchema> keys) {
  std::vector<IndexDeclaration> indexes;
  if (keys.empty()) return indexes;
  for (const Json json : request.list(member)) {
    const Fields index(json, request.element_shape(member));
    KeySchema& key = keys[indexes.size()];
    indexes.push_back(TRY(read_index(index, member == kCreateLocal)));
    indexes.back().key = std::move(key);
  }
  return indexes;
}

Result<std::optional<StreamView>> read_stream(const Fields& request) {
  if (!request.has(kCreateStream)) return std::optional<StreamView>();
  const Fields stream = request.fields(kCreateStream);
  const bool has_view = stream.has(kStreamView);
  if (!stream.flag(kStreamEnabled)) {
    if (!has_view) return std::optional<StreamView>();
    return invalid_parameter(
        "Table is being created with a stream disabled, UpdateViewType should not be specified");
  }
  if (has_view) return std::optional(stream_view(stream.text(kStreamView)));
  return invalid_parameter("Table is being created with a stream enabled, UpdateViewType is required");
}

// In the order in which AWS looks at a request.
Result<CreateTable> read_create_table(const Input& input) {
  const Fields& request = input.fields();
  TRY(check_supported(request));
  const AttributeDefinitions definitions(request, kCreateDefinitions);
  const DeclaredKeys declared{.table = read_key_elements(request, kCreateKey),
                              .local = read_index_keys(request, kCreateLocal),
                              .global = read_index_keys(request, kCreateGlobal)};
  CreateTable read{.table = input.table(kCreateTable)};
  read.billing = read_billing(request, kCreateBilling, kCreateMode).value_or(BillingMode::kProvisioned);
  read.table_class = TRY(read_table_class(request, kCreateClass)).value_or("");
  read.throughput = TRY(read_throughput(
      request, {.provisioned = kCreateThroughput, .on_demand = kCreateOnDemand, .warm = kCreateWarm}, "table",
      Declared::kNow));
  TRY(api::check_billing(read));
  TRY(check_table_key(declared.table, definitions));
  read.key = TRY(make_single_key(declared.table, definitions));
  TRY(check_definitions(request, declared, definitions));
  std::vector<KeySchema> local_keys = TRY(make_keys(declared.local, definitions, make_single_key));
  std::vector<KeySchema> global_keys = TRY(make_keys(declared.global, definitions, make_global_key));
  TRY(check_definitions_used(declared, definitions));
  TRY(check_lists_not_empty(request));
  read.local_indexes = TRY(read_indexes(request, kCreateLocal, std::move(local_keys)));
  read.global_indexes = TRY(read_indexes(request, kCreateGlobal, std::move(global_keys)));
  TRY(api::check_create(read));
  read.stream = TRY(read_stream(request));
  read.tags = TRY(read_tags(request, kCreateTags));
  read.deletion_protected = request.flag(kCreateProtected);
  return read;
}

}  // namespace

void create_table(Call call, const Input& input) {
  const Result<CreateTable> request = read_create_table(input);
  if (!request.ok()) return call.done(error_answer(request.error()));
  const Result<TableDescription> made = call.database.create_table(*request);
  if (!made.ok()) return call.done(error_answer(made.error()));
  call.done(object_answer([&](JsonObject& object) {
    append_table(object.member("TableDescription"), *made, call.account,
                 call.database.engine().clock.now_us(), Telling::kCreated);
  }));
}

}  // namespace sheaf::wire
