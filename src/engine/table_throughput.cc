#include "engine/table_throughput.h"

#include <algorithm>
#include <vector>

#include "base/errors.h"
#include "base/try.h"

namespace sheaf::engine {
namespace {

constexpr int64_t kWarmReadUnitsOnDemand = 12'000;
constexpr int64_t kWarmWriteUnitsOnDemand = 4'000;
constexpr int64_t kDayUs = int64_t{24} * 3600 * 1'000'000;

bool has_units(const Throughput& throughput) {
  return throughput.read_units != 0 || throughput.write_units != 0;
}

// A change must change something. `whose`: "the table" or "the index X"; `place`: the same as AWS puts it
// further on.
Result<void> check_changes(const Throughput& now, const Throughput& wanted, const std::string& whose,
                           const std::string& place) {
  if (now.read_units != wanted.read_units || now.write_units != wanted.write_units) return {};
  const auto line = [&](const std::string& what, int64_t units) {
    return " Current " + what + " provisioned for " + place + ": " + std::to_string(units) + ". Requested " +
           what + ": " + std::to_string(units) + ".";
  };
  return Error{Code::kInvalid,
               "The provisioned throughput for " + whose +
                   " will not change. The requested value equals the current value." +
                   line("ReadCapacityUnits", now.read_units) + line("WriteCapacityUnits", now.write_units) +
                   " Refer to the Amazon DynamoDB Developer Guide for current limits and how to request "
                   "higher limits."};
}

bool has_maxima(const Throughput& throughput) {
  return throughput.read_units_max != 0 || throughput.write_units_max != 0;
}

bool has_warm_units(const Throughput& throughput) {
  return throughput.read_units_warm != 0 || throughput.write_units_warm != 0;
}

// Maxima are for on-demand billing.
Result<void> check_no_maxima(const Throughput& wanted, const std::string& whose) {
  if (!has_maxima(wanted)) return {};
  return invalid_parameter((wanted.read_units_max != 0 ? "MaxReadRequestUnits" : "MaxWriteRequestUnits") +
                           std::string(" for OnDemandThroughput ") + whose +
                           "cannot be specified when the table BillingMode is PROVISIONED");
}

Result<void> check_warm(BillingMode billing, const Throughput& now, const Throughput& wanted,
                        const std::string& whose) {
  const WarmUnits warm = warm_units(billing, now);
  const bool less_read = wanted.read_units_warm != 0 && wanted.read_units_warm < warm.read;
  const bool less_write = wanted.write_units_warm != 0 && wanted.write_units_warm < warm.write;
  if (!less_read && !less_write) return {};
  return invalid_parameter(
      std::string("Requested ") + (less_read ? "ReadUnitsPerSecond" : "WriteUnitsPerSecond") +
      " for WarmThroughput for " + whose +
      " is lower than current WarmThroughput, decreasing WarmThroughput is not supported");
}

Result<void> check_on_demand(TableSettings& table, const TableUpdate& update) {
  if (update.throughput && has_units(*update.throughput)) {
    return invalid_parameter(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  for (const auto& [name, throughput] : update.index_throughput) {
    TRY(find_global_index(table, name, "update"));
    if (!has_units(throughput) && (has_maxima(throughput) || has_warm_units(throughput))) continue;
    return invalid_parameter("The only Updates for index: " + name +
                             " when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, "
                             "WarmThroughput");
  }
  if (update.add_index && has_units(update.add_index->throughput)) {
    return invalid_parameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: " +
                             update.add_index->name + " when BillingMode is PAY_PER_REQUEST");
  }
  return {};
}

// The units of each global index come with the change to provisioned billing.
Result<void> check_becomes_provisioned(const TableSettings& table, const TableUpdate& update) {
  for (const IndexSettings& index : table.indexes) {
    if (index.local || index.status == IndexStatus::kDeleting) continue;
    const auto found = update.index_throughput.find(index.name);
    if (found != update.index_throughput.end() && has_units(found->second)) continue;
    return invalid_parameter("ProvisionedThroughput must be specified for index: " + index.name);
  }
  return {};
}

Result<void> check_provisioned(TableSettings& table, const TableUpdate& update) {
  if (update.throughput) TRY(check_no_maxima(*update.throughput, ""));
  if (update.add_index) {
    if (!has_units(update.add_index->throughput)) {
      return invalid_parameter("Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: " +
                               update.add_index->name);
    }
    TRY(check_no_maxima(update.add_index->throughput, "for index : " + update.add_index->name + " "));
  }
  const bool was_on_demand = table.billing == BillingMode::kOnDemand;
  if (was_on_demand) TRY(check_becomes_provisioned(table, update));
  if (!was_on_demand && update.throughput && has_units(*update.throughput))
    TRY(check_changes(table.throughput, *update.throughput, "the table", "the table"));
  for (const auto& [name, throughput] : update.index_throughput) {
    const IndexSettings* const index = TRY(find_global_index(table, name, "update"));
    TRY(check_no_maxima(throughput, "for index : " + name + " "));
    if (throughput == Throughput{}) {
      return invalid_parameter("Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: " +
                               name);
    }
    if (!was_on_demand && has_units(throughput))
      TRY(check_changes(index->throughput, throughput, "the index " + name, "index " + name));
  }
  return {};
}

void note_change(ThroughputChanges& changes, const Throughput& before, const Throughput& after,
                 int64_t now_us) {
  if (after.read_units > before.read_units || after.write_units > before.write_units)
    changes.raised_us = now_us;
  if (after.read_units >= before.read_units && after.write_units >= before.write_units) return;
  const bool same_day = changes.lowered_us / kDayUs == now_us / kDayUs;
  changes.lowered_that_day = same_day ? changes.lowered_that_day + 1 : 1;
  changes.lowered_us = now_us;
}

void change_maximum(int64_t& now, int64_t wanted) {
  if (wanted != 0) now = std::max<int64_t>(wanted, 0);
}

void change_throughput(Throughput& now, const Throughput& wanted) {
  if (has_units(wanted)) {
    now.read_units = wanted.read_units;
    now.write_units = wanted.write_units;
  }
  change_maximum(now.read_units_max, wanted.read_units_max);
  change_maximum(now.write_units_max, wanted.write_units_max);
  if (wanted.read_units_warm != 0) now.read_units_warm = wanted.read_units_warm;
  if (wanted.write_units_warm != 0) now.write_units_warm = wanted.write_units_warm;
}

// Keeps of a throughput what the new billing mode has a use for, and what it was ready for: that never
// becomes less.
void fit_to(BillingMode billing, const WarmUnits& ready_for, Throughput& throughput) {
  if (billing == BillingMode::kOnDemand) {
    throughput.read_units = throughput.write_units = 0;
  } else {
    throughput.read_units_max = throughput.write_units_max = 0;
  }
  const WarmUnits brought =
      warm_units(billing, {.read_units = throughput.read_units, .write_units = throughput.write_units});
  const auto keep = [](int64_t& asked_for, int64_t ready, int64_t brought_along) {
    asked_for = std::max(asked_for, ready);
    if (asked_for <= brought_along) asked_for = 0;
  };
  keep(throughput.read_units_warm, ready_for.read, brought.read);
  keep(throughput.write_units_warm, ready_for.write, brought.write);
}

}  // namespace

WarmUnits warm_units(BillingMode billing, const Throughput& throughput) {
  const bool on_demand = billing == BillingMode::kOnDemand;
  return {.read = std::max(throughput.read_units_warm,
                           on_demand ? kWarmReadUnitsOnDemand : throughput.read_units),
          .write = std::max(throughput.write_units_warm,
                            on_demand ? kWarmWriteUnitsOnDemand : throughput.write_units)};
}

Result<void> update_throughput(TableSettings& table, const TableUpdate& update, int64_t now_us) {
  const BillingMode before = table.billing;
  const BillingMode after = update.billing.value_or(before);
  TRY(after == BillingMode::kOnDemand ? check_on_demand(table, update) : check_provisioned(table, update));
  if (update.throughput) TRY(check_warm(before, table.throughput, *update.throughput, "table"));
  const WarmUnits table_ready_for = warm_units(before, table.throughput);
  std::vector<WarmUnits> indexes_ready_for;
  for (const IndexSettings& index : table.indexes)
    indexes_ready_for.push_back(warm_units(before, index.throughput));

  table.billing = after;
  if (before != after && after == BillingMode::kOnDemand) table.on_demand_since_us = now_us;
  const auto change = [&](Throughput& throughput, ThroughputChanges& changes, const Throughput& wanted) {
    const Throughput old = throughput;
    change_throughput(throughput, wanted);
    if (before == after) note_change(changes, old, throughput, now_us);
  };
  if (update.throughput) change(table.throughput, table.throughput_changes, *update.throughput);
  for (const auto& [name, wanted] : update.index_throughput) {
    IndexSettings* const index = TRY(find_global_index(table, name, "update"));
    TRY(check_warm(before, index->throughput, wanted, "index " + name));
    change(index->throughput, index->throughput_changes, wanted);
  }
  fit_to(after, table_ready_for, table.throughput);
  for (size_t i = 0; i < table.indexes.size(); ++i) {
    if (!table.indexes[i].local) fit_to(after, indexes_ready_for[i], table.indexes[i].throughput);
  }
  return {};
}

}  // namespace sheaf::engine
