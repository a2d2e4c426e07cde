#include "engine/throttle.h"

#include <algorithm>

#include "base/try.h"
#include "engine/store_keys.h"
#include "engine/table_throughput.h"

namespace sheaf::engine {
namespace {

const Throughput& throughput_of(const Table& table, const Index* index) {
  return index != nullptr ? index->settings->throughput : table.settings.throughput;
}

// Half units a second; nothing if there is no limit.
int64_t rate_of(const Table& table, const Index* index, Access access) {
  const Throughput& throughput = throughput_of(table, index);
  const bool is_read = access == Access::kRead;
  if (table.settings.billing == BillingMode::kProvisioned)
    return 2 * (is_read ? throughput.read_units : throughput.write_units);
  return 2 * (is_read ? throughput.read_units_max : throughput.write_units_max);
}

// Who pays: a local index is part of its table.
const Index* payer(const Index* index) {
  return index != nullptr && !index->settings->local ? index : nullptr;
}

uint64_t bucket_key(Id id, Access access) { return uint64_t{id} << 1 | static_cast<uint64_t>(access); }

int64_t divide_up(int64_t number, int64_t by) { return (number + by - 1) / by; }

// As many partitions as the throughput needs: each direction's part of a partition adds up where units are
// provisioned; on demand, four at least.
traffic::RangeRules rules_of(const Table& table, const Index* index) {
  const Throughput& throughput = throughput_of(table, index);
  constexpr int64_t kReads = traffic::kRangeReadUnits, kWrites = traffic::kRangeWriteUnits;
  int64_t count = 1;
  if (table.settings.billing == BillingMode::kProvisioned) {
    count = divide_up(throughput.read_units * kWrites + throughput.write_units * kReads, kReads * kWrites);
  } else {
    const WarmUnits warm = warm_units(table.settings.billing, throughput);
    count = std::max(divide_up(warm.read, kReads), divide_up(warm.write, kWrites));
  }
  return {.ranges_min =
              static_cast<size_t>(std::clamp<int64_t>(count, 1, static_cast<int64_t>(traffic::kRangesMax))),
          .splits_collections = index != nullptr || !table.settings.has_local_index()};
}

}  // namespace

bool Throttle::has_some(Id id, Access access, int64_t rate) {
  const uint64_t key = bucket_key(id, access);
  Stripe& stripe = stripes_[key % kStripes];
  std::lock_guard lock(stripe.mutex);
  return stripe.buckets[key].has_some(rate, clock_.now_us());
}

void Throttle::take(Id id, Access access, int64_t rate, HalfUnits half_units) {
  const uint64_t key = bucket_key(id, access);
  Stripe& stripe = stripes_[key % kStripes];
  std::lock_guard lock(stripe.mutex);
  traffic::TokenBucket& bucket = stripe.buckets[key];
  bucket.has_some(rate, clock_.now_us());
  bucket.take(half_units);
}

Result<void> Throttle::admit(const Table& table, const Index* index, Access access, std::string_view key,
                             bool is_transaction) {
  const Index* const paying = payer(index);
  const Id id = id_of(table, paying);
  if (options_.throughput) {
    const int64_t rate = rate_of(table, paying, access);
    if (rate != 0 && !has_some(id, access, rate))
      return exceeded(table, paying, access, Limit::kThroughput, is_transaction);
  }
  if (ceilings_ != nullptr &&
      !ceilings_->has_some(id, rules_of(table, paying), without_space(key), access, clock_.now_us()))
    return exceeded(table, paying, access, Limit::kPartition, is_transaction);
  return {};
}

void Throttle::charge(const Table& table, const Index* index, Access access, std::string_view key,
                      HalfUnits half_units) {
  const Index* const paying = payer(index);
  const Id id = id_of(table, paying);
  if (options_.throughput) {
    const int64_t rate = rate_of(table, paying, access);
    if (rate != 0) take(id, access, rate, half_units);
  }
  if (ceilings_ != nullptr)
    ceilings_->take(id, rules_of(table, paying), without_space(key), access, half_units, clock_.now_us());
}

void Throttle::forget(const Table& table) {
  std::vector<Id> ids{table.settings.id};
  for (const Index& index : table.indexes) ids.push_back(index.settings->id);
  for (const Id id : ids) {
    for (const Access access : {Access::kRead, Access::kWrite}) {
      const uint64_t key = bucket_key(id, access);
      Stripe& stripe = stripes_[key % kStripes];
      std::lock_guard lock(stripe.mutex);
      stripe.buckets.erase(key);
    }
    if (ceilings_ != nullptr) ceilings_->forget(id);
  }
}

size_t Throttle::kept() const {
  size_t count = 0;
  for (const Stripe& stripe : stripes_) {
    std::lock_guard lock(stripe.mutex);
    count += stripe.buckets.size();
  }
  return count;
}

std::vector<std::string> Throttle::partitions(const Table& table, const Index* index) const {
  if (ceilings_ == nullptr) return {};
  return ceilings_->begins(id_of(table, payer(index)));
}

Error Throttle::exceeded(const Table& table, const Index* index, Access access, Limit limit,
                         bool is_transaction) const {
  const bool is_provisioned = table.settings.billing == BillingMode::kProvisioned;
  const bool is_index_write = index != nullptr && access == Access::kWrite;
  std::string reason = index != nullptr ? "Index" : "Table";
  reason += access == Access::kRead ? "Read" : "Write";
  if (limit == Limit::kPartition) {
    reason += "KeyRangeThroughputExceeded";
  } else {
    reason += is_provisioned ? "ProvisionedThroughputExceeded" : "MaxOnDemandThroughputExceeded";
  }
  std::string resource = options_.resource_prefix + "table/" + table.settings.name;
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
  } else if (is_index_write) {
    text =
        "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is "
        "automatically scaling your index so please try again shortly.";
  } else if (limit == Limit::kPartition) {
    text =
        "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling "
        "your table or index so please try again shortly. If exceptions persist, check if you have a hot "
        "key: "
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html.";
  } else {
    text = "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
  }
  // A write that an index on demand cannot take is told like one that was provisioned; but not in a
  // transaction.
  const bool is_exceeded = is_provisioned || (is_index_write && !is_transaction);
  return {is_exceeded ? Code::kThroughputExceeded : Code::kThrottled, text + "\n" + reason + " " + resource};
}

}  // namespace sheaf::engine
