#include "cost/prices.h"

#include <gtest/gtest.h>

namespace sheaf::cost {
namespace {

// The example with one text in place of another.
Result<Prices> with(const std::string& old_text, const std::string& new_text) {
  std::string json(example_prices());
  const size_t at = json.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return read_prices(json.replace(at, old_text.size(), new_text));
}

std::string refusal(const std::string& old_text, const std::string& new_text) {
  const Result<Prices> read = with(old_text, new_text);
  return read.ok() ? "taken" : read.error().message;
}

TEST(Prices, TheExampleSaysWhereAndWhenItHoldsAndThatItIsOne) {
  const Result<Prices> prices = read_prices(example_prices());
  ASSERT_TRUE(prices.ok()) << prices.error().message;
  EXPECT_EQ(prices->region, "us-east-1");
  EXPECT_EQ(prices->date, "2024-11-01");
  EXPECT_NE(prices->source.find("an example, replace it"), std::string::npos);
  EXPECT_EQ(prices->of(TableClass::kStandard).read_per_million, *Fraction::parse("0.125"));
  EXPECT_EQ(prices->of(TableClass::kStandard).write_per_million, *Fraction::parse("0.625"));
  EXPECT_EQ(prices->of(TableClass::kInfrequentAccess).storage_gb_month, *Fraction::parse("0.1"));
  EXPECT_EQ(prices->seconds_per_month(), 2'628'000u);
}

TEST(Prices, AreTakenAsTheyAreWritten) {
  EXPECT_EQ(with("0.00013", "1.3e-4")->standard.read_unit_hour, *Fraction::parse("0.00013"));
  EXPECT_EQ(with("0.00013", "0")->standard.read_unit_hour, Fraction(0));
}

TEST(Prices, ARefusalNamesThePlace) {
  EXPECT_EQ(
      refusal("0.00013", "-1"),
      "$.standard.read_unit_hour: this must be a price: a number that is not negative, of 18 digits at most");
  EXPECT_EQ(
      refusal("0.00013", "\"0.1\""),
      "$.standard.read_unit_hour: this must be a price: a number that is not negative, of 18 digits at most");
  EXPECT_EQ(refusal("\"backup_gb_month\": 0.10,", ""), "$: the member backup_gb_month is missing");
  EXPECT_EQ(refusal("\"backup_gb_month\"", "\"backups\""), "$: the member backup_gb_month is missing");
  EXPECT_EQ(refusal("\"gb_bytes\"", "\"bytes\""), "$.bytes: a member of this name has no meaning here");
  EXPECT_EQ(refusal("\"us-east-1\"", "\"\""), "$.region: this must be a text that says something");
  EXPECT_EQ(refusal("2024-11-01", "yesterday"), "$: the date must be like 2024-11-01, not yesterday");
  EXPECT_FALSE(read_prices("{").ok());
  EXPECT_FALSE(read_prices("[]").ok());
}

TEST(Prices, NumbersHaveTwoBounds) {
  EXPECT_EQ(with("1073741824", "1000000000")->gb_bytes, 1'000'000'000u);
  EXPECT_EQ(refusal("1073741824", "999999999"),
            "$.gb_bytes: this must be a whole number from 1000000000 to 1073741824");
  EXPECT_FALSE(with("1073741824", "1073741825").ok());
  EXPECT_TRUE(with("730", "672").ok());
  EXPECT_FALSE(with("730", "671").ok());
  EXPECT_TRUE(with("730", "744").ok());
  EXPECT_FALSE(with("730", "745").ok());
  EXPECT_FALSE(with("730", "730.5").ok());
  EXPECT_TRUE(with("\"item_overhead_bytes\": 100", "\"item_overhead_bytes\": 1000").ok());
  EXPECT_FALSE(with("\"item_overhead_bytes\": 100", "\"item_overhead_bytes\": 1001").ok());
}

}  // namespace
}  // namespace sheaf::cost
