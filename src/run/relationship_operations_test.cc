// What operations on relationships write, and what they leave alone.
#include <gtest/gtest.h>

#include <set>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

// All items of the model's first table, as text.
std::set<std::string> items(RunningModel& model) {
  std::set<std::string> texts;
  const Result<Page> page = model.database().scan({.table = model.layout().tables.front().name});
  EXPECT_TRUE(page.ok()) << page.error().message;
  if (!page.ok()) return texts;
  for (size_t i = 0; i < page->items.size(); ++i) texts.insert(to_plain_json(Value(Item(page->items[i]))));
  return texts;
}

// How many items are different, those that came and went among them.
size_t changed(const std::set<std::string>& before, const std::set<std::string>& after) {
  std::vector<std::string> gone, come;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(gone));
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(come));
  return std::max(gone.size(), come.size());
}

// C10, D8: a link is one transaction over three items, of which it writes one.
TEST(Operations, AnEdgeComesAndGoesWithoutTouchingItsEntities) {
  RunningModel repos(model_file("repos/model.sheaf"), model_file("repos/data.json"));
  const std::set<std::string> before = items(repos);
  ASSERT_EQ(repos.write("grant", {"\"ann\"", R"(["alexdebrie", "book"])", "\"READ\""}), "");
  EXPECT_EQ(repos.reply().figures.requests, 1u);
  const std::set<std::string> after = items(repos);
  EXPECT_EQ(after.size(), before.size() + 1);
  EXPECT_TRUE(std::includes(after.begin(), after.end(), before.begin(), before.end()));
  ASSERT_EQ(repos.write("revoke", {"\"ann\"", R"(["alexdebrie", "book"])"}), "");
  EXPECT_EQ(items(repos), before);
  EXPECT_EQ(repos.write("grant", {"\"ann\"", R"(["alexdebrie", "none"])", "\"READ\""}),
            "error: there is no Repo [alexdebrie, none]");
  EXPECT_EQ(items(repos), before);
}

// D10: a child of a collection, of a path, of an index.
TEST(Operations, AChildChangesWithoutItsParent) {
  struct Case {
    std::string model, layout, operation, child;
  };
  for (const Case& each : {Case{"orgs", "default", "promote", R"(["acme", "bob"])"},
                           Case{"orgs", "index", "promote", R"(["acme", "bob"])"},
                           Case{"projects", "default", "finish", R"(["o1", "p1", "t1"])"}}) {
    RunningModel model(model_file(each.model + "/model.sheaf"), model_file(each.model + "/data.json"),
                       each.layout);
    const std::set<std::string> before = items(model);
    ASSERT_EQ(model.write(each.operation, {each.child}), "") << each.model;
    EXPECT_EQ(model.reply().figures.requests, 1u) << each.model;
    EXPECT_EQ(changed(before, items(model)), 1u) << each.model << " " << each.layout;
  }
}

// A14, E6: three updates of one collection, all or none.
TEST(Operations, ThreeItemsChangeTogetherOrNotAtAll) {
  RunningModel profile(model_file("profile/model.sheaf"), model_file("profile/data.json"));
  const std::set<std::string> before = items(profile);
  const auto relocate = [&](const char* card) {
    return profile.write("relocate", {"\"user_123\"", "\"new@mail.example\"", R"(["user_123", "home"])",
                                      "\"9 Lake View\"", card, "\"2031-05\""});
  };
  EXPECT_NE(relocate(R"(["user_123", "card_009"])"), "");
  EXPECT_EQ(items(profile), before);
  EXPECT_EQ(relocate(R"(["user_123", "card_001"])"), "");
  EXPECT_EQ(profile.reply().figures.requests, 1u);
  EXPECT_EQ(changed(before, items(profile)), 3u);
}

// S1.2: the end that an entity lies within is part of its identity.
TEST(Operations, AChildIsNotMovedToAnotherParent) {
  for (const char* layout : {"default", "index"}) {
    RunningModel orgs(model_file("orgs/model.sheaf"), model_file("orgs/data.json"), layout);
    const std::set<std::string> before = items(orgs);
    const std::string refused =
        "error: the end org is part of the id, which does not change: delete the entity and put another";
    EXPECT_EQ(orgs.write("move.User.org", {R"(["acme", "bob"])", "\"globex\""}), refused);
    EXPECT_EQ(orgs.write("set.User", {R"(["acme", "bob"])", R"({"org": "globex"})"}), refused);
    EXPECT_EQ(items(orgs), before);
  }
}

}  // namespace
}  // namespace sheaf::run
