#include "plan/fewer_requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sheaf::plan {
namespace {

std::string example(const std::filesystem::path& name) {
  std::ifstream file(SHEAF_MODELS / name / "model.sheaf");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

PlannedModel planned_text(const std::string& text) {
  PlannedModel planned = plan_model(model::compile("test.sheaf", text));
  EXPECT_TRUE(planned.compiled.ok()) << planned.compiled.rendered() << text;
  return planned;
}

size_t layout_named(const PlannedModel& planned, std::string_view name) {
  for (size_t i = 0; i < planned.compiled.layouts.size(); ++i) {
    if (planned.compiled.layouts[i].name == name) return i;
  }
  ADD_FAILURE() << "no layout " << name;
  return 0;
}

// Of a pattern with all its parameters, or of an operation; none: it cannot be done.
std::optional<double> requests_of(const PlannedModel& planned, size_t layout, const std::string& name) {
  for (const PlannedPattern& each : planned.plans[layout]) {
    if (each.pattern->name == name && each.ok()) return std::get<Plan>(each.plan).cost.requests;
  }
  for (const PlannedOperation& each : planned.operations[layout]) {
    if (each.operation->name == name && each.ok()) return std::get<OperationPlan>(each.plan).cost.requests;
  }
  return std::nullopt;
}

std::optional<FewerRequests> found(const PlannedModel& planned, const std::string& layout,
                                   const std::string& name) {
  const size_t place = layout_named(planned, layout);
  FewerRequestsSearch search(planned, place);
  for (const PlannedPattern& each : planned.plans[place]) {
    if (each.pattern->name == name) return search.find(each);
  }
  for (const PlannedOperation& each : planned.operations[place]) {
    if (each.operation->name == name) return search.find(each);
  }
  ADD_FAILURE() << "no " << name;
  return std::nullopt;
}

TEST(FewerRequests, ACopySavesTheSecondRequestAndItsPriceIsTold) {
  const PlannedModel planned = planned_text(example("hr"));
  const auto fewer = found(planned, "method1", "home");
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->requests, 1);
  EXPECT_EQ(fewer->text(), "rel Department.staff via index on by_department copy department(*)");
  EXPECT_TRUE(fewer->keeps_keys);
  EXPECT_EQ(fewer->worse, (std::vector<std::string>{"hire", "move"}));
}

TEST(FewerRequests, OneRequestIsTheFewest) {
  const PlannedModel planned = planned_text(example("hr"));
  EXPECT_FALSE(found(planned, "method2", "home"));
  EXPECT_FALSE(found(planned, "method1", "move"));
}

TEST(FewerRequests, OfOperationsThereMayBeFewerToo) {
  const auto fewer = found(planned_text(example("hr")), "method4", "move");
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->requests, 1);
  EXPECT_EQ(fewer->text(), "rel Department.staff via index");
}

TEST(FewerRequests, NobodyIsToldAboutChangesThatDoNotHelp) {
  // All fields of a product are read before they are replaced, however it is stored.
  EXPECT_FALSE(found(planned_text(example("catalogue")), "default", "replace"));
}

constexpr std::string_view kLeanIndex = R"(model lean {
  table app { pk PK; sk SK; gsi byName name keys }
  entity User { id id; name; email; key "USER#<id>" / "A"; index byName "<name>" }
  pattern named(n: string) = User where name = $n limit 10
})";

TEST(FewerRequests, AnIndexThatHoldsAllSavesTheBatch) {
  const auto fewer = found(planned_text(std::string(kLeanIndex)), "default", "named");
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->requests, 1);
  EXPECT_EQ(fewer->text(), "gsi byName name all");
  EXPECT_TRUE(fewer->worse.empty());
}

// The model with a layout that has the change, and nothing else that is new.
std::string with_change(std::string text, const std::string& layout, const std::string& change) {
  const size_t end = text.rfind('}');
  const std::string extends = layout == model::kDefaultLayout ? "" : " extends " + layout;
  return text.insert(end, "layout changed" + extends + " { " + change + " }\n");
}

constexpr std::string_view kUnsorted = R"(model shop {
  entity Customer { id id; name }
  entity Order { id id ulid; placed time immutable; status enum(OPEN, PAID) changes often; total number }
  rel Customer 1--* Order as orders / customer { required; size max 3000; on delete cascade }
  pattern orders(c: Customer) = $c.orders order placed desc page 20
  pattern order(o: Order) = $o
  layout written {
    table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK }
    entity Customer { key "C#<id>" / "C" }
    entity Order { key "O#<id>" / "O"; index GSI1 "C#<customer.id>" / "O#<id>" }
  }
  layout together {
    table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK }
    entity Customer { key "C#<id>" / "C" }
    entity Order { key "C#<customer.id>" / "O#<id>"; index GSI1 "O#<id>" / "O" }
  }
})";

TEST(FewerRequests, ASortKeyInTheOrderOfAListSavesReadingAllOfIt) {
  const PlannedModel planned = planned_text(std::string(kUnsorted));
  ASSERT_EQ(requests_of(planned, layout_named(planned, "written"), "orders"), 2);
  const auto fewer = found(planned, "written", "orders");
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->requests, 1);
  EXPECT_EQ(fewer->text(), "entity Order { index GSI1 \"C#<customer.id>\" / \"O#<placed>#<id>\" }");
  EXPECT_TRUE(fewer->keeps_keys);
  EXPECT_TRUE(fewer->worse.empty());
}

TEST(FewerRequests, KeysThatNobodyWroteDownAreToldWithTheirTable) {
  const PlannedModel planned = planned_text(std::string(kUnsorted));
  const auto fewer = found(planned, "default", "orders");
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->requests, 1);
  EXPECT_EQ(fewer->text(),
            "table shop { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK } entity Order { key "
            "\"ORDER#<id>\" / \"ORDER#<id>\"; index GSI1 \"CUSTOMER#<customer.id>\" / "
            "\"ORDER#<placed>#<id>\" }");
}

TEST(FewerRequests, WhereItsOwnKeyIsReadTheOrderIsInThat) {
  const PlannedModel planned = planned_text(std::string(kUnsorted));
  const auto fewer = found(planned, "together", "orders");
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->requests, 1);
  EXPECT_EQ(fewer->text(),
            "entity Order { key \"C#<customer.id>\" / \"O#<placed>#<id>\"; index GSI1 \"O#<id>\" / \"O\" }");
}

TEST(FewerRequests, WhatIsChosenIsToldByItsName) {
  const PlannedModel planned = planned_text(R"(model pg {
    entity A { id id; n }
    entity B { id id; n }
    rel A *--* B as bs / as { size of bs max 2000; size of as max 2000 }
    pattern p(a: A) = $a.bs page 100 { n }
  })");
  const auto fewer = found(planned, "default", "p");
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->text(), "rel A.bs via edges pk as copy bs(*)");
}

// Each copy alone leaves the batch that fetches the other.
constexpr std::string_view kTwoCopies = R"(model two {
  entity Author { id id; name changes rarely }
  entity Shop { id id; city changes rarely }
  entity Book { id id; title }
  rel Author 1--* Book as books / author { required; size max 50 }
  rel Shop 1--* Book as stock / shop { required; size max 50 }
  pattern book(b: Book) = $b { *, author { name }, shop { city } }
  pattern books(a: Author) = $a.books
  pattern stock(s: Shop) = $s.stock
})";

TEST(FewerRequests, WhatNoChangeSavesAloneTwoMayTogether) {
  const PlannedModel planned = planned_text(std::string(kTwoCopies));
  ASSERT_EQ(requests_of(planned, 0, "book"), 2);
  const auto fewer = found(planned, "default", "book");
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->requests, 1);
  EXPECT_TRUE(fewer->keeps_keys);
  EXPECT_TRUE(fewer->worse.empty());
  ASSERT_EQ(fewer->changes.size(), 2u);
  EXPECT_TRUE(fewer->changes[0].starts_with("rel Author.books via ")) << fewer->changes[0];
  EXPECT_TRUE(fewer->changes[0].ends_with(" copy author(*)")) << fewer->changes[0];
  EXPECT_TRUE(fewer->changes[1].starts_with("rel Shop.stock via ")) << fewer->changes[1];
  EXPECT_TRUE(fewer->changes[1].ends_with(" copy shop(*)")) << fewer->changes[1];
  const PlannedModel changed = planned_text(with_change(std::string(kTwoCopies), "default", fewer->text()));
  EXPECT_EQ(requests_of(changed, layout_named(changed, "changed"), "book"), 1) << fewer->text();
}

// Three of four: the relation that the pattern does not need is left as it is.
TEST(FewerRequests, NoChangeIsToldThatIsNotNeeded) {
  const PlannedModel planned = planned_text(R"(model three {
    entity Author { id id; name }
    entity Shop { id id; city }
    entity Language { id id; name }
    entity Book { id id; title }
    entity Page within book { no id int; body }
    rel Author 1--* Book as books / author { required; size max 50 }
    rel Shop 1--* Book as stock / shop { required; size max 50 }
    rel Language 1--* Book as written / language { required; size max 50 }
    rel Book 1--* Page as pages / book { required; size max 50; on delete cascade }
    pattern book(b: Book) = $b { *, author { name }, shop { city }, language { name }, pages }
    pattern books(a: Author) = $a.books
    pattern stock(s: Shop) = $s.stock
    pattern written(l: Language) = $l.written
  })");
  const auto fewer = found(planned, "default", "book");
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->requests, 1);
  EXPECT_EQ(fewer->changes.size(), 3u) << fewer->text();
}

TEST(FewerRequests, WhatWasTriedIsCounted) {
  const PlannedModel planned = planned_text(std::string(kTwoCopies));
  FewerRequestsSearch search(planned, 0);
  for (const PlannedPattern& each : planned.plans[0]) {
    search.find(each);
    const bool is_searched = each.pattern->name == "book";  // one request needs no search
    EXPECT_EQ(search.tried().alone > 0, is_searched) << each.pattern->name;
    EXPECT_EQ(search.tried().together > 0, is_searched) << each.pattern->name;
    EXPECT_LE(search.tried().together, 120u);
  }
}

TEST(FewerRequests, ASortKeyThatIsToldCanBeWritten) {
  for (const std::string layout : {"default", "written", "together"}) {
    const PlannedModel planned = planned_text(std::string(kUnsorted));
    const auto fewer = found(planned, layout, "orders");
    ASSERT_TRUE(fewer);
    const PlannedModel changed = planned_text(with_change(std::string(kUnsorted), layout, fewer->text()));
    EXPECT_EQ(requests_of(changed, layout_named(changed, "changed"), "orders"), 1) << fewer->text();
  }
}

// What is promised happens to who writes it down: in all layouts of all examples.
TEST(FewerRequests, WhatIsPromisedIsSoWhenItIsWritten) {
  size_t checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_MODELS)) {
    const std::string text = example(entry.path().filename());
    const PlannedModel planned = planned_text(text);
    for (size_t layout = 0; layout < planned.plans.size(); ++layout) {
      const std::string& layout_name = planned.compiled.layouts[layout].name;
      FewerRequestsSearch search(planned, layout);
      const auto check = [&](const std::string& name, double requests,
                             const std::optional<FewerRequests>& fewer) {
        if (!fewer) return;
        EXPECT_LT(fewer->requests, requests) << name;
        if (!fewer->keeps_keys || fewer->text().starts_with("gsi ")) return;
        const PlannedModel changed = planned_text(with_change(text, layout_name, fewer->text()));
        const size_t place = layout_named(changed, "changed");
        EXPECT_EQ(requests_of(changed, place, name), fewer->requests)
            << entry.path() << " " << layout_name << " " << name << ": " << fewer->text();
        for (const model::Pattern& pattern : planned.compiled.model.patterns) {
          const auto before = requests_of(planned, layout, pattern.name);
          const auto after = requests_of(changed, place, pattern.name);
          const bool is_worse = before && (!after || *after > *before);
          const bool is_told =
              std::find(fewer->worse.begin(), fewer->worse.end(), pattern.name) != fewer->worse.end();
          // One that leaves parameters out may be worse alone.
          EXPECT_TRUE(is_told || !is_worse) << entry.path() << " " << pattern.name << ": " << fewer->text();
        }
        ++checked;
      };
      for (const PlannedPattern& each : planned.plans[layout]) {
        const bool is_whole = std::find(each.given.begin(), each.given.end(), false) == each.given.end();
        if (each.ok() && is_whole)
          check(each.pattern->name, std::get<Plan>(each.plan).cost.requests, search.find(each));
      }
      for (const PlannedOperation& each : planned.operations[layout]) {
        if (each.ok())
          check(each.operation->name, std::get<OperationPlan>(each.plan).cost.requests, search.find(each));
      }
    }
  }
  EXPECT_GT(checked, 30u);
}

}  // namespace
}  // namespace sheaf::plan
