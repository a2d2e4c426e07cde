#include "engine/tables.h"

#include <algorithm>

#include "base/errors.h"
#include "base/try.h"
#include "engine/jobs.h"
#include "engine/store_keys.h"
#include "engine/table_throughput.h"
#include "value/key_codec.h"

namespace sheaf::engine {
namespace {

using store::Space;

// What a table is that was never given a class.
constexpr std::string_view kStandardClass = "STANDARD";

Error in_use(std::string text) { return {Code::kInUse, std::move(text)}; }

// Whether items can be written to it and its settings changed.
Result<void> check_active(const std::optional<TableSettings>& settings, std::string_view name) {
  if (!settings) return no_such_table(name);
  if (settings->status != TableStatus::kActive) {
    return in_use("Attempt to change a resource which is still in use: Table is being deleted: " +
                  std::string(name));
  }
  return {};
}

store::Range everything_of(Space space, Id id) {
  std::string prefix = space_key(space, id);
  std::string end = prefix_end(prefix);
  return {.begin = std::move(prefix), .end = std::move(end)};
}

void add_index_ranges(std::vector<store::Range>& ranges, const IndexSettings& index) {
  ranges.push_back(everything_of(Space::kIndexes, index.id));
  ranges.push_back(everything_of(Space::kCounters, index.id));
}

Job clear_table(const TableSettings& table) {
  Job job{.kind = JobKind::kClear, .id = table.id, .table = table.name};
  job.ranges = {everything_of(Space::kItems, table.id), everything_of(Space::kCounters, table.id)};
  for (const IndexSettings& index : table.indexes) add_index_ranges(job.ranges, index);
  for (const StreamSettings& stream : table.streams)
    job.ranges.push_back(everything_of(Space::kLog, stream.id));
  if (table.ttl.id != 0) job.ranges.push_back(everything_of(Space::kExpiry, table.ttl.id));
  return job;
}

// Streams are told apart by when they were opened, to the millisecond.
void open_stream(TableSettings& table, StreamView view, int64_t now_us, Catalog::Ids& ids,
                 store::Batch& batch) {
  const int64_t distinct_us = table.streams.empty() ? 0 : (table.streams.back().created_us / 1000 + 1) * 1000;
  table.streams.push_back({.id = ids.take(), .view = view, .created_us = std::max(now_us, distinct_us)});
  add_job(batch, {.kind = JobKind::kTrim, .id = table.streams.back().id, .table = table.name});
}

// {name:S:HASH}, as AWS shows a key attribute.
std::string element_text(const KeyAttribute& attribute, bool hash) {
  return "Schema:[SchemaElement: key{" + attribute.name + ":" + std::string(type_name(attribute.type)) +
         (hash ? ":HASH}]" : ":RANGE}]");
}

template <typename Use>
void each_key_attribute(const KeySchema& key, Use use) {
  for (const KeyAttribute& attribute : key.partition) use(attribute, true);
  for (const KeyAttribute& attribute : key.sort) use(attribute, false);
}

// An attribute has one type, whatever keys it is part of.
Result<void> check_types(const TableSettings& table, const KeySchema& added) {
  std::optional<Error> error;
  const auto compare_with = [&](const KeySchema& known) {
    each_key_attribute(added, [&](const KeyAttribute& wanted, bool wanted_hash) {
      each_key_attribute(known, [&](const KeyAttribute& there, bool there_hash) {
        if (error || there.name != wanted.name || there.type == wanted.type) return;
        error = invalid_parameter(
            "Attributes cannot be redefined. Please check that your attribute has the same type as "
            "previously defined. Existing schema: " +
            element_text(there, there_hash) + " New schema: " + element_text(wanted, wanted_hash));
      });
    });
  };
  compare_with(table.key);
  for (const IndexSettings& index : table.indexes) compare_with(index.key);
  if (error) return *error;
  return {};
}

Result<void> start_index(TableSettings& table, IndexSettings index, Catalog::Ids& ids, store::Batch& batch) {
  if (table.find_index(index.name) != nullptr) {
    return Error{Code::kInvalid, "Attempting to create an index which already exists"};
  }
  TRY(check_types(table, index.key));
  const auto globals =
      std::count_if(table.indexes.begin(), table.indexes.end(), [](const auto& each) { return !each.local; });
  if (static_cast<size_t>(globals) >= kGlobalIndexesMax) {
    return Error{
        Code::kLimitExceeded,
        "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20"};
  }
  size_t included = index.included.size();
  for (const IndexSettings& each : table.indexes) included += each.included.size();
  if (included > kIncludedMax) return invalid_parameter(kTooManyIncluded);
  index.id = ids.take();
  index.status = IndexStatus::kCreating;
  add_job(batch, {.kind = JobKind::kFillIndex, .id = index.id, .table = table.name});
  table.indexes.push_back(std::move(index));
  return {};
}

Result<void> remove_index(TableSettings& table, const std::string& name, store::Batch& batch) {
  IndexSettings* const found = TRY(find_global_index(table, name, "delete"));
  found->status = IndexStatus::kDeleting;
  Job job{.kind = JobKind::kClear, .id = found->id, .table = table.name};
  add_index_ranges(job.ranges, *found);
  add_job(batch, job);
  return {};
}

// Whether an index is being made or removed. One that is still being filled does not stand in the way of its
// own removal.
bool changing_index(const TableSettings& table, std::string_view to_be_removed = {}) {
  return std::any_of(table.indexes.begin(), table.indexes.end(), [&](const IndexSettings& index) {
    if (index.status == IndexStatus::kCreating) return index.name != to_be_removed;
    return index.status == IndexStatus::kDeleting;
  });
}

Result<void> apply_stream(TableSettings& table, const TableUpdate& update, int64_t now_us, Catalog::Ids& ids,
                          store::Batch& batch) {
  const bool open = table.open_stream() != nullptr;
  if (update.open_stream) {
    if (open) return Error{Code::kInvalid, "Table already has an enabled stream: TableName: " + table.name};
    open_stream(table, *update.open_stream, now_us, ids, batch);
  }
  if (update.close_stream) {
    if (!open) return Error{Code::kInvalid, "Table has no stream to disable: TableName: " + table.name};
    table.streams.back().closed_us = now_us;
  }
  return {};
}

Result<void> apply_update(TableSettings& table, const TableUpdate& update, int64_t now_us, Catalog::Ids& ids,
                          store::Batch& batch) {
  TRY(update_throughput(table, update, now_us));
  if (update.deletion_protected) table.deletion_protected = *update.deletion_protected;
  const std::string_view class_now = table.table_class.empty() ? kStandardClass : table.table_class;
  if (update.table_class && *update.table_class != class_now) {
    table.table_class = *update.table_class;
    table.class_changed_us = now_us;
  }
  TRY(apply_stream(table, update, now_us, ids, batch));
  const bool both = update.add_index && update.remove_index;
  if (both || (update.add_index && changing_index(table)) ||
      (update.remove_index && changing_index(table, *update.remove_index)))
    return one_index_at_a_time();
  if (update.add_index) TRY(start_index(table, *update.add_index, ids, batch));
  if (update.remove_index) TRY(remove_index(table, *update.remove_index, batch));
  return {};
}

// A table that was written just now: as it is, or as it was written if others have removed it already. The
// change is done either way.
TableRef table_after(Engine& engine, TableSettings written) {
  Result<TableRef> now = engine.catalog.reload(written.name);
  if (now.ok() && (*now)->settings.id == written.id) return std::move(*now);
  return std::make_shared<Table>(std::move(written), store::Version{});
}

// Changes an active table by `edit(settings, ids, batch)`.
template <typename Edit>
Result<TableRef> change_active(Engine& engine, std::string_view name, Edit edit) {
  TableSettings written;
  TRY(engine.catalog.change(name,
                            [&](const std::optional<TableSettings>& before, Catalog::Ids& ids,
                                store::Batch& batch) -> Result<std::optional<TableSettings>> {
                              TRY(check_active(before, name));
                              written = *before;
                              TRY(edit(written, ids, batch));
                              return std::optional(written);
                            }));
  return table_after(engine, std::move(written));
}

}  // namespace

Error one_index_at_a_time() {
  return {
      Code::kLimitExceeded,
      "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"};
}

Result<IndexSettings*> find_global_index(TableSettings& table, const std::string& name,
                                         std::string_view verb) {
  const auto found = std::find_if(table.indexes.begin(), table.indexes.end(),
                                  [&](const auto& each) { return each.name == name; });
  if (found == table.indexes.end()) {
    return Error{Code::kNotFound, "Requested resource not found: Index " + name + " for table " + table.name};
  }
  if (found->local) {
    return invalid_parameter("Cannot " + std::string(verb) +
                             " an index that is not a GlobalSecondaryIndex: " + name);
  }
  return &*found;
}

Result<TableRef> create_table(Engine& engine, TableSettings wanted) {
  const int64_t now_us = engine.clock.now_us();
  TableSettings made;
  TRY(engine.catalog.change(wanted.name,
                            [&](const std::optional<TableSettings>& before, Catalog::Ids& ids,
                                store::Batch& batch) -> Result<std::optional<TableSettings>> {
                              if (before) return in_use("Table already exists: " + wanted.name);
                              made = wanted;
                              made.id = ids.take();
                              made.created_us = now_us;
                              if (made.billing == BillingMode::kOnDemand) made.on_demand_since_us = now_us;
                              for (IndexSettings& index : made.indexes) index.id = ids.take();
                              made.streams.clear();
                              if (!wanted.streams.empty())
                                open_stream(made, wanted.streams.back().view, now_us, ids, batch);
                              return std::optional(made);
                            }));
  return table_after(engine, std::move(made));
}

Error no_such_table(std::string_view name) {
  return {Code::kNotFound, "Requested resource not found: Table: " + std::string(name) + " not found"};
}

Result<TableRef> current_table(Engine& engine, std::string_view name) {
  Result<TableRef> found = engine.catalog.reload(name);
  if (!found.ok() && found.error().code == Code::kNotFound) return no_such_table(name);
  return found;
}

Result<TableRef> delete_table(Engine& engine, std::string_view name) {
  Result<TableRef> deleted = change_active(
      engine, name, [&](TableSettings& table, Catalog::Ids&, store::Batch& batch) -> Result<void> {
        if (table.deletion_protected) {
          return Error{Code::kInvalid,
                       "Resource cannot be deleted as it is currently protected against deletion. Disable "
                       "deletion protection first."};
        }
        table.status = TableStatus::kDeleting;
        add_job(batch, clear_table(table));
        return {};
      });
  if (deleted.ok() && engine.meter != nullptr) engine.meter->forget(**deleted);
  return deleted;
}

Result<TableRef> update_table(Engine& engine, std::string_view name, const TableUpdate& update) {
  const int64_t now_us = engine.clock.now_us();
  return change_active(engine, name, [&](TableSettings& table, Catalog::Ids& ids, store::Batch& batch) {
    return apply_update(table, update, now_us, ids, batch);
  });
}

Result<TableRef> update_ttl(Engine& engine, std::string_view name, const std::string& attribute,
                            bool enabled) {
  const int64_t now_us = engine.clock.now_us();
  return change_active(
      engine, name, [&](TableSettings& table, Catalog::Ids& ids, store::Batch& batch) -> Result<void> {
        TtlSettings& ttl = table.ttl;
        if (!enabled && !ttl.enabled) return Error{Code::kInvalid, "TimeToLive is already disabled"};
        if (ttl.enabled && ttl.attribute != attribute) {
          return Error{
              Code::kInvalid,
              "TimeToLive is active on a different AttributeName: current AttributeName is " + ttl.attribute};
        }
        if (enabled && ttl.enabled) return Error{Code::kInvalid, "TimeToLive is already enabled"};
        if (enabled) {
          ttl = {.attribute = attribute, .enabled = true, .changed_us = now_us, .id = ids.take()};
          add_job(batch, {.kind = JobKind::kFillExpiry, .id = ttl.id, .table = table.name});
          add_job(batch, {.kind = JobKind::kExpire, .id = ttl.id, .table = table.name});
        } else {
          add_job(batch, {.kind = JobKind::kClear,
                          .id = ttl.id,
                          .table = table.name,
                          .ranges = {everything_of(Space::kExpiry, ttl.id)}});
          ttl.enabled = false;
          ttl.changed_us = now_us;
        }
        return {};
      });
}

Result<TableRef> add_tags(Engine& engine, std::string_view name,
                          const std::map<std::string, std::string>& tags) {
  return change_active(engine, name, [&](TableSettings& table, Catalog::Ids&, store::Batch&) -> Result<void> {
    for (const auto& [key, value] : tags) table.tags.insert_or_assign(key, value);
    if (table.tags.size() > kTagsMax) {
      return Error{Code::kInvalid, "Number of Tags exceed the current limit for the provided ResourceArn"};
    }
    return {};
  });
}

Result<TableRef> remove_tags(Engine& engine, std::string_view name, const std::vector<std::string>& keys) {
  return change_active(engine, name, [&](TableSettings& table, Catalog::Ids&, store::Batch&) -> Result<void> {
    for (const std::string& key : keys) table.tags.erase(key);
    return {};
  });
}

Result<Totals> totals_of(Engine& engine, Id table_or_index) {
  Totals totals;
  store::Range range = total_counters(table_or_index);
  for (bool more = true; more;) {
    const store::ScanEnd end =
        TRY(engine.store.view({})->scan(range, {}, [&](std::string_view, std::string_view value) {
          const std::vector<int64_t> sums = store::decode_sums(value);
          totals.items += sums[0];
          totals.bytes += sums[1];
          return true;
        }));
    more = end.more;
    range.begin = end.resume;
  }
  return totals;
}

Result<std::optional<int64_t>> items_filled(Engine& engine, Id index) {
  const std::optional<Job> job = TRY(find_job(engine, JobKind::kFillIndex, index));
  return job ? std::optional(job->items_done) : std::nullopt;
}

}  // namespace sheaf::engine
