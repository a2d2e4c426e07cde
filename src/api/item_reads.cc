#include "api/item_reads.h"

#include <algorithm>
#include <unordered_set>

#include "api/answers.h"
#include "api/expressions.h"
#include "base/try.h"
#include "engine/read_items.h"

namespace sheaf::api {
namespace {

using engine::ReadMode;

Result<std::optional<expr::Projection>> read_projection(const std::optional<std::string>& text,
                                                        const Names& names) {
  ExpressionReader expressions(names, ItemView());
  TRY(expressions.check_wanted({.any = text.has_value()}, "ProjectionExpression is null"));
  TRY(expressions.check_placeholders());
  std::optional<expr::Projection> projection = TRY(expressions.projection(text));
  TRY(expressions.end());
  return projection;
}

Result<void> check_projection(const engine::Table& table, const std::optional<expr::Projection>& projection) {
  if (!projection) return {};
  for (const expr::Path& path : projection->paths()) TRY(check_key_path(table, path));
  return {};
}

Item project(const std::optional<expr::Projection>& projection, ItemView item) {
  return projection ? projection->project(item) : Item(item);
}

ReadMode mode_of(bool consistent) { return consistent ? ReadMode::kStrong : ReadMode::kEventual; }

// The item with which a transaction's items together become too large.
std::optional<size_t> first_over_limit(const std::vector<std::optional<engine::StoredItem>>& items) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    bytes += items[i] ? items[i]->size_bytes() : 0;
    if (bytes > kTransactionBytesMax) return i;
  }
  return std::nullopt;
}

// One table's part of a BatchGetItem.
struct TablePart {
  const std::string* name;
  const BatchGetItems::Table* request;
  std::optional<expr::Projection> projection;
  engine::TableRef table;
  std::vector<engine::ItemRead> reads;
  std::vector<const Item*> keys;  // of the reads
};

Result<void> check_batch_shape(const BatchGetItems& request) {
  if (request.tables.empty()) return invalid("The requestItems parameter is required for BatchGetItem");
  size_t keys = 0;
  for (const auto& [name, part] : request.tables) {
    const std::string place = "1 validation error detected: Value at 'RequestItems." + name +
                              ".member.Keys' failed to satisfy constraint: Member must have length ";
    if (part.keys.empty()) return invalid(place + "greater than or equal to 1");
    if (part.keys.size() > kBatchGetKeysMax) return invalid(place + "less than or equal to 100");
    keys += part.keys.size();
  }
  if (keys > kBatchGetKeysMax) return invalid("Too many items requested for the BatchGetItem call");
  return {};
}

Result<void> check_distinct_keys(const std::vector<Item>& keys) {
  std::unordered_set<std::string_view> seen;
  for (const Item& key : keys) {
    if (!seen.insert(key.encoded()).second) return invalid("Provided list of item keys contains duplicates");
  }
  return {};
}

Result<void> bind_keys(TablePart& part) {
  TRY(check_projection(*part.table, part.projection));
  for (const Item& key : part.request->keys) {
    part.reads.push_back(TRY(engine::ItemRead::of_key(part.table, key)));
    part.keys.push_back(&key);
  }
  return {};
}

}  // namespace

double pay_for(engine::Engine& engine, const engine::ItemRead& read,
               const std::optional<engine::StoredItem>& item, ReadMode mode) {
  const engine::HalfUnits half_units = engine::read_half_units(item ? item->size_bytes() : 0, mode);
  if (engine.meter != nullptr) engine.meter->charge_read(*read.table, read.place, half_units);
  return static_cast<double>(half_units) / 2;
}

Result<Got> get_item(engine::Engine& engine, const GetItem& request, LegacyExpressions legacy,
                     const engine::ReadOptions& options) {
  std::optional<expr::Projection> projection = TRY(read_projection(request.projection, request.names));
  if (legacy.projection) projection = std::move(legacy.projection);
  engine::TableRef table = TRY(engine.catalog.find(request.table));
  const engine::ItemRead read = TRY(engine::ItemRead::of_key(std::move(table), request.key));
  TRY(check_projection(*read.table, projection));
  if (engine.meter != nullptr) TRY(engine.meter->admit_read(*read.table, read.place));
  const ReadMode mode = mode_of(request.consistent);
  const std::optional<engine::StoredItem> found = TRY(engine::read_item(engine, read, mode, options));
  Got got{.capacity = {.table = pay_for(engine, read, found, mode)}};
  if (found) got.item = project(projection, found->item());
  return got;
}

Result<BatchGot> batch_get_items(engine::Engine& engine, const BatchGetItems& request,
                                 std::map<std::string, expr::Projection> legacy,
                                 const engine::ReadOptions& options) {
  TRY(check_batch_shape(request));
  std::vector<TablePart> parts;
  for (const auto& [name, table] : request.tables) {
    std::optional<expr::Projection> projection = TRY(read_projection(table.projection, table.names));
    parts.push_back({.name = &name, .request = &table, .projection = std::move(projection)});
    if (const auto found = legacy.find(name); found != legacy.end())
      parts.back().projection = std::move(found->second);
    TRY(check_distinct_keys(table.keys));
  }
  // All tables must be there before any key is held against its schema.
  for (TablePart& part : parts) part.table = TRY(engine.catalog.find(*part.name));
  for (TablePart& part : parts) TRY(bind_keys(part));

  // All is read before anything is paid for: who has to read again must not pay twice.
  std::vector<std::vector<std::optional<engine::StoredItem>>> found;
  for (const TablePart& part : parts) {
    const ReadMode mode = mode_of(part.request->consistent);
    found.push_back(TRY(engine::read_items(engine, part.reads, mode, options)));
  }

  BatchGot got;
  uint64_t bytes = 0;
  std::optional<Error> throttled;
  for (size_t at = 0; at < parts.size(); ++at) {
    const TablePart& part = parts[at];
    const auto& items = found[at];
    ItemList list;
    Capacity capacity;
    bool is_answered = false;  // not all of it was put off or refused
    for (size_t i = 0; i < items.size(); ++i) {
      if (bytes > 0 && items[i] && bytes + items[i]->size_bytes() > kBatchGetBytesMax) {
        got.unprocessed[*part.name].push_back(*part.keys[i]);
        continue;
      }
      // What the table cannot give now can be asked for again.
      const Result<void> admitted = engine.meter == nullptr
                                        ? Result<void>()
                                        : engine.meter->admit_read(*part.table, part.reads[i].place);
      if (!admitted.ok()) {
        throttled = admitted.error();
        got.unprocessed[*part.name].push_back(*part.keys[i]);
        continue;
      }
      is_answered = true;
      capacity.table += pay_for(engine, part.reads[i], items[i], mode_of(part.request->consistent));
      if (!items[i]) continue;
      bytes += items[i]->size_bytes();
      list.append(project(part.projection, items[i]->item()));
    }
    if (!is_answered) continue;
    got.items.emplace(*part.name, std::move(list));
    got.capacity.emplace(*part.name, std::move(capacity));
  }
  if (throttled && got.items.empty()) return *std::move(throttled);
  return got;
}

CancellationReason throttling_reason(const Error& error) {
  using Reason = CancellationReason::Code;
  // The second line of the message has no place in a reason.
  return {.code = error.code == Code::kThroughputExceeded ? Reason::kThroughputExceeded : Reason::kThrottled,
          .message = error.message.substr(0, error.message.find('\n'))};
}

std::vector<CancellationReason> throttled_reads(engine::Engine& engine,
                                                const std::vector<engine::ItemRead>& reads) {
  if (engine.meter == nullptr) return {};
  std::vector<CancellationReason> reasons(reads.size());
  bool is_throttled = false;
  for (size_t i = 0; i < reads.size(); ++i) {
    const Result<void> admitted = engine.meter->admit_read(*reads[i].table, reads[i].place);
    if (admitted.ok()) continue;
    reasons[i] = throttling_reason(admitted.error());
    is_throttled = true;
  }
  if (!is_throttled) reasons.clear();
  return reasons;
}

Result<TransactGot> transact_get_items(engine::Engine& engine, const TransactGetItems& request,
                                       const engine::ReadOptions& options) {
  const std::string member = " at 'transactItems' failed to satisfy constraint: Member must have length ";
  if (request.gets.empty())
    return invalid("1 validation error detected: Value '[]'" + member + "greater than or equal to 1");
  if (request.gets.size() > kTransactionActionsMax) {
    return invalid("1 validation error detected: Value '[" + std::to_string(request.gets.size()) +
                   " actions]'" + member + "less than or equal to 100");
  }
  std::vector<std::optional<expr::Projection>> projections;
  for (const GetItem& get : request.gets)
    projections.push_back(TRY(read_projection(get.projection, get.names)));

  TransactGot got;
  std::vector<engine::ItemRead> reads;
  std::unordered_set<std::string> seen;
  bool duplicate = false;
  for (const GetItem& get : request.gets) {
    engine::TableRef table = TRY(engine.catalog.find(get.table));
    CancellationReason& reason = got.reasons.emplace_back();
    Result<engine::ItemRead> read = engine::ItemRead::of_key(std::move(table), get.key);
    if (read.ok()) {
      duplicate |= !seen.insert(read->place.key).second;
      reads.push_back(std::move(*read));
    } else if (got.applied) {
      reason = {.code = CancellationReason::Code::kValidationError, .message = read.error().message};
      got.applied = false;
    }
  }
  if (!got.applied) return got;
  got.reasons.clear();
  if (duplicate) return invalid("Transaction request cannot include multiple operations on one item");
  for (size_t i = 0; i < reads.size(); ++i) TRY(check_projection(*reads[i].table, projections[i]));
  got.reasons = throttled_reads(engine, reads);
  got.applied = got.reasons.empty();
  if (!got.applied) return got;

  const auto items = TRY(engine::read_items(engine, reads, ReadMode::kTransactional, options));
  if (const std::optional<size_t> over = first_over_limit(items)) {
    got.applied = false;
    got.reasons.resize(items.size());
    got.reasons[*over] = {.code = CancellationReason::Code::kValidationError,
                          .message = "Transaction payload size cannot exceed 4194304 bytes"};
    return got;
  }
  for (size_t i = 0; i < items.size(); ++i) {
    got.capacity[request.gets[i].table].table +=
        pay_for(engine, reads[i], items[i], ReadMode::kTransactional);
    std::optional<Item>& item = got.items.emplace_back();
    if (items[i]) item = project(projections[i], items[i]->item());
  }
  return got;
}

}  // namespace sheaf::api
