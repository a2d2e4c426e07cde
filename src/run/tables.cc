#include "run/tables.h"

#include <algorithm>

#include "base/try.h"

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

// Why the table that is there cannot be used.
std::optional<std::string> difference(const CreateTable& wanted, const TableDescription& there) {
  if (!(wanted.key == there.key)) return "its key is " + shown(there.key) + ", not " + shown(wanted.key);
  for (const IndexDeclaration& index : wanted.global_indexes) {
    const auto found = std::find_if(there.indexes.begin(), there.indexes.end(),
                                    [&](const IndexDescription& each) { return each.name == index.name; });
    if (found == there.indexes.end()) return "it has no index " + index.name;
    if (!(found->key == index.key))
      return "the key of its index " + index.name + " is " + shown(found->key) + ", not " + shown(index.key);
  }
  return std::nullopt;
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
  for (const model::Table& table : layout.tables) {
    CreateTable request = create_request(table);
    const Result<TableDescription> there = database.describe_table(table.name);
    if (!there.ok()) {
      if (there.error().code != Code::kNotFound) return there.error();
      missing.push_back(std::move(request));
    } else if (const auto why = difference(request, *there)) {
      return Error{Code::kInvalid,
                   "the table " + table.name + " is there already, and does not fit: " + *why};
    }
  }
  for (const CreateTable& request : missing) TRY(database.create_table(request));
  return {};
}

}  // namespace sheaf::run
