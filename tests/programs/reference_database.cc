#include "programs/reference_database.h"

#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "programs/document.h"

namespace sheaf::programs {
namespace {

Error any(Code code) { return {code, kAnyMessage}; }
Error table_not_found() { return {Code::kNotFound, "Requested resource not found"}; }
Error invalid(const std::string& message) { return {Code::kInvalid, message}; }
Error invalid_parameter(const std::string& text) {
  return invalid("One or more parameter values were invalid: " + text);
}

// The type of what a SET writes, as far as one can tell without the item.
std::optional<Type> static_type(const SetValue& value) {
  switch (value.kind) {
    case SetValue::Kind::kOperand:
      if (value.operand.kind != Operand::Kind::kValue) return std::nullopt;
      return value.operand.value.type();
    case SetValue::Kind::kPlus:
    case SetValue::Kind::kMinus:
      return Type::kNumber;
    case SetValue::Kind::kListAppend:
      return Type::kList;
    case SetValue::Kind::kIfNotExists:
      break;
  }
  return static_type(value.parts.front());
}

std::optional<Type> static_type(const Update& update, const std::string& attribute) {
  for (const UpdateStep& step : update) {
    if (step.path.is_nested() || step.path.attribute != attribute) continue;
    if (step.kind == UpdateStep::Kind::kRemove) return std::nullopt;
    return step.kind == UpdateStep::Kind::kSet ? static_type(step.value) : step.operand.type();
  }
  return std::nullopt;
}

Result<void> check_update(const ReferenceTable& table, const Update& update) {
  std::vector<std::string> touched;
  for (const UpdateStep& step : update) touched.push_back(step.path.attribute);
  std::sort(touched.begin(), touched.end());
  for (const std::string& attribute : touched) {
    if (is_key_attribute(table.key, attribute))
      return invalid_parameter("Cannot update attribute " + attribute +
                               ". This attribute is part of the key");
  }
  for (const ReferenceIndex* index : indexes_by_name(table)) {
    for (const KeyAttribute& attribute : attributes_of(index->declaration.key)) {
      const std::optional<Type> type = static_type(update, attribute.name);
      if (!type || *type == attribute.type) continue;
      return invalid_parameter("Type mismatch for Index Key " + attribute.name +
                               " Expected: " + std::string(type_name(attribute.type)) + " Actual: " +
                               std::string(type_name(*type)) + " IndexName: " + index->declaration.name);
    }
  }
  return {};
}

bool creates_item(const std::optional<Update>& update) {
  return !update || std::any_of(update->begin(), update->end(), [](const UpdateStep& step) {
    return step.kind == UpdateStep::Kind::kSet || step.kind == UpdateStep::Kind::kAdd;
  });
}

std::optional<Item> unless_empty(Item item) {
  return item.empty() ? std::nullopt : std::optional(std::move(item));
}

std::optional<Item> returned(const WriteOperation& write, const std::optional<Item>& before,
                             const std::optional<Item>& after) {
  Projection touched;
  if (write.update) {
    for (const UpdateStep& step : *write.update) touched.push_back(step.path);
  }
  switch (write.return_values) {
    case ReturnValues::kNone:
      break;
    case ReturnValues::kAllOld:
      return before;
    case ReturnValues::kAllNew:
      return after;
    case ReturnValues::kUpdatedOld:
      return before ? unless_empty(project_paths(*before, touched)) : std::nullopt;
    case ReturnValues::kUpdatedNew:
      return after ? unless_empty(project_paths(*after, touched)) : std::nullopt;
  }
  return std::nullopt;
}

// Whether an index is being made or removed. One that is being made can itself be removed.
bool in_transit(const ReferenceTable& table, const std::optional<std::string>& to_be_removed = {}) {
  return std::any_of(table.indexes.begin(), table.indexes.end(), [&](const ReferenceIndex& index) {
    if (index.status == IndexStatus::kCreating) return index.declaration.name != to_be_removed;
    return index.status == IndexStatus::kDeleting;
  });
}

Result<void> change_stream(ReferenceTable& table, const UpdateTable& request, int64_t now_us) {
  const bool open = !table.streams.empty() && !table.streams.back().closed_us;
  if (request.open_stream) {
    if (open) return any(Code::kInvalid);
    // Two streams are never opened in the same millisecond.
    const int64_t distinct_us =
        table.streams.empty() ? 0 : (table.streams.back().created_us / 1000 + 1) * 1000;
    table.streams.push_back({.view = *request.open_stream, .created_us = std::max(now_us, distinct_us)});
  }
  if (request.close_stream) {
    if (!open) return any(Code::kInvalid);
    table.streams.back().closed_us = now_us;
  }
  return {};
}

Result<void> change_indexes(ReferenceTable& table, const UpdateTable& request) {
  if (!request.add_index && !request.remove_index) return {};
  if (in_transit(table, request.remove_index)) return any(Code::kLimitExceeded);
  if (request.add_index) {
    if (table.find_index(request.add_index->name) != nullptr) return any(Code::kInvalid);
    table.indexes.push_back({.declaration = *request.add_index, .status = IndexStatus::kCreating});
  }
  if (request.remove_index) {
    const auto found = std::find_if(table.indexes.begin(), table.indexes.end(), [&](const auto& index) {
      return index.declaration.name == *request.remove_index;
    });
    if (found == table.indexes.end()) return any(Code::kNotFound);
    if (found->local) return any(Code::kInvalid);
    found->status = IndexStatus::kDeleting;
  }
  return {};
}

}  // namespace

Result<void> check_alone(const WriteOperation& write) {
  const bool old_or_none =
      write.return_values == ReturnValues::kNone || write.return_values == ReturnValues::kAllOld;
  const bool whole = write.kind == WriteOperation::Kind::kPut || write.kind == WriteOperation::Kind::kDelete;
  if (whole && !old_or_none) return invalid("ReturnValues can only be ALL_OLD or NONE");
  if (write.kind == WriteOperation::Kind::kPut && bytes_of(write.item) > kItemBytesMax)
    return invalid("Item size has exceeded the maximum allowed size");
  return {};
}

const ReferenceTable* ReferenceDatabase::find(const std::string& name) const {
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : &found->second;
}

ReferenceTable* ReferenceDatabase::find(const std::string& name) {
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : &found->second;
}

Result<const ReferenceTable*> ReferenceDatabase::usable(const std::string& name) const {
  const ReferenceTable* table = find(name);
  if (table == nullptr || table->status == TableStatus::kDeleting) return table_not_found();
  return table;
}

Result<ReferenceTable*> ReferenceDatabase::usable(const std::string& name) {
  ReferenceTable* table = find(name);
  if (table == nullptr || table->status == TableStatus::kDeleting) return table_not_found();
  return table;
}

Result<ReferenceTable*> ReferenceDatabase::changeable(const std::string& name) {
  ReferenceTable* table = find(name);
  if (table == nullptr) return any(Code::kNotFound);
  if (table->status == TableStatus::kDeleting) return any(Code::kInUse);
  return table;
}

Result<TableDescription> ReferenceDatabase::create_table(const CreateTable& request) {
  if (find(request.table) != nullptr) return Error{Code::kInUse, "Table already exists: " + request.table};
  ReferenceTable table{.name = request.table,
                       .key = request.key,
                       .deletion_protected = request.deletion_protected,
                       .tags = request.tags};
  for (const IndexDeclaration& index : request.local_indexes)
    table.indexes.push_back({.declaration = index, .local = true});
  for (const IndexDeclaration& index : request.global_indexes)
    table.indexes.push_back({.declaration = index, .local = false});
  if (request.stream) table.streams.push_back({.view = *request.stream, .created_us = now_us_});
  return describe(tables_.emplace(request.table, std::move(table)).first->second);
}

Result<TableDescription> ReferenceDatabase::update_table(const UpdateTable& request) {
  ReferenceTable* table = TRY(changeable(request.table));
  ReferenceTable changed = *table;
  if (request.deletion_protected) changed.deletion_protected = *request.deletion_protected;
  TRY(change_stream(changed, request, now_us_));
  TRY(change_indexes(changed, request));
  *table = std::move(changed);
  return describe(*table);
}

Result<TableDescription> ReferenceDatabase::delete_table(const std::string& name) {
  ReferenceTable* table = TRY(changeable(name));
  if (table->deletion_protected) return any(Code::kInvalid);
  if (in_transit(*table)) return any(Code::kInUse);
  table->status = TableStatus::kDeleting;
  return describe(*table);
}

Result<TableDescription> ReferenceDatabase::describe_table(const std::string& name) const {
  const ReferenceTable* table = find(name);
  if (table == nullptr) return any(Code::kNotFound);
  return describe(*table);
}

Result<void> ReferenceDatabase::update_time_to_live(const TimeToLiveOperation& request) {
  ReferenceTable* table = TRY(changeable(request.table));
  if (table->ttl_enabled == request.enabled) return any(Code::kInvalid);
  if (!request.enabled && request.attribute != table->ttl_attribute) return any(Code::kInvalid);
  table->ttl_enabled = request.enabled;
  table->ttl_attribute = request.attribute;
  return {};
}

Result<void> ReferenceDatabase::tag_table(const TagOperation& request) {
  ReferenceTable* table = TRY(changeable(request.table));
  for (const auto& [key, value] : request.tags) table->tags[key] = value;
  for (const std::string& key : request.removed) table->tags.erase(key);
  return {};
}

std::vector<std::string> ReferenceDatabase::list_tables() const {
  std::vector<std::string> names;
  for (const auto& [name, table] : tables_) names.push_back(name);
  return names;
}

Result<Place> ReferenceDatabase::bind(const ReferenceTable& table, const WriteOperation& write) {
  const bool put = write.kind == WriteOperation::Kind::kPut;
  Place place = TRY(put ? place_of_item(table, write.item) : place_of_key(table, write.item));
  std::vector<DocumentPath> paths;
  if (write.update) {
    TRY(check_update(table, *write.update));
    collect_paths(*write.update, paths);
  }
  if (write.condition) collect_paths(*write.condition, paths);
  TRY(check_key_paths(table, paths));
  if (put) TRY(check_index_keys(table, write.item));
  return place;
}

Result<ReferenceDatabase::Decided> ReferenceDatabase::decide(const ReferenceTable& table, const Place& place,
                                                             const WriteOperation& write) {
  Decided decided;
  const auto found = table.items.find(place);
  if (found != table.items.end()) decided.before = found->second;
  const ItemView old = decided.before ? decided.before->view() : ItemView();
  decided.condition_met = !write.condition || holds(*write.condition, old);
  if (!decided.condition_met) return decided;
  switch (write.kind) {
    case WriteOperation::Kind::kPut:
      decided.after = write.item;
      return decided;
    case WriteOperation::Kind::kDelete:
      return decided;
    case WriteOperation::Kind::kCheck:
      decided.after = decided.before;
      return decided;
    case WriteOperation::Kind::kUpdate:
      break;
  }
  if (!decided.before && !creates_item(write.update)) return decided;
  decided.after = decided.before ? *decided.before : write.item;
  if (write.update)
    decided.after = TRY(apply_update(*write.update, *decided.after, decided.before.has_value()));
  if (bytes_of(*decided.after) > kItemBytesMax)
    return invalid("Item size to update has exceeded the maximum allowed size");
  TRY(check_updated_index_keys(table, decided.before ? &*decided.before : nullptr, *decided.after));
  return decided;
}

Result<void> ReferenceDatabase::check_growth(std::vector<Growth>& growths, const ReferenceTable& table,
                                             ItemView item, const Decided& decided) const {
  if (!table.has_local_index()) return {};
  const Item key = partition_key_of(table, item);
  auto growth = std::find_if(growths.begin(), growths.end(), [&](const Growth& each) {
    return each.table == &table && each.partition_key == key;
  });
  if (growth == growths.end())
    growth = growths.insert(growths.end(), Growth{.table = &table, .partition_key = key});
  growth->bytes += collection_bytes(table, decided.after) - collection_bytes(table, decided.before);
  const int64_t bytes = programs::collection_size(table, key).size_bytes + growth->bytes;
  if (growth->bytes > 0 && bytes > collection_bytes_max_)
    return Error{Code::kTooLarge, "Collection size exceeded."};
  return {};
}

Result<Written> ReferenceDatabase::write(const WriteOperation& write) {
  TRY(check_alone(write));
  ReferenceTable* table = TRY(usable(write.table));
  const Place place = TRY(bind(*table, write));
  const Decided decided = TRY(decide(*table, place, write));
  const Item* before = decided.before ? &*decided.before : nullptr;
  Written written{.condition_met = decided.condition_met};
  if (!decided.condition_met) {
    written.capacity = write_capacity(*table, before, before);
    if (write.return_item_on_failure) written.attributes = decided.before;
    return written;
  }
  std::vector<Growth> growths;
  TRY(check_growth(growths, *table, write.item, decided));
  written.capacity = write_capacity(*table, before, decided.after ? &*decided.after : nullptr);
  written.attributes = returned(write, decided.before, decided.after);
  replace_item(*table, place, decided.after, {.now_us = now_us_});
  if (table->has_local_index()) {
    const Item key = partition_key_of(*table, write.item);
    written.collection = {.partition_key = key,
                          .size_bytes = programs::collection_size(*table, key).size_bytes};
  }
  return written;
}

}  // namespace sheaf::programs
