#include "engine/tables.h"

#include <gtest/gtest.h>

#include "engine/engine_fixture.h"
#include "engine/jobs.h"

namespace sheaf::engine {
namespace {

class Tables : public EngineTest {
 protected:
  Result<TableRef> add_index(const std::string& name) {
    TableUpdate update;
    update.add_index = global_index(name, {.partition = {text_key("g")}, .sort = {}});
    return update_table(engine(), "t", update);
  }
};

TEST_F(Tables, ANewTableHasIdsTimesAndNoItems) {
  TableSettings settings = collection_table("t");
  settings.indexes = {local_index("lsi", text_key("l")),
                      global_index("gsi", {.partition = {text_key("g")}, .sort = {}})};
  settings.streams = {{.view = StreamView::kOldImage}};
  settings.tags = {{"team", "sales"}};
  const TableRef made = create(settings);
  EXPECT_NE(made->settings.id, 0u);
  EXPECT_EQ(made->settings.created_us, kTestStartUs);
  EXPECT_EQ(made->settings.status, TableStatus::kActive);
  for (const IndexSettings& index : made->settings.indexes) {
    EXPECT_NE(index.id, 0u);
    EXPECT_EQ(index.status, IndexStatus::kActive) << "there is nothing to be filled";
  }
  ASSERT_NE(made->settings.open_stream(), nullptr);
  EXPECT_EQ(made->settings.open_stream()->view, StreamView::kOldImage);
  EXPECT_EQ(made->settings.open_stream()->created_us, kTestStartUs);
  EXPECT_TRUE(*find_job(engine(), JobKind::kTrim, made->settings.open_stream()->id)) << "it will be trimmed";
  EXPECT_EQ(made->settings.tags, settings.tags);
  EXPECT_EQ(totals_of(engine(), made->settings.id)->items, 0);
}

TEST_F(Tables, ANameCanBeTakenOnce) {
  create(collection_table("t"));
  EXPECT_EQ(create_table(engine(), collection_table("t")).error(),
            (Error{Code::kInUse, "Table already exists: t"}));
}

TEST_F(Tables, TotalsAreThoseOfAllPartitions) {
  TableSettings settings = collection_table("t");
  settings.indexes = {
      global_index("gsi", {.partition = {text_key("g")}, .sort = {}}, ProjectionKind::kKeysOnly)};
  create(settings);
  for (int i = 0; i < 40; ++i)
    put("t", Item{{"PK", "p" + std::to_string(10 + i)}, {"SK", "s"}, {"b", "body"}});
  for (int i = 0; i < 10; ++i) put("t", Item{{"PK", "q" + std::to_string(10 + i)}, {"SK", "s"}, {"g", "x"}});
  const Totals items = *totals_of(engine(), table("t")->settings.id);
  EXPECT_EQ(items.items, 50);
  EXPECT_EQ(items.bytes, 40 * (2 + 3 + 2 + 1 + 1 + 4) + 10 * (2 + 3 + 2 + 1 + 1 + 1));
  const Totals entries = *totals_of(engine(), table("t")->find_index("gsi")->settings->id);
  EXPECT_EQ(entries.items, 10);
  EXPECT_EQ(entries.bytes, 10 * (2 + 3 + 2 + 1 + 1 + 1));
  EXPECT_EQ(totals_of(engine(), 999)->items, 0);
}

TEST_F(Tables, WhatAnUpdateDoesNotNameStaysAsItIs) {
  TableSettings settings = collection_table("t");
  settings.deletion_protected = true;
  settings.table_class = "STANDARD";
  settings.tags = {{"a", "b"}};
  const TableSettings before = create(settings)->settings;
  TableUpdate update;
  update.table_class = "STANDARD_INFREQUENT_ACCESS";
  const Result<TableRef> after = update_table(engine(), "t", update);
  ASSERT_TRUE(after.ok()) << outcome_of(after);
  TableSettings expected = before;
  expected.table_class = "STANDARD_INFREQUENT_ACCESS";
  expected.class_changed_us = kTestStartUs;
  EXPECT_EQ((*after)->settings, expected);
}

// A13, G5: 20 global indexes at most.
TEST_F(Tables, ATableHasTwentyGlobalIndexesAtMost) {
  TableSettings settings = collection_table("t");
  for (int i = 0; i < 19; ++i) {
    settings.indexes.push_back(
        global_index("gsi" + std::to_string(i), {.partition = {text_key("g")}, .sort = {}}));
  }
  settings.indexes.push_back(local_index("lsi", text_key("l")));
  create(settings);
  ASSERT_TRUE(add_index("twentieth").ok()) << "a local one does not count";
  run_all_jobs();
  const Result<TableRef> one_more = add_index("one more");
  ASSERT_FALSE(one_more.ok());
  EXPECT_EQ(
      one_more.error(),
      (Error{Code::kLimitExceeded,
             "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20"}));
}

TEST_F(Tables, AnIndexNameCanBeTakenOnce) {
  TableSettings settings = collection_table("t");
  settings.indexes = {local_index("taken", text_key("l"))};
  create(settings);
  EXPECT_EQ(outcome_of(add_index("taken")), "Attempting to create an index which already exists");
}

TEST_F(Tables, OneIndexIsMadeAtATime) {
  create(collection_table("t"));
  put("t", Item{{"PK", "p"}, {"SK", "s"}, {"g", "x"}});
  ASSERT_TRUE(add_index("first").ok());
  EXPECT_EQ(add_index("second").error(), one_index_at_a_time());
  EXPECT_EQ(update_table(engine(), "t", {.remove_index = "ghost"}).error(), one_index_at_a_time());
  run_all_jobs();
  EXPECT_TRUE(add_index("second").ok());
}

TEST_F(Tables, AnIndexThatIsBeingFilledCanBeRemoved) {
  create(collection_table("t"));
  for (int i = 0; i < 300; ++i) put("t", Item{{"PK", "p"}, {"SK", std::to_string(i)}, {"g", "x"}});
  ASSERT_TRUE(add_index("first").ok());
  const Id id = table("t")->settings.indexes[0].id;
  ASSERT_TRUE(*run_jobs(engine(), "a"));
  ASSERT_TRUE(update_table(engine(), "t", {.remove_index = "first"}).ok());
  EXPECT_EQ(update_table(engine(), "t", {.remove_index = "first"}).error(), one_index_at_a_time());
  run_all_jobs("a");
  EXPECT_TRUE(table("t")->settings.indexes.empty());
  EXPECT_EQ(*find_job(engine(), JobKind::kFillIndex, id), std::nullopt);
  EXPECT_EQ(totals_of(engine(), id)->items, 0);
}

TEST_F(Tables, StreamsAreToldApartByTheMillisecondOfTheirOpening) {
  create(collection_table("t"));
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(update_table(engine(), "t", {.open_stream = StreamView::kKeysOnly}).ok());
    ASSERT_TRUE(update_table(engine(), "t", {.close_stream = true}).ok());
  }
  const std::vector<StreamSettings> streams = table("t")->settings.streams;
  ASSERT_EQ(streams.size(), 3u);
  EXPECT_LT(streams[0].created_us / 1000, streams[1].created_us / 1000);
  EXPECT_LT(streams[1].created_us / 1000, streams[2].created_us / 1000);
}

TEST_F(Tables, TagsAreAddedReplacedAndRemoved) {
  create(collection_table("t"));
  ASSERT_TRUE(add_tags(engine(), "t", {{"a", "1"}, {"b", "2"}}).ok());
  ASSERT_TRUE(add_tags(engine(), "t", {{"b", "3"}, {"c", ""}}).ok());
  ASSERT_TRUE(remove_tags(engine(), "t", {"a", "not there"}).ok());
  EXPECT_EQ(table("t")->settings.tags, (std::map<std::string, std::string>{{"b", "3"}, {"c", ""}}));
}

TEST_F(Tables, ATableHasFiftyTagsAtMost) {
  create(collection_table("t"));
  std::map<std::string, std::string> tags;
  for (size_t i = 0; i < kTagsMax; ++i) tags["tag" + std::to_string(i)] = "value";
  ASSERT_TRUE(add_tags(engine(), "t", tags).ok());
  EXPECT_TRUE(add_tags(engine(), "t", {{"tag0", "another value"}}).ok());
  const Result<TableRef> one_more = add_tags(engine(), "t", {{"one more", "value"}});
  ASSERT_FALSE(one_more.ok());
  EXPECT_EQ(one_more.error().code, Code::kInvalid);
  EXPECT_EQ(table("t")->settings.tags.size(), kTagsMax);
}

TEST_F(Tables, WhatIsNotThereCannotBeChanged) {
  const Error missing{Code::kNotFound, "Requested resource not found: Table: t not found"};
  EXPECT_EQ(update_table(engine(), "t", {}).error(), missing);
  EXPECT_EQ(add_tags(engine(), "t", {{"a", "b"}}).error(), missing);
  EXPECT_EQ(remove_tags(engine(), "t", {"a"}).error(), missing);
  EXPECT_EQ(update_ttl(engine(), "t", "ttl", true).error(), missing);
}

}  // namespace
}  // namespace sheaf::engine
