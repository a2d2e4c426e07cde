// The search itself: it must find what goes wrong in one order only.
#include "schedule.h"

#include <gtest/gtest.h>

namespace sheaf::interleavings {
namespace {

std::unique_ptr<Database> counters() {
  auto database = Database::open_in_memory({.background_thread = false});
  EXPECT_TRUE(database->create_table({.table = "table", .key = {.partition = {{.name = "pk"}}}}).ok());
  for (const char* name : {"a", "b"})
    EXPECT_TRUE(database->put_item({.table = "table", .item = {{"pk", name}, {"n", 0}}}).ok());
  return database;
}

int64_t count_of(Database& database, const char* name) {
  const auto got = database.get_item({.table = "table", .key = {{"pk", name}}, .consistent = true});
  return *got->item->find("n")->number().to_int64();
}

// Reads, then writes one more: the classic lost update.
void increment(Database& database, const char* name) {
  const auto got = database.get_item({.table = "table", .key = {{"pk", name}}, .consistent = true});
  if (!got.ok()) return;
  const int64_t n = *got->item->find("n")->number().to_int64();
  static_cast<void>(database.put_item({.table = "table", .item = {{"pk", name}, {"n", n + 1}}}));
}

TEST(Schedule, FindsALostUpdate) {
  std::set<int64_t> seen;
  Scenario scenario{.programs = 2, .prepare = counters};
  scenario.program = [](size_t, Database& database) { increment(database, "a"); };
  scenario.check = [&](Database& database, const std::string&) {
    seen.insert(count_of(database, "a"));
    return true;
  };
  const Exploration made = explore(scenario);
  EXPECT_TRUE(made.is_complete);
  EXPECT_EQ(seen, (std::set<int64_t>{1, 2}));
}

TEST(Schedule, TriesIndependentRequestsInOneOrderOnly) {
  Scenario scenario{.programs = 2, .prepare = counters};
  scenario.program = [](size_t i, Database& database) { increment(database, i == 0 ? "a" : "b"); };
  scenario.check = [](Database&, const std::string&) { return true; };
  EXPECT_EQ(explore(scenario).runs, 1u);
}

TEST(Schedule, KillsBeforeEveryRequest) {
  std::multiset<int64_t> seen;
  Scenario scenario{.programs = 1, .kills_max = 1, .prepare = counters};
  scenario.program = [](size_t, Database& database) { increment(database, "a"); };
  scenario.check = [&](Database& database, const std::string&) {
    seen.insert(count_of(database, "a"));
    return true;
  };
  const Exploration made = explore(scenario);
  // Killed before the first and before the second are the same afterwards.
  EXPECT_EQ(made.runs, 3u);
  EXPECT_EQ(made.outcomes, 2u);
  EXPECT_EQ(seen, (std::multiset<int64_t>{0, 1}));
}

// Three that add one each, without reading: six orders, and one for each number of them that are done.
TEST(Schedule, GoesOnOnceFromWhatIsTheSame) {
  Scenario scenario{.programs = 3, .prepare = counters};
  scenario.program = [](size_t, Database& database) {
    static_cast<void>(database.update_item(
        {.table = "table", .key = {{"pk", "a"}}, .update = "ADD n :one", .values = {{":one", 1}}}));
  };
  std::set<int64_t> seen;
  scenario.check = [&](Database& database, const std::string&) {
    seen.insert(count_of(database, "a"));
    return true;
  };
  const Exploration made = explore(scenario);
  EXPECT_TRUE(made.is_complete);
  EXPECT_EQ(made.outcomes, 1u);
  EXPECT_EQ(made.states, 7u);  // which of them are done, but for all
  EXPECT_EQ(seen, (std::set<int64_t>{3}));
}

// The database is the same, and what they have read is not: that must be told apart.
TEST(Schedule, TellsProgramsApartThatKnowDifferentThings) {
  std::set<int64_t> seen;
  Scenario scenario{.programs = 3, .prepare = counters};
  scenario.program = [](size_t, Database& database) { increment(database, "a"); };
  scenario.check = [&](Database& database, const std::string&) {
    seen.insert(count_of(database, "a"));
    return true;
  };
  EXPECT_TRUE(explore(scenario).is_complete);
  EXPECT_EQ(seen, (std::set<int64_t>{1, 2, 3}));
}

}  // namespace
}  // namespace sheaf::interleavings
