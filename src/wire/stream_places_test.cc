#include "wire/stream_places.h"

#include <gtest/gtest.h>

#include "wire/resource_names.h"

namespace sheaf::wire {
namespace {

constexpr int64_t kNowUs = int64_t{1'800'000'000} * 1'000'000;
const std::string kStreamArn =
    "arn:aws:dynamodb:us-east-1:000000000000:table/Things/stream/2027-01-15T08:00:00.123";

ShardIterator an_iterator() {
  return {.stream_arn = kStreamArn,
          .stream = 77,
          .shard = 3,
          .view = StreamView::kNewImage,
          .from = {.stamp = 1'800'000'000'123'456, .position = 513},
          .made_us = kNowUs};
}

TEST(SequenceNumber, HasAtLeast21DigitsAndReadsBack) {
  for (const StreamPosition position :
       {StreamPosition{}, StreamPosition{.stamp = 1'800'000'000'123'456, .position = 7},
        StreamPosition{.stamp = 1, .position = UINT16_MAX}, StreamPosition{.stamp = UINT64_MAX}}) {
    const std::string text = sequence_number(position);
    EXPECT_GE(text.size(), 21u);
    EXPECT_LE(text.size(), 40u);
    EXPECT_EQ(text.find_first_not_of("0123456789"), std::string::npos);
    EXPECT_NE(text[0], '0');
    EXPECT_EQ(parse_sequence_number(text), position);
  }
}

TEST(SequenceNumber, IsInTheOrderOfThePlaces) {
  const std::string texts[] = {sequence_number({}),
                               sequence_number({.stamp = 0, .position = 1}),
                               sequence_number({.stamp = 0, .position = UINT16_MAX}),
                               sequence_number({.stamp = 1}),
                               sequence_number({.stamp = 999'999'999'999'999, .position = 9}),
                               sequence_number({.stamp = 1'000'000'000'000'000}),
                               sequence_number({.stamp = 1'800'000'000'000'000})};
  for (size_t i = 1; i < std::size(texts); ++i) {
    EXPECT_EQ(texts[i].size(), texts[i - 1].size());
    EXPECT_LT(texts[i - 1], texts[i]);
  }
}

TEST(SequenceNumber, OthersAreNotTaken) {
  const std::string good = sequence_number({.stamp = 5, .position = 6});
  for (const std::string& bad : {std::string(), std::string("123"), std::string(23, 'x'),
                                 '2' + good.substr(1), good + "x", good.substr(0, good.size() - 5) + "65536",
                                 std::string(40, '1'), good.substr(0, 10) + "-" + good.substr(11)})
    EXPECT_EQ(parse_sequence_number(bad), std::nullopt) << bad;
}

TEST(ShardId, IsAsLongAsAwsDemandsAndSortsByShard) {
  const engine::StreamSettings stream{.id = 7, .created_us = 1'763'195'737'123'456};
  EXPECT_EQ(shard_id(stream, 0), "shardId-00000001763195737123-00000700");
  EXPECT_EQ(shard_id(stream, 127), "shardId-00000001763195737123-0000077f");
  EXPECT_LT(shard_id(stream, 9), shard_id(stream, 10));
}

TEST(ShardIterator, ReadsBackAndNamesItsStream) {
  const std::string text = an_iterator().text();
  EXPECT_TRUE(text.starts_with(kStreamArn + "|1|")) << text;
  const Result<ShardIterator> read = ShardIterator::parse(text, kNowUs);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, an_iterator());
}

TEST(ShardIterator, IsGoodForAQuarterOfAnHour) {
  const std::string text = an_iterator().text();
  EXPECT_TRUE(ShardIterator::parse(text, kNowUs + kIteratorLifetimeUs).ok());
  EXPECT_TRUE(ShardIterator::parse(text, kNowUs - 1).ok()) << "the clock was put back";
  EXPECT_EQ(ShardIterator::parse(text, kNowUs + kIteratorLifetimeUs + 1).error(),
            (Error{Code::kExpired, "Iterator expired. The iterator was created more than 15 minutes ago."}));
}

TEST(ShardIterator, AnyChangedCharacterIsNoticed) {
  const std::string text = an_iterator().text();
  const Error expected{Code::kInvalid, "Invalid ShardIterator"};
  for (size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    const Result<ShardIterator> read = ShardIterator::parse(changed, kNowUs);
    ASSERT_FALSE(read.ok()) << changed;
    EXPECT_EQ(read.error(), expected);
  }
  for (const std::string& bad :
       {std::string(), std::string("garbage"), kStreamArn, kStreamArn + "|1|", kStreamArn + "|1|AAAA",
        kStreamArn + "|2|" + text.substr(kStreamArn.size() + 3), text + "AAAA",
        text.substr(0, text.size() - 4)})
    EXPECT_FALSE(ShardIterator::parse(bad, kNowUs).ok()) << bad;
}

TEST(StreamArn, NamesTableAndLabel) {
  const Result<StreamName> name = parse_stream_arn(kStreamArn);
  ASSERT_TRUE(name.ok());
  EXPECT_EQ(name->table, "Things");
  EXPECT_EQ(name->label, "2027-01-15T08:00:00.123");
  EXPECT_EQ(stream_arn(Account(), "Things", 1'800'000'000'123'456), kStreamArn);
  for (const char* bad :
       {"", "arn", "arn:aws:dynamodb:us-east-1:000000000000:table/Things",
        "arn:aws:dynamodb:a:b:table/Things/stream/", "arn:aws:s3:a:b:table/Things/stream/x",
        "arn:aws:dynamodb:a:b:table/T!/stream/x", "xxx:aws:dynamodb:a:b:table/Things/stream/x"})
    EXPECT_FALSE(parse_stream_arn(bad).ok()) << bad;
}

}  // namespace
}  // namespace sheaf::wire
