#include "run/audit.h"

#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kAuditModel = R"(model m {
  table app { pk PK; sk SK; tag T; gsi GSI1 GSI1PK / GSI1SK }
  entity Owner { id id; name; email unique; car_count int = count(cars); key "O#<id>" / "O" }
  entity Car { id id; plate; seats int default 4; key "C#<id>" / "C"; index GSI1 "O#<owner.id>" / "<plate>" }
  entity Tag { id id; key "T#<id>" / "T" }
  rel Owner 1--* Car as cars / owner { via index on GSI1 copy owner(name); size max 90 }
  rel Car *--* Tag as tags / cars { via edges pk cars; size of tags max 90; size of cars max 90 }
  rel Tag 1--* Tag as below / above { via edges pk one; size max 90 }
  pattern cars(o: Owner) = $o.cars
})";
constexpr std::string_view kAuditData = R"({ "Owner": [{ "id": "o1", "name": "Ann", "email": "a@x" }],
  "Car": [{ "id": "c1", "plate": "P1", "owner": "o1" }, { "id": "c2", "plate": "P2", "owner": "o1" }],
  "Tag": [{ "id": "t1" }, { "id": "t2", "above": "t1" }], "links": { "Car.tags": [["c1", "t1"]] } })";

// The findings, one a line, and how many were mended.
std::string findings(RunningModel& model, bool repairs) {
  const Result<Audit> made = audit(model.database(), model.model(), model.layout(), {.repairs = repairs});
  if (!made.ok()) return "error: " + made.error().message;
  std::vector<std::string> lines;
  for (const Finding& each : made->findings)
    lines.push_back(std::string(name_of(each.kind)) + ": " + each.what + ": " + each.message +
                    (each.is_mended ? " (mended)" : ""));
  std::sort(lines.begin(), lines.end());
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

void update(RunningModel& model, const Item& key, const std::string& expression, const Item& values) {
  const auto done =
      model.database().update_item({.table = "app", .key = key, .update = expression, .values = values});
  ASSERT_TRUE(done.ok()) << done.error().message;
}

TEST(Audit, FindsNothingInWhatWasLoaded) {
  RunningModel model{std::string(kAuditModel), std::string(kAuditData)};
  EXPECT_EQ(findings(model, false), "");
}

TEST(Audit, FindsAndMends) {
  RunningModel model{std::string(kAuditModel), std::string(kAuditData)};
  // Somebody writes past the model.
  update(model, {{"PK", "C#c1"}, {"SK", "C"}}, "SET GSI1SK = :x", {{":x", "P9"}});
  update(model, {{"PK", "C#c2"}, {"SK", "C"}}, "SET owner_name = :x, seats = :y",
         {{":x", "Bob"}, {":y", "four"}});
  update(model, {{"PK", "O#o1"}, {"SK", "O"}}, "SET car_count = :x", {{":x", 7}});
  ASSERT_TRUE(model.database().delete_item({.table = "app", .key = {{"PK", "T#t2"}, {"SK", "T"}}}).ok());
  ASSERT_TRUE(model.database().put_item({.table = "app", .item = {{"PK", "X"}, {"SK", "Y"}}}).ok());
  ASSERT_TRUE(model.database()
                  .delete_item({.table = "m-sheaf",
                                .key = {{"pk", "unique#default#Owner.email#a@x"}, {"sk", "guard"}}})
                  .ok());
  const std::string found = findings(model, false);
  EXPECT_EQ(found,
            "dangling: Tag.below t1 - t2: one of the two is not there\n"
            "drift: Car c2: its copy of owner.name is not what the source says\n"
            "foreign: app X / Y: no entity and no relation of the model explains it\n"
            "misfit: Car c2: the field seats must be a number, and is a string\n"
            "missing-guard: unique#default#Owner.email#a@x: it is not there, and o1 should have it\n"
            "stale-key: Car c1: GSI1SK is P9 and should be P1\n"
            "wrong-count: Owner o1: car_count is 7 and should be 2\n");
  EXPECT_EQ(findings(model, false), found) << "looking changes nothing";
  findings(model, true);
  ASSERT_TRUE(model.session().work().ok());
  findings(model, true);  // guards of edges that went
  EXPECT_EQ(findings(model, false),
            "foreign: app X / Y: no entity and no relation of the model explains it\n"
            "misfit: Car c2: the field seats must be a number, and is a string\n");
}

TEST(Audit, CopiesThatAJobWillBringInStepAreNoDrift) {
  RunningModel model{std::string(kAuditModel), std::string(kAuditData)};
  WriterOptions idle{.runs_jobs = false};
  const auto session = Session::open(model.database(), model.planned(), model.layout_id(), idle);
  ASSERT_TRUE((*session)->write("set.Owner", from_json({"\"o1\"", R"({"name": "Zoe"})"})).ok());
  const auto made = audit(model.database(), model.model(), model.layout(), {});
  EXPECT_TRUE(made->findings.empty());
  EXPECT_EQ(made->copies_under_way, 2u);
  ASSERT_TRUE((*session)->work().ok());
  EXPECT_EQ(audit(model.database(), model.model(), model.layout(), {})->copies_under_way, 0u);
}

}  // namespace
}  // namespace sheaf::run
