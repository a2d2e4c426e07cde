// A model with a table for each entity, whose keys are the ids themselves.
#include <gtest/gtest.h>

#include "plan/explain.h"
#include "run/request_sketch.h"
#include "run/running_model.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kOffices = R"(model offices {
  table orgs { pk org }
  table people { pk person; gsi by_org org / user; gsi by_room room / desk }
  table rooms { pk room }
  entity Org { in orgs; key "<id>"; id id; name }
  entity User within org { in people; key "<org.id>#<id>"; index by_org "<org.id>" / "<id>";
    index by_room "<room.id>" / "<org.id>#<id>"; id id; name }
  entity Room { in rooms; key "<id>"; id id; floor int }
  rel Org 1--* User as users / org { size max 100 }
  rel Room 1--* User as sitters / room { size max 3 }
  pattern user(u: User) = $u { *, org, room }
  pattern users(o: Org) = $o.users order id page 2 { *, org, room }
  pattern now(u: User) = $u { *, org } snapshot
  pattern sitters(r: Room) = $r.sitters order org.id
})";
constexpr std::string_view kOfficesData = R"({
  "Org": [{ "id": "a", "name": "A" }],
  "Room": [{ "id": "r1", "floor": 1 }, { "id": "r2", "floor": 2 }],
  "User": [{ "id": "u1", "org": "a", "name": "One", "room": "r1" },
           { "id": "u2", "org": "a", "name": "Two", "room": "r2" },
           { "id": "u3", "org": "a", "name": "Three" }] })";

RunningModel offices() { return {std::string(kOffices), std::string(kOfficesData)}; }

const plan::Plan& plan_of(const RunningModel& model, std::string_view name) {
  for (const plan::PlannedPattern& each : model.planned().plans[0]) {
    if (each.pattern->name == name) return std::get<plan::Plan>(each.plan);
  }
  ADD_FAILURE() << name;
  static const plan::Plan none;
  return none;
}

TEST(SeveralTables, OneBatchReadsFromAllOfThem) {
  RunningModel model = offices();
  EXPECT_EQ(model.ask("user", {R"(["a", "u1"])"}),
            R"({"id":"u1","name":"One","org":{"id":"a","name":"A"},"room":{"floor":1,"id":"r1"}})"
            "\n");
  EXPECT_EQ(model.figures().requests, 2u);
  EXPECT_EQ(model.ask("now", {R"(["a", "u3"])"}), R"({"id":"u3","name":"Three","org":{"id":"a","name":"A"}})"
                                                  "\n");
  EXPECT_EQ(model.figures().requests, 1u);
  const auto texts = plan::request_texts(model.model(), model.layout(), plan_of(model, "user"));
  EXPECT_EQ(texts[0].view, "people,orgs");
  EXPECT_EQ(texts[0].key_condition, R"(person = "<org.id>#<id>"; org = "<id>")");
}

TEST(SeveralTables, CursorsGoOnBehindABatch) {
  RunningModel model = offices();
  std::string all = model.ask("users", {R"("a")"});
  ASSERT_TRUE(model.cursor());
  all += model.ask("users", {R"("a")"}, *model.cursor());
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 3) << all;
  EXPECT_FALSE(model.cursor());
}

TEST(SeveralTables, SketchesNameEachTable) {
  RunningModel model = offices();
  const model::Pattern& pattern = *model.model().find_pattern("user");
  const auto arguments =
      arguments_of(model.model(), "user", pattern.parameters, from_json({R"(["a", "u1"])"}));
  ASSERT_TRUE(arguments.ok());
  const auto sketched = sketch_requests(model.model(), model.layout(), plan_of(model, "user"), *arguments);
  ASSERT_TRUE(sketched.ok());
  const auto& batch = std::get<BatchGetItems>((*sketched)[0]);
  EXPECT_EQ(batch.tables.at("people").keys.size(), 1u);
  EXPECT_EQ(batch.tables.at("orgs").keys.size(), 1u);
}

// The index key is the room's id, which is not a field of the user.
TEST(SeveralTables, AnUnlinkedReferenceLeavesItsIndex) {
  RunningModel model = offices();
  EXPECT_EQ(model.write("unlink.Room.sitters", {R"("r1")", R"(["a", "u1"])"}), "");
  EXPECT_EQ(model.ask("sitters", {R"("r1")"}), "");
  EXPECT_EQ(model.audited(), "");
  EXPECT_EQ(model.write("delete.Room", {R"("r2")"}), "");
  EXPECT_EQ(model.audited(), "");
}

}  // namespace
}  // namespace sheaf::run
