// Batches and transactions of the reference database.
#include <algorithm>

#include "base/try.h"
#include "programs/document.h"
#include "programs/reference_database.h"

namespace sheaf::programs {
namespace {

Error any(Code code) { return {code, kAnyMessage}; }
Error invalid(const std::string& message) { return {Code::kInvalid, message}; }

bool same_place(const Place& a, const Place& b) { return !(a < b) && !(b < a); }

// The collection that an item was written to, each once.
void note_collection(const ReferenceTable& table, ItemView item,
                     std::vector<CollectionMetrics>& collections) {
  const Item key = partition_key_of(table, item);
  for (const CollectionMetrics& each : collections) {
    if (each.partition_key == key) return;
  }
  collections.push_back({.partition_key = key, .size_bytes = collection_size(table, key).size_bytes});
}

}  // namespace

Result<BatchWritten> ReferenceDatabase::batch_write(const BatchWriteItems& batch, uint64_t group) {
  struct Bound {
    ReferenceTable* table;
    Place place;
    const BatchWriteItems::Write* write;
  };
  for (const auto& [name, writes] : batch.tables) {
    for (const BatchWriteItems::Write& write : writes) {
      if (write.put && bytes_of(write.item) > kItemBytesMax)
        return invalid("Item size has exceeded the maximum allowed size");
    }
  }
  for (const auto& [name, writes] : batch.tables) TRY(usable(name));
  std::vector<Bound> bound;
  for (const auto& [name, writes] : batch.tables) {
    ReferenceTable* table = TRY(usable(name));
    for (const BatchWriteItems::Write& write : writes) {
      if (write.put) {
        for (const KeyAttribute& attribute : attributes_of(table->key)) {
          const std::optional<ValueView> value = write.item.find(attribute.name);
          if (!value || value->type() != attribute.type)
            return invalid("The provided key element does not match the schema");
        }
      }
      Place place = TRY(write.put ? place_of_item(*table, write.item) : place_of_key(*table, write.item));
      if (write.put) TRY(check_index_keys(*table, write.item));
      bound.push_back({.table = table, .place = std::move(place), .write = &write});
    }
  }
  for (size_t i = 0; i < bound.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (bound[i].table == bound[j].table && same_place(bound[i].place, bound[j].place))
        return invalid("Provided list of item keys contains duplicates");
    }
  }
  BatchWritten written;
  if (group == 0) group = new_group();
  for (const Bound& each : bound) {
    const auto found = each.table->items.find(each.place);
    const std::optional<Item> before =
        found == each.table->items.end() ? std::nullopt : std::optional(found->second);
    const std::optional<Item> after = each.write->put ? std::optional(each.write->item) : std::nullopt;
    std::vector<Growth> growths;
    TRY(check_growth(growths, *each.table, each.write->item, {.before = before, .after = after}));
    add_capacity(written.capacity[each.table->name],
                 write_capacity(*each.table, before ? &*before : nullptr, after ? &*after : nullptr));
    replace_item(*each.table, each.place, after, {.now_us = now_us_, .group = group});
  }
  for (const Bound& each : bound) {
    if (each.table->has_local_index())
      note_collection(*each.table, each.write->item, written.collections[each.table->name]);
  }
  // The writes of a batch have no order, so nobody knows which size each of them saw.
  for (auto& [table, collections] : written.collections) {
    for (CollectionMetrics& metrics : collections) {
      const auto in_collection = [&, name = table](const Bound& each) {
        return each.table->name == name &&
               partition_key_of(*each.table, each.write->item) == metrics.partition_key;
      };
      if (std::count_if(bound.begin(), bound.end(), in_collection) > 1) metrics.size_bytes = kUnknownBytes;
    }
  }
  return written;
}

Result<TransactWritten> ReferenceDatabase::replay(const TransactWriteOperation& transaction) const {
  TransactWritten written;
  for (const WriteOperation& write : transaction.writes) {
    const ReferenceTable* table = TRY(usable(write.table));
    const auto found = table->items.find(TRY(bind(*table, write)));
    const uint32_t bytes = found == table->items.end() ? 0 : bytes_of(found->second);
    written.capacity[write.table].table += 2 * read_units(bytes);
  }
  return written;
}

Result<TransactWritten> ReferenceDatabase::transact_write(const TransactWriteOperation& transaction) {
  for (const WriteOperation& write : transaction.writes) TRY(check_alone(write));
  std::vector<ReferenceTable*> tables;
  for (const WriteOperation& write : transaction.writes) tables.push_back(TRY(usable(write.table)));
  const size_t count = transaction.writes.size();
  for (size_t i = 0; i < count; ++i) TRY(check_keys_not_empty(*tables[i], transaction.writes[i].item));
  TransactWritten written;
  std::vector<Place> places;
  for (size_t i = 0; i < count; ++i) {
    Result<Place> place = bind(*tables[i], transaction.writes[i]);
    if (!place.ok()) {
      written.applied = false;
      written.reasons.resize(count);
      written.reasons[i] = {.code = CancellationReason::Code::kValidationError,
                            .message = place.error().message};
      return written;
    }
    places.push_back(std::move(*place));
  }
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (tables[i] == tables[j] && same_place(places[i], places[j]))
        return invalid("Transaction request cannot include multiple operations on one item");
    }
  }
  const std::string request = to_text(Operation(transaction));
  if (!transaction.token.empty()) {
    const auto used = tokens_.find(transaction.token);
    if (used != tokens_.end() && now_us_ - used->second.used_us < int64_t{600} * 1'000'000) {
      if (used->second.request != request) return any(Code::kMismatch);
      return replay(transaction);
    }
  }
  std::vector<Decided> decisions(count);
  std::vector<Growth> growths;
  written.reasons.resize(count);
  bool refused = false;
  for (size_t i = 0; i < count; ++i) {
    Result<Decided> decided = decide(*tables[i], places[i], transaction.writes[i]);
    if (decided.ok() && decided->condition_met) {
      const Result<void> fits = check_growth(growths, *tables[i], transaction.writes[i].item, *decided);
      if (!fits.ok()) {
        written.applied = false;
        written.reasons[i] = {.code = CancellationReason::Code::kCollectionTooLarge,
                              .message = fits.error().message};
        continue;
      }
    }
    if (!decided.ok()) {
      written.applied = false;
      // Of several writes that cannot be done the first is named.
      if (!refused) {
        written.reasons[i] = {.code = CancellationReason::Code::kValidationError,
                              .message = decided.error().message};
      }
      refused = true;
      continue;
    }
    decisions[i] = std::move(*decided);
    if (decisions[i].condition_met) continue;
    written.applied = false;
    written.reasons[i] = {.code = CancellationReason::Code::kConditionalCheckFailed,
                          .message = "The conditional request failed"};
    if (transaction.writes[i].return_item_on_failure) written.reasons[i].item = decisions[i].before;
  }
  if (!written.applied) return written;
  written.reasons.clear();
  for (size_t i = 0; i < count; ++i) {
    const Decided& decided = decisions[i];
    Capacity spent = write_capacity(*tables[i], decided.before ? &*decided.before : nullptr,
                                    decided.after ? &*decided.after : nullptr);
    spent.table *= 2;
    add_capacity(written.capacity[tables[i]->name], spent);
    replace_item(*tables[i], places[i], decided.after, {.now_us = now_us_});
  }
  for (size_t i = 0; i < count; ++i) {
    if (tables[i]->has_local_index())
      note_collection(*tables[i], transaction.writes[i].item, written.collections[tables[i]->name]);
  }
  if (!transaction.token.empty()) tokens_[transaction.token] = {.used_us = now_us_, .request = request};
  return written;
}

}  // namespace sheaf::programs
