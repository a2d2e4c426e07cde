#include "api/item_writes.h"

#include "api/answers.h"
#include "api/expressions.h"
#include "base/try.h"

namespace sheaf::api {
namespace {

using WriteKind = engine::ItemWrite::Kind;

Result<void> check_old_or_none(ReturnValues values) {
  if (values == ReturnValues::kNone || values == ReturnValues::kAllOld) return {};
  return invalid("ReturnValues can only be ALL_OLD or NONE");
}

// For the operations that have a condition and nothing else to be read.
template <typename Request>
Result<ReadWrite> read_conditional(WriteKind kind, Request& request, Item& item) {
  ExpressionReader expressions(request.names, request.values);
  const bool given = request.condition.has_value();
  TRY(expressions.check_wanted({.any = given, .with_values = given}, "ConditionExpression is null"));
  if constexpr (!std::is_same_v<Request, ConditionCheck>) TRY(check_write(request));
  TRY(expressions.check_placeholders());
  ReadWrite read{.kind = kind, .table = &request.table, .item = &item};
  read.condition = TRY(expressions.condition(request.condition));
  TRY(expressions.end());
  return read;
}

// What an update may not touch, or not with such a value.
Result<void> check_update(const engine::Table& table, const expr::Update& update) {
  for (const std::string_view attribute : update.touched().attributes()) {
    if (engine::contains(table.settings.key, attribute)) {
      return invalid_parameter("Cannot update attribute " + std::string(attribute) +
                               ". This attribute is part of the key");
    }
  }
  for (const engine::Index& index : table.indexes) {
    const engine::IndexSettings& settings = *index.settings;
    if (settings.status == IndexStatus::kDeleting) continue;
    for (const auto* attributes : {&settings.key.partition, &settings.key.sort}) {
      for (const KeyAttribute& attribute : *attributes) {
        const std::optional<Type> type = update.type_written(attribute.name);
        if (!type || *type == attribute.type) continue;
        return invalid_parameter("Type mismatch for Index Key " + attribute.name +
                                 " Expected: " + std::string(type_name(attribute.type)) + " Actual: " +
                                 std::string(type_name(*type)) + " IndexName: " + settings.name);
      }
    }
  }
  for (const expr::Path* path : update.paths()) TRY(check_key_path(table, *path));
  return {};
}

std::optional<Item> unless_empty(Item item) {
  return item.empty() ? std::nullopt : std::optional(std::move(item));
}

template <typename Request>
Result<engine::ItemWrite> read_and_bind(engine::Engine& engine, Request& request, LegacyExpressions& legacy) {
  ReadWrite read = TRY(read_request(request));
  if (legacy.condition) read.condition = std::move(legacy.condition);
  if (legacy.update) read.update = std::move(legacy.update);
  return bind_write(TRY(engine.catalog.find(request.table)), std::move(read));
}

struct Wanted {
  ReturnValues return_values;
  bool item_on_failure;
};

Written to_written(const engine::WriteAnswer& answer, const Wanted& wanted) {
  const engine::ItemWrite& sent = answer.writes.front();
  const engine::ItemWritten& written = answer.items.front();
  Written result{.condition_met = written.condition_met,
                 .capacity = to_capacity(*sent.table, written.consumed)};
  if (!written.condition_met) {
    if (wanted.item_on_failure && written.before) result.attributes = to_item(*written.before);
    return result;
  }
  result.attributes = returned(wanted.return_values, sent, written);
  result.collection = collection_metrics(sent, written);
  return result;
}

template <typename Request>
void write_one(engine::Engine& engine, Request& request, LegacyExpressions& legacy, Loop& loop,
               WrittenDone done) {
  Result<engine::ItemWrite> write = read_and_bind(engine, request, legacy);
  if (!write.ok()) return done(std::move(write).error());
  engine::WriteRequest batch;
  batch.writes.push_back(std::move(*write));
  const Wanted wanted{request.return_values, request.return_item_on_failure};
  engine::write_items(engine, std::move(batch), loop,
                      [wanted, done = std::move(done)](Result<engine::WriteAnswer> answer) mutable {
                        if (!answer.ok()) return done(std::move(answer).error());
                        done(to_written(*answer, wanted));
                      });
}

}  // namespace

std::optional<Item> returned(ReturnValues values, const engine::ItemWrite& write,
                             const engine::ItemWritten& written) {
  const auto touched = [&](const std::optional<engine::StoredItem>& image) -> std::optional<Item> {
    if (!image || !write.update) return std::nullopt;
    return unless_empty(write.update->touched().project(image->item()));
  };
  const auto whole = [](const std::optional<engine::StoredItem>& image) {
    return image ? std::optional(to_item(*image)) : std::nullopt;
  };
  switch (values) {
    case ReturnValues::kNone:
      break;
    case ReturnValues::kAllOld:
      return whole(written.before);
    case ReturnValues::kAllNew:
      return whole(written.after);
    case ReturnValues::kUpdatedOld:
      return touched(written.before);
    case ReturnValues::kUpdatedNew:
      return touched(written.after);
  }
  return std::nullopt;
}

Result<void> check_write(const PutItem& request) {
  TRY(check_old_or_none(request.return_values));
  if (request.item.view().size_bytes() <= kItemBytesMax) return {};
  return invalid("Item size has exceeded the maximum allowed size");
}

Result<void> check_write(const UpdateItem&) { return {}; }
Result<void> check_write(const DeleteItem& request) { return check_old_or_none(request.return_values); }

Result<ReadWrite> read_request(PutItem& request) {
  return read_conditional(WriteKind::kPut, request, request.item);
}
Result<ReadWrite> read_request(DeleteItem& request) {
  return read_conditional(WriteKind::kDelete, request, request.key);
}
Result<ReadWrite> read_request(ConditionCheck& request) {
  return read_conditional(WriteKind::kCheck, request, request.key);
}

Result<ReadWrite> read_request(UpdateItem& request) {
  ExpressionReader expressions(request.names, request.values);
  const bool given = request.update.has_value() || request.condition.has_value();
  TRY(expressions.check_wanted({.any = given, .with_values = given},
                               "UpdateExpression and ConditionExpression are null"));
  TRY(expressions.check_placeholders());
  ReadWrite read{.kind = WriteKind::kUpdate, .table = &request.table, .item = &request.key};
  read.update = TRY(expressions.update(request.update));
  read.condition = TRY(expressions.condition(request.condition));
  TRY(expressions.end());
  return read;
}

Result<engine::ItemWrite> bind_write(engine::TableRef table, ReadWrite read) {
  engine::ItemWrite write =
      TRY(read.kind == WriteKind::kPut ? engine::ItemWrite::put(table, std::move(*read.item))
                                       : engine::ItemWrite::of_key(read.kind, table, std::move(*read.item)));
  if (read.update) TRY(check_update(*table, *read.update));
  if (read.condition) {
    for (const expr::Path& path : read.condition->paths()) TRY(check_key_path(*table, path));
  }
  write.update = std::move(read.update);
  write.condition = std::move(read.condition);
  return write;
}

void put_item(engine::Engine& engine, PutItem request, LegacyExpressions legacy, Loop& loop,
              WrittenDone done) {
  write_one(engine, request, legacy, loop, std::move(done));
}

void update_item(engine::Engine& engine, UpdateItem request, LegacyExpressions legacy, Loop& loop,
                 WrittenDone done) {
  write_one(engine, request, legacy, loop, std::move(done));
}

void delete_item(engine::Engine& engine, DeleteItem request, LegacyExpressions legacy, Loop& loop,
                 WrittenDone done) {
  write_one(engine, request, legacy, loop, std::move(done));
}

}  // namespace sheaf::api
