// Reads that may be late, through every operation that reads.
#include "api/database_fixture.h"
#include "api/local_database.h"
#include "base/clock.h"
#include "base/temp_directory.h"
#include "store/memory_store.h"

namespace sheaf {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kReadLag{100};
constexpr milliseconds kIndexLag{300};

const OpenOptions kLate{.background_thread = false,
                        .index_lags = {{.table = "late", .min = kIndexLag, .max = kIndexLag}},
                        .read_lags = {{.table = "late", .min = kReadLag, .max = kReadLag}}};

class EventualRead : public ::testing::Test {
 protected:
  EventualRead() {
    CreateTable table = table_of("late", "pk", "sk");
    table.local_indexes = {index_of("by_rank", "pk", "rank", ProjectionKind::kKeysOnly)};
    table.global_indexes = {index_of("by_mail", "mail")};
    must(db_->create_table(table));
  }

  static Item item(const char* sk, const char* rank, const char* mail) {
    return Item{{"pk", "p"}, {"sk", sk}, {"rank", rank}, {"mail", mail}, {"text", sk}};
  }
  static Item key(const char* sk) { return Item{{"pk", "p"}, {"sk", sk}}; }
  void put(const char* sk, const char* rank, const char* mail) {
    must(db_->put_item({.table = "late", .item = item(sk, rank, mail)}));
  }
  void pass(milliseconds time) { clock_.advance_us(std::chrono::microseconds(time).count()); }

  std::string got(const char* sk, bool consistent) {
    const auto found = must(db_->get_item({.table = "late", .key = key(sk), .consistent = consistent}));
    return found.item ? std::string(found.item->find("rank")->bytes()) : "-";
  }
  Texts batch_got(bool consistent) {
    BatchGetItems request;
    request.tables["late"] = {.keys = {key("a"), key("b")}, .consistent = consistent};
    return column(must(db_->batch_get_items(request)).items["late"], "rank");
  }
  Texts queried(bool consistent) {
    return column(must(db_->query({.table = "late",
                                   .key_condition = "pk = :p",
                                   .values = {{":p", "p"}},
                                   .consistent = consistent}))
                      .items,
                  "sk");
  }
  // Whole items, which the index does not hold.
  Texts ranked(bool consistent, bool descending = false) {
    return column(must(db_->query({.table = "late",
                                   .index = "by_rank",
                                   .key_condition = "pk = :p",
                                   .values = {{":p", "p"}},
                                   .select = Select::kAllAttributes,
                                   .descending = descending,
                                   .consistent = consistent}))
                      .items,
                  "text");
  }
  Texts scanned(bool consistent) {
    return column(must(db_->scan({.table = "late", .consistent = consistent})).items, "sk");
  }
  Texts of_mail(const char* mail) {
    return column(must(db_->query({.table = "late",
                                   .index = "by_mail",
                                   .key_condition = "mail = :m",
                                   .values = {{":m", mail}}}))
                      .items,
                  "sk");
  }
  Texts selected(const std::string& from, bool consistent) {
    const ExecuteStatement request{.statement = {.text = "SELECT * FROM " + from, .consistent = consistent}};
    return column(must(db_->execute_statement(request)).items, "sk");
  }
  Texts batch_selected(bool consistent) {
    BatchExecuteStatement request;
    for (const char* sk : {"a", "b"}) {
      request.statements.push_back(
          {.text = "SELECT * FROM late WHERE pk = 'p' AND sk = '" + std::string(sk) + "'",
           .consistent = consistent});
    }
    Texts texts;
    for (const auto& member : must(db_->batch_execute_statement(request)).members)
      texts.push_back(member.item ? std::string(member.item->find("rank")->bytes()) : "-");
    return texts;
  }

  ManualClock clock_{int64_t{1'800'000'000} * 1'000'000};
  std::unique_ptr<Database> db_ = api::make_local_database(store::open_memory_store(clock_), clock_, kLate);
};

// A11
TEST_F(EventualRead, OfWhatWasJustWrittenShowsWhatWas) {
  put("a", "1", "x@y");
  pass(kIndexLag);
  put("a", "2", "x@y");
  put("b", "0", "x@y");
  EXPECT_EQ(got("a", false), "1");
  EXPECT_EQ(got("b", false), "-");
  EXPECT_EQ(batch_got(false), (Texts{"1"}));
  EXPECT_EQ(queried(false), (Texts{"a"}));
  EXPECT_EQ(scanned(false), (Texts{"a"}));
  EXPECT_EQ(ranked(false), (Texts{"a"}));
  EXPECT_EQ(selected("late", false), (Texts{"a"}));
  EXPECT_EQ(selected("late WHERE pk = 'p'", false), (Texts{"a"}));
  EXPECT_EQ(selected("\"late\".\"by_rank\" WHERE pk = 'p'", false), (Texts{"a"}));
  EXPECT_EQ(batch_selected(false), (Texts{"1", "-"}));
}

// A15
TEST_F(EventualRead, IsNotWhatAStrongReadIs) {
  put("a", "1", "x@y");
  pass(kIndexLag);
  put("a", "2", "x@y");
  put("b", "0", "x@y");
  EXPECT_EQ(got("a", true), "2");
  EXPECT_EQ(batch_got(true), (Texts{"2", "0"}));
  EXPECT_EQ(queried(true), (Texts{"a", "b"}));
  EXPECT_EQ(scanned(true), (Texts{"a", "b"}));
  EXPECT_EQ(ranked(true), (Texts{"b", "a"}));
  EXPECT_EQ(selected("late", true), (Texts{"a", "b"}));
  EXPECT_EQ(selected("\"late\".\"by_rank\" WHERE pk = 'p'", true), (Texts{"b", "a"}));
  EXPECT_EQ(batch_selected(true), (Texts{"2", "0"}));
  const TransactGetItems reads{
      .gets = {{.table = "late", .key = key("a")}, {.table = "late", .key = key("b")}}};
  const TransactGot together = must(db_->transact_get_items(reads));
  EXPECT_TRUE(together.items[0] && together.items[1]) << "a transaction is never late";
  const ExecuteTransaction statements{
      .statements = {{.text = "SELECT * FROM late WHERE pk = 'p' AND sk = 'b'"}}};
  EXPECT_TRUE(must(db_->execute_transaction(statements)).items[0]);
}

TEST_F(EventualRead, ComesToWhatIs) {
  put("a", "1", "x@y");
  put("b", "0", "x@y");
  pass(kReadLag - milliseconds(1));
  EXPECT_EQ(scanned(false), Texts{});
  pass(milliseconds(1));
  EXPECT_EQ(got("a", false), "1");
  EXPECT_EQ(batch_got(false), (Texts{"1", "0"}));
  EXPECT_EQ(scanned(false), (Texts{"a", "b"}));
  EXPECT_EQ(ranked(false), (Texts{"b", "a"}));
  EXPECT_EQ(batch_selected(false), (Texts{"1", "0"}));
}

// A11
TEST_F(EventualRead, OfAGlobalIndexIsLateByALagOfItsOwn) {
  put("a", "1", "x@y");
  pass(kReadLag);
  EXPECT_EQ(of_mail("x@y"), Texts{});
  EXPECT_EQ(selected("\"late\".\"by_mail\" WHERE mail = 'x@y'", false), Texts{});
  EXPECT_EQ(selected("\"late\".\"by_mail\"", false), Texts{});
  pass(kIndexLag - kReadLag);
  EXPECT_EQ(of_mail("x@y"), (Texts{"a"}));

  put("a", "1", "z@y");
  pass(kIndexLag - milliseconds(1));
  EXPECT_EQ(of_mail("x@y"), (Texts{"a"}));
  EXPECT_EQ(of_mail("z@y"), Texts{});
  EXPECT_EQ(column(must(db_->scan({.table = "late", .index = "by_mail"})).items, "mail"), (Texts{"x@y"}));
  pass(milliseconds(1));
  EXPECT_EQ(of_mail("x@y"), Texts{});
  EXPECT_EQ(of_mail("z@y"), (Texts{"a"}));
}

TEST_F(EventualRead, ShowsWhatWasDeletedInItsPlace) {
  for (const char* sk : {"a", "b", "c", "d"}) put(sk, sk, "x@y");
  pass(kIndexLag);
  for (const char* sk : {"b", "d"}) must(db_->delete_item({.table = "late", .key = key(sk)}));
  EXPECT_EQ(queried(false), (Texts{"a", "b", "c", "d"}));
  EXPECT_EQ(ranked(false), (Texts{"a", "b", "c", "d"}));
  EXPECT_EQ(ranked(false, true), (Texts{"d", "c", "b", "a"}));
  EXPECT_EQ(ranked(true, true), (Texts{"c", "a"}));
  EXPECT_EQ(of_mail("x@y"), (Texts{"a", "b", "c", "d"}));
  pass(kReadLag);
  EXPECT_EQ(ranked(false), (Texts{"a", "c"}));
  pass(kIndexLag);
  EXPECT_EQ(of_mail("x@y"), (Texts{"a", "c"}));
}

// What a stale read costs is what it reads.
TEST_F(EventualRead, IsMeteredForWhatItShows) {
  must(db_->put_item(
      {.table = "late", .item = Item{{"pk", "p"}, {"sk", "a"}, {"x", std::string(9000, 'x')}}}));
  pass(kReadLag);
  must(db_->delete_item({.table = "late", .key = key("a")}));
  EXPECT_EQ(units(must(db_->get_item({.table = "late", .key = key("a")})).capacity), "table 1.5");
  EXPECT_EQ(units(must(db_->get_item({.table = "late", .key = key("a"), .consistent = true})).capacity),
            "table 1");
}

TEST_F(EventualRead, OfStatementsOnAGlobalIndexCannotBeStrong) {
  const auto strong = db_->execute_statement(
      {.statement = {.text = "SELECT * FROM \"late\".\"by_mail\"", .consistent = true}});
  EXPECT_EQ(refusal(strong),
            invalid("Strongly consistent read is not supported on Global Secondary Indexes"));
}

TEST_F(EventualRead, StreamsAndCountsAreNotLate) {
  const TableDescription table =
      must(db_->update_table({.table = "late", .open_stream = StreamView::kKeysOnly}));
  put("a", "1", "x@y");
  EXPECT_EQ(must(db_->collection_size("late", Item{{"pk", "p"}})).item_count, 1);
  EXPECT_EQ(must(db_->describe_table("late")).item_count, 1);
  size_t events = 0;
  const StreamDescription& stream = table.streams.back();
  for (uint32_t shard = 0; shard < stream.shard_count; ++shard)
    events += must(db_->read_stream({.table = "late", .stream = stream.id, .shard = shard})).events.size();
  EXPECT_EQ(events, 1u);
}

TEST(OpenWithLags, ThatMakeNoSenseIsRefused) {
  const TempDirectory directory;
  const auto opened = [&](const Lag& lag, bool of_index) {
    OpenOptions options{.durable = false, .background_thread = false};
    (of_index ? options.index_lags : options.read_lags).push_back(lag);
    const auto result = Database::open(directory.path() + "/data", options);
    return result.ok() ? Error{Code::kIo, "opened"} : result.error();
  };
  for (const bool of_index : {false, true}) {
    EXPECT_EQ(opened({.table = "abc", .max = kLagMax + milliseconds(1)}, of_index),
              invalid("the lag of table abc is more than 60000 ms"));
    EXPECT_EQ(opened({.table = "abc", .max = kLagMax}, of_index).message, "opened");
  }
}

}  // namespace
}  // namespace sheaf
