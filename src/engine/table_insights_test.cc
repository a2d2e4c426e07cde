#include "engine/table_insights.h"

#include <gtest/gtest.h>

#include "engine/engine_fixture.h"

namespace sheaf::engine {
namespace {

class TableInsights : public EngineTest {
 protected:
  TableInsights() {
    TableSettings settings = collection_table("t");
    settings.indexes = {local_index("lsi", text_key("l")),
                        global_index("gsi", {.partition = {text_key("g")}, .sort = {}})};
    create(settings);
  }

  Result<InsightsUpdated> set(const InsightsUpdate& update) { return update_insights(engine(), "t", update); }
  bool changes(const InsightsUpdate& update) {
    const Result<InsightsUpdated> updated = set(update);
    EXPECT_TRUE(updated.ok()) << outcome_of(updated);
    return updated.ok() && updated->changed;
  }
  TableSettings now() { return (*current_table(engine(), "t"))->settings; }
  InsightsSettings of_index(std::string_view name) { return now().find_index(name)->insights; }
  void settle() {
    while (*run_jobs(engine(), "test")) {
    }
  }
};

constexpr auto kAll = InsightsMode::kAccessedAndThrottledKeys;
constexpr auto kThrottled = InsightsMode::kThrottledKeys;

TEST_F(TableInsights, AreTurnedOnAndOff) {
  EXPECT_EQ(now().insights, InsightsSettings());
  EXPECT_TRUE(changes({.enabled = true}));
  const InsightsSettings on{
      .enabled = true, .mode = kAll, .changed_us = kTestStartUs, .enabled_us = kTestStartUs};
  EXPECT_EQ(now().insights, on);
  EXPECT_EQ(of_index("gsi"), InsightsSettings()) << "that is another's";
  clock().advance_us(kSecondUs);
  EXPECT_TRUE(changes({.enabled = false}));
  EXPECT_EQ(
      now().insights,
      (InsightsSettings{.mode = kAll, .changed_us = kTestStartUs + kSecondUs, .enabled_us = kTestStartUs}));
  clock().advance_us(kSecondUs);
  EXPECT_TRUE(changes({.enabled = true}));
  EXPECT_EQ(now().insights.enabled_us, kTestStartUs + 2 * kSecondUs);
}

TEST_F(TableInsights, AnotherModeDoesNotTurnThemOnAnew) {
  changes({.enabled = true});
  clock().advance_us(kSecondUs);
  EXPECT_TRUE(changes({.enabled = true, .mode = kThrottled}));
  EXPECT_EQ(now().insights, (InsightsSettings{.enabled = true,
                                              .mode = kThrottled,
                                              .changed_us = kTestStartUs + kSecondUs,
                                              .enabled_us = kTestStartUs}));
}

TEST_F(TableInsights, WhatIsTurnedOffKeepsItsMode) {
  changes({.enabled = true, .mode = kThrottled});
  EXPECT_TRUE(changes({.enabled = false, .mode = kAll}));
  EXPECT_EQ(now().insights.mode, kThrottled);
}

TEST_F(TableInsights, WhatChangesNothingIsNotWritten) {
  const auto version = [&] { return (*current_table(engine(), "t"))->version; };
  const store::Version before = version();
  EXPECT_FALSE(changes({.enabled = false, .mode = kThrottled}));
  EXPECT_FALSE(changes({.index = "gsi", .enabled = false}));
  EXPECT_EQ(version(), before);
  EXPECT_TRUE(changes({.enabled = true}));
  const store::Version on = version();
  EXPECT_NE(on, before);
  clock().advance_us(kSecondUs);
  EXPECT_FALSE(changes({.enabled = true}));
  EXPECT_EQ(version(), on);
  EXPECT_EQ(now().insights.changed_us, kTestStartUs);
}

TEST_F(TableInsights, GlobalIndexesHaveTheirOwn) {
  EXPECT_TRUE(changes({.index = "gsi", .enabled = true, .mode = kThrottled}));
  EXPECT_EQ(
      of_index("gsi"),
      (InsightsSettings{
          .enabled = true, .mode = kThrottled, .changed_us = kTestStartUs, .enabled_us = kTestStartUs}));
  EXPECT_EQ(now().insights, InsightsSettings());
  EXPECT_EQ(of_index("lsi"), InsightsSettings());
}

TEST_F(TableInsights, WhatIsNotThereHasNone) {
  for (const bool enabled : {true, false}) {
    for (const char* index : {"lsi", "nothing"}) {
      EXPECT_EQ(set({.index = index, .enabled = enabled}).error(),
                (Error{Code::kNotFound, "Requested resource not found: Index: " + std::string(index) +
                                            " not found for table: t"}));
    }
    EXPECT_EQ(update_insights(engine(), "none", {.enabled = enabled}).error(),
              (Error{Code::kNotFound, "Requested resource not found: Table: none not found"}));
  }
}

Error not_active(const std::string& what) {
  return {Code::kInvalid, "Table or Index is not in a valid state to update Key Access Insights: " + what +
                              " must be ACTIVE to enable ContributorInsights."};
}

TEST_F(TableInsights, AnIndexIsThereBeforeTheyAreTurnedOn) {
  TableUpdate update;
  update.add_index = global_index("new", {.partition = {text_key("n")}, .sort = {}});
  ASSERT_TRUE(update_table(engine(), "t", update).ok());
  EXPECT_EQ(set({.index = "new", .enabled = true}).error(), not_active("IndexStatus"));
  EXPECT_FALSE(changes({.index = "new", .enabled = false}));
  EXPECT_TRUE(changes({.enabled = true})) << "the table does not wait for it";
  settle();
  EXPECT_TRUE(changes({.index = "new", .enabled = true}));
}

TEST_F(TableInsights, GoWithTheirIndex) {
  changes({.index = "gsi", .enabled = true});
  ASSERT_TRUE(update_table(engine(), "t", {.remove_index = "gsi"}).ok());
  EXPECT_TRUE(of_index("gsi").enabled) << "while it goes";
  EXPECT_EQ(set({.index = "gsi", .enabled = true, .mode = kThrottled}).error(), not_active("IndexStatus"));
  EXPECT_TRUE(changes({.index = "gsi", .enabled = false}));
  changes({.enabled = true});
  settle();
  EXPECT_EQ(set({.index = "gsi", .enabled = false}).error().code, Code::kNotFound);
  EXPECT_TRUE(now().insights.enabled) << "those of the table stay";
  TableUpdate again;
  again.add_index = global_index("gsi", {.partition = {text_key("g")}, .sort = {}});
  ASSERT_TRUE(update_table(engine(), "t", again).ok());
  EXPECT_EQ(of_index("gsi"), InsightsSettings());
}

TEST_F(TableInsights, GoWithTheirTable) {
  changes({.enabled = true});
  ASSERT_TRUE(delete_table(engine(), "t").ok());
  EXPECT_TRUE(now().insights.enabled) << "while it goes";
  EXPECT_EQ(set({.enabled = true}).error(), not_active("TableStatus"));
  EXPECT_EQ(set({.index = "gsi", .enabled = true}).error(), not_active("TableStatus"));
  EXPECT_TRUE(changes({.enabled = false}));
  settle();
  EXPECT_EQ(set({.enabled = false}).error().code, Code::kNotFound);
  create(collection_table("t"));
  EXPECT_EQ(now().insights, InsightsSettings());
}

TEST_F(TableInsights, AreThereAfterARestart) {
  changes({.enabled = true});
  changes({.index = "gsi", .enabled = true, .mode = kThrottled});
  const TableSettings before = now();
  restart();
  EXPECT_EQ(now(), before);
  EXPECT_TRUE(of_index("gsi").enabled);
}

}  // namespace
}  // namespace sheaf::engine
