#include "http/amz_date.h"

#include <gtest/gtest.h>

namespace sheaf::http {
namespace {

TEST(AmzDate, IsReadAsSecondsSince1970) {
  EXPECT_EQ(parse_amz_date("19700101T000000Z"), 0);
  EXPECT_EQ(parse_amz_date("19700102T010203Z"), 86400 + 3723);
  EXPECT_EQ(parse_amz_date("20150830T123600Z"), 1440938160);
  EXPECT_EQ(parse_amz_date("20240229T235959Z"), 1709251199);
  EXPECT_EQ(parse_amz_date("19691231T235959Z"), -1);
}

TEST(AmzDate, WhatIsWrittenIsReadBack) {
  for (const int64_t seconds :
       {int64_t{0}, int64_t{-1}, int64_t{86399}, int64_t{1440938160}, int64_t{4102444800}})
    EXPECT_EQ(parse_amz_date(format_amz_date(seconds)), seconds) << format_amz_date(seconds);
  EXPECT_EQ(format_amz_date(1440938160), "20150830T123600Z");
  EXPECT_EQ(format_amz_date(-1), "19691231T235959Z");
}

TEST(AmzDate, OtherFormsAreNotRead) {
  for (const char* text : {"", "201", "20150830", "20150830T123600", "20150830T123600z", "20150830 123600Z",
                           "2015-08-30T12:36:00Z", "20150830T123600Z ", "2015083OT123600Z",
                           "20150830T12360+Z", "Sun, 30 Aug 2015 12:36:00 GMT", "1442252505"})
    EXPECT_EQ(parse_amz_date(text), std::nullopt) << text;
}

TEST(AmzDate, DaysAndTimesThatDoNotExistAreNotRead) {
  for (const char* text :
       {"20150230T000000Z", "20230229T000000Z", "20150001T000000Z", "20151301T000000Z", "20150100T000000Z",
        "20150132T000000Z", "20150101T240000Z", "20150101T006000Z", "20150101T000060Z"})
    EXPECT_EQ(parse_amz_date(text), std::nullopt) << text;
}

}  // namespace
}  // namespace sheaf::http
