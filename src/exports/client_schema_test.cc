#include "exports/client_schema.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "exports/electrodb.h"
#include "exports/onetable.h"
#include "model/compiled_model.h"

namespace sheaf::exports {
namespace {

using Names = std::vector<std::string>;

struct Made {
  model::CompiledModel compiled;
  std::vector<ClientKind> kinds;

  const ClientKind& kind(const std::string& name) const {
    return *std::find_if(kinds.begin(), kinds.end(),
                         [&](const ClientKind& each) { return each.name == name; });
  }
  const model::Layout& layout() const { return compiled.layouts.front(); }
};

// Kinds point into their layout, so both stay where they are.
std::unique_ptr<Made> made(const std::string& text) {
  auto result = std::make_unique<Made>(Made{.compiled = model::compile("test.sheaf", text)});
  EXPECT_TRUE(result->compiled.ok()) << result->compiled.rendered();
  result->kinds = client_kinds(result->compiled.model, result->layout());
  return result;
}

Names names_of(const ClientKind& kind) {
  Names names;
  for (const ClientValue& value : kind.values) names.push_back(value.name);
  return names;
}

constexpr const char* kCompany = R"(model company {
  table company { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all }
  entity Team { team_code id; size int = count(members); key "TEAM#<team_code>" / "TEAM" }
  entity Person {
    id id;
    email unique;
    key "PERSON#<id>" / "PERSON";
    index GSI1 "TEAM#<team.team_code>_<id>" / "BOSS#<boss.id>";
  }
  rel Team 1--* Person as members / team { via ref; required }
  rel Person 1--* Person as reports / boss { via ref }
})";

TEST(ClientKinds, CallIdsForTheEntityThatTheyTell) {
  const auto company = made(kCompany);
  EXPECT_EQ(names_of(company->kind("Team")), (Names{"teamCode", "size"}));
  // The second id of a person is called for the end that leads there.
  EXPECT_EQ(names_of(company->kind("Person")), (Names{"personId", "email", "teamCode", "bossId"}));
}

TEST(ClientKinds, TellWhatOnlyTheModelKeeps) {
  const auto company = made(kCompany);
  EXPECT_EQ(company->kind("Team").kept_only, Names{"size is a count"});
  EXPECT_EQ(company->kind("Person").kept_only, (Names{"email is unique", "Team.size counts it"}));
}

// What is written in both directions must be so by others, too.
TEST(ClientKinds, TellThatAPairIsStoredTwice) {
  const std::string head = R"(model social {
  table social { pk PK; sk SK; tag Type }
  entity User { id id; key "USER#<id>" / "USER" }
  entity Group { id id; key "GROUP#<id>" / "GROUP" }
  rel User *--* Group as groups / members { size of groups max 9; size of members max 9; via )";
  const auto edges = made(head + "edges pk both } }");
  const Names twin = {"the item of the same pair in the other direction"};
  EXPECT_EQ(edges->kind("UserGroups").kept_only, twin);
  EXPECT_EQ(edges->kind("GroupMembers").kept_only, twin);
  const auto lists = made(head + "lists } }");
  EXPECT_EQ(lists->kind("User").kept_only, Names{"that its groups name it, too"});
  EXPECT_EQ(lists->kind("Group").kept_only, Names{"that its members name it, too"});
  // The two ends of a symmetric relation are told apart.
  const auto friends = made(R"(model social {
  table social { pk PK; sk SK; tag Type }
  entity User { id id; key "USER#<id>" / "USER" }
  rel User *--* User as friends { size max 9; via edges key "USER#<from.id>" / "FRIEND#<to.id>" }
})");
  EXPECT_EQ(friends->kind("UserFriends").kept_only, twin);
  EXPECT_EQ(names_of(friends->kind("UserFriends")), (Names{"toId", "fromId"}));
}

TEST(ClientKinds, KnowWhichTextsKeysWriteAlike) {
  const auto company = made(kCompany);
  const ClientKind& person = company->kind("Person");
  // In one key only: what that one escapes.
  const ClientValue& team = person.values[2];
  EXPECT_TRUE(team.is_escapable());
  EXPECT_EQ(team.common_follower(), "_");
  EXPECT_EQ(plain_pattern(team), std::nullopt);
  EXPECT_EQ(key_pattern(person, *person.keys[1].pk),
            "/^TEAM#(?<teamCode>[^\\x00-\\x24_]*)_(?<personId>[^\\x00-\\x24]*)$/");
  // In two keys, of which one escapes a character more, or none at all.
  const auto edges = made(R"(model edges {
  table edges { pk PK; sk SK; tag Type }
  entity Mixed { id id; key "M#<id>" / "<id>_M" }
  entity Bare { id id; key "<id>" / "B#<id>" }
})");
  const ClientValue& mixed = edges->kind("Mixed").values.front();
  EXPECT_TRUE(mixed.is_escapable());
  EXPECT_EQ(mixed.common_follower(), "");
  EXPECT_EQ(plain_pattern(mixed), "/^[^_]*$/");
  const ClientValue& bare = edges->kind("Bare").values.front();
  EXPECT_FALSE(bare.is_escapable());
  EXPECT_EQ(plain_pattern(bare), "/^[^\\x00-\\x25]*$/");
}

TEST(ClientKinds, AreLeftOutIfNoTemplateCanMakeTheirKeys) {
  const auto log = made(R"(model log {
  table log { pk PK; sk SK; tag Type }
  entity Entry { host id; at id time since "2026-01-01"; key "HOST#<host>#<at:month>" / "<at>" }
})");
  EXPECT_EQ(log->kind("Entry").unfit, "its key holds a part of <at>, which no template can make");
  for (const std::string& module :
       {to_electrodb(log->compiled.model, log->layout()), to_onetable(log->compiled.model, log->layout())}) {
    EXPECT_NE(module.find("// Left out: Entry: its key holds a part of <at>"), std::string::npos) << module;
    EXPECT_NE(module.find("export const schemas = {};"), std::string::npos) << module;
  }
}

TEST(ClientKinds, LeaveOutAnIndexThatHoldsSomeOfThem) {
  const auto shop = made(R"(model shop {
  table shop { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all }
  entity Order { id id; state; key "ORDER#<id>" / "ORDER"; index GSI1 "OPEN#<id>" / "<id>" when state = "open" }
})");
  EXPECT_EQ(shop->kind("Order").keys.size(), 1u);
  EXPECT_EQ(shop->kind("Order").left_out, Names{"GSI1: it holds only what its `when` picks"});
  EXPECT_EQ(shop->kind("Order").kept_only.size(), 1u);
}

TEST(Electrodb, LeavesOutKindsThatItCouldNotTellApart) {
  const auto untagged = made(R"(model untagged {
  table items { pk PK; sk SK }
  entity Order { id id matches "o-.+"; key "<id>" / "ROOT" }
  entity Customer { id id matches "c-.+"; key "<id>" / "ROOT" }
})");
  const std::string module = to_electrodb(untagged->compiled.model, untagged->layout());
  EXPECT_NE(module.find("// Left out: Order: the table items has no tag"), std::string::npos) << module;
  EXPECT_NE(module.find("// Left out: Customer: the table items has no tag"), std::string::npos) << module;
}

}  // namespace
}  // namespace sheaf::exports
