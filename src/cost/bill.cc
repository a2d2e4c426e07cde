#include "cost/bill.h"

#include <algorithm>
#include <functional>

#include "base/try.h"

namespace sheaf::cost {
namespace {

constexpr uint64_t kMillion = 1'000'000;

Error too_large() {
  return {.code = Code::kInvalid, .message = "the numbers are too large for a bill: lower rates or counts"};
}

Result<int64_t> in_millionths(const Fraction& amount) {
  const std::optional<int64_t> rounded = (amount * Fraction(kMillion)).rounded();
  if (!rounded) return too_large();
  return *rounded;
}

using What = BillLine::What;

uint64_t half_units(const HalfUnits& used, What what) {
  return what == What::kReads ? used.reads : used.writes;
}

// Of one run, on average.
Fraction units_of_a_run(const Work& work, uint64_t halves) {
  return Fraction(halves) / Fraction(2 * work.runs);
}

bool is_billed(const Work& work) { return work.per_second && work.runs > 0; }

class BillMaker {
 public:
  BillMaker(const Prices& prices, const BillOptions& options) : prices_(prices) { bill_.options = options; }

  Result<void> add_requests(const std::vector<Work>& works) {
    for (const Work& work : works) {
      if (!is_billed(work)) continue;
      for (const auto& [resource, used] : work.used) {
        for (const What what : {What::kReads, What::kWrites}) {
          if (half_units(used, what) == 0) continue;
          const Fraction units = units_of_a_run(work, half_units(used, what)) * *work.per_second *
                                 Fraction(prices_.seconds_per_month());
          const ClassPrices& of_class = prices_.of(bill_.options.table_class);
          const Fraction& price =
              what == What::kReads ? of_class.read_per_million : of_class.write_per_million;
          TRY(add({.what = what, .work = work.name, .resource = resource, .quantity = units},
                  units * price / Fraction(kMillion)));
        }
      }
    }
    return {};
  }

  Result<void> add_capacity(const std::vector<Work>& works, const std::vector<StoredBytes>& stored) {
    std::map<Resource, bool> all;
    for (const StoredBytes& each : stored) all[each.resource] = true;
    for (const auto& [resource, given] : bill_.options.capacities) {
      if (!all.contains(resource))
        return Error{Code::kInvalid,
                     "there is no table or index " + resource.text() + " to give capacity to"};
    }
    for (const Work& work : works) {
      for (const auto& [resource, used] : work.used) all[resource] = true;
    }
    for (const auto& [resource, is_there] : all) {
      for (const What what : {What::kReads, What::kWrites}) TRY(add_capacity_of(resource, what, works));
    }
    return {};
  }

  Result<void> add_stored(const std::vector<StoredBytes>& stored) {
    for (const StoredBytes& each : stored) {
      const Fraction bytes =
          Fraction(each.bytes) + Fraction(each.items) * Fraction(prices_.item_overhead_bytes);
      const Fraction gigabytes = bytes / Fraction(prices_.gb_bytes);
      TRY(add({.what = What::kStorage, .resource = each.resource, .quantity = bytes},
              gigabytes * prices_.of(bill_.options.table_class).storage_gb_month));
      // What is kept to go back to is of tables: indexes are made again.
      if (!each.resource.index.empty()) continue;
      if (bill_.options.has_recovery)
        TRY(add({.what = What::kRecovery, .resource = each.resource, .quantity = bytes},
                gigabytes * prices_.recovery_gb_month));
      if (bill_.options.backups > 0)
        TRY(add({.what = What::kBackups,
                 .resource = each.resource,
                 .quantity = bytes * Fraction(bill_.options.backups)},
                gigabytes * prices_.backup_gb_month * Fraction(bill_.options.backups)));
    }
    return {};
  }

  Result<void> add_stream_reads() {
    const Fraction reads = bill_.options.stream_reads_per_second * Fraction(prices_.seconds_per_month());
    if (reads.is_zero()) return {};
    return add({.what = What::kStreamReads, .quantity = reads},
               reads * prices_.stream_reads_per_100k / Fraction(100'000));
  }

  Result<Bill> finish() {
    // So that sums of all lines, of which there may be many, are right, too.
    Fraction sum;
    for (const BillLine& line : bill_.lines) sum = sum + Fraction(static_cast<uint64_t>(line.millionths));
    if (!sum.rounded()) return too_large();
    return std::move(bill_);
  }

 private:
  Result<void> add(BillLine line, const Fraction& amount) {
    line.millionths = TRY(in_millionths(amount));
    bill_.lines.push_back(std::move(line));
    return {};
  }

  struct Share {
    const Work* work = nullptr;
    uint64_t millionths = 0;  // of units a second at the peak, rounded up
  };

  // What one resource takes of reads or writes at the peak, and who takes it.
  Result<std::vector<Share>> shares_of(const Resource& resource, What what,
                                       const std::vector<Work>& works) const {
    std::vector<Share> shares;
    for (const Work& work : works) {
      const auto used = work.used.find(resource);
      if (!is_billed(work) || used == work.used.end() || half_units(used->second, what) == 0) continue;
      const std::optional<int64_t> taken = (units_of_a_run(work, half_units(used->second, what)) *
                                            *work.per_second * bill_.options.peak * Fraction(kMillion))
                                               .rounded_up();
      if (!taken) return too_large();
      if (*taken > 0) shares.push_back({.work = &work, .millionths = static_cast<uint64_t>(*taken)});
    }
    return shares;
  }

  Result<uint64_t> capacity_for(const Resource& resource, What what, const Fraction& taken) {
    const std::optional<int64_t> at_peak = taken.rounded_up();
    const std::optional<int64_t> wanted =
        (taken * Fraction(100) / Fraction(bill_.options.utilisation_percent)).rounded_up();
    if (!at_peak || !wanted) return too_large();
    const auto given = bill_.options.capacities.find(resource);
    if (given == bill_.options.capacities.end()) return std::max<uint64_t>(1, static_cast<uint64_t>(*wanted));
    const uint64_t capacity = what == What::kReads ? given->second.reads : given->second.writes;
    if (capacity < static_cast<uint64_t>(*at_peak))
      bill_.warnings.push_back(resource.text() + " has " + std::to_string(capacity) + " units for " +
                               std::string(name_of(what)) + ", and the peak takes " + taken.text() +
                               " a second: it would be throttled");
    return capacity;
  }

  Result<void> add_capacity_of(const Resource& resource, What what, const std::vector<Work>& works) {
    const std::vector<Share> shares = TRY(shares_of(resource, what, works));
    Fraction taken;
    for (const Share& share : shares) taken = taken + Fraction(share.millionths);
    const uint64_t capacity = TRY(capacity_for(resource, what, taken / Fraction(kMillion)));
    Capacity& provisioned = bill_.provisioned[resource];
    (what == What::kReads ? provisioned.reads : provisioned.writes) = capacity;
    const ClassPrices& of_class = prices_.of(bill_.options.table_class);
    const Fraction& price = what == What::kReads ? of_class.read_unit_hour : of_class.write_unit_hour;
    const Fraction cost = Fraction(capacity) * Fraction(prices_.hours_per_month) * price;
    int64_t left = TRY(in_millionths(cost));
    if (shares.empty()) {
      bill_.lines.push_back({.what = what, .resource = resource, .millionths = left});
      return {};
    }
    // Each line is what is left of the cost, shared among those that are left of the lines: so they add up.
    for (const Share& share : shares) {
      const Fraction part(share.millionths);
      const std::optional<int64_t> amount = (Fraction(static_cast<uint64_t>(left)) * part / taken).rounded();
      if (!amount) return too_large();
      bill_.lines.push_back({.what = what,
                             .work = share.work->name,
                             .resource = resource,
                             .quantity = part / Fraction(kMillion),
                             .millionths = *amount});
      left -= *amount;
      taken = remaining(shares, share);
    }
    return {};
  }

  // What those behind it take.
  static Fraction remaining(const std::vector<Share>& shares, const Share& done) {
    Fraction rest;
    for (const Share* share = &done + 1; share != shares.data() + shares.size(); ++share)
      rest = rest + Fraction(share->millionths);
    return rest;
  }

  const Prices& prices_;
  Bill bill_;
};

int64_t sum_where(const std::vector<BillLine>& lines,
                  const std::function<bool(const BillLine&)>& is_counted) {
  int64_t sum = 0;
  for (const BillLine& line : lines) sum += is_counted(line) ? line.millionths : 0;
  return sum;
}

}  // namespace

std::string_view name_of(BillLine::What what) {
  switch (what) {
    case What::kReads:
      return "reads";
    case What::kWrites:
      return "writes";
    case What::kStorage:
      return "storage";
    case What::kRecovery:
      return "recovery";
    case What::kBackups:
      return "backups";
    case What::kStreamReads:
      break;
  }
  return "stream reads";
}

int64_t Bill::total() const {
  return sum_where(lines, [](const BillLine&) { return true; });
}

int64_t Bill::of_work(std::string_view name) const {
  return sum_where(lines, [&](const BillLine& line) { return !name.empty() && line.work == name; });
}

int64_t Bill::of_resource(const Resource& resource) const {
  return sum_where(lines, [&](const BillLine& line) { return line.resource == resource; });
}

int64_t Bill::of(BillLine::What what) const {
  return sum_where(lines, [&](const BillLine& line) { return line.what == what; });
}

Result<Bill> make_bill(const Prices& prices, const BillOptions& options, const std::vector<Work>& works,
                       const std::vector<StoredBytes>& stored) {
  BillMaker maker(prices, options);
  if (options.mode == Mode::kOnDemand) {
    TRY(maker.add_requests(works));
  } else {
    TRY(maker.add_capacity(works, stored));
  }
  TRY(maker.add_stored(stored));
  TRY(maker.add_stream_reads());
  return maker.finish();
}

std::optional<int64_t> millionths_for_a_million(const Prices& prices, TableClass table_class,
                                                const Work& work) {
  if (work.runs == 0) return std::nullopt;
  Fraction cost;
  for (const auto& [resource, used] : work.used) {
    cost = cost + units_of_a_run(work, used.reads) * prices.of(table_class).read_per_million +
           units_of_a_run(work, used.writes) * prices.of(table_class).write_per_million;
  }
  return (cost * Fraction(kMillion)).rounded();
}

std::string money_text(int64_t millionths) {
  const std::string behind = std::to_string(millionths % static_cast<int64_t>(kMillion));
  return std::to_string(millionths / static_cast<int64_t>(kMillion)) + "." +
         std::string(6 - behind.size(), '0') + behind;
}

}  // namespace sheaf::cost
