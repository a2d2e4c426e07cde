// Bills against what comes out on paper, at the prices of the example.
#include "cost/bill.h"

#include <gtest/gtest.h>

#include "cost/rate.h"

namespace sheaf::cost {
namespace {

const Resource kTable{.table = "app"};
const Resource kIndex{.table = "app", .index = "by_name"};

Prices prices() { return *read_prices(example_prices()); }

Work read_work() {
  return {.name = "get", .per_second = Fraction(100), .runs = 4, .used = {{kTable, {.reads = 4}}}};
}
Work write_work() {
  return {.name = "put",
          .is_operation = true,
          .per_second = Fraction(10),
          .runs = 2,
          .used = {{kTable, {.writes = 8}}, {kIndex, {.writes = 6}}}};
}

TEST(Bill, OnDemandIsUnitsTimesRuns) {
  // get: half a unit a run; 100/s for 2,628,000 s are 131.4 million units at 0.125 a million.
  // put: 2 units of the table and 1.5 of the index; 52.56 and 39.42 million units at 0.625 a million.
  const Result<Bill> bill = make_bill(prices(), {}, {read_work(), write_work()}, {});
  ASSERT_TRUE(bill.ok());
  EXPECT_EQ(money_text(bill->of_work("get")), "16.425000");
  ASSERT_EQ(bill->lines.size(), 3u);
  EXPECT_EQ(bill->lines[0].quantity, Fraction(131'400'000));
  EXPECT_EQ(money_text(bill->lines[1].millionths), "32.850000");
  EXPECT_EQ(money_text(bill->lines[2].millionths), "24.637500");
  EXPECT_EQ(money_text(bill->of_work("put")), "57.487500");
  EXPECT_EQ(money_text(bill->of_resource(kIndex)), "24.637500");
  EXPECT_EQ(money_text(bill->of(BillLine::What::kWrites)), "57.487500");
  EXPECT_EQ(money_text(bill->total()), "73.912500");
}

TEST(Bill, InfrequentAccessHasItsOwnPrices) {
  const auto bill = make_bill(prices(), {.table_class = TableClass::kInfrequentAccess}, {read_work()},
                              {{.resource = kTable, .items = 0, .bytes = uint64_t{10} << 30}});
  ASSERT_TRUE(bill.ok());
  EXPECT_EQ(money_text(bill->of_work("get")), "20.367000");  // 131.4 * 0.155
  EXPECT_EQ(money_text(bill->of(BillLine::What::kStorage)), "1.000000");
}

TEST(Bill, EveryItemIsStoredWithAHundredBytesMore) {
  // 1,000,000 items of 973.741824 bytes and 100 more are one GB.
  const std::vector<StoredBytes> stored{{.resource = kTable, .items = 1'000'000, .bytes = 973'741'824},
                                        {.resource = kIndex, .items = 1'000'000, .bytes = 436'870'912}};
  const auto bill = make_bill(prices(), {.has_recovery = true, .backups = 3}, {}, stored);
  ASSERT_TRUE(bill.ok());
  EXPECT_EQ(bill->lines[0].quantity, Fraction(uint64_t{1} << 30));
  EXPECT_EQ(money_text(bill->lines[0].millionths), "0.250000");
  EXPECT_EQ(money_text(bill->of_resource(kIndex)), "0.125000");
  // Of the table alone.
  EXPECT_EQ(money_text(bill->of(BillLine::What::kRecovery)), "0.200000");
  EXPECT_EQ(money_text(bill->of(BillLine::What::kBackups)), "0.300000");
}

TEST(Bill, StreamsAreReadByTheHundredThousand) {
  const auto bill = make_bill(prices(), {.stream_reads_per_second = Fraction(4)}, {}, {});
  ASSERT_TRUE(bill.ok());
  EXPECT_EQ(money_text(bill->total()), "2.102400");  // 10.512 million, 0.02 for 100,000
}

TEST(Bill, ProvisionedIsThePeakAtItsUtilisation) {
  // get: 50 units a second, at the double 100, of 70 % 142.857..: 143; 143 * 730 * 0.00013.
  // put: 20 and 15 a second, 40 and 30, 57.1 and 42.8: 58 and 43; * 730 * 0.00065. One unit of what is not
  // used.
  const std::vector<StoredBytes> stored{{.resource = kTable}, {.resource = kIndex}};
  const auto bill = make_bill(prices(), {.mode = Mode::kProvisioned, .peak = Fraction(2)},
                              {read_work(), write_work()}, stored);
  ASSERT_TRUE(bill.ok());
  EXPECT_EQ(bill->provisioned.at(kTable).reads, 143u);
  EXPECT_EQ(bill->provisioned.at(kTable).writes, 58u);
  EXPECT_EQ(bill->provisioned.at(kIndex).writes, 43u);
  EXPECT_EQ(bill->provisioned.at(kIndex).reads, 1u);
  EXPECT_EQ(money_text(bill->of_work("get")), "13.570700");
  EXPECT_EQ(money_text(bill->of_work("put")), "47.924500");  // 27.521 and 20.4035
  EXPECT_EQ(money_text(bill->total()), "61.590100");         // and 0.0949 for the index's one unit of reads
  EXPECT_TRUE(bill->warnings.empty());
}

TEST(Bill, CapacityThatIsUsedWhollyIsNotMore) {
  Work work = read_work();
  work.per_second = Fraction(140);  // 70 units a second
  EXPECT_EQ(make_bill(prices(), {.mode = Mode::kProvisioned}, {work}, {})->provisioned.at(kTable).reads,
            100u);
  work.per_second = *read_rate("140.0001/s");
  EXPECT_EQ(make_bill(prices(), {.mode = Mode::kProvisioned}, {work}, {})->provisioned.at(kTable).reads,
            101u);
}

TEST(Bill, CapacityCanBeGivenAndTooLittleIsTold) {
  BillOptions options{.mode = Mode::kProvisioned, .capacities = {{kTable, {.reads = 50, .writes = 10}}}};
  const std::vector<StoredBytes> stored{{.resource = kTable}};
  EXPECT_TRUE(make_bill(prices(), options, {read_work()}, stored)->warnings.empty());
  options.capacities[kTable].reads = 49;
  EXPECT_EQ(make_bill(prices(), options, {read_work()}, stored)->warnings.at(0),
            "app has 49 units for reads, and the peak takes 50 a second: it would be throttled");
  options.capacities[kIndex];
  EXPECT_EQ(make_bill(prices(), options, {read_work()}, stored).error().message,
            "there is no table or index app.by_name to give capacity to");
}

TEST(Bill, SharesOfCapacityAddUp) {
  std::vector<Work> works;
  for (int i = 0; i < 7; ++i) {
    Work work = read_work();
    work.name = "p" + std::to_string(i);
    work.per_second = Fraction(1) / Fraction(3 + static_cast<uint64_t>(i));
    works.push_back(work);
  }
  const auto bill = make_bill(prices(), {.mode = Mode::kProvisioned}, works, {});
  ASSERT_TRUE(bill.ok());
  // One unit each of reads, which the seven share, and of writes, which nobody uses.
  int64_t shared = 0;
  for (const Work& work : works) {
    EXPECT_GT(bill->of_work(work.name), 0);
    shared += bill->of_work(work.name);
  }
  EXPECT_GT(bill->of_work("p0"), bill->of_work("p6"));
  const uint64_t units = bill->provisioned.at(kTable).reads;
  EXPECT_EQ(money_text(shared), money_text(static_cast<int64_t>(units) * 94'900));
  EXPECT_EQ(bill->total() - shared, 474'500);
}

TEST(Bill, LinesAreRoundedToAMillionthHalvesUp) {
  // A unit a month costs 0.000000125, four 0.0000005.
  Work work{.name = "get", .runs = 1, .used = {{kTable, {.reads = 2}}}};
  work.per_second = Fraction(4) / Fraction(2'628'000);
  EXPECT_EQ(make_bill(prices(), {}, {work}, {})->total(), 1);
  work.per_second = Fraction(3) / Fraction(2'628'000);
  EXPECT_EQ(make_bill(prices(), {}, {work}, {})->total(), 0);
}

TEST(Bill, WhatHasNoRateOrNeverRanIsLeftOut) {
  Work unrated = read_work(), unseen = write_work();
  unrated.per_second.reset();
  unseen.runs = 0;
  const auto bill = make_bill(prices(), {}, {unrated, unseen}, {});
  ASSERT_TRUE(bill.ok());
  EXPECT_TRUE(bill->lines.empty());
  // But a million of it has a price.
  EXPECT_EQ(money_text(*millionths_for_a_million(prices(), TableClass::kStandard, unrated)), "0.062500");
  EXPECT_FALSE(millionths_for_a_million(prices(), TableClass::kStandard, unseen));
  EXPECT_EQ(money_text(*millionths_for_a_million(prices(), TableClass::kStandard, write_work())), "2.187500");
}

TEST(Bill, TooLargeNumbersAreRefused) {
  Work work = read_work();
  work.per_second = Fraction(1'000'000'000'000);  // 1.314e18 units cost 1.6e11: 1.6e17 millionths
  EXPECT_TRUE(make_bill(prices(), {}, {work}, {}).ok());
  work.per_second = Fraction(10'000'000'000'000);
  EXPECT_EQ(make_bill(prices(), {}, {work}, {}).error().message,
            "the numbers are too large for a bill: lower rates or counts");
}

}  // namespace
}  // namespace sheaf::cost
