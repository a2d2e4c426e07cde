#include "server/model_watch.h"

#include <gtest/gtest.h>

#include "api/local_database.h"
#include "model/compiled_model.h"
#include "run/tables.h"
#include "store/memory_store.h"

namespace sheaf::server {
namespace {

TEST(ModelWatch, TellsInMetricsByEntityAndWithoutKeys) {
  const model::CompiledModel compiled = model::compile("teams.sheaf", R"(
    model teams {
      entity Team { id id; title }
      entity Player { id id; text }
      rel Team 1--* Player as players / team { required }
      layout stored {
        table teams { pk PK; sk SK }
        entity Team { key "TEAM#<id>" / "TEAM" }
        entity Player { key "TEAM#<team.id>" / "PLAYER#<id>" }
        rel Team.players via collection
      }
    })");
  ASSERT_TRUE(compiled.ok()) << compiled.rendered();
  const auto names = std::make_shared<watch::KeyNames>();
  names->add(compiled.model, compiled.layouts.back());
  ManualClock clock(int64_t{1'800'000'000} * 1'000'000);
  const std::unique_ptr<Database> database = api::make_local_database(
      store::open_memory_store(clock), clock, {.background_thread = false, .heat = true});
  watch::Lines lines;
  ASSERT_TRUE(watch::set_line(lines, "collection-items=100").ok());
  ModelWatch watch(
      *database, [&] { return names; }, lines, clock);
  const auto metrics = [&] {
    std::string text;
    watch.append_text(text);
    return text;
  };
  watch.look();
  EXPECT_EQ(metrics().find("sheaf_limit_value{"), std::string::npos) << "there are no tables yet";
  ASSERT_TRUE(run::apply_tables(*database, compiled.layouts.back()).ok());
  int number = 0;
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < 10; ++i) {
      const Item item{{"PK", "TEAM#secret"}, {"SK", "PLAYER#" + std::to_string(number++)}};
      ASSERT_TRUE(database->put_item({.table = "teams", .item = item}).ok());
    }
    clock.advance_us(10'000'000);
    watch.look();
  }
  const std::string of = R"({limit="collection-items",table="teams",kind="Team"} )";
  EXPECT_NE(metrics().find("sheaf_limit_value" + of + "80\n"), std::string::npos) << metrics();
  EXPECT_NE(metrics().find("sheaf_limit_share" + of + "0.8\n"), std::string::npos) << metrics();
  EXPECT_NE(metrics().find("sheaf_limit_seconds" + of + "20"), std::string::npos) << metrics();
  EXPECT_NE(metrics().find("sheaf_limit_warnings" + of + "0\n"), std::string::npos) << metrics();
  EXPECT_EQ(metrics().find("secret"), std::string::npos);
  for (int i = 0; i < 20; ++i) {
    const Item item{{"PK", "TEAM#secret"}, {"SK", "PLAYER#" + std::to_string(number++)}};
    ASSERT_TRUE(database->put_item({.table = "teams", .item = item}).ok());
  }
  clock.advance_us(10'000'000);
  watch.look();
  EXPECT_NE(metrics().find("sheaf_limit_warnings" + of + "1\n"), std::string::npos) << metrics();
}

// It counts the collections of an index that grow by reading them.
TEST(ModelWatch, ReadsForItself) {
  const model::CompiledModel compiled = model::compile("teams.sheaf", R"(
    model teams {
      entity Team { id id; title }
      entity Player { id id; text }
      rel Team 1--* Player as players / team { size max 90 }
      layout stored {
        table teams { pk PK; gsi by_team GSI1PK }
        entity Team { key "TEAM#<id>" }
        entity Player { key "PLAYER#<id>"; index by_team "TEAM#<team.id>" }
        rel Team.players via index on by_team
      }
    })");
  ASSERT_TRUE(compiled.ok()) << compiled.rendered();
  const auto names = std::make_shared<watch::KeyNames>();
  names->add(compiled.model, compiled.layouts.back());
  ManualClock clock(int64_t{1'800'000'000} * 1'000'000);
  const std::unique_ptr<Database> database = api::make_local_database(
      store::open_memory_store(clock), clock, {.background_thread = false, .heat = true});
  ASSERT_TRUE(run::apply_tables(*database, compiled.layouts.back()).ok());
  ModelWatch watch(
      *database, [&] { return names; }, {}, clock);
  const auto reads = [&](const std::string& index) {
    return database->heat({.table = "teams", .index = index, .seconds = 3600})->reads.requests_per_second;
  };
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < 10; ++i) {
      const std::string id = std::to_string(round * 10 + i);
      const Item item{{"PK", "PLAYER#" + id}, {"GSI1PK", "TEAM#1"}, {"team_id", "1"}};
      ASSERT_TRUE(database->put_item({.table = "teams", .item = item}).ok());
    }
    clock.advance_us(10'000'000);
    watch.look();
  }
  EXPECT_EQ(reads("by_team"), 0);
  EXPECT_EQ(reads(""), 0);
  ASSERT_TRUE(database->get_item({.table = "teams", .key = {{"PK", "PLAYER#1"}}}).ok());
  EXPECT_GT(reads(""), 0) << "others are counted";
}

}  // namespace
}  // namespace sheaf::server
