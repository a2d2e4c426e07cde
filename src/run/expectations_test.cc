#include "run/expectations.h"

#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

// LAYOUT: NAME: what failed, or "skipped", or "fine", one a line.
std::string tried(const std::string& answers, const std::string& layout = {}) {
  const plan::PlannedModel planned =
      plan::plan_model(model::compile("hr.sheaf", model_file("hr/model.sheaf")));
  const auto cases =
      run_expectations(planned, {.data = model_file("hr/data.json"), .answers = answers, .layout = layout});
  if (!cases.ok()) return "error: " + cases.error().message;
  std::string out;
  for (const TestCase& each : *cases)
    out += each.layout + ": " + each.name + ": " +
           (each.failure      ? *each.failure
            : each.is_skipped ? "skipped"
                              : "fine") +
           "\n";
  return out;
}

TEST(Expectations, AWrongAnswerIsTold) {
  EXPECT_EQ(tried(R"([{ "ask": "teamIds", "with": ["d-1"], "answer": [{ "id": "e-2" }, { "id": "e-1" }] }])",
                  "method1"),
            "method1: 1 teamIds(\"d-1\"): fine\n")
      << "nobody promised an order";
  EXPECT_EQ(tried(R"([{ "ask": "teamIds", "with": ["d-1"], "answer": [{ "id": "e-2" }] }])", "method1"),
            "method1: 1 teamIds(\"d-1\"): the answer is\n{\"id\":\"e-1\"}\n{\"id\":\"e-2\"}\nand should be\n"
            "{\"id\":\"e-2\"}\n\n");
}

TEST(Expectations, ErrorsMustComeAsTheyAreWritten) {
  EXPECT_EQ(tried(R"([{ "do": "move", "with": ["e-1", "d-9"], "error": "there is no Department d-9" },
                      { "do": "move", "with": ["e-1", "d-9"] },
                      { "do": "move", "with": ["e-1", "d-2"], "error": "no" }])",
                  "method1"),
            "method1: 1 move(\"e-1\", \"d-9\"): fine\n"
            "method1: 2 move(\"e-1\", \"d-9\"): there is no Department d-9\n"
            "method1: 3 move(\"e-1\", \"d-2\"): it went well, and should say: no\n");
}

TEST(Expectations, RequestsAreThoseOfALayout) {
  EXPECT_EQ(tried(R"([{ "ask": "home", "with": ["e-1"], "requests": { "method1": 2, "method2": 2 } },
                      { "ask": "home", "with": ["e-1"], "requests": 7 },
                      { "do": "move", "with": ["e-1", "d-2"], "requests": { "method2": 1 } }])",
                  "method2"),
            "method2: 1 home(\"e-1\"): it took 1 requests, and should take 2\n"
            "method2: 2 home(\"e-1\"): fine\n"
            "method2: 3 move(\"e-1\", \"d-2\"): it took 2 requests, and should take 1\n");
}

TEST(Expectations, AStepIsForTheLayoutsThatItNames) {
  EXPECT_EQ(tried(R"([{ "do": "move", "with": ["e-1", "d-2"], "layouts": ["method3"] },
                      { "ask": "home", "with": ["e-1"], "answer": [{ "id": "d-1", "name": "HR" }] }])",
                  "method4"),
            "method4: 1 move(\"e-1\", \"d-2\"): skipped\nmethod4: 2 home(\"e-1\"): fine\n");
}

// What is embedded in one layout and has items in another is written once, by itself.
TEST(DataFile, ChildrenAreReadByThemselvesInEveryLayout) {
  const std::string model = R"(model shop {
    entity Customer { id id; name; addresses_kept int = count(addresses) }
    entity Address within customer { label id; street }
    rel Customer 1--* Address as addresses / customer { via embed map; size max 20; on delete cascade }
    layout list { rel Customer.addresses via embed list }
    layout collection { rel Customer.addresses via collection }
    pattern customer(c: Customer) = $c { *, addresses order label }
  })";
  const std::string data = R"({ "Customer": [{ "id": "c1", "name": "Ann" }],
    "Address": [{ "customer": "c1", "label": "home", "street": "Oak" }, { "customer": "c1", "label": "work", "street": "Elm" }] })";
  for (const char* layout : {"default", "list", "collection"}) {
    RunningModel running(model, data, layout);
    EXPECT_EQ(
        running.ask("customer", {"\"c1\""}),
        "{\"addresses\":[{\"label\":\"home\",\"street\":\"Oak\"},{\"label\":\"work\",\"street\":\"Elm\"}],"
        "\"addresses_kept\":2,\"id\":\"c1\",\"name\":\"Ann\"}\n")
        << layout;
  }
  const plan::PlannedModel planned = plan::plan_model(model::compile("shop.sheaf", model));
  const auto lost = read_data(planned.compiled.model, planned.compiled.layouts.front(),
                              R"({ "Address": [{ "customer": "c9", "label": "home", "street": "Oak" }] })");
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.error().message, "Address[0]: there is no Customer c9");
}

}  // namespace
}  // namespace sheaf::run
