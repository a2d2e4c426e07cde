#include "cmd/metrics_page.h"

#include <gtest/gtest.h>

namespace sheaf::cmd {
namespace {

TEST(MetricsPage, LinesAreReadWithTheirLabels) {
  const auto page = read_metrics(
      "# HELP a What\n# TYPE a gauge\na 1.5\nb{x=\"1\",y=\"a \\\"b\\\\c\\nd\"} 2e3\n\nnot a metric\nc{x=\"1} "
      "3\n");
  ASSERT_EQ(page.size(), 2u);
  EXPECT_EQ(page[0].name, "a");
  EXPECT_EQ(page[0].value, 1.5);
  EXPECT_EQ(page[1].label("x"), "1");
  EXPECT_EQ(page[1].label("y"), "a \"b\\c\nd");
  EXPECT_EQ(page[1].label("z"), "");
  EXPECT_EQ(page[1].value, 2000);
}

std::string histogram(const std::string& table, int first, int second, int all) {
  const std::string of = "sheaf_request_seconds_bucket{operation=\"Query\",table=\"" + table + "\",le=\"";
  return of + "0.001\"} " + std::to_string(first) + "\n" + of + "0.01\"} " + std::to_string(second) + "\n" +
         of + "+Inf\"} " + std::to_string(all) + "\n";
}

TEST(MetricsPage, LatenciesAreThoseOfTheTimeBetweenTwoPages) {
  const auto before = read_metrics(histogram("a", 1000, 1000, 1000));
  const auto now = read_metrics(histogram("a", 1050, 1099, 1100) + histogram("b", 1, 1, 1));
  const auto told = latencies(before, now);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].operation, "Query");
  EXPECT_EQ(told[0].requests, 101);
  EXPECT_EQ(told[0].half, 0.001) << "51 of 101";
  EXPECT_EQ(told[0].ninety_nine, 0.01) << "100 of 101";
  EXPECT_EQ(latencies({}, read_metrics(histogram("a", 0, 49, 100)))[0].half, std::nullopt);
  EXPECT_EQ(latencies({}, read_metrics(histogram("a", 0, 50, 100)))[0].half, 0.01);
  EXPECT_TRUE(latencies(now, now).empty());
}

TEST(MetricsPage, CountersGrowByLabel) {
  const auto before = read_metrics("n{table=\"a\"} 5\nn{table=\"b\"} 5\n");
  const auto now = read_metrics("n{table=\"a\"} 7\nn{table=\"b\"} 5\nn{table=\"c\",index=\"i\"} 1\nm 9\n");
  const std::map<std::vector<std::string>, double> expected = {{{"a", ""}, 2}, {{"c", "i"}, 1}};
  EXPECT_EQ(growth_of("n", {"table", "index"}, before, now), expected);
}

TEST(MetricsPage, LatenciesAreToldInTheUnitThatFits) {
  EXPECT_EQ(latency_text(0.000025), "25 us");
  EXPECT_EQ(latency_text(0.0025), "2.5 ms");
  EXPECT_EQ(latency_text(1), "1 s");
  EXPECT_EQ(latency_text(std::nullopt), "longer");
}

}  // namespace
}  // namespace sheaf::cmd
