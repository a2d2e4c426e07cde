#include "explain/explanation.h"

#include <gtest/gtest.h>

#include "language/json_tree.h"

namespace sheaf::explain {
namespace {

constexpr std::string_view kTwoLayouts = R"(model shop {
  table app { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK }
  entity Customer { id id; name; key "CUSTOMER#<id>" / "A" }
  entity Order {
    id id; total int;
    key "ORDER#<id>" / "A";
    index GSI1 "CUSTOMER#<customer.id>" / "ORDER#<id>";
  }
  rel Customer 1--* Order as orders / customer { required; size max 50; via index on GSI1 }
  layout copied { rel Customer.orders via index on GSI1 copy customer(*) }
  pattern order(o: Order) = $o { *, customer } budget 1 request budget 3 rounds
  pattern orders(c: Customer) = $c.orders
  op place(o: Order, c: Customer) = { put $o; link $o.customer $c } budget 1 request
})";

plan::PlannedModel shop(std::string text = std::string(kTwoLayouts)) {
  return plan::plan_model(model::compile("shop.sheaf", std::move(text)));
}

TEST(Explanation, TellsRequestsKeysUnitsAndConsistency) {
  const plan::PlannedModel planned = shop();
  const std::vector<Explanation> all = explain(planned, 0, "");
  ASSERT_EQ(all.size(), 3u);
  const Explanation& order = all[0];
  EXPECT_EQ(order.name, "order");
  EXPECT_EQ(order.consistency, "eventual");
  EXPECT_EQ(order.planned.requests, 2);
  EXPECT_EQ(order.items_read, 2);
  ASSERT_EQ(order.steps.size(), 2u);
  EXPECT_EQ(order.steps[0].text.operation, "GetItem");
  EXPECT_EQ(order.steps[0].text.view, "app");
  EXPECT_EQ(order.steps[0].text.key_condition, "PK = \"ORDER#<id>\", SK = \"A\"");
  EXPECT_EQ(order.steps[1].round, 2u);
  const Step& query = all[1].steps.at(0);
  EXPECT_EQ(query.text.operation, "Query");
  EXPECT_EQ(query.text.view, "app.GSI1");
  EXPECT_EQ(query.text.key_condition, "GSI1PK = \"CUSTOMER#<$c.id>\", GSI1SK begins with \"ORDER#\"");
  EXPECT_EQ(query.items_read, 50);
  EXPECT_EQ(all[2].consistency, "transactional");
  EXPECT_EQ(all[2].lines.at(0), "1. TransactWriteItems: put Order $o, check Customer $c");
}

TEST(Explanation, OfOneNameAlone) {
  const plan::PlannedModel planned = shop();
  EXPECT_EQ(explain(planned, 0, "place").size(), 1u);
  EXPECT_TRUE(explain(planned, 0, "nothing").empty());
}

TEST(Explanation, ABudgetThatThePlanExceedsIsAnErrorWithAWayOut) {
  const plan::PlannedModel planned = shop();
  const lint::Report report = findings(planned, 0, explain(planned, 0, ""));
  ASSERT_EQ(report.findings.size(), 1u);
  const lint::Finding& finding = report.findings[0];
  EXPECT_EQ(finding.rule, "over-budget");
  EXPECT_EQ(finding.message, "order takes 2 requests, and its budget is 1");
  EXPECT_EQ(
      finding.fix,
      "with rel Customer.orders via index on GSI1 copy customer(*) it takes 1 request; or raise the budget");
  EXPECT_EQ(finding.place->begin.line, 11u);
  EXPECT_EQ(finding.layout, "");
  EXPECT_TRUE(report.fails());
}

// A build server shows which of them broke.
TEST(Explanation, WhatHasABudgetIsATestSuite) {
  const plan::PlannedModel planned = shop();
  const std::string junit = lint::to_junit(findings(planned, 0, explain(planned, 0, "")));
  const std::string file = planned.compiled.source.name();
  const size_t order = junit.find("<testsuite name=\"" + file + " order\" tests=\"3\" failures=\"1\"");
  const size_t place = junit.find("<testsuite name=\"" + file + " place\" tests=\"3\" failures=\"0\"");
  EXPECT_NE(order, std::string::npos) << junit;
  EXPECT_NE(place, std::string::npos) << junit;
  EXPECT_EQ(junit.find("<testsuite name=\"" + file + "\""), std::string::npos) << junit;
  const size_t failure = junit.find("<failure");
  EXPECT_TRUE(failure > order && failure < place) << junit;
}

TEST(Explanation, EachLayoutHasItsOwnFindings) {
  const plan::PlannedModel planned = shop();
  const lint::Report report = findings(planned, 1, explain(planned, 1, ""));
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].message, "place takes 2 requests, and its budget is 1");
  EXPECT_EQ(report.findings[0].layout, "copied");
}

// A run is held to the budget by its dearest, not by the mean.
TEST(Explanation, ABudgetThatOneRunExceedsIsAnError) {
  const plan::PlannedModel planned = shop();
  std::vector<Explanation> all = explain(planned, 1, "order");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_FALSE(findings(planned, 1, all).fails());
  all[0].actual = Actual{.runs = 20, .mean = {.requests = 1}, .most = {.requests = 1, .rounds = 3}};
  EXPECT_FALSE(findings(planned, 1, all).fails());
  all[0].actual->most = {.requests = 2, .rounds = 4};
  const lint::Report report = findings(planned, 1, all);
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].rule, "over-budget-run");
  EXPECT_EQ(report.findings[0].message, "order takes 2 requests in one of 20 runs, and its budget is 1");
  EXPECT_EQ(report.findings[1].message, "order takes 4 rounds in one of 20 runs, and its budget is 3");
  EXPECT_TRUE(report.fails());
}

constexpr std::string_view kUnservedLayout = R"(model shop {
  entity Customer { id id; name }
  entity Order within customer { id id }
  rel Customer 1--* Order as orders / customer { size max 50 }
  layout other { rel Customer.orders via ref }
  pattern orders(c: Customer) = $c.orders
})";

TEST(Explanation, WhatALayoutCannotDoIsANote) {
  const plan::PlannedModel planned = shop(std::string(kUnservedLayout));
  ASSERT_TRUE(planned.compiled.ok()) << planned.compiled.rendered();
  const std::vector<Explanation> all = explain(planned, 1, "");
  ASSERT_EQ(all.size(), 1u);
  ASSERT_FALSE(all[0].is_served());
  const lint::Report report = findings(planned, 1, all);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].rule, "unserved");
  EXPECT_FALSE(report.fails());
}

TEST(Explanation, TextHasThePlanBesideTheRunAndWhatWouldTakeLess) {
  const plan::PlannedModel planned = shop();
  std::vector<Explanation> all = explain(planned, 0, "order");
  all[0].actual = Actual{.runs = 20,
                         .planned = {.requests = 2, .rounds = 2, .units = 1},
                         .mean = {.requests = 2, .rounds = 2, .units = 1.05},
                         .most = {.requests = 2, .rounds = 2, .units = 1.5},
                         .items_read = 2,
                         .items_returned = 2};
  EXPECT_EQ(
      to_text(all),
      "order(o): 2 requests, 2 rounds, about 1 unit, eventual; budget 1 request, 3 rounds\n"
      "  1. GetItem: Order\n"
      "     app, PK = \"ORDER#<id>\", SK = \"A\": 1 call, 1 item, 0.5 units\n"
      "  2. GetItem: customer\n"
      "     app, PK = \"CUSTOMER#<id>\", SK = \"A\": 1 call, 1 item, 0.5 units\n"
      "              planned  actual  at most\n"
      "  requests          2       2        2\n"
      "  rounds            2       2        2\n"
      "  units             1    1.05      1.5\n"
      "  items read        2       2\n"
      "  returned          2       2\n"
      "  20 runs\n"
      "  the fewest in this layout; 1 request with: rel Customer.orders via index on GSI1 copy customer(*)\n"
      "    but then more requests for, or no way to do: place\n");
}

TEST(Explanation, WithoutARunItemsAreReadAndEntitiesReturnedAsPlanned) {
  const plan::PlannedModel planned = shop();
  const std::vector<Explanation> all = explain(planned, 0, "");
  EXPECT_EQ(all[0].items_returned, 2);
  EXPECT_EQ(all[1].items_returned, 50);
  const std::string text = to_text(all);
  EXPECT_NE(text.find("  2 items read, 2 entities returned\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  50 items read, 50 entities returned\n"), std::string::npos) << text;
}

TEST(Explanation, ChangesThatHelpTogetherAreAllNamed) {
  const plan::PlannedModel planned = shop();
  std::vector<Explanation> all = explain(planned, 0, "order");
  all[0].fewer->changes = {"rel A.b via index", "rel C.d via index"};
  const std::string text = to_text(all);
  EXPECT_NE(text.find("; 1 request with these together:\n    rel A.b via index\n    rel C.d via index\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(findings(planned, 0, all).findings.at(0).fix,
            "with rel A.b via index and rel C.d via index it takes 1 request; or raise the budget");
  EXPECT_EQ(all[0].fewer->text(), "rel A.b via index rel C.d via index");
}

// Nobody knows that there is no other way: only what was tried.
TEST(Explanation, WhereNothingWasFoundItIsToldWhatWasTried) {
  EXPECT_EQ(
      tried_text({.alone = 24, .together = 60}),
      "no fewer found with 24 other strategies, copies, fuller indexes and sort keys alone, and with 60 "
      "combinations of the most promising");
  EXPECT_EQ(tried_text({.alone = 1}),
            "no fewer found with the one other strategy, copy, fuller index or sort key alone");
  EXPECT_EQ(tried_text({}), "there was no other way to store it that could be tried");
  const plan::PlannedModel planned = shop();
  std::vector<Explanation> all = explain(planned, 0, "order");
  EXPECT_GT(all[0].tried.alone, 0u);
  all[0].fewer.reset();
  EXPECT_TRUE(
      findings(planned, 0, all).findings.at(0).fix.starts_with("raise the budget: no fewer found with "));
}

TEST(Explanation, JsonHasAllOfIt) {
  const plan::PlannedModel planned = shop();
  const std::vector<Explanation> all = explain(planned, 0, "");
  const std::string json =
      to_json({.model = "shop.sheaf", .layout = "default"}, all, findings(planned, 0, all));
  ASSERT_TRUE(language::read_json(json).ok()) << json;
  EXPECT_NE(json.find("\"file\": \"" + planned.compiled.source.name() + "\""), std::string::npos) << json;
  for (const char* part :
       {"\"key_condition\": \"GSI1PK = ", "\"change\": \"rel Customer.orders via", "\"id\": \"over-budget\"",
        "\"fewer\": null", "\"operations\"", "\"items_returned\": 50", "\"changes\": [", "\"tried\": {"})
    EXPECT_NE(json.find(part), std::string::npos) << part << json;
}

}  // namespace
}  // namespace sheaf::explain
