// Indexes that share attributes with the table's keys, or with each other: an update writes no key of the
// table, and what one index no longer needs another may.
#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

TEST(SharedKeys, AnEntryMovesInAnIndexOverAKeyOfTheTable) {
  RunningModel running(R"(model plans {
    table project { pk tenant; sk code; gsi by_state tenant_state / code; gsi by_tenant tenant / rank }
    entity Project { tenant id; code id; state; rank string?; in project; key "<tenant>" / "<code>";
      index by_state "<tenant>#<state>" / "<code>"; index by_tenant "<tenant>" / "<rank>" }
    pattern project(p: Project) = $p
    pattern inState(t: string, s: string) = Project where tenant = $t and state = $s order code
    pattern ranked(t: string) = Project where tenant = $t and rank >= "0" order rank
    op close(p: Project, t: string?) = set $p.state = "closed", $p.rank = $t
    op forget(p: Project) = remove $p.rank })",
                       R"({ "Project": [{ "tenant": "t", "code": "a", "state": "open", "rank": "1" },
                                        { "tenant": "t", "code": "b", "state": "open" }] })");
  ASSERT_EQ(running.write("close", {R"(["t", "a"])"}), "");
  EXPECT_EQ(running.ask("inState", {"\"t\"", "\"closed\""}),
            "{\"code\":\"a\",\"rank\":\"1\",\"state\":\"closed\",\"tenant\":\"t\"}\n");
  EXPECT_EQ(running.ask("inState", {"\"t\"", "\"open\""}),
            "{\"code\":\"b\",\"state\":\"open\",\"tenant\":\"t\"}\n");
  ASSERT_EQ(running.write("close", {R"(["t", "b"])", "\"2\""}), "");
  ASSERT_EQ(running.write("forget", {R"(["t", "a"])"}), "");
  EXPECT_EQ(running.ask("ranked", {"\"t\""}),
            "{\"code\":\"b\",\"rank\":\"2\",\"state\":\"closed\",\"tenant\":\"t\"}\n");
  EXPECT_EQ(running.audited(), "");
}

TEST(SharedKeys, AnItemThatLeavesOneIndexStaysInTheOther) {
  RunningModel running(R"(model tasks {
    table app { pk PK; sk SK; tag T; gsi by_due OWNER / DUE; gsi by_name OWNER / NAME }
    entity Task { id id; owner; name; due?; key "T#<id>" / "T";
      index by_due "O#<owner>" / "D#<due>"; index by_name "O#<owner>" / "N#<name>" }
    pattern due(o: string) = Task where owner = $o and due >= "0" order due
    pattern named(o: string) = Task where owner = $o order name { id }
    op later(t: Task) = remove $t.due
    op give(t: Task, o: string, n: string) = set $t.owner = $o, $t.name = $n })",
                       R"({ "Task": [{ "id": "1", "owner": "o", "name": "n", "due": "2026" },
                                     { "id": "2", "owner": "o", "name": "m" }] })");
  EXPECT_EQ(running.ask("named", {"\"o\""}), "{\"id\":\"2\"}\n{\"id\":\"1\"}\n");
  ASSERT_EQ(running.write("later", {"\"1\""}), "");
  EXPECT_EQ(running.ask("due", {"\"o\""}), "");
  EXPECT_EQ(running.ask("named", {"\"o\""}), "{\"id\":\"2\"}\n{\"id\":\"1\"}\n");
  ASSERT_EQ(running.write("give", {"\"1\"", "\"p\"", "\"k\""}), "");
  EXPECT_EQ(running.ask("named", {"\"p\""}), "{\"id\":\"1\"}\n");
  EXPECT_EQ(running.audited(), "");
}

}  // namespace
}  // namespace sheaf::run
