#include "cmd/top_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cmd/top_screen.h"
#include "model/compiled_model.h"

namespace sheaf::cmd {
namespace {

constexpr std::string_view kToldText = R"({
  "table":"shop","seconds":61.5,"partition_count":4,
  "reads":{"units_per_second":3,"requests_per_second":6,"throttled_per_second":0,"partition_keys":2,
    "partitions":[{"key":{"pk":{"S":"c-1"}},"kind":"Customer","name":"Customer c-1","units_per_second":2,
                   "times_per_second":4,"share":0.6,"items":120,"bytes":4096},
                  {"key":{"pk":{"S":"c-2"}},"kind":"Customer","name":"Customer c-2","units_per_second":1,
                   "times_per_second":2,"share":0.3,"items":900,"bytes":8192},
                  {"key":{"pk":{"S":"gone"}},"units_per_second":1,"times_per_second":2,"share":0.3,"items":0,"bytes":0}],
    "items":[{"key":{"pk":{"S":"c-1"},"sk":{"S":"o-1"}},"kind":"Order","name":"Order o-1 of Customer c-1",
              "units_per_second":1.5,"times_per_second":3,"share":0.5}],
    "throttled_partitions":[],
    "sample":[{"key":{"pk":{"S":"c-1"},"sk":{"S":"o-1"}},"kind":"Order","name":"Order o-1 of Customer c-1","share":0.5},
              {"key":{"pk":{"S":"c-1"},"sk":{"S":"o-2"}},"kind":"Order","name":"Order o-2","share":0.25},
              {"key":{"pk":{"S":"x"},"sk":{"S":"y"}},"share":0.25}]},
  "writes":{"units_per_second":10,"requests_per_second":10,"throttled_per_second":0.5,"partition_keys":2,
    "partitions":[{"key":{"pk":{"S":"c-1"}},"kind":"Customer","name":"Customer c-1","units_per_second":9,
                   "times_per_second":9,"share":0.9,"items":120,"bytes":4096},
                  {"key":{"pk":{"S":"x"}},"units_per_second":1,"times_per_second":1,"share":0.1}],
    "items":[],
    "throttled_partitions":[{"key":{"pk":{"S":"c-1"}},"kind":"Customer","name":"Customer c-1",
                             "units_per_second":0,"times_per_second":0.5,"share":1}],
    "sample":[{"key":{"pk":{"S":"c-1"},"sk":{"S":"o-9"}},"kind":"Order","name":"Order o-9","share":1}]},
  "findings":[{"kind":"uneven","of":"writes","text":"one"},{"kind":"unheard-of","of":"reads","text":"?"}]})";

TopSnapshot snapshot_of(const watch::KeyNames& names) {
  const Result<ToldHeat> told = read_heat(kToldText);
  EXPECT_TRUE(told.ok()) << told.error().message;
  TopSnapshot snapshot{.at_us = int64_t{1'800'000'000} * 1'000'000,
                       .endpoint = "http://127.0.0.1:8000",
                       .seconds = told->report.seconds,
                       .resources = {*told}};
  add_keys(snapshot, *told, names);
  snapshot.latencies = {
      {.operation = "PutItem", .requests = 600, .half = 0.00005, .ninety_nine = std::nullopt}};
  arrange(snapshot, 3);
  return snapshot;
}

TEST(TopView, HeatIsReadAsTheServerTellsIt) {
  const Result<ToldHeat> told = read_heat(kToldText);
  ASSERT_TRUE(told.ok());
  EXPECT_EQ(told->report.partitions, 4u);
  EXPECT_EQ(told->report.writes.partitions[0].key, (Item{{"pk", "c-1"}}));
  EXPECT_EQ(told->collections.at(R"({"pk":{"S":"c-1"}})").item_count, 120);
  ASSERT_EQ(told->report.findings.size(), 1u) << "others may know more kinds";
  EXPECT_EQ(told->report.findings[0].kind, HeatFinding::Kind::kUneven);
  EXPECT_FALSE(read_heat("<html>").ok());
  EXPECT_FALSE(read_heat(R"({"table":7})").ok());
  EXPECT_EQ(read_all_heat(R"({"resources":[{"table":"a"},{"table":"a","index":"i"}]})")->size(), 2u);
}

TEST(TopView, ShowsTablesKindsKeysAndCollections) {
  EXPECT_EQ(top_text(snapshot_of({})),
            R"(sheaf top  http://127.0.0.1:8000  2027-01-15T08:00:00.000Z  rates of the last 62 seconds

TABLES AND INDEXES
table or index  reads/s  units/s  writes/s  units/s  throttled/s  findings
shop                6.0      3.0      10.0     10.0          0.5  uneven (writes)

ENTITIES AND RELATIONS, about
entity or relation  of    read units/s  write units/s
Order               shop           2.2           10.0
(no model)          shop           0.8            0.0

HOTTEST KEYS
key                        of                       units/s  times/s   share
Customer c-1               shop  writes, partition      9.0      9.0  90.0 %
Customer c-1               shop  reads, partition       2.0      4.0  60.0 %
Order o-1 of Customer c-1  shop  reads                  1.5      3.0  50.0 %

THROTTLED
key           of                       units/s  times/s  share
Customer c-1  shop  writes, partition      0.0      0.5  100 %

COLLECTIONS that are read or written
collection    of    items  bytes  items/minute  forecast
Customer c-2  shop    900   8 KB           0.0  watched for 0 seconds: too early for a forecast
Customer c-1  shop    120   4 KB           0.0  watched for 0 seconds: too early for a forecast

LATENCIES of the last moments
operation  requests    p50     p99
PutItem         600  50 us  longer
)");
}

TEST(TopView, AModelGivenHereGoesBeforeTheServers) {
  const model::CompiledModel compiled = model::compile("people.sheaf", R"(
    model people {
      entity Person { id id matches "c-.+"; name }
      layout stored { table shop { pk pk; sk sk } entity Person { key "<id>" / "PERSON" } }
    })");
  ASSERT_TRUE(compiled.ok()) << compiled.rendered();
  watch::KeyNames names;
  names.add(compiled.model, compiled.layouts.back());
  EXPECT_EQ(snapshot_of(names).keys.front().name, "Person c-1");
}

TEST(TopView, IsAJsonLineForPrograms) {
  const std::string json = top_json(snapshot_of({}));
  EXPECT_EQ(json.find('\n'), std::string::npos);
  EXPECT_NE(json.find(R"("kinds":[{"of":"shop","kind":"Order","read_units_per_second":2.25,)"
                      R"("write_units_per_second":10})"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(R"({"table":"shop","name":"Customer c-1","key":{"pk":{"S":"c-1"}},"items":120,)"
                      R"("bytes":4096,"items_per_minute":0}])"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(R"("latencies":[{"operation":"PutItem","requests":600,"p50_seconds":5e-05}])"),
            std::string::npos)
      << json;
}

std::vector<std::string> screen_lines(const TopSnapshot& snapshot, size_t lines_max,
                                      bool has_colour = false) {
  std::istringstream text(top_screen(snapshot, lines_max, has_colour));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

bool has_line(const std::vector<std::string>& lines, std::string_view beginning) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.starts_with(beginning); });
}

TEST(TopScreen, SharesTheRoomAmongItsSections) {
  TopSnapshot snapshot = snapshot_of({});
  for (int i = 0; i < 9; ++i) snapshot.resources.push_back(snapshot.resources.front());
  for (size_t rows = 1; rows < 60; ++rows) {
    const std::vector<std::string> lines = screen_lines(snapshot, rows);
    EXPECT_LE(lines.size(), std::max<size_t>(rows, 2));
    EXPECT_EQ(lines.back(), "q: leave");
    EXPECT_TRUE(rows < 5 || has_line(lines, "HOTTEST KEYS")) << rows;
  }
  const std::vector<std::string> usual = screen_lines(snapshot, 24);
  for (const char* section :
       {"TABLES AND INDEXES (", "ENTITIES", "HOTTEST KEYS", "THROTTLED", "COLLECTIONS", "LATENCIES"})
    EXPECT_TRUE(has_line(usual, section)) << section;
  EXPECT_TRUE(has_line(usual, "Customer c-1 ")) << "a key";
  EXPECT_EQ(usual.size(), 24u);
}

TEST(TopScreen, WithRoomForAllIsTheSameText) {
  const TopSnapshot snapshot = snapshot_of({});
  EXPECT_EQ(top_screen(snapshot, 100, false), top_text(snapshot) + "\nq: leave\n");
  const std::string coloured = top_screen(snapshot, 100, true);
  EXPECT_NE(coloured.find("\033[1;36mHOTTEST KEYS\033[0m\n"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::cmd
