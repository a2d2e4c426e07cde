#include "api/table_writers.h"

#include <gtest/gtest.h>

#include "api/local_database.h"
#include "store/memory_store.h"

namespace sheaf::api {
namespace {

const std::string kTag(kWriterTag);

TEST(TableWriters, AreWhatTheTagsSay) {
  TableWriters writers;
  EXPECT_TRUE(writers.empty());
  writers.learn("app", {{"team", "red"}});
  EXPECT_TRUE(writers.empty());
  writers.learn("app", {{"team", "red"}, {kTag, "hr"}});
  EXPECT_FALSE(writers.empty());
  EXPECT_EQ(writers.writer_of("app"), "hr");
  EXPECT_EQ(writers.writer_of("other"), std::nullopt);
  writers.learn("app", {{kTag, "shop"}});
  EXPECT_EQ(writers.writer_of("app"), "shop");
  writers.forget("app");
  EXPECT_TRUE(writers.empty());
  EXPECT_EQ(writers.writer_of("app"), std::nullopt);
}

class DatabaseWriters : public testing::Test {
 protected:
  void create(const std::string& table, const std::map<std::string, std::string>& tags = {}) {
    ASSERT_TRUE(database_.create_table({.table = table, .key = {.partition = {{"pk"}}}, .tags = tags}).ok());
  }

  ManualClock clock_{0};
  LocalDatabase database_{store::open_memory_store(clock_), clock_, OpenOptions{.background_thread = false}};
};

TEST_F(DatabaseWriters, FollowTagsThatComeAndGo) {
  create("abc");
  create("bcd", {{kTag, "shop"}});
  EXPECT_EQ(database_.writers().writer_of("bcd"), "shop");
  ASSERT_TRUE(database_.tag_table("abc", {{kTag, "hr"}}).ok());
  EXPECT_EQ(database_.writers().writer_of("abc"), "hr");
  ASSERT_TRUE(database_.untag_table("abc", {kTag, "never"}).ok());
  EXPECT_EQ(database_.writers().writer_of("abc"), std::nullopt);
  ASSERT_TRUE(database_.delete_table("bcd").ok());
  EXPECT_TRUE(database_.writers().empty());
}

}  // namespace
}  // namespace sheaf::api
