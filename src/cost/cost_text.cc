#include <algorithm>

#include "base/text_table.h"
#include "cost/cost_report.h"
#include "cost/rate.h"

namespace sheaf::cost {
namespace {

std::string_view mode_name(Mode mode) { return mode == Mode::kOnDemand ? "on demand" : "provisioned"; }

const Bill& shown_bill(const CostReport& report, const LayoutCost& layout) {
  return report.mode == Mode::kOnDemand ? layout.on_demand : layout.provisioned;
}

std::string heading(const CostReport& report) {
  const BillOptions& options = report.layouts.front().on_demand.options;
  return "prices: " + report.prices.region + ", " + report.prices.date + ", " +
         (options.table_class == TableClass::kStandard ? "standard" : "infrequent access") + " class (" +
         report.prices.source + ")\nmeasured on: " + report.data + "\n";
}

std::string unrated_text(const LayoutCost& layout) {
  std::string names;
  for (const Work& work : layout.works) {
    if (!work.per_second) names += (names.empty() ? "" : ", ") + work.name;
  }
  return names.empty() ? names : "no rate, so not in the bill: " + names + " (--rate NAME=5/s)\n";
}

// The sum over tables and indexes, of one run.
std::string units_a_run(const Work& work, uint64_t HalfUnits::*what) {
  uint64_t halves = 0;
  for (const auto& [resource, used] : work.used) halves += used.*what;
  return work.runs == 0 ? "-" : (Fraction(halves) / Fraction(2 * work.runs)).text();
}

// "hire: 3 of 20 runs were refused", of those that were done now and then; the others are unserved.
std::vector<std::string> refusals(const LayoutCost& layout) {
  std::vector<std::string> lines;
  for (const Work& work : layout.works) {
    if (work.refused > 0 && work.refused < work.tried)
      lines.push_back(work.name + ": " + std::to_string(work.refused) + " of " + std::to_string(work.tried) +
                      " runs were refused: " + work.refusal);
  }
  return lines;
}

// Of several: once, if it is the same of all.
std::string refusals_text(const CostReport& report) {
  const std::vector<std::string> first = refusals(report.layouts.front());
  const bool is_same = std::all_of(report.layouts.begin(), report.layouts.end(),
                                   [&](const LayoutCost& layout) { return refusals(layout) == first; });
  std::string out;
  for (const LayoutCost& layout : report.layouts) {
    for (const std::string& line : refusals(layout))
      out += (is_same ? "" : layout.layout + ": ") + line + "\n";
    if (is_same) break;
  }
  return out;
}

std::string works_text(const CostReport& report, const LayoutCost& layout) {
  const std::string currency = report.prices.currency;
  TextTable table({false, false, true, true, true, true, true, true});
  table.add(
      {"", "", "rate", "runs", "read units", "write units", currency + " a month", currency + " a million"});
  for (const Work& work : layout.works) {
    const auto million = millionths_for_a_million(report.prices, layout.on_demand.options.table_class, work);
    table.add(
        {work.is_operation ? "op" : "pattern", work.name, work.per_second ? rate_text(*work.per_second) : "-",
         std::to_string(work.runs), units_a_run(work, &HalfUnits::reads),
         units_a_run(work, &HalfUnits::writes),
         work.per_second && work.runs > 0 ? money_text(shown_bill(report, layout).of_work(work.name)) : "-",
         million ? money_text(*million) : "-"});
  }
  std::string out = table.text() + unrated_text(layout);
  for (const std::string& each : refusals(layout)) out += each + "\n";
  for (const std::string& each : layout.unserved) out += each + "\n";
  return out;
}

std::string collection_text(const Collection& collection) {
  return collection.items == 0
             ? "-"
             : std::to_string(collection.items) + (collection.items == 1 ? " item, " : " items, ") +
                   std::to_string(collection.bytes) + " bytes";
}

std::string resources_text(const CostReport& report, const LayoutCost& layout) {
  const Bill& bill = shown_bill(report, layout);
  const bool is_provisioned = report.mode == Mode::kProvisioned;
  TextTable table({false, false, true, true, true, true, true, true, true});
  table.add({"", "", "items", "bytes", "largest collection", "reads", "writes", "storage",
             report.prices.currency + " a month"});
  for (const StorageFigures& stored : layout.stored) {
    const Resource& resource = stored.all.resource;
    const auto sum = [&](BillLine::What what) {
      int64_t of_what = 0;
      for (const BillLine& line : bill.lines)
        of_what += line.resource == resource && line.what == what ? line.millionths : 0;
      return money_text(of_what);
    };
    const auto capacity = bill.provisioned.find(resource);
    const auto with_units = [&](const std::string& money, uint64_t Capacity::*units) {
      return is_provisioned && capacity != bill.provisioned.end()
                 ? money + " (" + std::to_string(capacity->second.*units) + ")"
                 : money;
    };
    table.add({resource.index.empty() ? "table" : "  index",
               resource.index.empty() ? resource.table : resource.index, std::to_string(stored.all.items),
               std::to_string(stored.all.bytes), collection_text(stored.largest),
               with_units(sum(BillLine::What::kReads), &Capacity::reads),
               with_units(sum(BillLine::What::kWrites), &Capacity::writes), sum(BillLine::What::kStorage),
               money_text(bill.of_resource(resource))});
  }
  return table.text() + std::string("storage is ") +
         (report.is_sample ? "estimated from the sample" : "measured") + ", with " +
         std::to_string(report.prices.item_overhead_bytes) + " bytes more for each item" +
         (is_provisioned ? "; units of capacity in parentheses" : "") + "\n";
}

std::string total_text(const CostReport& report, const LayoutCost& layout) {
  const Bill& bill = shown_bill(report, layout);
  std::string out;
  for (const auto what :
       {BillLine::What::kReads, BillLine::What::kWrites, BillLine::What::kStorage, BillLine::What::kRecovery,
        BillLine::What::kBackups, BillLine::What::kStreamReads}) {
    if (bill.of(what) > 0)
      out += (out.empty() ? "" : ", ") + std::string(name_of(what)) + " " + money_text(bill.of(what));
  }
  out = (out.empty() ? "nothing" : out) + "\n";
  const Bill& other = report.mode == Mode::kOnDemand ? layout.provisioned : layout.on_demand;
  out += "total " + std::string(mode_name(report.mode)) + ": " + money_text(bill.total()) + " " +
         report.prices.currency + " a month of " + std::to_string(report.prices.hours_per_month) +
         " hours; " + std::string(mode_name(other.options.mode)) + " it would be " +
         money_text(other.total()) + "\n";
  for (const std::string& warning : layout.provisioned.warnings) out += "warning: " + warning + "\n";
  return out;
}

}  // namespace

void sort_by_price(CostReport& report) {
  std::stable_sort(report.layouts.begin(), report.layouts.end(),
                   [&](const LayoutCost& left, const LayoutCost& right) {
                     if (left.unserved.empty() != right.unserved.empty()) return left.unserved.empty();
                     return shown_bill(report, left).total() < shown_bill(report, right).total();
                   });
}

std::string to_text(const CostReport& report) {
  std::string out;
  for (const LayoutCost& layout : report.layouts) {
    out += report.model + ", layout " + layout.layout + ", " + std::string(mode_name(report.mode)) + "\n" +
           heading(report) + "\n" + works_text(report, layout) + "\n" + resources_text(report, layout) +
           "\n" + total_text(report, layout);
  }
  return out;
}

std::string to_comparison(const CostReport& report) {
  std::vector<bool> is_right(report.layouts.size() + 1, true);
  is_right[0] = false;
  TextTable table(is_right);
  const auto row = [&](const std::string& name, const auto& cell) {
    std::vector<std::string> cells{name};
    for (const LayoutCost& layout : report.layouts) cells.push_back(cell(layout));
    table.add(std::move(cells));
  };
  row(report.prices.currency + " a month", [](const LayoutCost& layout) { return layout.layout; });
  for (const Work& work : report.layouts.front().works) {
    if (!work.per_second) continue;
    row((work.is_operation ? "op " : "pattern ") + work.name + ", " + rate_text(*work.per_second),
        [&](const LayoutCost& layout) {
          const auto same = std::find_if(layout.works.begin(), layout.works.end(),
                                         [&](const Work& each) { return each.name == work.name; });
          return same == layout.works.end() || same->runs == 0
                     ? std::string("-")
                     : money_text(shown_bill(report, layout).of_work(work.name));
        });
  }
  for (const auto what : {BillLine::What::kReads, BillLine::What::kWrites, BillLine::What::kStorage}) {
    row("all " + std::string(name_of(what)) +
            (what == BillLine::What::kStorage ? (report.is_sample ? ", estimated" : ", measured") : ""),
        [&](const LayoutCost& layout) { return money_text(shown_bill(report, layout).of(what)); });
  }
  for (const Mode mode : {Mode::kOnDemand, Mode::kProvisioned}) {
    row("total " + std::string(mode_name(mode)), [&](const LayoutCost& layout) {
      return money_text((mode == Mode::kOnDemand ? layout.on_demand : layout.provisioned).total());
    });
  }
  std::string out = report.model + ", " + std::string(mode_name(report.mode)) + "\n" + heading(report) +
                    "\n" + table.text();
  out += unrated_text(report.layouts.front()) + refusals_text(report);
  for (const LayoutCost& layout : report.layouts) {
    for (const std::string& each : layout.unserved) out += "layout " + layout.layout + ": " + each + "\n";
  }
  return out;
}

std::string to_ranking(const CostReport& report) {
  TextTable table({false, true, true, true, true, true});
  const auto storage =
      std::string(name_of(BillLine::What::kStorage)) + (report.is_sample ? ", estimated" : "");
  table.add({report.prices.currency + " a month", "reads", "writes", storage, "on demand", "provisioned"});
  for (const LayoutCost& layout : report.layouts) {
    const Bill& bill = shown_bill(report, layout);
    table.add({layout.layout + (layout.unserved.empty() ? "" : " *"),
               money_text(bill.of(BillLine::What::kReads)), money_text(bill.of(BillLine::What::kWrites)),
               money_text(bill.of(BillLine::What::kStorage)), money_text(layout.on_demand.total()),
               money_text(layout.provisioned.total())});
  }
  std::string out = report.model + ", " + std::string(mode_name(report.mode)) + "\n" + heading(report) +
                    "\n" + table.text() + unrated_text(report.layouts.front()) + refusals_text(report);
  for (const LayoutCost& layout : report.layouts) {
    for (const std::string& each : layout.unserved) out += "* " + layout.layout + ": " + each + "\n";
  }
  for (const CostReport::Unpriced& each : report.unpriced) out += each.name + ": " + each.reason + "\n";
  return out;
}

}  // namespace sheaf::cost
