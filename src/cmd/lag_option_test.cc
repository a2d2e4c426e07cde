#include "cmd/lag_option.h"

#include <gtest/gtest.h>

namespace sheaf::cmd {
namespace {

using std::chrono::milliseconds;

std::vector<Lag> read(std::vector<std::string> texts) {
  Result<std::vector<Lag>> lags = read_lags("--index-lag", texts);
  if (lags.ok()) return *lags;
  ADD_FAILURE() << lags.error().message;
  return {};
}

std::string lag_refusal(std::vector<std::string> texts) {
  const Result<std::vector<Lag>> lags = read_lags("--index-lag", texts);
  return lags.ok() ? "not refused" : lags.error().message;
}

TEST(LagOption, IsATableAndATimeOrTwo) {
  EXPECT_EQ(read({}), std::vector<Lag>());
  EXPECT_EQ(read({"users=250", "a-b.c_d=5-70", "*=0"}),
            (std::vector<Lag>{{.table = "users", .min = milliseconds(250), .max = milliseconds(250)},
                              {.table = "a-b.c_d", .min = milliseconds(5), .max = milliseconds(70)},
                              {.table = "*", .min = milliseconds(0), .max = milliseconds(0)}}));
}

TEST(LagOption, HasAtMostAMinute) {
  EXPECT_EQ(read({"users=60000", "*=0-60000"}).size(), 2u);
  EXPECT_EQ(lag_refusal({"users=60001"}), "--index-lag: the lag of table users is more than 60000 ms");
  EXPECT_EQ(lag_refusal({"users=0-60001"}), "--index-lag: the lag of table users is more than 60000 ms");
}

TEST(LagOption, ThatIsNoneIsTold) {
  for (const char* text : {"users", "=", "users=", "users=ten", "users=5ms", "users=-5", "users=5-",
                           "users=5--7", "users=1-2-3", "users=99999999999999999999", "users= 5", ""}) {
    EXPECT_EQ(lag_refusal({text}),
              "--index-lag: '" + std::string(text) + "' is not TABLE=MILLISECONDS or TABLE=MIN-MAX");
  }
  EXPECT_EQ(lag_refusal({"us=5"}), "--index-lag: 'us' is not the name of a table, nor * for all others");
  EXPECT_EQ(lag_refusal({"=5"}), "--index-lag: '' is not the name of a table, nor * for all others");
  EXPECT_EQ(lag_refusal({"a=b=5"}), "--index-lag: 'a=b' is not the name of a table, nor * for all others");
  EXPECT_EQ(lag_refusal({"users=7-5"}), "--index-lag: the lag of table users ends before it begins");
  EXPECT_EQ(lag_refusal({"users=5", "*=5", "users=6"}), "--index-lag: the lag of table users is given twice");
}

}  // namespace
}  // namespace sheaf::cmd
