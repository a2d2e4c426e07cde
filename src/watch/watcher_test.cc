#include "watch/watcher.h"

#include <gtest/gtest.h>

#include <cmath>

#include "watch/forms.h"

namespace sheaf::watch {
namespace {

constexpr int64_t kStartUs = int64_t{1'800'000'000} * 1'000'000;

// Rounds of ten seconds; what each told, as "severity change limit".
class WatcherTest : public testing::Test {
 protected:
  void note(Limit limit, double value, const std::string& key = "k", const std::string& table = "shop") {
    watcher_.note(
        {.limit = limit,
         .subject = {.table = table, .kind = "Customer", .key = "\"" + key + "\"", .name = "Customer " + key},
         .value = value},
        now_us_);
  }
  std::string end_round() {
    std::string out;
    events_ = watcher_.end_round(now_us_);
    for (const Event& event : events_) {
      out += (out.empty() ? "" : ", ") + std::string(lint::name_of(event.severity)) + " " +
             std::string(name_of(event.change)) + " " + std::string(text_of(event.limit).name);
    }
    now_us_ += 10'000'000;
    return out;
  }
  std::string round(Limit limit, double value) {
    note(limit, value);
    return end_round();
  }

  Watcher watcher_{WatchOptions{}};
  int64_t now_us_ = kStartUs;
  std::vector<Event> events_;
};

struct Both {
  Limit limit;
  double warning, error;  // 0: it has none
};

class EachLimit : public testing::TestWithParam<Both> {};

TEST_P(EachLimit, HasTwoSides) {
  const auto& [limit, warning, error] = GetParam();
  const Lines lines;
  EXPECT_EQ(severity_of(limit, warning * (1 - 1e-9), lines), std::nullopt);
  EXPECT_EQ(severity_of(limit, warning, lines), Severity::kWarning);
  if (error > 0) {
    EXPECT_EQ(severity_of(limit, error * (1 - 1e-9), lines), Severity::kWarning);
    EXPECT_EQ(severity_of(limit, error, lines), Severity::kError);
  } else {
    EXPECT_EQ(severity_of(limit, warning * 1000, lines), Severity::kWarning);
  }
}

constexpr double kKiB = 1024, kGiB = 1 << 30;
// G1, G2, G3, J10, G4, G12, G11, G10.
INSTANTIATE_TEST_SUITE_P(
    Limits, EachLimit,
    testing::Values(Both{Limit::kItemBytes, 320 * kKiB, 400 * kKiB}, Both{Limit::kEmbedded, 21, 0},
                    Both{Limit::kListed, std::nextafter(100, 200), 0}, Both{Limit::kCollectionBytes, kGiB, 0},
                    Both{Limit::kCollectionBytesMax, 8 * kGiB, 10 * kGiB},
                    Both{Limit::kCollectionItems, 10'000, 0}, Both{Limit::kSortKeyBytes, 819.2, 1024},
                    Both{Limit::kPartitionReads, 2400, 3000}, Both{Limit::kPartitionWrites, 800, 1000},
                    Both{Limit::kFewKeys, 1, 0}, Both{Limit::kUneven, 1, 0}),
    [](const auto& each) {
      std::string name(text_of(each.param.limit).name);
      std::erase(name, '-');
      return name;
    });

TEST(WatchLimits, AnyThrottledRequestIsAnError) {
  EXPECT_EQ(severity_of(Limit::kThrottled, 0, {}), std::nullopt);
  EXPECT_EQ(severity_of(Limit::kThrottled, 1.0 / 3600, {}), Severity::kError);
}

TEST(WatchLimits, LinesCanBeMoved) {
  Lines lines;
  ASSERT_TRUE(set_line(lines, "collection-items=50").ok());
  EXPECT_EQ(severity_of(Limit::kCollectionItems, 49, lines), std::nullopt);
  EXPECT_EQ(severity_of(Limit::kCollectionItems, 50, lines), Severity::kWarning);
  ASSERT_TRUE(set_line(lines, "partition-writes=10").ok());
  ASSERT_TRUE(set_line(lines, "near-percent=50").ok());
  EXPECT_EQ(warning_line_of(Limit::kPartitionWrites, lines), 5);
  EXPECT_EQ(set_line(lines, "collection-item=50").error().message,
            "there is no limit collection-item; there is collection-items (sheaf watch --list lists them)");
  EXPECT_EQ(set_line(lines, "few=0").error().message, "the limit few is a whole number from 1 on, not 0");
  EXPECT_FALSE(set_line(lines, "few").ok());
  EXPECT_FALSE(set_line(lines, "few=1125899906842625").ok());
  EXPECT_TRUE(set_line(lines, "few=1125899906842624").ok());
}

TEST_F(WatcherTest, AWarningIsToldWhenItBeginsAndWhenItEnds) {
  EXPECT_EQ(round(Limit::kCollectionItems, 9'999), "");
  EXPECT_EQ(round(Limit::kCollectionItems, 10'000), "warning begins collection-items");
  EXPECT_EQ(round(Limit::kCollectionItems, 10'500), "");
  EXPECT_EQ(end_round(), "") << "a size stays, if nobody looks";
  EXPECT_EQ(round(Limit::kCollectionItems, 9'000), "") << "just below its line it may be back at once";
  EXPECT_EQ(round(Limit::kCollectionItems, 8'999), "warning ends collection-items");
  EXPECT_EQ(events_.front().at_us - events_.front().began_us, 40'000'000);
  EXPECT_EQ(round(Limit::kCollectionItems, 8'999), "");
}

TEST_F(WatcherTest, WhatGrowsWorseIsToldOnceMore) {
  EXPECT_EQ(round(Limit::kItemBytes, 330'000), "warning begins item-bytes");
  EXPECT_EQ(round(Limit::kItemBytes, 409'600), "error worsens item-bytes");
  EXPECT_EQ(round(Limit::kItemBytes, 400'000), "");
  EXPECT_EQ(round(Limit::kItemBytes, 409'600), "") << "it was told";
  EXPECT_EQ(round(Limit::kItemBytes, 1'000), "error ends item-bytes");
}

TEST_F(WatcherTest, TrafficThatNobodySpeaksOfIsOver) {
  EXPECT_EQ(round(Limit::kPartitionWrites, 900), "warning begins partition-writes");
  EXPECT_EQ(round(Limit::kThrottled, 0.5), "warning ends partition-writes, error begins throttled");
  EXPECT_EQ(end_round(), "error ends throttled");
  EXPECT_EQ(watcher_.subjects(), 0u);
}

TEST_F(WatcherTest, WhatReachesItsLineWithinTheHorizonIsANote) {
  // 10 items in ten seconds: 2,000 to go take 2,000 seconds.
  for (int i = 0; i < 6; ++i) EXPECT_EQ(round(Limit::kCollectionItems, 8'000 + 10 * i), "") << i;
  EXPECT_EQ(round(Limit::kCollectionItems, 8'060), "note begins collection-items");
  EXPECT_NEAR(events_.front().forecast.seconds, 1940, 1);
  for (int i = 7; i < 20; ++i) EXPECT_EQ(round(Limit::kCollectionItems, 8'000 + 10 * i), "") << i;
  EXPECT_EQ(round(Limit::kCollectionItems, 10'000), "warning worsens collection-items");
}

TEST_F(WatcherTest, WhatTakesLongerThanTheHorizonIsNone) {
  const auto events_of = [](double horizon) {
    Watcher watcher({.horizon_seconds = horizon});
    size_t events = 0;
    for (int i = 0; i < 7; ++i) {
      watcher.note({.limit = Limit::kCollectionItems, .subject = {.table = "t"}, .value = 8'000.0 + 10 * i},
                   i * 10'000'000);
      events += watcher.end_round(i * 10'000'000).size();
    }
    return events;
  };
  EXPECT_EQ(events_of(1939), 0u);
  EXPECT_EQ(events_of(1941), 1u);
}

TEST_F(WatcherTest, WhatHasHardlyBegunIsNotNoted) {
  for (int i = 0; i <= 10; ++i) EXPECT_EQ(round(Limit::kCollectionItems, 99.9 * i), "") << i;
  EXPECT_EQ(round(Limit::kCollectionItems, 1000), "note begins collection-items") << "a tenth of the line";
}

TEST_F(WatcherTest, ATableThatIsGoneHasNoWarnings) {
  note(Limit::kCollectionItems, 20'000);
  note(Limit::kCollectionItems, 20'000, "k", "other");
  EXPECT_EQ(end_round(), "warning begins collection-items, warning begins collection-items");
  watcher_.keep_tables({"other"});
  EXPECT_EQ(end_round(), "warning ends collection-items");
  EXPECT_EQ(events_.front().subject.table, "shop");
  EXPECT_EQ(watcher_.subjects(), 1u);
}

TEST_F(WatcherTest, FiguresTellTheWorstOfEachKind) {
  note(Limit::kCollectionItems, 100, "a");
  note(Limit::kCollectionItems, 12'000, "b");
  note(Limit::kCollectionItems, 300, "c");
  note(Limit::kItemBytes, 5, "a");
  end_round();
  const std::vector<Figure> figures = watcher_.figures();
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[1].limit, Limit::kCollectionItems);
  EXPECT_EQ(figures[1].worst.name, "Customer b");
  EXPECT_EQ(figures[1].subjects, 3u);
  EXPECT_EQ(figures[1].warnings, 1u);
  EXPECT_DOUBLE_EQ(figures[1].share(), 1.2);
}

TEST_F(WatcherTest, AFigureTellsTheForecastOfTheWorstAndTheNextToReachTheLine) {
  for (int i = 0; i < 8; ++i) {
    note(Limit::kCollectionItems, 12'000, "over");
    note(Limit::kCollectionItems, 5'000 + 10.0 * i, "next");
    note(Limit::kCollectionItems, 10.0 * i, "later");
    end_round();
  }
  const Figure figure = watcher_.figures().front();
  EXPECT_EQ(figure.forecast.kind, Forecast::Kind::kReached);
  EXPECT_NEAR(figure.soonest.seconds, 4'930, 1);
  EXPECT_NE(figures_text({figure}).find("Customer over: 12,000  120 %  reached\n"), std::string::npos)
      << figures_text({figure});
}

TEST_F(WatcherTest, ThoseThatGrowFastestAreToldFirst) {
  for (int i = 0; i < 8; ++i) {
    note(Limit::kCollectionItems, i, "slow");
    note(Limit::kCollectionItems, 5.0 * i, "fast");
    note(Limit::kCollectionItems, 1000, "still");
    end_round();
  }
  const std::vector<Growth> growths = watcher_.fastest(Limit::kCollectionItems, 5);
  ASSERT_EQ(growths.size(), 2u);
  EXPECT_EQ(growths[0].subject.name, "Customer fast");
  EXPECT_NEAR(growths[0].forecast.per_second, 0.5, 1e-9);
  EXPECT_EQ(watcher_.fastest(Limit::kCollectionItems, 1).size(), 1u);
}

TEST_F(WatcherTest, KeepsThoseThatMatterIfThereAreTooMany) {
  Watcher watcher({.subjects_max = 100});
  watcher.note({.limit = Limit::kCollectionItems, .subject = {.table = "t", .key = "large"}, .value = 20'000},
               1);
  EXPECT_EQ(watcher.end_round(1).size(), 1u);
  for (int i = 0; i < 1000; ++i)
    watcher.note({.limit = Limit::kCollectionItems,
                  .subject = {.table = "t", .key = std::to_string(i)},
                  .value = 1.0 * i},
                 2);
  EXPECT_LE(watcher.subjects(), 100u);
  EXPECT_EQ(watcher.figures().front().worst.key, "large");
  EXPECT_TRUE(watcher.end_round(3).empty());
}

TEST_F(WatcherTest, EventsAreToldInWords) {
  now_us_ = kStartUs;
  note(Limit::kCollectionItems, 10'412, "c-3");
  end_round();
  EXPECT_EQ(event_text(events_.front()),
            "2027-01-15T08:00:00.000Z warning begins: Customer c-3 in shop: items of a collection: 10,412, "
            "the limit is "
            "10,000 [collection-items G4]\n  = split it by time or shard, or archive what is old");
  EXPECT_EQ(
      event_json(events_.front()),
      R"({"event":"begins","at":"2027-01-15T08:00:00.000Z","severity":"warning","limit":"collection-items",)"
      R"("point":"G4","table":"shop","kind":"Customer","key":"c-3","name":"Customer c-3","value":10412,)"
      R"("line":10000,"watched_seconds":0})");
  note(Limit::kCollectionItems, 0, "c-3");
  end_round();
  EXPECT_EQ(
      event_text(events_.front()),
      "2027-01-15T08:00:10.000Z warning ends: Customer c-3 in shop: items of a collection, after 10 seconds "
      "[collection-items G4]");
}

// A14: one relation, one event.
TEST_F(WatcherTest, KeysOfARelationAreToldOfTogether) {
  for (const char* key : {"a", "b", "c"}) note(Limit::kEmbedded, 20 + (*key - 'a'), key);
  EXPECT_EQ(end_round(), "warning begins few");
  EXPECT_EQ(events_.front().subject.name, "Customer c");
  EXPECT_EQ(events_.front().keys, 2u);
  EXPECT_EQ(
      event_text(events_.front()),
      "2027-01-15T08:00:00.000Z warning begins: Customer c in shop: children in one item: 22, the limit "
      "is 20 (Customer), and 1 other [few G2]\n  = store the relation via collection, or via "
      "index");
  EXPECT_NE(event_json(events_.front()).find(R"("keys":2)"), std::string::npos);
  note(Limit::kEmbedded, 40, "d");
  note(Limit::kEmbedded, 1, "c");
  EXPECT_EQ(end_round(), "") << "another key, the same thing";
  EXPECT_EQ(watcher_.figures().front().warnings, 2u);
  for (const char* key : {"a", "b", "d"}) note(Limit::kEmbedded, 2, key);
  EXPECT_EQ(end_round(), "warning ends few");
  EXPECT_EQ(events_.front().value, 2);
  EXPECT_EQ(end_round(), "");
  note(Limit::kEmbedded, 21, "a");
  EXPECT_EQ(end_round(), "warning begins few");
  watcher_.keep_tables({});
  EXPECT_EQ(end_round(), "warning ends few");
}

// A13: what is counted in steps of 4 KB and what is exact are two things.
TEST_F(WatcherTest, FiguresOfTwoSourcesAreNotPutIntoOneSeries) {
  const auto note = [&](double value, double within) {
    watcher_.note(
        {.limit = Limit::kCollectionBytes, .subject = {.table = "t"}, .value = value, .within = within},
        now_us_);
    end_round();
    return watcher_.figures().front();
  };
  for (int i = 0; i < 10; ++i) note(1000, 0);
  EXPECT_EQ(note(4096, 4096).value, 1000) << "it says nothing new";
  const Figure after = note(8192, 4096);
  EXPECT_EQ(after.value, 8192);
  EXPECT_EQ(after.forecast.kind, Forecast::Kind::kTooEarly) << "a new beginning";
  EXPECT_EQ(note(7000, 0).forecast.watched_seconds, 0);
}

TEST(WatchForms, ASubjectIsToldAsFarAsItIsKnown) {
  EXPECT_EQ(subject_text({.table = "shop", .kind = "Order", .name = "Order o-1"}), "Order o-1 in shop");
  EXPECT_EQ(subject_text({.table = "shop", .index = "by_date", .kind = "Order"}), "Order in shop/by_date");
  EXPECT_EQ(subject_text({.table = "shop"}), "shop");
  EXPECT_EQ(subject_text({.table = "shop", .name = "pk=\033[2J"}), "pk=\\u001b[2J in shop");
}

TEST_F(WatcherTest, ForecastsAreToldInWords) {
  using Kind = Forecast::Kind;
  const auto text = [](Kind kind) {
    return forecast_text({.kind = kind, .seconds = 12 * 86'400.0 + 1, .watched_seconds = 600});
  };
  EXPECT_EQ(text(Kind::kIn), "reaches the limit in 12 days at the present rate (watched for 10 minutes)");
  EXPECT_EQ(text(Kind::kTooEarly), "watched for 10 minutes: too early for a forecast");
  EXPECT_EQ(text(Kind::kNotGrowing), "does not grow (watched for 10 minutes)");
  EXPECT_EQ(text(Kind::kUnsteady), "grows too unevenly for a forecast (watched for 10 minutes)");
  EXPECT_EQ(text(Kind::kReached), "");
}

TEST(WatchAmounts, AreToldInTheirUnits) {
  EXPECT_EQ(amount_text(Limit::kItemBytes, 1023), "1,023 bytes");
  EXPECT_EQ(amount_text(Limit::kItemBytes, 400 * 1024), "400 KB");
  EXPECT_EQ(amount_text(Limit::kCollectionBytes, 1.25 * (1 << 30)), "1.2 GB");
  EXPECT_EQ(amount_text(Limit::kCollectionItems, 1'234'567), "1,234,567");
  EXPECT_EQ(amount_text(Limit::kPartitionWrites, 812.4), "812 units a second");
  EXPECT_EQ(amount_text(Limit::kListed, 100.1), "101 %");
  EXPECT_EQ(amount_text(Limit::kThrottled, 0.25), "0.25 requests a second");
}

}  // namespace
}  // namespace sheaf::watch
