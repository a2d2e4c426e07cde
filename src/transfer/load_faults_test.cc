// Loads that must not go on as if nothing had happened.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "api/forwarding_database.h"
#include "transfer/load.h"
#include "transfer/load_position.h"
#include "transfer/transfer_fixture.h"

namespace sheaf::transfer {
namespace {

using std::chrono::milliseconds;

std::string lines_of(int begin, int end) {
  std::string text;
  for (int i = begin; i < end; ++i) text += R"({"pk":")" + std::to_string(i) + "\"}\n";
  return text;
}

size_t count_in(Database& database, const std::string& table) {
  const Result<Page> page = database.scan({.table = table});
  return page.ok() ? page->items.size() : 0;
}

class LoadFaults : public TransferTest {
 protected:
  static TableDescription create_in(Database& database) {
    const Result<TableDescription> made =
        database.create_table({.table = "Things", .key = {.partition = {{.name = "pk"}}}});
    EXPECT_TRUE(made.ok());
    return *database.describe_table("Things");
  }
};

TEST_F(LoadFaults, APositionIsOfOneTableAndItsFiles) {
  const std::string file = write("items.jsonl", lines_of(0, 300));
  const std::string position = folder_.path("position");
  const LoadOptions options{.files = {file}, .position_path = position};
  TableDescription table = create_in(*database_);
  Result<Loaded> loaded = load(*database_, table, options);
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->items, 300u);
  // Once more: there is nothing to do, and that is said.
  loaded = load(*database_, table, options);
  ASSERT_TRUE(loaded.ok());
  EXPECT_TRUE(loaded->was_whole);
  EXPECT_EQ(loaded->items, 0u);
  EXPECT_EQ(loaded->items_before, 300u);

  const std::unique_ptr<Database> other = Database::open_in_memory();
  std::this_thread::sleep_for(milliseconds(2));
  const TableDescription elsewhere = create_in(*other);
  const std::string refused =
      position +
      " is of another load: the table Things is not the one of then; remove it to begin "
      "anew";
  EXPECT_EQ(problem(load(*other, elsewhere, options)), refused);
  ASSERT_TRUE(database_->delete_table("Things").ok());
  while (database_->describe_table("Things").ok()) std::this_thread::sleep_for(milliseconds(1));
  table = create_in(*database_);
  EXPECT_EQ(problem(load(*database_, table, options)), refused);
  std::filesystem::remove(position);
  EXPECT_TRUE(load(*database_, table, options).ok());
  EXPECT_EQ(count_in(*database_, "Things"), 300u);

  write("items.jsonl", lines_of(0, 310));
  EXPECT_EQ(problem(load(*database_, table, options)),
            position + " is of another load: the file " + file +
                " is not the one of then; remove it to begin anew");
}

TEST_F(LoadFaults, APositionThatHasNotBegunIsOfAnyTable) {
  const std::string file = write("items.jsonl", lines_of(0, 5));
  const TableDescription table = create_in(*database_);
  LoadPosition kept = fresh_position(table, {file});
  kept.table_id = table.id + 1;
  const std::string position = write("position", to_json(kept));
  const Result<Loaded> loaded = load(*database_, table, {.files = {file}, .position_path = position});
  ASSERT_TRUE(loaded.ok()) << problem(loaded);
  EXPECT_EQ(loaded->items, 5u);
  EXPECT_FALSE(loaded->is_resumed);
  EXPECT_TRUE(check_no_load(position, kept).ok());
  kept.place.bytes = 3;
  EXPECT_FALSE(check_no_load(position, kept).ok());
}

// After so many batches the key has expired.
class ExpiringDatabase : public ForwardingDatabase {
 public:
  ExpiringDatabase(Database& inner, int batches) : ForwardingDatabase(inner), batches_(batches) {}
  Result<BatchWritten> batch_write_items(const BatchWriteItems& request) override {
    if (--batches_ < 0) return Error{Code::kDenied, "ExpiredTokenException: the token is expired"};
    return ForwardingDatabase::batch_write_items(request);
  }
  Result<Written> put_item(const PutItem& request) override {
    if (batches_ < 0) return Error{Code::kDenied, "ExpiredTokenException: the token is expired"};
    return ForwardingDatabase::put_item(request);
  }

 private:
  std::atomic<int> batches_;
};

TEST_F(LoadFaults, WhoIsDeniedLosesNoLine) {
  const std::string file = write("items.jsonl", lines_of(0, 2000));
  const TableDescription table = create_in(*database_);
  const LoadOptions options{
      .files = {file}, .bad_max = 5000, .threads = 2, .position_path = folder_.path("position")};
  ExpiringDatabase expiring(*database_, 25);
  EXPECT_EQ(problem(load(expiring, table, options)), "ExpiredTokenException: the token is expired");
  const Result<Loaded> rest = load(*database_, table, options);
  ASSERT_TRUE(rest.ok()) << problem(rest);
  EXPECT_EQ(rest->bad, 0u);
  EXPECT_EQ(count_in(*database_, "Things"), 2000u);
}

// Takes one batch at a time, every 30 ms, and refuses all others.
class SlowDatabase : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<BatchWritten> batch_write_items(const BatchWriteItems& request) override {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    const std::string& first = request.tables.at("Things").front().item.find("pk")->to_json();
    // Whoever came first is never taken while there are others.
    if (unlucky_.empty()) unlucky_ = first;
    if (first == unlucky_ && taken_ < 30) return Error{Code::kThroughputExceeded, "slow down"};
    if (now - last_ < milliseconds(30)) return Error{Code::kThroughputExceeded, "slow down"};
    last_ = now;
    ++taken_;
    return ForwardingDatabase::batch_write_items(request);
  }

 private:
  std::mutex mutex_;
  std::chrono::steady_clock::time_point last_{};
  std::string unlucky_;
  int taken_ = 0;
};

TEST_F(LoadFaults, NobodyGivesUpWhileOthersAreTaken) {
  // Keys of one piece depend on nobody, so the others can go on.
  const std::string file = write("items.jsonl", lines_of(0, 25'000));
  const TableDescription table = create_in(*database_);
  SlowDatabase slow(*database_);
  const auto begin = std::chrono::steady_clock::now();
  LoadOptions options{.files = {file}, .threads = 4, .patience = milliseconds(600)};
  options.is_ended = [&] { return std::chrono::steady_clock::now() - begin > milliseconds(2500); };
  const Result<Loaded> loaded = load(slow, table, options);
  ASSERT_TRUE(loaded.ok()) << problem(loaded);
  EXPECT_GT(count_in(*database_, "Things"), 100u);
}

// Does not answer for a while.
class SilentDatabase : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<BatchWritten> batch_write_items(const BatchWriteItems& request) override {
    std::this_thread::sleep_for(milliseconds(7500));
    return ForwardingDatabase::batch_write_items(request);
  }
};

TEST_F(LoadFaults, SilenceIsToldAndSoIsWhatIsWaitedForAtTheEnd) {
  const std::string file = write("items.jsonl", lines_of(0, 100));
  const TableDescription table = create_in(*database_);
  SilentDatabase silent(*database_);
  std::vector<milliseconds> silences;
  size_t awaited = 0;
  LoadOptions options{.files = {file}, .threads = 2};
  options.silence = [&](milliseconds since) { silences.push_back(since); };
  options.ending = [&](size_t requests) { awaited += requests; };
  options.is_ended = [&] { return !silences.empty(); };
  const Result<Loaded> loaded = load(silent, table, options);
  ASSERT_TRUE(loaded.ok()) << problem(loaded);
  EXPECT_TRUE(loaded->is_ended);
  ASSERT_FALSE(silences.empty());
  EXPECT_GE(silences.front(), milliseconds(5000));
  EXPECT_LT(silences.front(), milliseconds(7500));
  EXPECT_EQ(awaited, 1u);
}

TEST_F(LoadFaults, ATableIsMadeWhenThereIsSomethingToPut) {
  const TableDescription planned{.name = "Things", .key = {.partition = {{.name = "pk"}}}};
  LoadOptions options;
  options.make_table = [&] {
    return database_->create_table({.table = "Things", .key = {.partition = {{.name = "pk"}}}});
  };
  options.files = {write("semicolons.csv", "pk;name\na;b\n")};
  EXPECT_EQ(
      problem(load(*database_, planned, options)),
      options.files[0] +
          ": there is no column pk, which is of the table's key; the first row is \"pk;name\": is ; the "
          "separator? Only commas are read");
  options.files = {write("bad.jsonl", "{\"pk\":1}\n")};
  const Result<Loaded> bad = load(*database_, planned, options);
  ASSERT_TRUE(bad.ok()) << problem(bad);
  EXPECT_TRUE(bad->is_given_up);
  ASSERT_EQ(bad->bad_lines.size(), 1u);
  EXPECT_FALSE(database_->describe_table("Things").ok());
  options.files = {write("good.jsonl", lines_of(0, 600))};
  options.position_path = folder_.path("position");
  const Result<Loaded> loaded = load(*database_, planned, options);
  ASSERT_TRUE(loaded.ok()) << problem(loaded);
  EXPECT_EQ(loaded->items, 600u);
  // The position is of the table that was made.
  options.make_table = {};
  const Result<Loaded> again = load(*database_, *database_->describe_table("Things"), options);
  ASSERT_TRUE(again.ok()) << problem(again);
  EXPECT_TRUE(again->was_whole);
}

TEST_F(LoadFaults, ManyBadLinesAreCountedAndTheFirstOnesTold) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "{\"id\":1}\n";
  const TableDescription table = create_in(*database_);
  const std::string file = write("bad.jsonl", text);
  const Result<Loaded> loaded = load(*database_, table, {.files = {file}, .bad_max = 5000});
  ASSERT_TRUE(loaded.ok()) << problem(loaded);
  EXPECT_EQ(loaded->bad, 3000u);
  ASSERT_EQ(loaded->bad_lines.size(), kBadLinesTold);
  EXPECT_TRUE(loaded->bad_lines.front().starts_with(file + ":1: "));
  EXPECT_TRUE(loaded->bad_lines.back().starts_with(file + ":20: "));
}

TEST_F(LoadFaults, ProgressIsOfWhatWasAcknowledgedAndOfAllFiles) {
  const TableDescription table = create_in(*database_);
  LoadOptions options{.threads = 1, .position_path = folder_.path("position")};
  uint64_t bytes = 0;
  for (int i = 0; i < 4; ++i) {
    options.files.push_back(write(std::to_string(i) + ".jsonl", lines_of(i * 1000, i * 1000 + 1000)));
    bytes += std::filesystem::file_size(options.files.back());
  }
  std::vector<LoadFigures> told;
  std::atomic<uint64_t> items = 0;  // for other threads
  options.progress = [&](const LoadFigures& figures) {
    told.push_back(figures);
    items = figures.items;
  };
  options.is_ended = [&] { return items >= 3250; };
  ASSERT_TRUE(load(*database_, table, options).ok());
  for (const LoadFigures& figures : told)
    EXPECT_NEAR(static_cast<double>(figures.done_bytes) / static_cast<double>(bytes),
                static_cast<double>(figures.items) / 4000, 0.05);
  told.clear();
  options.is_ended = {};
  const Result<Loaded> rest = load(*database_, table, options);
  ASSERT_TRUE(rest.ok()) << problem(rest);
  EXPECT_EQ(rest->items + rest->items_before, 4000u);
  ASSERT_FALSE(told.empty());
  EXPECT_GT(told.front().done_bytes, bytes / 4 * 3);
  EXPECT_LT(told.front().taken_bytes, bytes / 4);
  EXPECT_EQ(told.back().done_bytes, bytes);
}

}  // namespace
}  // namespace sheaf::transfer
