#include "cmd/quick_bench.h"

#include <gtest/gtest.h>

namespace sheaf::cmd {
namespace {

TEST(Latencies, AreToldToWithinASixteenth) {
  Latencies latencies;
  for (uint64_t i = 1; i <= 100'000; ++i) latencies.add(i);
  for (const double part : {0.001, 0.5, 0.9, 0.99, 0.999}) {
    const double exact = part * 100'000;
    const auto told = static_cast<double>(latencies.percentile_us(part));
    EXPECT_GE(told, exact - 1) << part;
    EXPECT_LE(told, exact * 17 / 16 + 1) << part;
  }
  EXPECT_EQ(latencies.percentile_us(1), 100'000u);
  EXPECT_EQ(latencies.max_us(), 100'000u);
  Latencies more;
  more.add(UINT64_MAX);
  more.add(0);
  latencies.add(more);
  EXPECT_EQ(latencies.count(), 100'002u);
  EXPECT_EQ(latencies.percentile_us(1), UINT64_MAX);
  EXPECT_EQ(Latencies().percentile_us(0.5), 0u);
}

TEST(QuickBench, LeavesNothingBehind) {
  const auto database = Database::open_in_memory();
  const Result<BenchFigures> figures = run_bench(
      *database,
      {.reads_percent = 50, .items = 200, .size_bytes = 300, .seconds = 0.2, .threads = 2, .table = "Bench"});
  ASSERT_TRUE(figures.ok()) << figures.error().message;
  EXPECT_GT(figures->reads.latencies.count(), 0u);
  EXPECT_GT(figures->writes.latencies.count(), 0u);
  EXPECT_EQ(figures->reads.failed + figures->writes.failed, 0u);
  while (*database->run_background_work()) {
  }
  EXPECT_TRUE(database->list_tables()->empty());
  ASSERT_TRUE(database->create_table({.table = "Bench", .key = {.partition = {{.name = "pk"}}}}).ok());
  EXPECT_FALSE(run_bench(*database, {.table = "Bench"}).ok())
      << "a table that is there is nobody's to remove";
  EXPECT_EQ(database->list_tables()->size(), 1u);
}

}  // namespace
}  // namespace sheaf::cmd
