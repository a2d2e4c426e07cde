#include "api/heat_report.h"

#include "api/database_fixture.h"
#include "api/local_database.h"
#include "base/clock.h"
#include "store/memory_store.h"

namespace sheaf::api {
namespace {

constexpr int64_t kSecondUs = 1'000'000;

class HeatReportTest : public ::testing::Test {
 protected:
  HeatReportTest() { open({.background_thread = false, .heat = true}); }

  void open(const OpenOptions& options) {
    db_ = make_local_database(store::open_memory_store(clock_), clock_, options);
    CreateTable table = table_of("posts", "PK", "SK");
    table.global_indexes = {index_of("by-author", "author", "SK")};
    table.local_indexes = {index_of("by-date", "PK", "date")};
    must(db_->create_table(table));
    must(db_->create_table(table_of("users", "id")));
  }
  void put(const std::string& pk, const std::string& sk, Item more = {}) {
    Item item{{"PK", pk}, {"SK", sk}};
    for (const Attribute& attribute : more.view()) item.set(attribute.name, attribute.value);
    must(db_->put_item({.table = "posts", .item = std::move(item)}));
  }
  void read(const std::string& pk, const std::string& sk, bool consistent = false) {
    must(db_->get_item({.table = "posts", .key = Item{{"PK", pk}, {"SK", sk}}, .consistent = consistent}));
  }
  void query(const std::string& condition, Item values, std::optional<std::string> index = std::nullopt) {
    must(db_->query({.table = "posts",
                     .index = std::move(index),
                     .key_condition = condition,
                     .values = std::move(values)}));
  }
  // After ten seconds, over which all of it is spread.
  HeatReport report(const std::string& table = "posts", const std::string& index = "") {
    clock_.advance_us(10 * kSecondUs);
    return must(db_->heat({.table = table, .index = index}));
  }

  ManualClock clock_{int64_t{1'800'000'000} * kSecondUs};
  std::unique_ptr<Database> db_;
};

// "{"PK":{"S":"a"}} 0.15 u/s 0.3/s 30 %", by line.
Texts lines(const std::vector<HotKey>& keys) {
  Texts texts;
  for (const HotKey& key : keys) {
    std::array<char, 64> figures;
    std::snprintf(figures.data(), figures.size(), " %g u/s %g/s %.0f %%", key.units_per_second,
                  key.times_per_second, 100 * key.share);
    texts.push_back(key.key.to_json() + figures.data());
  }
  return texts;
}

TEST_F(HeatReportTest, ReadsAreToldByPartitionAndByItem) {
  read("a", "1");
  read("a", "1");
  read("a", "2", true);
  read("b", "1");
  const HeatReport heat = report();
  EXPECT_EQ(heat.seconds, 10);
  EXPECT_EQ(lines(heat.reads.partitions),
            (Texts{R"({"PK":{"S":"a"}} 0.2 u/s 0.3/s 80 %)", R"({"PK":{"S":"b"}} 0.05 u/s 0.1/s 20 %)"}));
  EXPECT_EQ(lines(heat.reads.items), (Texts{R"({"PK":{"S":"a"},"SK":{"S":"1"}} 0.1 u/s 0.2/s 40 %)",
                                            R"({"PK":{"S":"a"},"SK":{"S":"2"}} 0.1 u/s 0.1/s 40 %)",
                                            R"({"PK":{"S":"b"},"SK":{"S":"1"}} 0.05 u/s 0.1/s 20 %)"}));
  EXPECT_DOUBLE_EQ(heat.reads.units_per_second, 0.25);
  EXPECT_DOUBLE_EQ(heat.reads.requests_per_second, 0.4);
  EXPECT_EQ(heat.reads.partition_keys, 2);
  EXPECT_TRUE(heat.writes.partitions.empty());
  EXPECT_TRUE(heat.findings.empty());
}

TEST_F(HeatReportTest, WritesAreToldOfTheTableAndOfEachIndex) {
  put("a", "1", {{"author", "x"}, {"date", "d1"}});
  put("a", "2", {{"author", "x"}});
  put("a", "1", {{"author", "y"}, {"date", "d1"}});  // moves its entry
  EXPECT_EQ(lines(report().writes.items), (Texts{R"({"PK":{"S":"a"},"SK":{"S":"1"}} 0.2 u/s 0.2/s 67 %)",
                                                 R"({"PK":{"S":"a"},"SK":{"S":"2"}} 0.1 u/s 0.1/s 33 %)"}));
  const HeatOf by_author = must(db_->heat({.table = "posts", .index = "by-author"})).writes;
  EXPECT_EQ(lines(by_author.partitions), (Texts{R"({"author":{"S":"x"}} 0.3 u/s 0.3/s 75 %)",
                                                R"({"author":{"S":"y"}} 0.1 u/s 0.1/s 25 %)"}));
  EXPECT_EQ(lines(by_author.items), (Texts{R"({"SK":{"S":"1"},"author":{"S":"x"}} 0.2 u/s 0.2/s 50 %)",
                                           R"({"SK":{"S":"2"},"author":{"S":"x"}} 0.1 u/s 0.1/s 25 %)",
                                           R"({"SK":{"S":"1"},"author":{"S":"y"}} 0.1 u/s 0.1/s 25 %)"}));
  const HeatOf by_date = must(db_->heat({.table = "posts", .index = "by-date"})).writes;
  EXPECT_EQ(lines(by_date.items), Texts{R"({"PK":{"S":"a"},"date":{"S":"d1"}} 0.2 u/s 0.2/s 100 %)"});
}

TEST_F(HeatReportTest, AQueryIsOfOnePartitionAndOfTheItemsThatItReads) {
  for (const char* sk : {"1", "2"}) put("a", sk, {{"author", "x"}});
  query("PK = :p", Item{{":p", "a"}});
  query("PK = :p", Item{{":p", "none"}});
  const HeatReport heat = report();
  EXPECT_EQ(lines(heat.reads.partitions),
            (Texts{R"({"PK":{"S":"a"}} 0.05 u/s 0.1/s 50 %)", R"({"PK":{"S":"none"}} 0.05 u/s 0.1/s 50 %)"}));
  EXPECT_EQ(lines(heat.reads.items), (Texts{R"({"PK":{"S":"a"},"SK":{"S":"1"}} 0.025 u/s 0.1/s 25 %)",
                                            R"({"PK":{"S":"a"},"SK":{"S":"2"}} 0.025 u/s 0.1/s 25 %)"}));
  query("author = :a AND begins_with(SK, :s)", Item{{":a", "x"}, {":s", "2"}}, "by-author");
  const HeatOf by_author = must(db_->heat({.table = "posts", .index = "by-author"})).reads;
  EXPECT_EQ(lines(by_author.items), Texts{R"({"SK":{"S":"2"},"author":{"S":"x"}} 0.05 u/s 0.1/s 100 %)"});
}

// Every row has its share, though only some are looked at.
TEST_F(HeatReportTest, LongPagesAreSampled) {
  for (int i = 0; i < 300; ++i) put("a", std::to_string(1000 + i));
  for (int i = 0; i < 4000; ++i) query("PK = :p", Item{{":p", "a"}});
  clock_.advance_us(10 * kSecondUs);
  const HeatOf reads = must(db_->heat({.table = "posts", .keys_max = kHotKeysMax})).reads;
  ASSERT_EQ(reads.partitions.size(), 1u);
  EXPECT_DOUBLE_EQ(reads.partitions[0].times_per_second, 400);
  double units = 0;
  for (const HotKey& key : reads.items) units += key.units_per_second;
  EXPECT_LT(units, reads.units_per_second);
  // None of the 300 much hotter than the others: each is a 300th of the whole.
  EXPECT_LT(reads.items[0].share, 3.0 / 300);
}

TEST_F(HeatReportTest, AScanWarmsWhatItReads) {
  for (const char* pk : {"a", "b", "c"}) put(pk, "1");
  must(db_->scan({.table = "posts"}));
  const HeatOf reads = report().reads;
  EXPECT_EQ(reads.partitions.size(), 3u);
  EXPECT_EQ(reads.items.size(), 3u);
  EXPECT_DOUBLE_EQ(reads.requests_per_second, 0.1);
}

TEST_F(HeatReportTest, BatchesAndTransactionsCountEachItem) {
  must(db_->batch_get_items({.tables = {{"users", {.keys = {Item{{"id", "u1"}}, Item{{"id", "u2"}}}}}}}));
  must(db_->transact_get_items({.gets = {{.table = "users", .key = Item{{"id", "u1"}}}}}));
  const HeatOf reads = report("users").reads;
  EXPECT_EQ(lines(reads.partitions),
            (Texts{R"({"id":{"S":"u1"}} 0.25 u/s 0.2/s 83 %)", R"({"id":{"S":"u2"}} 0.05 u/s 0.1/s 17 %)"}));
  EXPECT_TRUE(reads.items.empty()) << "there is no sort key";
}

TEST_F(HeatReportTest, WhatWasDoneInAnHourIsKnown) {
  for (int minute = 0; minute < 70; ++minute) {
    for (int i = 0; i < 6; ++i) read(minute < 50 ? "old" : "new", "1");
    clock_.advance_us(60 * kSecondUs);
  }
  const auto hottest = [&](int64_t seconds) {
    const HeatReport heat = must(db_->heat({.table = "posts", .seconds = seconds}));
    EXPECT_GE(heat.seconds, static_cast<double>(seconds));
    EXPECT_LE(heat.seconds, 1.17 * static_cast<double>(seconds) + 10);
    EXPECT_NEAR(heat.reads.requests_per_second, 0.1, 0.02);
    return heat.reads.partitions.front().key.to_json();
  };
  EXPECT_EQ(hottest(60), R"({"PK":{"S":"new"}})");
  EXPECT_EQ(hottest(600), R"({"PK":{"S":"new"}})");
  EXPECT_EQ(hottest(3600), R"({"PK":{"S":"old"}})");
}

TEST_F(HeatReportTest, LimitsAreChecked) {
  EXPECT_EQ(refusal(db_->heat({.table = "none"})), no_table());
  EXPECT_EQ(refusal(db_->heat({.table = "posts", .index = "none"})).code, Code::kNotFound);
  EXPECT_EQ(refusal(db_->heat({.table = "posts", .seconds = 0})).code, Code::kInvalid);
  must(db_->heat({.table = "posts", .seconds = 1}));
  must(db_->heat({.table = "posts", .seconds = 3600}));
  EXPECT_EQ(refusal(db_->heat({.table = "posts", .seconds = 3601})).code, Code::kInvalid);
  EXPECT_EQ(refusal(db_->heat({.table = "posts", .keys_max = 0})).code, Code::kInvalid);
  must(db_->heat({.table = "posts", .keys_max = kHotKeysMax}));
  EXPECT_EQ(refusal(db_->heat({.table = "posts", .keys_max = kHotKeysMax + 1})).code, Code::kInvalid);
}

TEST_F(HeatReportTest, WithoutItNothingIsCounted) {
  open({.background_thread = false});
  EXPECT_EQ(refusal(db_->heat({.table = "posts"})).code, Code::kInvalid);
}

Texts findings(const HeatReport& report) {
  Texts texts;
  for (const HeatFinding& finding : report.findings)
    texts.push_back(std::string(name_of(finding.kind)) + (finding.of_writes ? " writes" : " reads"));
  return texts;
}

TEST_F(HeatReportTest, OneKeyWithMostOfTheTrafficIsFound) {
  for (int i = 0; i < 2'000; ++i) read(i % 10 < 6 ? "hot" : "k" + std::to_string(i), "1", true);
  EXPECT_EQ(findings(report()), Texts{"uneven reads"});
  // Evenly, or little of it: nothing to be told of.
  clock_.advance_us(3600 * kSecondUs);
  for (int i = 0; i < 8'000; ++i) read("k" + std::to_string(i), "1", true);
  for (int i = 0; i < 90; ++i) put("hot", "1", {{"n", std::to_string(i)}});
  EXPECT_EQ(findings(report()), Texts{});
}

TEST_F(HeatReportTest, AConstantKeyIsFound) {
  for (int i = 0; i < 7'000; ++i) put("ALL", std::to_string(i));
  EXPECT_EQ(findings(report()), Texts{"few-keys writes"});
  for (int i = 0; i < 60'000; ++i) put("ALL", std::to_string(i % 100), {{"n", std::to_string(i)}});
  EXPECT_EQ(findings(report()), (Texts{"hot-key writes", "few-keys writes"}));
}

TEST_F(HeatReportTest, ThrottledKeysAreTold) {
  open({.background_thread = false, .throttle_partitions = true, .heat = true});
  int refused = 0;
  for (int i = 0; i < 4'500; ++i) {
    const Result<Written> written = db_->put_item(
        {.table = "posts", .item = Item{{"PK", i % 3 == 0 ? "b" : "a"}, {"SK", std::to_string(i)}}});
    if (!written.ok()) ++refused;
  }
  EXPECT_GT(refused, 0);
  const HeatReport heat = report();
  EXPECT_DOUBLE_EQ(heat.writes.throttled_per_second, refused / 10.0);
  EXPECT_FALSE(heat.writes.throttled_partitions.empty());
  EXPECT_EQ(findings(heat)[0], "throttled writes");
  EXPECT_EQ(heat.partitions, 4u);
}

TEST_F(HeatReportTest, ThrottledScansAreCountedThoughTheyHaveNoKey) {
  open({.background_thread = false, .throttle_partitions = true, .heat = true});
  for (int i = 0; i < 20; ++i) put("a", std::to_string(i), {{"text", std::string(40'000, 'x')}});
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    if (!db_->scan({.table = "posts", .consistent = true}).ok()) ++refused;
  }
  EXPECT_GT(refused, 0);
  const HeatReport heat = report();
  EXPECT_DOUBLE_EQ(heat.reads.throttled_per_second, refused / 10.0);
  EXPECT_EQ(findings(heat)[0], "throttled reads");
}

}  // namespace
}  // namespace sheaf::api
