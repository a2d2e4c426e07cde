// What a month costs: units that were metered, times how often; bytes that are stored; at given prices. Exact
// until a line is rounded, to a millionth of the currency, halves up; sums are sums of lines.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/result.h"

#include "cost/fraction.h"
#include "cost/prices.h"

namespace sheaf::cost {

// A table, or one of its indexes.
struct Resource {
  std::string table;
  std::string index;  // empty: the table itself

  auto operator<=>(const Resource&) const = default;
  std::string text() const { return index.empty() ? table : table + "." + index; }
};

// In halves of a unit, as DynamoDB counts: an eventually consistent read of one item is one.
struct HalfUnits {
  uint64_t reads = 0;
  uint64_t writes = 0;
};

// A pattern or an operation.
struct Work {
  std::string name;
  bool is_operation = false;
  std::optional<Fraction> per_second;  // none: nobody said how often; then no bill has it
  uint64_t runs = 0;                   // that were metered; none: nothing is known of it
  uint64_t tried = 0;                  // with those that were refused, metered or not
  uint64_t refused = 0;                // of them
  std::string refusal;                 // why the first was
  std::map<Resource, HalfUnits> used;  // by all of those together
};

struct StoredBytes {
  Resource resource;
  uint64_t items = 0;
  uint64_t bytes = 0;  // as DescribeTable tells them: without what is charged for each item beside it
};

enum class Mode : uint8_t { kOnDemand, kProvisioned };

struct Capacity {
  uint64_t reads = 0;
  uint64_t writes = 0;
};

struct BillOptions {
  Mode mode = Mode::kOnDemand;
  TableClass table_class = TableClass::kStandard;
  // Provisioned: capacity is what the peak takes, at this share of it.
  Fraction peak = 1;  // times the rates
  uint64_t utilisation_percent = 70;
  std::map<Resource, Capacity> capacities;  // of these instead
  bool has_recovery = false;                // point-in-time recovery of all tables
  uint64_t backups = 0;                     // that are kept of all tables
  Fraction stream_reads_per_second;         // GetRecords
};

struct BillLine {
  enum class What : uint8_t { kReads, kWrites, kStorage, kRecovery, kBackups, kStreamReads };
  What what = What::kReads;
  std::string work;  // kReads, kWrites: whose; empty: capacity that nobody uses
  Resource resource;
  // Of kReads, kWrites: units a month, or, provisioned, a second at the peak. Of kStorage, kRecovery and
  // kBackups bytes. Of kStreamReads requests a month.
  Fraction quantity;
  int64_t millionths = 0;
};
std::string_view name_of(BillLine::What what);  // "reads"

struct Bill {
  BillOptions options;
  std::vector<BillLine> lines;
  std::map<Resource, Capacity> provisioned;  // if it is
  std::vector<std::string> warnings;         // capacity that was given and is less than the peak takes

  int64_t total() const;
  int64_t of_work(std::string_view name) const;
  int64_t of_resource(const Resource& resource) const;
  int64_t of(BillLine::What what) const;
};

// Works without a rate, or that were never run, are left out. Provisioned, every table and index has at least
// one unit of each kind, each line is a share of what its resource costs, in proportion to what it uses at
// the peak, and those add up to it. kInvalid if numbers are too large for a bill.
Result<Bill> make_bill(const Prices& prices, const BillOptions& options, const std::vector<Work>& works,
                       const std::vector<StoredBytes>& stored);

// What a million runs of it cost on demand, also without a rate. Nothing if it was never run.
std::optional<int64_t> millionths_for_a_million(const Prices& prices, TableClass table_class,
                                                const Work& work);

// 1.825000
std::string money_text(int64_t millionths);

}  // namespace sheaf::cost
