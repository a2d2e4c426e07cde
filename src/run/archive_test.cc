// B16: old entities leave their tables, and come back.
#include "run/archive.h"

#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kModel = R"(model blog {
  table app { pk PK; sk SK; tag T; gsi G1X G1PK / G1SK }
  entity User { id id; name; posts_count int = count(posts); key "U#<id>" / "U" }
  entity Post { id id; at time since "2020-01-01"; text; mood?; code? unique; tags set<string>?; image binary?; timestamps;
    key "U#<author.id>#<at:month>" / "P#<at>#<id>"; index G1X "P#<id>" / "P" }
  entity Note within post { id id int; text }
  entity Day { day id date; sum int; more?; store eav; key "D#<day>" / "<attribute>" }
  rel User 1--* Post as posts / author { via collection; required; size avg 10 unbounded; on delete cascade }
  rel Post 1--* Note as notes / post { via embed list; size max 5; on delete cascade }
  pattern all(u: User) = $u.posts order at { *, notes }
  pattern user(u: User) = $u
  pattern day(d: Day) = $d
})";
constexpr std::string_view kData = R"({
  "User": [{ "id": "u", "name": "Ann" }],
  "Post": [
    { "id": "1", "author": "u", "at": "2020-01-05T00:00:00.000Z", "text": "a", "code": "x", "tags": ["p", "q"],
      "created_at": "2020-01-05T00:00:00.000Z", "image": "AAEC", "notes": [{ "id": 1, "text": "n" }] },
    { "id": "2", "author": "u", "at": "2020-02-05T00:00:00.000Z", "text": "b", "mood": "gay" },
    { "id": "3", "author": "u", "at": "2020-03-01T00:00:00.000Z", "text": "c" }],
  "Day": [{ "day": "2020-01-01", "sum": 1, "more": "m" }, { "day": "2021-01-01", "sum": 2 }] })";

class Archive : public ::testing::Test {
 protected:
  Result<Archived> archive_before(const std::string& before, std::string_view entity = "Post",
                                  std::string_view by = "at") {
    const model::EntityId id = *model_.model().find_entity(entity);
    const ArchiveOptions options{.entity = id,
                                 .by = *model_.model().find_field(id, by),
                                 .before = before,
                                 .keep = [this](std::string_view lines) -> Result<void> {
                                   if (meanwhile_) meanwhile_();
                                   if (!has_room_) return Error{Code::kUnavailable, "full"};
                                   kept_ += lines;
                                   return {};
                                 }};
    return archive(model_.database(), model_.model(), model_.layout(), writer_, options);
  }

  Restored restore() {
    Restored restored;
    std::istringstream lines(kept_);
    for (std::string line; std::getline(lines, line);) {
      const auto done = restore_line(model_.model(), model_.layout(), writer_, line, restored);
      EXPECT_TRUE(done.ok()) << done.error().message;
    }
    return restored;
  }

  RunningModel model_{std::string(kModel), std::string(kData)};
  Writer writer_{model_.database(), model_.model(), model_.layout()};
  std::string kept_;
  bool has_room_ = true;
  std::function<void()> meanwhile_;
};

TEST_F(Archive, TakesTheOldOnesOutAndBringsThemBackAsTheyWere) {
  const std::string before = model_.ask("all", {"\"u\""});
  const auto archived = archive_before("2020-03-01");
  ASSERT_TRUE(archived.ok()) << archived.error().message;
  EXPECT_EQ(archived->entities, 2u);
  EXPECT_EQ(archived->changed + archived->gone, 0u);
  EXPECT_EQ(model_.ask("all", {"\"u\""}).find("\"id\":\"1\""), std::string::npos);
  EXPECT_NE(model_.ask("all", {"\"u\""}).find("\"id\":\"3\""), std::string::npos);
  EXPECT_NE(model_.ask("user", {"\"u\""}).find("\"posts_count\":1"), std::string::npos);
  EXPECT_EQ(model_.audited(), "") << "guards and counts are in step";
  EXPECT_NE(kept_.find(R"({"Post":[{"at":"2020-01-05T00:00:00.000Z","author":"u","code":"x",)"),
            std::string::npos)
      << kept_;
  EXPECT_EQ(std::count(kept_.begin(), kept_.end(), '\n'), 2);

  EXPECT_EQ(restore().entities, 2u);
  EXPECT_EQ(model_.ask("all", {"\"u\""}), before);
  EXPECT_NE(model_.ask("user", {"\"u\""}).find("\"posts_count\":3"), std::string::npos);
  EXPECT_EQ(model_.audited(), "");
  const Restored again = restore();
  EXPECT_EQ(again.entities, 0u);
  EXPECT_EQ(again.there, 2u);
}

TEST_F(Archive, EndsBeforeItsTime) {
  EXPECT_EQ(archive_before("2020-01-05T00:00:00.000Z")->entities, 0u) << "not those of that moment";
  EXPECT_EQ(archive_before("2020-01-05T00:00:00.001Z")->entities, 1u);
}

TEST_F(Archive, NothingIsDeletedThatIsNotKept) {
  const std::string before = model_.ask("all", {"\"u\""});
  has_room_ = false;
  EXPECT_EQ(archive_before("2021-01-01").error().message, "full");
  EXPECT_EQ(model_.ask("all", {"\"u\""}), before);
}

TEST_F(Archive, WhatIsChangedMeanwhileStays) {
  meanwhile_ = [this] {
    EXPECT_EQ(model_.write("set.Post", {"\"2\"", R"({"text": "new"})"}), "");
    EXPECT_EQ(model_.write("delete.Post", {"\"3\""}), "");
  };
  const auto archived = archive_before("2021-01-01");
  ASSERT_TRUE(archived.ok()) << archived.error().message;
  EXPECT_EQ(archived->entities, 1u);
  EXPECT_EQ(archived->changed, 1u);
  EXPECT_EQ(archived->gone, 1u);
  EXPECT_NE(model_.ask("all", {"\"u\""}).find("\"text\":\"new\""), std::string::npos);
  // Also a field that has come.
  meanwhile_ = [this] { EXPECT_EQ(model_.write("set.Post", {"\"2\"", R"({"code": "z"})"}), ""); };
  EXPECT_EQ(archive_before("2021-01-01")->changed, 1u);
  // Or a child in it.
  meanwhile_ = [this] {
    EXPECT_EQ(model_.write("put.Note", {R"({"post": "2", "id": 1, "text": "t"})"}), "");
  };
  EXPECT_EQ(archive_before("2021-01-01")->changed, 1u);
  meanwhile_ = nullptr;
  EXPECT_EQ(archive_before("2021-01-01")->entities, 1u);
  EXPECT_EQ(model_.audited(), "");
}

TEST_F(Archive, AlsoWhatIsStoredFieldByField) {
  EXPECT_EQ(archive_before("2021-01-01", "Day", "day")->entities, 1u);
  EXPECT_EQ(kept_, "{\"Day\":[{\"day\":\"2020-01-01\",\"more\":\"m\",\"sum\":1}]}\n");
  EXPECT_EQ(model_.ask("day", {"\"2020-01-01\""}), "");
  EXPECT_EQ(model_.audited(), "");
  EXPECT_EQ(restore().entities, 1u);
  EXPECT_EQ(model_.ask("day", {"\"2020-01-01\""}), "{\"day\":\"2020-01-01\",\"more\":\"m\",\"sum\":1}\n");
}

TEST_F(Archive, WhatOthersAreLinkedToIsRefused) {
  EXPECT_EQ(*why_not_archived(model_.model(), model_.layout(), *model_.model().find_entity("User")),
            "what is linked to a User by its posts is not in its own item, and would not be in the archive");
  EXPECT_EQ(*why_not_archived(model_.model(), model_.layout(), *model_.model().find_entity("Note")),
            "Note has no items of its own in this layout");
}

TEST_F(Archive, ALineThatIsNoneIsRefused) {
  Restored restored;
  for (const char* line : {"", "[]", "{", "{\"Nobody\": []}", "{\"Post\": 1}", "{\"Post\": [{\"id\": 1}]}",
                           "{\"Post\": [{\"id\": \"9\", \"author\": \"u\"}]}"})
    EXPECT_FALSE(restore_line(model_.model(), model_.layout(), writer_, line, restored).ok()) << line;
  EXPECT_EQ(restored.entities, 0u);
}

}  // namespace
}  // namespace sheaf::run
