#include "measure/comparison.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "measure/example_model.h"
#include "measure/report.h"

namespace sheaf::measure {
namespace {

class ComparisonTest : public ::testing::Test {
 protected:
  void open(const std::string& name, const generate::GeneratorOptions& sizes) {
    planned_.emplace(example_model(name));
    auto made = generate::Generator::make(planned_->compiled, sizes);
    ASSERT_TRUE(made.ok()) << made.error().message;
    generator_ = std::move(*made);
    data_ = generated_data(*generator_);
  }

  static ComparisonOptions options(size_t runs) {
    ComparisonOptions made{.script = {.runs = runs}};
    made.open = []() -> Result<std::unique_ptr<Database>> {
      return Database::open_in_memory({.background_thread = false});
    };
    return made;
  }

  Comparison compared(Candidates candidates, const ComparisonOptions& options) const {
    auto made = compare(std::move(candidates), *data_, options);
    EXPECT_TRUE(made.ok()) << made.error().message;
    return std::move(*made);
  }

  static const Contestant& of(const Comparison& comparison, const std::string& name) {
    for (const Contestant& each : comparison.contestants) {
      if (each.candidate.name.ends_with(name)) return each;
    }
    ADD_FAILURE() << "no " << name;
    return comparison.contestants.front();
  }

  static std::string told(const Comparison& comparison) {
    return report_text({.model = "model", .data = "data", .store = "memory", .runs = 1}, comparison, true);
  }

  std::optional<plan::PlannedModel> planned_;
  std::unique_ptr<generate::Generator> generator_;
  std::unique_ptr<DataSet> data_;
};

// Every legal strategy for every relation of these models, and all answers alike, before and after writes.
// With other data in every round of SHEAF_TEST_ROUNDS.
TEST_F(ComparisonTest, EveryLegalStrategyAnswersAlike) {
  const char* const rounds = std::getenv("SHEAF_TEST_ROUNDS");
  const uint64_t seeds = rounds != nullptr ? std::stoul(rounds) : 1;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const char* name : {"hr", "order", "movies", "repos", "friends", "projects", "addresses"}) {
      open(name, {.wishes = {.scale = 0.05}, .seed = seed});
      for (model::RelationId each = 0; each < planned_->compiled.model.relations.size(); ++each) {
        ComparisonOptions asked = options(4);
        asked.script.seed = seed;
        asked.script.basic_operations = true;
        asked.script.relation = each;
        const Comparison made = compared(all_strategies(*planned_, 0, each), asked);
        EXPECT_TRUE(made.differences.empty()) << name << ", seed " << seed << "\n" << told(made);
        EXPECT_GE(made.contestants.size(), 4u) << name;
        EXPECT_GT(made.answers_compared, 10u) << name << ", seed " << seed;
      }
    }
  }
}

// Somebody's item is changed behind the model's back, in one layout: its answers are not those of the others.
TEST_F(ComparisonTest, AWrongAnswerIsFound) {
  open("hr", {.wishes = {.counts = {{"Department", 2}, {"Employee", 20}}}});
  ComparisonOptions tampered = options(8);
  tampered.after_loading = [&](Database& database, const Candidate& candidate) {
    if (candidate.name != "method2") return;
    Scan scan{.table = "employee"};
    const auto page = database.scan(scan);
    ASSERT_TRUE(page.ok());
    for (size_t i = 0; i < page->items.size(); ++i) {
      Item item(page->items[i]);
      item.set("name", Value("Nobody"));
      ASSERT_TRUE(database.put_item({.table = "employee", .item = std::move(item)}).ok());
    }
  };
  auto layouts = [&] { return std::move(*named_layouts(*planned_, {"method1", "method2", "method4"})); };
  const Comparison wrong = compared(layouts(), tampered);
  ASSERT_FALSE(wrong.differences.empty());
  EXPECT_LE(wrong.differences.size(), kDifferencesMax);
  for (const Difference& each : wrong.differences) {
    EXPECT_EQ(each.contestant, "method2");
    EXPECT_EQ(each.other, "method1");
    EXPECT_EQ(each.subject, "team");
    EXPECT_NE(each.found.find("Nobody"), std::string::npos);
  }
  EXPECT_NE(told(wrong).find("THEY DIFFER"), std::string::npos);
  EXPECT_TRUE(compared(layouts(), options(8)).differences.empty());
}

// A copy that is stale is found by the pattern that reads it, and by the audit.
TEST_F(ComparisonTest, AStaleCopyIsFound) {
  open("hr", {.wishes = {.counts = {{"Department", 2}, {"Employee", 20}}}});
  ComparisonOptions tampered = options(8);
  tampered.after_loading = [&](Database& database, const Candidate& candidate) {
    if (candidate.name != "method2") return;
    const auto page = database.scan({.table = "employee"});
    ASSERT_TRUE(page.ok());
    for (size_t i = 0; i < page->items.size(); ++i) {
      Item item(page->items[i]);
      ASSERT_TRUE(item.find("department_name"));
      item.set("department_name", Value("Yesterday"));
      ASSERT_TRUE(database.put_item({.table = "employee", .item = std::move(item)}).ok());
    }
  };
  const Comparison wrong = compared(std::move(*named_layouts(*planned_, {"method1", "method2"})), tampered);
  ASSERT_FALSE(wrong.differences.empty());
  bool is_in_answer = false;
  for (const Difference& each : wrong.differences)
    is_in_answer = is_in_answer || (each.subject == "home" && each.contestant == "method2");
  EXPECT_TRUE(is_in_answer) << told(wrong);
}

TEST_F(ComparisonTest, TheMixDecidesWhoComesFirst) {
  open("hr", {.wishes = {.counts = {{"Department", 4}, {"Employee", 80}}}});
  ComparisonOptions reads = options(5), writes = options(5);
  for (const char* name : {"teamIds", "team", "hire", "move", "rename"}) {
    reads.rates[name] = 0.001;
    writes.rates[name] = 0;
  }
  reads.rates["home"] = 1000;
  writes.rates["home"] = 1;
  writes.rates["rename"] = 1000;
  const auto layouts = [&] { return std::move(*named_layouts(*planned_, {"method1", "method2"})); };
  // One request with the copy, two without; but all copies are rewritten with every change of the name.
  EXPECT_EQ(compared(layouts(), reads).contestants.front().candidate.name, "method2");
  EXPECT_EQ(compared(layouts(), writes).contestants.front().candidate.name, "method1");
}

TEST_F(ComparisonTest, WhoCannotDoEverythingComesLast) {
  open("hr", {.wishes = {.counts = {{"Department", 4}, {"Employee", 40}}}});
  const Comparison made = compared(all_strategies(*planned_, 0, 0), options(3));
  bool is_incomplete = false;
  for (const Contestant& each : made.contestants) {
    EXPECT_FALSE(is_incomplete && each.is_complete()) << each.candidate.name;
    is_incomplete = is_incomplete || !each.is_complete();
  }
  EXPECT_TRUE(is_incomplete);
  EXPECT_TRUE(made.contestants.front().is_complete());
}

// Data that is too large for an item in one way, and not in the others.
TEST_F(ComparisonTest, WhatTheDataDoesNotFitIsNotMeasured) {
  open("order", {.wishes = {.counts = {{"Order", 1}, {"Item", 50}, {"Shipment", 0}, {"Payment", 0}}},
                 .item_bytes = {{"Item", 20'000}}});
  const Comparison made = compared(all_strategies(*planned_, 0, 0), options(2));
  bool is_told = false;
  for (const Rejected& each : made.rejected)
    is_told =
        is_told || (each.name.ends_with("embed map") && each.reason.starts_with("the data does not fit"));
  EXPECT_TRUE(is_told) << told(made);
  EXPECT_TRUE(of(made, "via collection").is_complete());
}

TEST_F(ComparisonTest, UsersDataIsAskedForWhatIsInIt) {
  open("hr", {.wishes = {.counts = {{"Department", 4}, {"Employee", 40}}}});
  auto data = users_data(*generator_, {.name = "data.json", .text = example_text("hr", "data.json")});
  ASSERT_TRUE(data.ok()) << data.error().message;
  const auto made =
      compare(std::move(*named_layouts(*planned_, {"method1", "method4"})), **data, options(10));
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_TRUE(made->differences.empty()) << told(*made);
  const Contestant& keys = of(*made, "method1");
  EXPECT_EQ(keys.summary.items_stored, 7 + 2);  // two departments, five employees, two of the system
  for (size_t i = 0; i < made->script.subjects.size(); ++i) {
    if (!made->script.subjects[i].is_read()) continue;
    EXPECT_EQ(keys.trial.measured[i].runs, 10u);
    EXPECT_GE(keys.trial.measured[i].items_returned, 10u) << made->script.subjects[i].name;
  }
}

TEST_F(ComparisonTest, LinesAreDataToo) {
  open("friends", {.wishes = {.scale = 0.05}});
  const std::string lines =
      "{\"User\":[{\"id\":\"a\",\"name\":\"Ann\"}]}\n{\"User\":[{\"id\":\"b\",\"name\":\"Bob\"}]}\n";
  const auto data = users_data(*generator_, {.name = "data", .text = lines, .is_lines = true});
  ASSERT_TRUE(data.ok()) << data.error().message;
  const auto made = compare(declared_comparison(*planned_, 0), **data, options(3));
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_TRUE(made->differences.empty()) << told(*made);
  const auto wrong = users_data(*generator_, {.name = "data", .text = lines + "no json\n", .is_lines = true});
  ASSERT_FALSE(wrong.ok());
  EXPECT_TRUE(wrong.error().message.starts_with("data: "));
}

TEST_F(ComparisonTest, RatesAreOfWhatIsMeasured) {
  open("hr", {.wishes = {.counts = {{"Department", 2}, {"Employee", 4}}}});
  ComparisonOptions wrong = options(1);
  wrong.rates["teams"] = 1;
  const auto made = compare(std::move(*named_layouts(*planned_, {"method1"})), *data_, wrong);
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find("teams is none"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::measure
