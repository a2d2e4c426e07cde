// What DynamoDB's units and bytes cost: a table that users replace by their own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "cost/fraction.h"

namespace sheaf::cost {

enum class TableClass : uint8_t { kStandard, kInfrequentAccess };

// Of one table class.
struct ClassPrices {
  Fraction read_per_million;   // on demand: request units
  Fraction write_per_million;  // likewise
  Fraction read_unit_hour;     // provisioned: one unit of capacity, for an hour
  Fraction write_unit_hour;    // likewise
  Fraction storage_gb_month;
};

struct Prices {
  std::string region;
  std::string date;    // as of when, 2024-11-01
  std::string source;  // who says so
  std::string currency;
  ClassPrices standard;
  ClassPrices infrequent_access;
  Fraction recovery_gb_month;      // point-in-time recovery
  Fraction backup_gb_month;        // backups on demand
  Fraction stream_reads_per_100k;  // GetRecords of a stream
  uint64_t gb_bytes = uint64_t{1} << 30;
  uint64_t hours_per_month = 730;
  uint64_t item_overhead_bytes = 100;  // for each item, and each entry of an index, beside its own bytes

  const ClassPrices& of(TableClass table_class) const {
    return table_class == TableClass::kStandard ? standard : infrequent_access;
  }
  uint64_t seconds_per_month() const { return 3600 * hours_per_month; }
};

// The prices that are built in, as JSON: an example to copy and replace, of one region and one day.
std::string_view example_prices();

// Reads such a file. Every price must be there; the last three of Prices may be left out. kInvalid, with the
// place in the file, for anything else.
Result<Prices> read_prices(std::string_view json);

}  // namespace sheaf::cost
