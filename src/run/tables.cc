#include "run/tables.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/try.h"
#include "run/system_table.h"

namespace sheaf::run {
namespace {

KeyAttribute attribute_of(const model::KeyAttribute& attribute) {
  const Type type = attribute.type == language::Type::Kind::kNumber   ? Type::kNumber
                    : attribute.type == language::Type::Kind::kBinary ? Type::kBinary
                                                                      : Type::kString;
  return {.name = attribute.name, .type = type};
}

KeySchema schema_of(const model::KeyAttribute& pk, const std::optional<model::KeyAttribute>& sk) {
  KeySchema schema{.partition = {attribute_of(pk)}};
  if (sk) schema.sort.push_back(attribute_of(*sk));
  return schema;
}

std::string shown(const KeySchema& key) {
  std::string out;
  for (const KeyAttribute& attribute : key.partition) out += (out.empty() ? "" : ", ") + attribute.name;
  for (const KeyAttribute& attribute : key.sort) out += " / " + attribute.name;
  return out;
}

// Why the table that is there cannot be used. `missing`: indexes that it has not, which can be added.
std::optional<std::string> difference(const CreateTable& wanted, const TableDescription& there,
                                      std::vector<IndexDeclaration>& missing) {
  if (!(wanted.key == there.key)) return "its key is " + shown(there.key) + ", not " + shown(wanted.key);
  for (const IndexDeclaration& index : wanted.global_indexes) {
    const auto found = std::find_if(there.indexes.begin(), there.indexes.end(),
                                    [&](const IndexDescription& each) { return each.name == index.name; });
    if (found == there.indexes.end()) {
      missing.push_back(index);
    } else if (!(found->key == index.key)) {
      return "the key of its index " + index.name + " is " + shown(found->key) + ", not " + shown(index.key);
    }
  }
  return std::nullopt;
}

// Elsewhere than here an index is filled while its table is used on.
Result<void> add_index(Database& database, const std::string& table, const IndexDeclaration& index) {
  TRY(database.update_table({.table = table, .add_index = index}));
  for (int i = 0; i < kPollsMax; ++i) {
    const TableDescription description = TRY(database.describe_table(table));
    const auto found = std::find_if(description.indexes.begin(), description.indexes.end(),
                                    [&](const IndexDescription& each) { return each.name == index.name; });
    if (found != description.indexes.end() && found->status == IndexStatus::kActive &&
        description.status == TableStatus::kActive)
      return {};
    std::this_thread::sleep_for(kPollEvery);
  }
  return Error{Code::kUnavailable, "the index " + index.name + " of " + table + " does not become active"};
}

}  // namespace

CreateTable create_request(const model::Table& table) {
  CreateTable request{.table = table.name, .key = schema_of(table.pk, table.sk)};
  for (const model::Index& index : table.indexes) {
    IndexDeclaration declaration{.name = index.name, .key = schema_of(index.pk, index.sk)};
    declaration.projection = index.projection == language::Gsi::Projection::kKeys ? ProjectionKind::kKeysOnly
                             : index.projection == language::Gsi::Projection::kInclude
                                 ? ProjectionKind::kInclude
                                 : ProjectionKind::kAll;
    declaration.included = index.included;
    request.global_indexes.push_back(std::move(declaration));
  }
  return request;
}

Result<void> apply_tables(Database& database, const model::Layout& layout) {
  std::vector<CreateTable> missing;
  std::vector<std::pair<std::string, IndexDeclaration>> missing_indexes;
  std::vector<const model::Table*> expiring;
  for (const model::Table& table : layout.tables) {
    CreateTable request = create_request(table);
    const Result<TableDescription> there = database.describe_table(table.name);
    if (!there.ok()) {
      if (there.error().code != Code::kNotFound) return there.error();
      missing.push_back(std::move(request));
      if (table.ttl) expiring.push_back(&table);
      continue;
    }
    std::vector<IndexDeclaration> lacks;
    if (const auto why = difference(request, *there, lacks))
      return Error{Code::kInvalid,
                   "the table " + table.name + " is there already, and does not fit: " + *why};
    for (IndexDeclaration& index : lacks) missing_indexes.emplace_back(table.name, std::move(index));
    if (table.ttl && !there->ttl_enabled) expiring.push_back(&table);
  }
  for (const CreateTable& request : missing) {
    TRY(database.create_table(request));
    TRY(wait_until_active(database, request.table));
  }
  for (const auto& [table, index] : missing_indexes) TRY(add_index(database, table, index));
  for (const model::Table* table : expiring)
    TRY(database.update_time_to_live(table->name, *table->ttl, true));
  return {};
}

}  // namespace sheaf::run
