// Billing modes and throughput of tables and their global indexes: what is kept and described, and which
// changes DynamoDB allows.
#pragma once

#include <cstdint>

#include "engine/table.h"
#include "engine/tables.h"

namespace sheaf::engine {

// Makes the changes of `update` that concern billing and throughput. After an Error `table` is half changed.
Result<void> update_throughput(TableSettings& table, const TableUpdate& update, int64_t now_us);

// What a table or index is ready for at once, as DynamoDB describes it: what was asked for, but no less than
// the billing mode brings.
struct WarmUnits {
  int64_t read = 0;
  int64_t write = 0;
};
WarmUnits warm_units(BillingMode billing, const Throughput& throughput);

}  // namespace sheaf::engine
