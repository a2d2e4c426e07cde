#include "cost/cost_report.h"

#include <gtest/gtest.h>

#include "cost/rate.h"
#include "language/json_tree.h"

namespace sheaf::cost {
namespace {

LayoutCost layout_cost(const Prices& prices, const std::string& name, uint64_t writes) {
  const Resource table{.table = "app"}, index{.table = "app", .index = "by_name"};
  LayoutCost made{.layout = name};
  made.works = {{.name = "get", .per_second = Fraction(100), .runs = 4, .used = {{table, {.reads = 4}}}},
                {.name = "put",
                 .is_operation = true,
                 .runs = 1,
                 .used = {{table, {.writes = writes}}, {index, {.writes = 2}}}}};
  const StoredBytes of_table{.resource = table, .items = 10, .bytes = 500};
  const StoredBytes of_index{.resource = index, .items = 10, .bytes = 300};
  made.stored = {{.loaded = of_table, .all = of_table, .largest = {.key = "p", .items = 7, .bytes = 350}},
                 {.loaded = of_index, .all = of_index}};
  made.on_demand = *make_bill(prices, {}, made.works, {of_table, of_index});
  made.provisioned = *make_bill(prices, {.mode = Mode::kProvisioned}, made.works, {of_table, of_index});
  return made;
}

CostReport cost_report(const std::vector<std::string>& layouts) {
  CostReport report{.model = "m.sheaf", .prices = *read_prices(example_prices()), .data = "10 entities"};
  report.prices.source = "somebody";
  for (const std::string& name : layouts) report.layouts.push_back(layout_cost(report.prices, name, 4));
  return report;
}

TEST(CostReport, OneLayoutInDetail) {
  EXPECT_EQ(to_text(cost_report({"default"})),
            "m.sheaf, layout default, on demand\n"
            "prices: us-east-1, 2024-11-01, standard class (somebody)\n"
            "measured on: 10 entities\n"
            "\n"
            "               rate  runs  read units  write units  USD a month  USD a million\n"
            "pattern  get  100/s     4         0.5            0    16.425000       0.062500\n"
            "op       put      -     1           0            3            -       1.875000\n"
            "no rate, so not in the bill: put (--rate NAME=5/s)\n"
            "\n"
            "                  items  bytes  largest collection      reads    writes   storage  USD a month\n"
            "table    app         10    500  7 items, 350 bytes  16.425000  0.000000  0.000000    16.425000\n"
            "  index  by_name     10    300                   -   0.000000  0.000000  0.000000     0.000000\n"
            "storage is measured, with 100 bytes more for each item\n"
            "\n"
            "reads 16.425000\n"
            "total on demand: 16.425000 USD a month of 730 hours; provisioned it would be 7.876700\n");
}

TEST(CostReport, WhatComesFromASampleIsCalledEstimated) {
  CostReport report = cost_report({"default"});
  EXPECT_EQ(to_text(report).find("estimated"), std::string::npos);
  report.is_sample = true;
  EXPECT_NE(to_text(report).find("storage is estimated from the sample"), std::string::npos);
  EXPECT_EQ(to_text(report).find("storage is measured"), std::string::npos);
  EXPECT_NE(to_comparison(report).find("all storage, estimated"), std::string::npos);
  EXPECT_NE(to_json(report).find("\"how\": \"estimated\""), std::string::npos);
}

TEST(CostReport, RefusedRunsAreTold) {
  CostReport report = cost_report({"default", "other"});
  EXPECT_EQ(to_text(report).find("refused"), std::string::npos);
  Work& put = report.layouts[0].works[1];
  put.tried = 20;
  put.refused = 3;
  put.refusal = "it is there";
  EXPECT_NE(to_text(report).find("\nput: 3 of 20 runs were refused: it is there\n"), std::string::npos);
  EXPECT_NE(to_comparison(report).find("\ndefault: put: 3 of 20 runs"), std::string::npos);
  // What is the same of all is told once.
  report.layouts[1].works[1] = put;
  for (const std::string& text : {to_comparison(report), to_ranking(report)}) {
    EXPECT_NE(text.find("\nput: 3 of 20 runs were refused: it is there\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("refused"), text.rfind("refused")) << text;
  }
  EXPECT_NE(to_json(report).find("\"refused\": 3"), std::string::npos);
  EXPECT_NE(to_json(report).find("\"refusal\": \"it is there\""), std::string::npos);
}

TEST(CostReport, ProvisionedTellsItsCapacity) {
  CostReport report = cost_report({"default"});
  report.mode = Mode::kProvisioned;
  const std::string text = to_text(report);
  EXPECT_NE(text.find("6.832800 (72)"), std::string::npos) << text;  // 50 units a second at 70 %
  EXPECT_NE(
      text.find("total provisioned: 7.876700 USD a month of 730 hours; on demand it would be 16.425000"),
      std::string::npos)
      << text;
}

TEST(CostReport, LayoutsSideBySide) {
  CostReport report = cost_report({"default", "other"});
  report.layouts[1].works[0].runs = 0;
  report.layouts[1].on_demand = *make_bill(report.prices, {}, {report.layouts[1].works[1]}, {});
  report.layouts[1].unserved = {"get cannot be done in this layout, and is not in the bill"};
  EXPECT_EQ(to_comparison(report),
            "m.sheaf, on demand\n"
            "prices: us-east-1, 2024-11-01, standard class (somebody)\n"
            "measured on: 10 entities\n"
            "\n"
            "USD a month              default     other\n"
            "pattern get, 100/s     16.425000         -\n"
            "all reads              16.425000  0.000000\n"
            "all writes              0.000000  0.000000\n"
            "all storage, measured   0.000000  0.000000\n"
            "total on demand        16.425000  0.000000\n"
            "total provisioned       7.876700  7.876700\n"
            "no rate, so not in the bill: put (--rate NAME=5/s)\n"
            "layout other: get cannot be done in this layout, and is not in the bill\n");
}

TEST(CostReport, TheCheapestStrategyIsTheFirst) {
  CostReport report = cost_report({"a.b via embed map", "a.b via collection", "a.b via index"});
  for (LayoutCost& each : report.layouts) each.works[1].per_second = Fraction(1);
  report.layouts[1].works[1].used[{.table = "app"}].writes = 8;
  for (LayoutCost& each : report.layouts) {
    each.on_demand = *make_bill(report.prices, {}, each.works, {});
    each.provisioned = *make_bill(report.prices, {.mode = Mode::kProvisioned}, each.works, {});
  }
  report.layouts[0].unserved = {"put cannot be done in this layout, and is not in the bill"};
  report.layouts[0].on_demand = *make_bill(report.prices, {}, {report.layouts[0].works[0]}, {});
  report.unpriced = {{.name = "a.b via lists", .reason = "it is too large"}};
  sort_by_price(report);
  EXPECT_EQ(to_ranking(report),
            "m.sheaf, on demand\n"
            "prices: us-east-1, 2024-11-01, standard class (somebody)\n"
            "measured on: 10 entities\n"
            "\n"
            "USD a month              reads    writes   storage  on demand  provisioned\n"
            "a.b via index        16.425000  4.927500  0.000000  21.352500     9.300200\n"
            "a.b via collection   16.425000  8.212500  0.000000  24.637500    10.723700\n"
            "a.b via embed map *  16.425000  0.000000  0.000000  16.425000     9.300200\n"
            "* a.b via embed map: put cannot be done in this layout, and is not in the bill\n"
            "a.b via lists: it is too large\n");
  EXPECT_NE(to_json(report).find("\"reason\": \"it is too large\""), std::string::npos);
}

TEST(CostReport, JsonHasEveryLineAsText) {
  const std::string json = to_json(cost_report({"default"}));
  ASSERT_TRUE(language::read_json(json).ok()) << json;
  for (const char* part : {"\"amount\": \"16.425000\"", "\"quantity\": \"131400000\"", "\"rate\": \"100/s\"",
                           "\"a_million_runs\": \"0.062500\"", "\"mode\": \"provisioned\"", "\"reads\": 72"})
    EXPECT_NE(json.find(part), std::string::npos) << part << json;
}

}  // namespace
}  // namespace sheaf::cost
