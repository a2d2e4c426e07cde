#include "engine/throttle.h"

#include <algorithm>

#include "base/try.h"

namespace sheaf::engine {
namespace {

using Direction = Throttle::Direction;

// Half units a second; nothing if there is no limit.
int64_t rate_of(const Table& table, const Index* index, Direction direction) {
  const Throughput& throughput = index != nullptr ? index->settings->throughput : table.settings.throughput;
  const bool is_read = direction == Direction::kRead;
  if (table.settings.billing == BillingMode::kProvisioned)
    return 2 * (is_read ? throughput.read_units : throughput.write_units);
  return 2 * (is_read ? throughput.read_units_max : throughput.write_units_max);
}

Id id_of(const Table& table, const Index* index) {
  return index != nullptr ? index->settings->id : table.settings.id;
}

const Index* find_index(const Table& table, Id id) {
  const auto found = std::find_if(table.indexes.begin(), table.indexes.end(),
                                  [&](const Index& index) { return index.settings->id == id; });
  return found == table.indexes.end() ? nullptr : &*found;
}

bool is_global(const Index* index) { return index != nullptr && !index->settings->local; }

}  // namespace

void TokenBucket::fill(int64_t rate, int64_t now_us) {
  const Level full = kMicro * rate * kBurstSeconds;
  if (at_us_ == 0) {
    level_ = full;
    at_us_ = now_us;
  } else if (now_us > at_us_) {
    level_ += Level{rate_} * (now_us - at_us_);
    at_us_ = now_us;
  }
  rate_ = rate;
  level_ = std::min(level_, full);
}

bool TokenBucket::has_some(int64_t rate, int64_t now_us) {
  fill(rate, now_us);
  return level_ > 0;
}

bool Throttle::has_some(Id id, Direction direction, int64_t rate) {
  const uint64_t key = uint64_t{id} << 1 | static_cast<uint64_t>(direction);
  Stripe& stripe = stripes_[key % kStripes];
  std::lock_guard lock(stripe.mutex);
  return stripe.buckets[key].has_some(rate, clock_.now_us());
}

void Throttle::take(Id id, Direction direction, int64_t rate, HalfUnits half_units) {
  const uint64_t key = uint64_t{id} << 1 | static_cast<uint64_t>(direction);
  Stripe& stripe = stripes_[key % kStripes];
  std::lock_guard lock(stripe.mutex);
  TokenBucket& bucket = stripe.buckets[key];
  bucket.has_some(rate, clock_.now_us());
  bucket.take(half_units);
}

Result<void> Throttle::admit_read(const Table& table, const Index* index) {
  const Index* const read = is_global(index) ? index : nullptr;
  const int64_t rate = rate_of(table, read, Direction::kRead);
  if (rate == 0 || has_some(id_of(table, read), Direction::kRead, rate)) return {};
  return exceeded(table, read, Direction::kRead, false);
}

Result<void> Throttle::admit_write(const Table& table, const Consumed& consumed, bool is_transaction) {
  const int64_t rate = rate_of(table, nullptr, Direction::kWrite);
  if (rate != 0 && !has_some(table.settings.id, Direction::kWrite, rate))
    return exceeded(table, nullptr, Direction::kWrite, is_transaction);
  for (const Consumed::OfIndex& part : consumed.indexes) {
    const Index* const index = find_index(table, part.index);
    if (!is_global(index)) continue;
    const int64_t index_rate = rate_of(table, index, Direction::kWrite);
    if (index_rate != 0 && !has_some(part.index, Direction::kWrite, index_rate))
      return exceeded(table, index, Direction::kWrite, is_transaction);
  }
  return {};
}

void Throttle::charge(const Table& table, const Consumed& consumed, Direction direction) {
  HalfUnits of_table = consumed.table;
  for (const Consumed::OfIndex& part : consumed.indexes) {
    const Index* const index = find_index(table, part.index);
    if (!is_global(index)) {
      of_table += part.half_units;
      continue;
    }
    const int64_t rate = rate_of(table, index, direction);
    if (rate != 0) take(part.index, direction, rate, part.half_units);
  }
  const int64_t rate = rate_of(table, nullptr, direction);
  if (rate != 0 && of_table != 0) take(table.settings.id, direction, rate, of_table);
}

Error Throttle::exceeded(const Table& table, const Index* index, Direction direction,
                         bool is_transaction) const {
  const bool is_provisioned = table.settings.billing == BillingMode::kProvisioned;
  const bool is_index_write = index != nullptr && direction == Direction::kWrite;
  std::string reason = index != nullptr ? "Index" : "Table";
  reason += direction == Direction::kRead ? "Read" : "Write";
  reason += is_provisioned ? "ProvisionedThroughputExceeded" : "MaxOnDemandThroughputExceeded";
  std::string resource = resource_prefix_ + "table/" + table.settings.name;
  if (index != nullptr) resource += "/index/" + index->settings->name;
  std::string text;
  if (is_provisioned) {
    text = is_index_write
               ? "The level of configured provisioned throughput for one or more global secondary indexes of "
                 "the table was exceeded. Consider increasing your provisioning level for the "
                 "under-provisioned global secondary indexes with the UpdateTable API"
               : "The level of configured provisioned throughput for the " +
                     std::string(index != nullptr ? "index" : "table") +
                     " was exceeded. Consider increasing your provisioning level with the UpdateTable API.";
  } else {
    text =
        is_index_write
            ? "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is "
              "automatically scaling your index so please try again shortly."
            : "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
  }
  // A write that an index on demand cannot take is told like one that was provisioned; but not in a
  // transaction.
  const bool is_exceeded = is_provisioned || (is_index_write && !is_transaction);
  return {is_exceeded ? Code::kThroughputExceeded : Code::kThrottled, text + "\n" + reason + " " + resource};
}

}  // namespace sheaf::engine
