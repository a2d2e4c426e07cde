#include "run/link_check.h"

#include <gtest/gtest.h>

#include "api/forwarding_database.h"
#include "run/running_model.h"

namespace sheaf::run {
namespace {

constexpr const char* kCheckedModel = R"(model checked {
  entity Team { id id }
  entity Player { id id }
  rel Team 1--* Player as players / team { size max 100; on delete unlink; via index }
  rel Team 1--* Player as fans / favourite { size max 100; unchecked; on delete unlink; via index }
  rel Player *--* Player as rivals { size max 100; via edges }
  layout lists { rel Player.rivals via lists }
})";

class LinkChecks : public testing::TestWithParam<const char*> {
 protected:
  void note(std::string_view json) {
    const auto data = read_data(running_.model(), running_.layout(), json);
    ASSERT_TRUE(data.ok()) << data.error().message;
    check_.note(*data);
  }

  RunningModel running_{kCheckedModel, R"({"Team":[{"id":"there"}]})", GetParam()};
  LinkCheck check_{running_.database(), running_.model(), running_.layout()};
};

TEST_P(LinkChecks, FindNobodyWhoComesBeforeOrBehindOrWasThere) {
  note(R"({"Team":[{"id":"t1"}]})");
  note(R"({"Player":[{"id":"p1","team":"t1"},{"id":"p2","team":"t2"},{"id":"p3","team":"there"}]})");
  note(R"({"Team":[{"id":"t2"}],"Player":[{"id":"p4","favourite":"nobody"}]})");
  const auto dangling = check_.finish();
  ASSERT_TRUE(dangling.ok()) << dangling.error().message;
  EXPECT_EQ(dangling->count, 0u);
  EXPECT_TRUE(dangling->is_all);
}

TEST_P(LinkChecks, FindEachWhoIsNotThereOnce) {
  note(R"({"Player":[{"id":"p1","team":"t9"},{"id":"p2","team":"t9"}]})");
  if (std::string(GetParam()) == "default") note(R"({"links":{"Player.rivals":[["p1","p9"]]}})");
  const auto dangling = check_.finish();
  ASSERT_TRUE(dangling.ok());
  EXPECT_EQ(dangling->count, std::string(GetParam()) == "default" ? 2u : 1u);
  EXPECT_EQ(dangling->examples.front(), "the Player p1 leads by its team to the Team t9");
}

INSTANTIATE_TEST_SUITE_P(Layouts, LinkChecks, testing::Values("default", "lists"));

std::string players(size_t begin, size_t end) {
  std::string json;
  for (size_t i = begin; i < end; ++i) {
    const std::string number = std::to_string(i);
    json += (i == begin ? "" : ",") + (R"({"id":"p)" + number + R"(","team":"t)" + number + R"("})");
  }
  return R"({"Player":[)" + json + "]}";
}

// How often it is asked for items, and for how many at once.
class CountedReads final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<Got> get_item(const GetItem& request) override {
    ++single_;
    return ForwardingDatabase::get_item(request);
  }
  Result<BatchGot> batch_get_items(const BatchGetItems& request) override {
    ++batches_;
    return ForwardingDatabase::batch_get_items(request);
  }
  size_t single_ = 0, batches_ = 0;
};

TEST(LinkChecksOfMany, ReadThemInBatchesAndCanBeEnded) {
  RunningModel running(kCheckedModel, R"({"Team":[{"id":"t7"},{"id":"t249"}]})");
  CountedReads database(running.database());
  LinkCheck check(database, running.model(), running.layout());
  const auto data = read_data(running.model(), running.layout(), players(0, 250));
  check.note(*data);
  std::vector<uint64_t> told;
  const auto dangling = check.finish({.progress = [&](uint64_t done, uint64_t all) {
    told.insert(told.end(), {done, all});
  }});
  ASSERT_TRUE(dangling.ok());
  EXPECT_EQ(dangling->count, 248u);
  EXPECT_TRUE(dangling->is_all);
  EXPECT_EQ(database.single_, 0u);
  EXPECT_EQ(database.batches_, 3u);
  EXPECT_EQ(told, (std::vector<uint64_t>{100, 250, 200, 250, 250, 250}));
  int left = 1;
  const auto ended = check.finish({.is_ended = [&] { return left-- == 0; }});
  ASSERT_TRUE(ended.ok());
  EXPECT_TRUE(ended->is_ended);
  EXPECT_FALSE(ended->is_all);
  EXPECT_EQ(database.batches_, 4u);
}

// To look through all of them at each took hours.
TEST(LinkChecksOfMany, LookThroughThemNowAndThen) {
  RunningModel running(kCheckedModel, "{}");
  LinkCheck check(running.database(), running.model(), running.layout());
  const auto note = [&](const std::string& json) {
    const auto data = read_data(running.model(), running.layout(), json);
    check.note(*data);
  };
  note(players(0, kOpenLinksMax + 1));
  std::string teams;
  for (size_t i = 0; i < kOpenLinksMax; ++i)
    teams += (i == 0 ? R"({"id":"t)" : R"(,{"id":"t)") + std::to_string(i) + R"("})";
  note(R"({"Team":[)" + teams + "]}");
  // The next is not remembered, though all could be forgotten. Later ones are.
  constexpr size_t kLater = 10;
  note(players(kOpenLinksMax + 1, kOpenLinksMax + kLinksBetweenSweeps + kLater));
  const auto dangling = check.finish();
  ASSERT_TRUE(dangling.ok());
  EXPECT_EQ(dangling->count, kLater);
  EXPECT_FALSE(dangling->is_all);
}

TEST(LinkChecksOfMany, SayWhenTheyRememberNoMore) {
  for (const size_t more : {size_t{0}, size_t{1}}) {
    RunningModel running(kCheckedModel, "{}");
    LinkCheck check(running.database(), running.model(), running.layout());
    const auto data = read_data(running.model(), running.layout(), players(0, kOpenLinksMax + more));
    check.note(*data);
    const auto dangling = check.finish();
    EXPECT_EQ(dangling->count, kOpenLinksMax);
    EXPECT_EQ(dangling->examples.size(), kDanglingToldMax);
    EXPECT_EQ(dangling->is_all, more == 0);
  }
}

}  // namespace
}  // namespace sheaf::run
