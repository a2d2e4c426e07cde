#include "api/stream_requests.h"

#include <algorithm>

#include "api/expressions.h"
#include "base/try.h"
#include "engine/collection_watch.h"
#include "engine/streams.h"

namespace sheaf::api {

namespace {

const engine::StreamSettings* find_stream(const engine::Table& table, uint32_t id) {
  const auto& streams = table.settings.streams;
  const auto found =
      std::find_if(streams.begin(), streams.end(), [&](const auto& each) { return each.id == id; });
  return found == streams.end() ? nullptr : &*found;
}

// A table that has the stream. One that is known already may be a little old: then a stream that was closed
// meanwhile still counts as open, and its reader is told at the next reading.
Result<engine::TableRef> table_with_stream(engine::Engine& engine, const ReadStream& request,
                                           const engine::ReadOptions& options) {
  const Result<engine::TableRef> known = engine.catalog.find(request.table);
  if (known.ok() && find_stream(**known, request.stream) != nullptr) return known;
  if (options.cached_only) return Error{Code::kWouldBlock, "the stream is not known yet"};
  engine::TableRef table = TRY(engine.catalog.reload(request.table));
  if (table->settings.status == TableStatus::kDeleting) return engine::table_not_found();
  if (find_stream(*table, request.stream) == nullptr) {
    return Error{Code::kNotFound,
                 "Requested resource not found: Stream: " + std::to_string(request.stream) + " not found"};
  }
  return table;
}

}  // namespace

Result<StreamRead> read_stream(engine::Engine& engine, const ReadStream& request,
                               const engine::ReadOptions& options) {
  if (request.limit < 1 || request.limit > engine::kStreamRecordsMax) {
    return invalid("1 validation error detected: Value '" + std::to_string(request.limit) +
                   "' at 'limit' failed to satisfy constraint: Member must have value " +
                   (request.limit < 1 ? "greater than or equal to 1" : "less than or equal to 1000"));
  }
  const engine::TableRef table = TRY(table_with_stream(engine, request, options));
  const engine::StreamSettings& stream = *find_stream(*table, request.stream);
  if (request.shard >= stream.shard_count()) {
    return Error{Code::kNotFound, "Requested resource not found: Shard does not exist"};
  }
  return engine::read_stream(engine, stream, static_cast<uint8_t>(request.shard), request.from, request.limit,
                             options);
}

Result<CollectionSize> collection_size(engine::Engine& engine, std::string_view table_name,
                                       const Item& partition_key) {
  const engine::TableRef table = TRY(engine.catalog.find(table_name));
  if (table->settings.key.sort.empty())
    return invalid("The table has no sort key, so it has no item collections");
  const engine::ItemPlace place = TRY(engine::place_of_partition(*table, partition_key));
  return engine::collection_size(*engine.store.view({}), *table, place);
}

}  // namespace sheaf::api
