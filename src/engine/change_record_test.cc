#include "engine/change_record.h"

#include <gtest/gtest.h>

#include "engine/engine_fixture.h"
#include "value/hex_text.h"

namespace sheaf::engine {
namespace {

using Kind = ChangeEvent::Kind;

const Item kRecordKey{{"PK", "p"}, {"SK", "s"}};
const Item kBefore{{"PK", "p"}, {"SK", "s"}, {"n", 1}};
const Item kAfter{{"PK", "p"}, {"SK", "s"}, {"n", 2}};
constexpr StreamPosition kSequence{.stamp = 77, .position = 3};

class ChangeRecord : public testing::Test {
 protected:
  ChangeEvent event(StreamView view, std::optional<ItemView> before, std::optional<ItemView> after,
                    ChangeCause cause = ChangeCause::kRequest) const {
    Result<ChangeEvent> event = decode_change(encode_change(table_, view, before, after, cause), kSequence);
    EXPECT_TRUE(event.ok()) << outcome_of(event);
    return std::move(*event);
  }

  const Table table_{collection_table("t"), store::Version{1}};
};

TEST_F(ChangeRecord, IsLaidOutAsDocumented) {
  const Table table(table_settings("t", {.partition = {text_key("k")}, .sort = {}}), store::Version{1});
  const Item before{{"k", "a"}};
  const Item after{{"k", "a"}, {"n", 1}};
  EXPECT_EQ(hex(encode_change(table, StreamView::kNewAndOldImages, before, after, ChangeCause::kRequest)),
            "01 02 00 "
            "06 01 01 6B 04 01 61 "
            "06 01 01 6B 04 01 61 "
            "0D 02 01 6B 04 01 61 01 6E 03 03 C1 02 00");
  EXPECT_EQ(hex(encode_change(table, StreamView::kKeysOnly, before, std::nullopt, ChangeCause::kExpiry)),
            "01 03 01 06 01 01 6B 04 01 61 00 00");
}

TEST_F(ChangeRecord, TheKindIsKnownFromTheImages) {
  EXPECT_EQ(event(StreamView::kKeysOnly, std::nullopt, kAfter).kind, Kind::kInsert);
  EXPECT_EQ(event(StreamView::kKeysOnly, kBefore, kAfter).kind, Kind::kModify);
  EXPECT_EQ(event(StreamView::kKeysOnly, kBefore, std::nullopt).kind, Kind::kRemove);
}

TEST_F(ChangeRecord, TheKeyIsAlwaysThere) {
  EXPECT_EQ(event(StreamView::kKeysOnly, std::nullopt, kAfter).key, kRecordKey);
  EXPECT_EQ(event(StreamView::kNewImage, kBefore, kAfter).key, kRecordKey);
  EXPECT_EQ(event(StreamView::kNewAndOldImages, kBefore, std::nullopt).key, kRecordKey);
}

TEST_F(ChangeRecord, TheViewDecidesWhichImagesAreKept) {
  struct Row {
    StreamView view;
    bool old_image, new_image;
  };
  for (const Row& row :
       {Row{StreamView::kKeysOnly, false, false}, Row{StreamView::kNewImage, false, true},
        Row{StreamView::kOldImage, true, false}, Row{StreamView::kNewAndOldImages, true, true}}) {
    const ChangeEvent insert = event(row.view, std::nullopt, kAfter);
    EXPECT_EQ(insert.old_image, std::nullopt);
    EXPECT_EQ(insert.new_image, row.new_image ? std::optional(kAfter) : std::nullopt);
    const ChangeEvent modify = event(row.view, kBefore, kAfter);
    EXPECT_EQ(modify.old_image, row.old_image ? std::optional(kBefore) : std::nullopt);
    EXPECT_EQ(modify.new_image, row.new_image ? std::optional(kAfter) : std::nullopt);
    const ChangeEvent removal = event(row.view, kBefore, std::nullopt);
    EXPECT_EQ(removal.old_image, row.old_image ? std::optional(kBefore) : std::nullopt);
    EXPECT_EQ(removal.new_image, std::nullopt);
  }
}

TEST_F(ChangeRecord, ExpiryIsMarked) {
  EXPECT_FALSE(event(StreamView::kKeysOnly, kBefore, std::nullopt).expired);
  EXPECT_TRUE(event(StreamView::kKeysOnly, kBefore, std::nullopt, ChangeCause::kExpiry).expired);
}

TEST_F(ChangeRecord, ItsPlaceIsItsSequence) {
  const ChangeEvent change = event(StreamView::kKeysOnly, std::nullopt, kAfter);
  EXPECT_EQ(change.sequence, kSequence);
  EXPECT_EQ(change.time_us(), 77);
}

TEST_F(ChangeRecord, FieldsFromTheFutureAreIgnored) {
  const std::string row =
      encode_change(table_, StreamView::kNewAndOldImages, kBefore, kAfter, ChangeCause::kRequest);
  const Result<ChangeEvent> read = decode_change(row + "more", kSequence);
  ASSERT_TRUE(read.ok()) << outcome_of(read);
  EXPECT_EQ(read->new_image, kAfter);
}

TEST_F(ChangeRecord, DamagedRowsAreRefused) {
  const std::string row =
      encode_change(table_, StreamView::kNewAndOldImages, kBefore, kAfter, ChangeCause::kRequest);
  for (size_t length = 0; length < row.size(); ++length) {
    const Result<ChangeEvent> read = decode_change(row.substr(0, length), kSequence);
    ASSERT_FALSE(read.ok()) << length;
    EXPECT_EQ(read.error().code, Code::kCorrupt);
  }
  const auto with = [&](size_t at, char byte) {
    std::string damaged = row;
    damaged[at] = byte;
    return decode_change(damaged, kSequence);
  };
  EXPECT_FALSE(with(0, 2).ok()) << "another format";
  EXPECT_FALSE(with(1, 0).ok()) << "no such kind";
  EXPECT_FALSE(with(1, 4).ok()) << "no such kind";
  EXPECT_FALSE(with(1, static_cast<char>(0xff)).ok()) << "no such kind";
  EXPECT_FALSE(with(3, 0).ok()) << "no key";
}

}  // namespace
}  // namespace sheaf::engine
