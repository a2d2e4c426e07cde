#include "api/table_requests.h"

#include <algorithm>

#include "api/table_checks.h"
#include "base/try.h"
#include "engine/tables.h"

namespace sheaf::api {
namespace {

using engine::IndexSettings;
using engine::TableSettings;

// To take a maximum away where there is none is to have none.
Throughput to_settings(Throughput throughput) {
  throughput.read_units_max = std::max<int64_t>(throughput.read_units_max, 0);
  throughput.write_units_max = std::max<int64_t>(throughput.write_units_max, 0);
  return throughput;
}

IndexSettings to_settings(const IndexDeclaration& index, bool local) {
  return {.name = index.name,
          .local = local,
          .key = index.key,
          .projection = index.projection,
          .included = index.included,
          .throughput = to_settings(index.throughput)};
}

// Whether that alone keeps the table from being deleted.
bool is_changing_indexes(const TableSettings& table) {
  if (table.deletion_protected || table.status != TableStatus::kActive) return false;
  return std::any_of(table.indexes.begin(), table.indexes.end(),
                     [](const IndexSettings& index) { return index.status != IndexStatus::kActive; });
}

Result<TableDescription> describe(engine::Engine& engine, const engine::Table& table) {
  const TableSettings& settings = table.settings;
  TableDescription description{.name = settings.name,
                               .id = settings.id,
                               .key = settings.key,
                               .ttl_attribute = settings.ttl.enabled ? settings.ttl.attribute : "",
                               .ttl_enabled = settings.ttl.enabled,
                               .billing = settings.billing,
                               .on_demand_since_us = settings.on_demand_since_us,
                               .throughput = settings.throughput,
                               .throughput_changes = settings.throughput_changes,
                               .table_class = settings.table_class,
                               .class_changed_us = settings.class_changed_us,
                               .deletion_protected = settings.deletion_protected,
                               .tags = settings.tags,
                               .created_us = settings.created_us,
                               .status = settings.status};
  if (settings.billing == BillingMode::kOnDemand && settings.on_demand_since_us == 0)
    description.on_demand_since_us = settings.created_us;
  const engine::Totals totals = TRY(engine::totals_of(engine, settings.id));
  description.item_count = totals.items;
  description.size_bytes = totals.bytes;
  for (const IndexSettings& index : settings.indexes) {
    const engine::Totals index_totals = TRY(engine::totals_of(engine, index.id));
    const std::optional<int64_t> filled = TRY(engine::items_filled(engine, index.id));
    const bool in_transit = index.status != IndexStatus::kActive;
    if (in_transit && description.status == TableStatus::kActive) description.status = TableStatus::kUpdating;
    description.indexes.push_back({.name = index.name,
                                   .local = index.local,
                                   .key = index.key,
                                   .projection = index.projection,
                                   .included = index.included,
                                   .status = index.status,
                                   .throughput = index.throughput,
                                   .throughput_changes = index.throughput_changes,
                                   .item_count = index_totals.items,
                                   .size_bytes = index_totals.bytes,
                                   .items_filled = filled.value_or(0)});
  }
  for (const engine::StreamSettings& stream : settings.streams) {
    description.streams.push_back({.id = stream.id,
                                   .view = stream.view,
                                   .created_us = stream.created_us,
                                   .open = stream.closed_us == 0,
                                   .shard_count = stream.shard_count()});
  }
  return description;
}

}  // namespace

Result<TableDescription> create_table(engine::Engine& engine, const CreateTable& request) {
  TRY(check_create(request));
  TableSettings settings{.name = request.table,
                         .key = request.key,
                         .billing = request.billing,
                         .throughput = to_settings(request.throughput),
                         .table_class = request.table_class,
                         .deletion_protected = request.deletion_protected,
                         .tags = request.tags};
  for (const IndexDeclaration& index : request.local_indexes)
    settings.indexes.push_back(to_settings(index, true));
  for (const IndexDeclaration& index : request.global_indexes)
    settings.indexes.push_back(to_settings(index, false));
  if (request.stream) settings.streams.push_back({.view = *request.stream});
  return describe(engine, *TRY(engine::create_table(engine, std::move(settings))));
}

Result<TableDescription> update_table(engine::Engine& engine, const UpdateTable& request) {
  TRY(check_update(request));
  engine::TableUpdate update{.billing = request.billing,
                             .throughput = request.throughput,
                             .index_throughput = request.index_throughput,
                             .deletion_protected = request.deletion_protected,
                             .table_class = request.table_class,
                             .remove_index = request.remove_index,
                             .open_stream = request.open_stream,
                             .close_stream = request.close_stream};
  if (request.add_index) update.add_index = to_settings(*request.add_index, false);
  return describe(engine, *TRY(engine::update_table(engine, request.table, update)));
}

Result<TableDescription> delete_table(engine::Engine& engine, std::string_view table) {
  TRY(check_table_name(table));
  // The engine could; DynamoDB does not.
  const Result<engine::TableRef> found = engine.catalog.reload(table);
  if (found.ok() && is_changing_indexes((*found)->settings)) {
    return Error{Code::kInUse,
                 "Attempt to change a resource which is still in use: Cannot delete table while indexes are "
                 "being created, updated, or deleted."};
  }
  return describe(engine, *TRY(engine::delete_table(engine, table)));
}

Result<TableDescription> describe_table(engine::Engine& engine, std::string_view table) {
  TRY(check_table_name(table));
  return describe(engine, *TRY(engine::current_table(engine, table)));
}

}  // namespace sheaf::api
