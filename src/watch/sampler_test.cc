#include "watch/sampler.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "api/local_database.h"
#include "base/clock.h"
#include "model/compiled_model.h"
#include "run/item_codec.h"
#include "run/tables.h"
#include "store/memory_store.h"
#include "watch/forms.h"

namespace sheaf::watch {
namespace {

constexpr std::string_view kForumText = R"(
model forum {
  entity Forum { id id matches "f-.+"; title }
  entity Post { id id matches "p-.+"; text }
  entity Badge within forum { id id matches "b-.+"; text }
  rel Forum 1--* Post as posts / forum { required; on delete cascade }
  rel Forum 1--* Badge as badges / forum { required; on delete cascade; size max 20 }
  layout stored {
    table forum { pk PK; sk SK }
    entity Forum { key "FORUM#<id>" / "FORUM" }
    entity Post { key "FORUM#<forum.id>" / "POST#<id>" }
    rel Forum.posts via collection
    rel Forum.badges via embed map
  }
})";

class SamplerTest : public testing::Test {
 protected:
  explicit SamplerTest(std::string_view text = kForumText)
      : compiled_(model::compile("model.sheaf", std::string(text))) {
    if (!compiled_.ok()) throw std::runtime_error(compiled_.rendered());
    names_.add(compiled_.model, compiled_.layouts.back());
    open({});
  }
  void open(OpenOptions options) {
    options.background_thread = false;
    options.heat = true;
    database_ = api::make_local_database(store::open_memory_store(clock_), clock_, options);
    EXPECT_TRUE(run::apply_tables(*database_, compiled_.layouts.back()).ok());
  }
  bool put_post(const std::string& forum, int number, size_t bytes = 10) {
    return database_
        ->put_item({.table = "forum",
                    .item = Item{{"PK", "FORUM#" + forum},
                                 {"SK", "POST#p-" + std::to_string(number)},
                                 {"text", std::string(bytes, 'x')}}})
        .ok();
  }
  void start(WatchOptions watching = {}, SamplerOptions sampling = {}) {
    start(source_of(*database_), std::move(watching), sampling);
  }
  void start(Source source, WatchOptions watching, SamplerOptions sampling) {
    watcher_.emplace(std::move(watching));
    sampler_.emplace(std::move(source), names_, std::vector<std::string>(), sampling);
  }
  // Ten seconds later: severity, change, limit, kind and name of each event.
  std::string look() {
    clock_.advance_us(10'000'000);
    const auto events = sampler_->look(*watcher_, clock_.now_us());
    if (!events.ok()) return "error: " + events.error().message;
    std::string out;
    for (const Event& event : *events) {
      out += std::string(lint::name_of(event.severity)) + " " + std::string(name_of(event.change)) + " " +
             std::string(text_of(event.limit).name) + " " + event.subject.kind + ": " + event.subject.name +
             "\n";
    }
    return out;
  }
  std::optional<Figure> figure(Limit limit, const std::string& kind) const {
    for (const Figure& each : watcher_->figures()) {
      if (each.limit == limit && each.worst.kind == kind) return each;
    }
    return std::nullopt;
  }
  static WatchOptions lines(std::initializer_list<std::string_view> assignments) {
    WatchOptions options;
    for (const std::string_view each : assignments) EXPECT_TRUE(set_line(options.lines, each).ok());
    return options;
  }

  ManualClock clock_{int64_t{1'800'000'000} * 1'000'000};
  const model::CompiledModel compiled_;
  KeyNames names_;
  std::unique_ptr<Database> database_;
  std::optional<Watcher> watcher_;
  std::optional<Sampler> sampler_;
};

TEST_F(SamplerTest, ACollectionThatIsWrittenToIsFollowedToItsLine) {
  start(lines({"collection-items=100"}), {.scans = false});
  int number = 0;
  std::string told;
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(put_post("f-1", number++));
    told += look();
  }
  EXPECT_EQ(told,
            "note begins collection-items Forum: Forum f-1\n"
            "warning worsens collection-items Forum: Forum f-1\n");
  const auto items = figure(Limit::kCollectionItems, "Forum");
  ASSERT_TRUE(items);
  EXPECT_EQ(items->value, 120);
  EXPECT_FALSE(figure(Limit::kCollectionBytesMax, "Forum")) << "only with a local index";
  for (int i = 0; i < number; ++i)
    ASSERT_TRUE(database_
                    ->delete_item({.table = "forum",
                                   .key = Item{{"PK", "FORUM#f-1"}, {"SK", "POST#p-" + std::to_string(i)}}})
                    .ok());
  EXPECT_EQ(look(), "warning ends collection-items Forum: Forum f-1\n");
}

TEST_F(SamplerTest, WithALocalIndexCollectionsHaveALimit) {
  database_ =
      api::make_local_database(store::open_memory_store(clock_), clock_, {.background_thread = false});
  CreateTable table = run::create_request(compiled_.layouts.back().tables.front());
  table.local_indexes = {{.name = "by-text", .key = {.partition = table.key.partition, .sort = {{"text"}}}}};
  ASSERT_TRUE(database_->create_table(table).ok());
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(put_post("f-1", i, 100));
  start(lines({"collection-bytes-max=3000"}));
  EXPECT_EQ(look(), "warning begins collection-bytes-max Forum: Forum f-1\n");
  for (int i = 10; i < 20; ++i) ASSERT_TRUE(put_post("f-1", i, 100));
  EXPECT_EQ(look(), "error worsens collection-bytes-max Forum: Forum f-1\n");
}

TEST_F(SamplerTest, ItemsAndWhatLiesInThemAreFoundByGoingThroughTheTable) {
  Item badges;
  for (int i = 0; i < 21; ++i) badges.set("b-" + std::to_string(i), Value(Item{{"text", "x"}}));
  ASSERT_TRUE(
      database_
          ->put_item({.table = "forum",
                      .item = Item{{"PK", "FORUM#f-2"}, {"SK", "FORUM"}, {"title", "t"}, {"badges", badges}}})
          .ok());
  ASSERT_TRUE(put_post("f-1", 1, 330 * 1024));
  start();
  EXPECT_EQ(look(),
            "warning begins item-bytes Post: Post p-1 of Forum f-1\n"
            "warning begins few Forum.badges: Forum f-2\n");
  EXPECT_EQ(figure(Limit::kEmbedded, "Forum.badges")->value, 21);
  EXPECT_EQ(sampler_->done().whole_passes, 1u);
  ASSERT_TRUE(put_post("f-1", 1, 10));
  EXPECT_EQ(look(), "warning ends item-bytes Post: Post p-1 of Forum f-1\n");
}

TEST_F(SamplerTest, ALongSortKeyIsFound) {
  start(lines({"sort-key-bytes=20"}));
  ASSERT_TRUE(put_post("f-1", 10'000'000));  // 15 bytes
  EXPECT_EQ(look(), "");
  ASSERT_TRUE(put_post("f-1", 100'000'000));  // 16
  EXPECT_EQ(look(), "warning begins sort-key-bytes Post: Post p-100000000 of Forum f-1\n");
}

TEST_F(SamplerTest, HotKeysAreToldByTheirNames) {
  start({}, {.scans = false});
  // 10 KB each, 900 times in ten seconds: 900 units a second.
  for (int i = 0; i < 900; ++i) ASSERT_TRUE(put_post("f-7", 1, 10'100));
  EXPECT_EQ(look(),
            "warning begins partition-writes Forum: Forum f-7\n"
            "warning begins few-keys Forum: \n");
  for (int i = 0; i < 12; ++i) clock_.advance_us(10'000'000);
  EXPECT_EQ(look(),
            "warning ends partition-writes Forum: Forum f-7\n"
            "warning ends few-keys Forum: \n");
}

TEST_F(SamplerTest, ABurstOfLessThanTenSecondsIsNoHotKey) {
  start({}, {.scans = false});
  for (int i = 0; i < 900; ++i) ASSERT_TRUE(put_post("f-7", 1, 10'100));
  clock_.advance_us(-10'000'000 + 9'900'000);  // look() adds ten seconds
  EXPECT_EQ(look(), "");
}

TEST_F(SamplerTest, AKeyWithMostOfTheTrafficIsToldByItsName) {
  start({}, {.scans = false});
  for (int i = 0; i < 200; ++i)
    ASSERT_TRUE(put_post(i % 4 == 0 ? "f-" + std::to_string(100 + i) : "f-7", 1, 10'100));
  EXPECT_EQ(look(), "warning begins uneven Forum: Forum f-7\n");
}

TEST_F(SamplerTest, ThrottledKeysAreToldByTheirNames) {
  open({.throttle_partitions = true});
  start({}, {.scans = false});
  bool is_refused = false;
  for (int i = 0; i < 1000 && !is_refused; ++i) is_refused = !put_post("f-9", 1, 300'000);
  ASSERT_TRUE(is_refused);
  EXPECT_NE(look().find("error begins throttled Forum: Forum f-9\n"), std::string::npos);
}

TEST_F(SamplerTest, KeepsToItsBudget) {
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(put_post("f-" + std::to_string(i % 300), i));
  start({}, {.requests_per_minute = 12});
  uint64_t before = 0;
  for (int round = 0; round < 30; ++round) {
    look();
    EXPECT_LE(sampler_->done().requests - before, 2u) << round;
    before = sampler_->done().requests;
  }
  EXPECT_EQ(before, 60u) << "5 minutes, and there is always something to do";
}

TEST_F(SamplerTest, WhereNobodyKnowsTheSizeItIsCountedPageByPage) {
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(put_post("f-1", i, 10'000));
  Source source = source_of(*database_);
  source.heat = [](const AskHeat&) -> Result<HeatReport> { return Error{Code::kInvalid, "not known"}; };
  source.collection_sizes = [](const std::string&, const std::vector<Item>&) -> Result<SizesByKey> {
    return Error{Code::kInvalid, "not known"};
  };
  start(std::move(source), lines({"collection-items=300"}), {.requests_per_minute = 60});
  std::string told;
  for (int round = 0; round < 4; ++round) told += look();
  EXPECT_EQ(told, "warning begins collection-items Forum: Forum f-1\n");
  EXPECT_TRUE(sampler_->done().counts_pages);
  EXPECT_FALSE(sampler_->done().tells_heat);
  const auto exact = database_->collection_size("forum", Item{{"PK", "FORUM#f-1"}});
  ASSERT_TRUE(exact.ok());
  EXPECT_NEAR(figure(Limit::kCollectionBytes, "Forum")->value, static_cast<double>(exact->size_bytes),
              4 * 4096);
}

// A13: over an endpoint the hottest have exact sizes, and the others are counted in steps of 4 KB.
TEST_F(SamplerTest, FiguresOfTwoSourcesAreNoGrowth) {
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(put_post("f-1", i, 100));
  Source source = source_of(*database_);
  int asked = 0;
  source.heat = [](const AskHeat&) -> Result<HeatReport> { return Error{Code::kInvalid, "not known"}; };
  source.collection_sizes = [&asked, known = source.collection_sizes](
                                const std::string& table,
                                const std::vector<Item>& keys) -> Result<SizesByKey> {
    // Told at first, then counted.
    if (++asked > 4) return Error{Code::kInvalid, "not known"};
    return known(table, keys);
  };
  start(std::move(source), lines({"collection-bytes=10000"}), {});
  for (int round = 0; round < 10; ++round) EXPECT_EQ(look(), "") << round;
  EXPECT_TRUE(sampler_->done().counts_pages);
  EXPECT_LT(figure(Limit::kCollectionBytes, "Forum")->value, 4096) << "what is exact stays";
}

constexpr std::string_view kChatText = R"(
model chat {
  entity Room { id id matches "r-.+"; topic }
  entity Message { id id matches "m-.+"; text }
  rel Room 1--* Message as messages / room { required; on delete cascade }
  layout stored {
    table chat { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK }
    entity Room { key "ROOM#<id>" / "ROOM" }
    entity Message { key "MSG#<id>" / "MSG"; index GSI1 "ROOM#<room.id>" / "MSG#<id>" }
    rel Room.messages via index on GSI1
  }
})";

class IndexSamplerTest : public SamplerTest {
 protected:
  IndexSamplerTest() : SamplerTest(kChatText) {}
  bool put_message(const std::string& room, int number, size_t bytes = 10) {
    const std::string key = "MSG#m-" + std::to_string(number);
    return database_
        ->put_item({.table = "chat",
                    .item = Item{{"PK", key},
                                 {"SK", "MSG"},
                                 {"GSI1PK", "ROOM#" + room},
                                 {"GSI1SK", key},
                                 {"text", std::string(bytes, 'x')}}})
        .ok();
  }
};

// A13
TEST_F(IndexSamplerTest, ACollectionInAnIndexThatIsWrittenToIsFollowedToItsLine) {
  start(lines({"collection-items=100"}), {.scans = false});
  int number = 0;
  std::string told;
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(put_message("r-1", number++));
    told += look();
  }
  EXPECT_EQ(told,
            "note begins collection-items Room: Room r-1\n"
            "warning worsens collection-items Room: Room r-1\n");
  const auto items = figure(Limit::kCollectionItems, "Room");
  ASSERT_TRUE(items);
  EXPECT_EQ(items->worst.index, "GSI1");
  EXPECT_EQ(items->value, 120);
}

TEST_F(IndexSamplerTest, ACollectionInAnIndexThatNobodyTouchesIsFoundByGoingThroughTheTable) {
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(put_message(i < 150 ? "r-1" : "r-" + std::to_string(i), i));
  clock_.advance_us(int64_t{3600} * 1'000'000);
  start(lines({"collection-items=150"}));
  std::string told;
  for (int round = 0; round < 6; ++round) told += look();
  EXPECT_EQ(told, "warning begins collection-items Room: Room r-1\n");
}

TEST_F(IndexSamplerTest, WhatCountingReadsIsNoTrafficOfThatKey) {
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(put_message("r-1", i, 300'000));
  clock_.advance_us(int64_t{600} * 1'000'000);
  ASSERT_TRUE(put_message("r-1", 0));
  start({}, {.requests_per_minute = 600, .scans = false});
  std::string told = look();
  EXPECT_GT(sampler_->done().requests, 20u);
  clock_.advance_us(5'000'000);
  const auto heat = database_->heat({.table = "chat", .index = "GSI1"});
  ASSERT_TRUE(heat.ok());
  EXPECT_GT(heat->reads.units_per_second, 100) << "it is counted, as every read is";
  told += look();
  EXPECT_EQ(told, "");
  EXPECT_FALSE(figure(Limit::kPartitionReads, "Room"));
}

constexpr std::string_view kFriendsText = R"(
model friends {
  table friends { pk PK; sk SK; tag Type }
  entity User { id id; name immutable; key "USER#<id>" / "USER#<id>" }
  rel User *--* User as friends { size avg 20 max 25; via lists }
})";

class ListSamplerTest : public SamplerTest {
 protected:
  ListSamplerTest() : SamplerTest(kFriendsText) {}
  void put_user(const std::string& id, int friends) {
    const run::ItemCodec codec(compiled_.model, compiled_.layouts.back());
    run::Record record{.entity = 0, .identity = {id}};
    record.fields = {{"id", Value(id)}, {"name", Value("n")}};
    const model::EndId end{.relation = 0};
    for (int i = 0; i < friends; ++i) {
      record.references[end].push_back({"v" + std::to_string(i)});
      record.entries[end].push_back({.relation = 0, .ends = {{"v" + std::to_string(i)}, {id}}, .leads = 0});
    }
    Result<Item> item = codec.encode(record);
    ASSERT_TRUE(item.ok());
    ASSERT_TRUE(database_->put_item({.table = "friends", .item = std::move(*item)}).ok());
  }
};

// A14
TEST_F(ListSamplerTest, AListMayHaveAsManyAsTheModelDeclares) {
  for (int i = 0; i < 40; ++i) put_user("u" + std::to_string(i), 25);
  start();
  EXPECT_EQ(look(), "");
  EXPECT_EQ(figure(Limit::kListed, "User.friends")->value, 100);
  EXPECT_FALSE(figure(Limit::kEmbedded, "User.friends"));
}

TEST_F(ListSamplerTest, ListsBeyondTheDeclaredMaxAreToldOfTogether) {
  for (int i = 0; i < 40; ++i) put_user("u" + std::to_string(i), i == 7 ? 30 : 26);
  start();
  EXPECT_EQ(look(), "warning begins declared-max User.friends: User u7\n");
  EXPECT_EQ(figure(Limit::kListed, "User.friends")->warnings, 40u);
  put_user("u7", 3);
  for (int round = 0; round < 3; ++round) EXPECT_EQ(look(), "") << "the others are as they were";
}

TEST_F(SamplerTest, ATableThatIsNotThereIsAnError) {
  ASSERT_TRUE(database_->delete_table("forum").ok());
  while (*database_->run_background_work()) {
  }
  start();
  EXPECT_EQ(look().substr(0, 6), "error:");
}

}  // namespace
}  // namespace sheaf::watch
