// Change streams as a reader sees them.
#include <algorithm>

#include "api/database_fixture.h"

namespace sheaf {
namespace {

using Kind = ChangeEvent::Kind;

class StreamTest : public DatabaseTest {
 protected:
  uint32_t open(const std::string& name, StreamView view) {
    CreateTable table = table_of(name, "pk", "sk");
    table.stream = view;
    return create(table).streams.back().id;
  }
  // Every event of a stream, in the order of commits.
  std::vector<ChangeEvent> events(const std::string& table, uint32_t stream) {
    std::vector<ChangeEvent> all;
    for (const StreamDescription& each : must(db_->describe_table(table)).streams) {
      if (each.id != stream) continue;
      for (uint32_t shard = 0; shard < each.shard_count; ++shard) {
        StreamRead read = must(db_->read_stream({.table = table, .stream = stream, .shard = shard}));
        for (ChangeEvent& event : read.events) all.push_back(std::move(event));
      }
    }
    std::sort(all.begin(), all.end(),
              [](const ChangeEvent& a, const ChangeEvent& b) { return a.sequence < b.sequence; });
    return all;
  }

  const Item key_{{"pk", "a"}, {"sk", "1"}};
  const Item one_{{"pk", "a"}, {"sk", "1"}, {"v", 1}};
  const Item two_{{"pk", "a"}, {"sk", "1"}, {"v", 2}};
};

TEST_F(StreamTest, TellsInsertsModificationsAndRemovalsWithImages) {
  const uint32_t stream = open("Things", StreamView::kNewAndOldImages);
  put("Things", one_);
  put("Things", two_);
  must(db_->delete_item({.table = "Things", .key = key_}));
  const std::vector<ChangeEvent> seen = events("Things", stream);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0].kind, Kind::kInsert);
  EXPECT_EQ(seen[1].kind, Kind::kModify);
  EXPECT_EQ(seen[2].kind, Kind::kRemove);
  for (const ChangeEvent& event : seen) {
    EXPECT_EQ(event.key, key_);
    EXPECT_FALSE(event.expired);
  }
  EXPECT_EQ(seen[0].old_image, std::nullopt);
  EXPECT_EQ(seen[0].new_image, one_);
  EXPECT_EQ(seen[1].old_image, one_);
  EXPECT_EQ(seen[1].new_image, two_);
  EXPECT_EQ(seen[2].old_image, two_);
  EXPECT_EQ(seen[2].new_image, std::nullopt);
  EXPECT_LT(seen[0].sequence, seen[1].sequence);
}

TEST_F(StreamTest, HoldsWhatItsViewSays) {
  for (const StreamView view : {StreamView::kKeysOnly, StreamView::kNewImage, StreamView::kOldImage}) {
    const std::string name = "Table" + std::to_string(static_cast<int>(view));
    const uint32_t stream = open(name, view);
    put(name, one_);
    put(name, two_);
    const ChangeEvent change = events(name, stream).at(1);
    EXPECT_EQ(change.key, key_);
    EXPECT_EQ(change.new_image, view == StreamView::kNewImage ? std::optional(two_) : std::nullopt);
    EXPECT_EQ(change.old_image, view == StreamView::kOldImage ? std::optional(one_) : std::nullopt);
  }
}

TEST_F(StreamTest, SaysNothingOfWhatDidNotChange) {
  const uint32_t stream = open("Things", StreamView::kNewAndOldImages);
  put("Things", one_);
  put("Things", one_);
  must(db_->delete_item({.table = "Things", .key = {{"pk", "a"}, {"sk", "none"}}}));
  must(db_->put_item({.table = "Things", .item = two_, .condition = "attribute_not_exists(pk)"}));
  EXPECT_EQ(events("Things", stream).size(), 1u);
}

TEST_F(StreamTest, ATransactionTellsEachItemOnce) {
  const uint32_t stream = open("Things", StreamView::kNewImage);
  std::vector<TransactAction> actions;
  for (int i = 0; i < 10; ++i)
    actions.emplace_back(PutItem{.table = "Things", .item = {{"pk", "p" + std::to_string(i)}, {"sk", "1"}}});
  must(db_->transact_write_items({.actions = actions}));
  actions.push_back(ConditionCheck{
      .table = "Things", .key = {{"pk", "x"}, {"sk", "1"}}, .condition = "attribute_exists(pk)"});
  EXPECT_FALSE(must(db_->transact_write_items({.actions = actions})).applied);
  EXPECT_EQ(events("Things", stream).size(), 10u);
}

TEST_F(StreamTest, IsReadPieceByPieceFromAnyPosition) {
  const uint32_t stream = open("Things", StreamView::kNewImage);
  for (int i = 0; i < 25; ++i) put("Things", {{"pk", "a"}, {"sk", "1"}, {"v", i}});
  for (uint32_t shard = 0; shard < 4; ++shard) {
    ReadStream request{.table = "Things", .stream = stream, .shard = shard, .limit = 10};
    StreamRead read = must(db_->read_stream(request));
    if (read.events.empty()) {
      EXPECT_LE(read.next, db_->newest_position());  // it will miss nothing that is yet to come
      continue;
    }
    int expected = 0;
    for (; !read.events.empty(); read = must(db_->read_stream(request))) {
      EXPECT_LE(read.events.size(), 10u);
      EXPECT_FALSE(read.at_end);
      for (const ChangeEvent& event : read.events)
        EXPECT_EQ(event.new_image, (Item{{"pk", "a"}, {"sk", "1"}, {"v", expected++}}));
      request.from = read.next;
    }
    EXPECT_EQ(expected, 25);
  }
}

TEST_F(StreamTest, AReaderFromNowOnSeesOnlyWhatComes) {
  const uint32_t stream = open("Things", StreamView::kNewImage);
  put("Things", one_);
  const StreamPosition from = db_->newest_position();
  put("Things", two_);
  size_t seen = 0;
  for (uint32_t shard = 0; shard < 4; ++shard) {
    for (const ChangeEvent& event :
         must(db_->read_stream({.table = "Things", .stream = stream, .shard = shard, .from = from})).events) {
      EXPECT_EQ(event.new_image, two_);
      ++seen;
    }
  }
  EXPECT_EQ(seen, 1u);
}

TEST_F(StreamTest, AClosedStreamCanBeReadToItsEnd) {
  const uint32_t first = open("Things", StreamView::kNewImage);
  put("Things", one_);
  must(db_->update_table({.table = "Things", .close_stream = true}));
  put("Things", two_);  // nobody listens
  must(db_->update_table({.table = "Things", .open_stream = StreamView::kNewImage}));
  must(db_->delete_item({.table = "Things", .key = key_}));
  EXPECT_EQ(events("Things", first).size(), 1u);
  for (uint32_t shard = 0; shard < 4; ++shard)
    EXPECT_TRUE(must(db_->read_stream({.table = "Things", .stream = first, .shard = shard})).at_end);
  const uint32_t second = must(db_->describe_table("Things")).streams.back().id;
  EXPECT_EQ(events("Things", second).size(), 1u);
  EXPECT_EQ(events("Things", second)[0].kind, Kind::kRemove);
}

TEST_F(StreamTest, RefusesWhatDoesNotExist) {
  const uint32_t stream = open("Things", StreamView::kNewImage);
  const ReadStream good{.table = "Things", .stream = stream};
  ReadStream request = good;
  request.limit = 1001;
  EXPECT_EQ(
      refusal(db_->read_stream(request)),
      invalid("1 validation error detected: Value '1001' at 'limit' failed to satisfy constraint: Member "
              "must have value less than or equal to 1000"));
  request.limit = 0;
  EXPECT_EQ(refusal(db_->read_stream(request)).code, Code::kInvalid);
  request = good;
  request.shard = 4;
  EXPECT_EQ(refusal(db_->read_stream(request)),
            (Error{Code::kNotFound, "Requested resource not found: Shard does not exist"}));
  request = good;
  request.stream = 999;
  EXPECT_EQ(refusal(db_->read_stream(request)).code, Code::kNotFound);
  request = good;
  request.from = {.stamp = 1, .position = 0};
  EXPECT_EQ(refusal(db_->read_stream(request)).code, Code::kTrimmed);
}

TEST_F(StreamTest, MarksWhatExpired) {
  const uint32_t stream = open("Things", StreamView::kOldImage);
  must(db_->update_time_to_live("Things", "ttl", true));
  const int64_t now_s = static_cast<int64_t>(db_->newest_position().stamp / 1'000'000);
  put("Things", {{"pk", "a"}, {"sk", "1"}, {"ttl", now_s - 100}});
  settle();
  const std::vector<ChangeEvent> seen = events("Things", stream);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[1].kind, Kind::kRemove);
  EXPECT_TRUE(seen[1].expired);
}

}  // namespace
}  // namespace sheaf
