// Whole tables into files and back.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>

#include "api/forwarding_database.h"
#include "transfer/dump.h"
#include "transfer/dump_position.h"
#include "transfer/export_folder.h"
#include "transfer/load.h"
#include "transfer/load_position.h"
#include "transfer/md5.h"
#include "transfer/random_item.h"
#include "transfer/table_declaration.h"
#include "transfer/transfer_fixture.h"

namespace sheaf::transfer {
namespace {

CreateTable two_keys(const std::string& name) {
  return {.table = name,
          .key = {.partition = {{.name = "pk"}}, .sort = {{.name = "sk", .type = Type::kNumber}}}};
}

std::map<std::string, std::string> items_in(Database& database, const std::string& table) {
  std::map<std::string, std::string> items;
  Scan request{.table = table};
  while (true) {
    const Result<Page> page = database.scan(request);
    EXPECT_TRUE(page.ok());
    if (!page.ok()) return items;
    for (size_t i = 0; i < page->items.size(); ++i) {
      const ItemView item = page->items[i];
      items.emplace(item.find("pk")->to_json() + item.find("sk")->to_json(), item.to_json());
    }
    if (!page->last_key) return items;
    request.start_key = page->last_key;
  }
}

class LoadDump : public TransferTest {
 protected:
  TableDescription create(const std::string& name) {
    Result<TableDescription> table = database_->create_table(two_keys(name));
    EXPECT_TRUE(table.ok());
    return std::move(*table);
  }
  void put_random(int count) {
    RandomItems items;
    for (int i = 0; i < count; ++i)
      ASSERT_TRUE(database_->put_item({.table = "From", .item = items.item(i)}).ok());
  }
};

TEST_F(LoadDump, EveryFormatGivesTheSameItemsBack) {
  const TableDescription from = create("From");
  put_random(300);
  const auto expected = items_in(*database_, "From");
  int tables = 0;
  for (const Format format : {Format::kDynamoJson, Format::kPlainJson, Format::kCsv, Format::kExport}) {
    for (const Compression compression : {Compression::kNone, Compression::kGzip, Compression::kZstd}) {
      const std::string name = "To" + std::to_string(++tables);
      const TableDescription to = create(name);
      const DumpOptions options{
          .format = format, .compression = compression, .out = folder_.path(name), .segments = 3};
      const Result<Dumped> dumped = dump(*database_, from, options);
      ASSERT_TRUE(dumped.ok()) << dumped.error().message;
      EXPECT_EQ(dumped->items, 300u);
      LoadOptions load_options{.files = {options.out}};
      for (const Column& column : dumped->columns) load_options.types.emplace(column.name, column.type);
      if (format == Format::kExport) {
        const Result<ExportFolder> folder = read_export_folder(options.out);
        ASSERT_TRUE(folder.ok()) << folder.error().message;
        EXPECT_EQ(folder->items, 300u);
        EXPECT_EQ(folder->table, "From");
        EXPECT_EQ(folder->declaration->key, from.key);
        load_options.files.clear();
        for (const ExportFile& file : folder->files) load_options.files.push_back(file.path);
      }
      const Result<Loaded> loaded = load(*database_, to, load_options);
      ASSERT_TRUE(loaded.ok()) << loaded.error().message;
      EXPECT_EQ(loaded->items, 300u);
      EXPECT_EQ(loaded->bad, 0u) << loaded->bad_lines.front();
      EXPECT_EQ(items_in(*database_, name), expected) << name_of(format) << name_of(compression);
      EXPECT_FALSE(dump(*database_, from, options).ok()) << "what is there is not written over";
    }
  }
}

TEST_F(LoadDump, OfLinesWithOneKeyTheLastStaysOrTheFirstIfAbsent) {
  const TableDescription table = create("Things");
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += R"({"pk":"p","sk":)" + std::to_string(i % 3) + R"(,"i":)" + std::to_string(i) + "}\n";
  const std::string file = write("many.jsonl", text);
  Result<Loaded> loaded = load(*database_, table, {.files = {file}});
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->items, 2000u);
  const auto items = items_in(*database_, "Things");
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items.begin()->second, R"({"i":{"N":"1998"},"pk":{"S":"p"},"sk":{"N":"0"}})");
  loaded = load(*database_, table, {.files = {file}, .is_if_absent = true});
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->items, 0u);
  EXPECT_EQ(loaded->there, 2000u);
  EXPECT_EQ(items_in(*database_, "Things"), items);
  const TableDescription other = create("Others");
  loaded = load(*database_, other, {.files = {file}, .is_if_absent = true});
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->items, 3u);
  EXPECT_EQ(items_in(*database_, "Others").begin()->second,
            R"({"i":{"N":"0"},"pk":{"S":"p"},"sk":{"N":"0"}})");
}

TEST_F(LoadDump, BadLinesAreToldAndNothingOfTheirPieceIsWritten) {
  CreateTable request = two_keys("Things");
  request.global_indexes = {{.name = "by_x", .key = {.partition = {{.name = "x", .type = Type::kNumber}}}}};
  ASSERT_TRUE(database_->create_table(request).ok());
  const TableDescription table = *database_->describe_table("Things");
  const std::string file = write("bad.jsonl",
                                 "{\"pk\":\"a\",\"sk\":1}\n"
                                 "{\"pk\":\"a\"}\n"
                                 "{\"pk\":\"a\",\"sk\":\"x\"}\n"
                                 "{\"pk\":\"a\",\n"
                                 "{\"pk\":\"a\",\"sk\":2,\"x\":\"text\"}\n"
                                 "{\"pk\":\"\",\"sk\":2}\n"
                                 "{\"pk\":\"a\",\"sk\":2,\"s\":{\"$SS\":[]}}\n"
                                 "{\"pk\":\"a\",\"sk\":3}\n");
  Result<Loaded> loaded = load(*database_, table, {.files = {file}});
  ASSERT_TRUE(loaded.ok()) << problem(loaded);
  EXPECT_TRUE(loaded->is_given_up);
  EXPECT_EQ(loaded->items, 0u);
  ASSERT_EQ(loaded->bad_lines.size(), 1u);
  EXPECT_EQ(loaded->bad_lines[0],
            file + ":2: One or more parameter values were invalid: Missing the key sk in the item");
  EXPECT_TRUE(items_in(*database_, "Things").empty());

  loaded = load(*database_, table, {.files = {file}, .bad_max = 6});
  ASSERT_TRUE(loaded.ok()) << problem(loaded);
  EXPECT_FALSE(loaded->is_given_up);
  EXPECT_EQ(loaded->bad, 6u);
  EXPECT_EQ(loaded->items, 2u);
  ASSERT_EQ(loaded->bad_lines.size(), 6u);
  for (size_t i = 0; i < 6; ++i)
    EXPECT_TRUE(loaded->bad_lines[i].starts_with(file + ":" + std::to_string(i + 2) + ": "))
        << loaded->bad_lines[i];
}

// Fails for good after so many batches, as if the process had ended.
class EndingDatabase : public ForwardingDatabase {
 public:
  EndingDatabase(Database& inner, int batches) : ForwardingDatabase(inner), batches_(batches) {}
  Result<BatchWritten> batch_write_items(const BatchWriteItems& request) override {
    if (--batches_ < 0) return Error{Code::kIo, "ended"};
    return ForwardingDatabase::batch_write_items(request);
  }
  Result<Page> scan(const Scan& request) override {
    if (--batches_ < 0) return Error{Code::kIo, "ended"};
    return ForwardingDatabase::scan(request);
  }

 private:
  std::atomic<int> batches_;
};

TEST_F(LoadDump, ALoadThatEndedGoesOnWithoutLosingALine) {
  const TableDescription from = create("From");
  put_random(2500);
  const std::string file = folder_.path("all.csv.gz");
  const Result<Dumped> dumped =
      dump(*database_, from, {.format = Format::kCsv, .compression = Compression::kGzip, .out = file});
  ASSERT_TRUE(dumped.ok());
  LoadOptions options{.files = {file}, .threads = 3, .position_path = folder_.path("position")};
  for (const Column& column : dumped->columns) options.types.emplace(column.name, column.type);
  const TableDescription to = create("Into");
  int ends = 0;
  for (int batches = 5; batches < 200; batches += 10) {
    EndingDatabase ending(*database_, batches);
    const Result<Loaded> loaded = load(ending, to, options);
    if (loaded.ok()) break;
    EXPECT_EQ(loaded.error().message, "ended");
    ++ends;
  }
  EXPECT_GT(ends, 2);
  EXPECT_TRUE(std::filesystem::exists(options.position_path));
  const Result<Loaded> again = load(*database_, to, options);
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->is_resumed);
  EXPECT_EQ(again->text_bytes, 0u) << "it is loaded";
  EXPECT_EQ(items_in(*database_, "Into"), items_in(*database_, "From"));
  options.files.push_back(file);
  EXPECT_FALSE(load(*database_, to, options).ok()) << "the position is of other files";
}

TEST_F(LoadDump, ADumpThatEndedGoesOnAndHasEveryItemOnce) {
  const TableDescription from = create("From");
  for (int i = 0; i < 60; ++i)
    ASSERT_TRUE(
        database_
            ->put_item(
                {.table = "From",
                 .item = {{"pk", "p" + std::to_string(i)}, {"sk", i}, {"x", std::string(200'000, 'x')}}})
            .ok());
  for (const Format format : {Format::kPlainJson, Format::kExport}) {
    const std::string out = folder_.path(std::string(name_of(format)));
    const DumpOptions options{
        .format = format, .out = out, .segments = 3, .position_path = out + ".position"};
    int ends = 0;
    for (int pages = 0; pages < 40; ++pages) {
      EndingDatabase ending(*database_, pages);
      const Result<Dumped> dumped = dump(ending, from, options);
      if (dumped.ok()) {
        EXPECT_EQ(dumped->items, 60u);
        break;
      }
      ASSERT_EQ(dumped.error().message, "ended");
      ++ends;
    }
    EXPECT_GT(ends, 1);
    std::vector<std::string> files{out};
    if (format == Format::kExport) {
      files.clear();
      const Result<ExportFolder> folder = read_export_folder(out);
      ASSERT_TRUE(folder.ok()) << folder.error().message;
      EXPECT_EQ(folder->items, 60u);
      for (const ExportFile& file : folder->files) files.push_back(file.path);
    }
    const std::string name = "To-" + std::string(name_of(format));
    const Result<Loaded> loaded = load(*database_, create(name), {.files = files});
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(loaded->items, 60u) << "each once";
    EXPECT_EQ(items_in(*database_, name), items_in(*database_, "From"));
  }
}

// Takes some of each batch, and none now and then.
class ThrottlingDatabase : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<BatchWritten> batch_write_items(const BatchWriteItems& request) override {
    if (++calls_ % 3 == 0) return Error{Code::kThrottled, "slow down"};
    BatchWriteItems some;
    BatchWritten rest;
    const std::vector<BatchWriteItems::Write>& writes = request.tables.at("Things");
    const size_t taken = (writes.size() + 1) / 2;
    some.tables["Things"].assign(writes.begin(), writes.begin() + static_cast<std::ptrdiff_t>(taken));
    const Result<BatchWritten> written = ForwardingDatabase::batch_write_items(some);
    if (!written.ok()) return written;
    if (taken < writes.size())
      rest.unprocessed["Things"].assign(writes.begin() + static_cast<std::ptrdiff_t>(taken), writes.end());
    return rest;
  }

 private:
  std::atomic<int> calls_ = 0;
};

TEST_F(LoadDump, WhatIsThrottledIsAskedForAgain) {
  const TableDescription table = create("Things");
  std::string text;
  for (int i = 0; i < 120; ++i) text += R"({"pk":"p","sk":)" + std::to_string(i) + "}\n";
  ThrottlingDatabase throttling(*database_);
  const Result<Loaded> loaded =
      load(throttling, table, {.files = {write("items.jsonl", text)}, .threads = 2});
  ASSERT_TRUE(loaded.ok()) << problem(loaded);
  EXPECT_EQ(loaded->items, 120u);
  EXPECT_EQ(items_in(*database_, "Things").size(), 120u);
}

// One batch fails for good; for all others, and for every page, the database has too much to do.
class StuckDatabase : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<BatchWritten> batch_write_items(const BatchWriteItems&) override {
    if (++calls_ == 3) return Error{Code::kIo, "broken"};
    return Error{Code::kThrottled, "slow down"};
  }
  Result<Page> scan(const Scan&) override {
    ++calls_;
    return Error{Code::kThrottled, "slow down"};
  }

  std::atomic<int> calls_ = 0;
};

TEST_F(LoadDump, WhenOneThreadFailsTheOthersWaitForNothing) {
  const TableDescription table = create("Things");
  std::string text;
  for (int i = 0; i < 3000; ++i) text += R"({"pk":"p","sk":)" + std::to_string(i) + "}\n";
  StuckDatabase stuck(*database_);
  std::atomic<int> waits = 0;
  const auto begin = std::chrono::steady_clock::now();
  const Result<Loaded> loaded = load(stuck, table,
                                     {.files = {write("items.jsonl", text)},
                                      .threads = 4,
                                      .waiting = [&](const Error& why, std::chrono::milliseconds) {
                                        EXPECT_EQ(why.message, "slow down");
                                        ++waits;
                                      }});
  EXPECT_EQ(problem(loaded), "broken");
  EXPECT_GT(waits, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60))
      << "they had patience for 2 minutes";
}

TEST_F(LoadDump, WhoHasSeenEnoughEndsThemAndCanGoOn) {
  const TableDescription table = create("Things");
  std::string text;
  for (int i = 0; i < 5000; ++i) text += R"({"pk":"p","sk":)" + std::to_string(i) + "}\n";
  LoadOptions options{
      .files = {write("items.jsonl", text)}, .threads = 2, .position_path = folder_.path("position")};
  std::atomic<bool> is_enough = false;
  options.progress = [&](const LoadFigures& figures) { is_enough = figures.items >= 1000; };
  options.is_ended = [&] { return is_enough.load(); };
  const Result<Loaded> some = load(*database_, table, options);
  ASSERT_TRUE(some.ok()) << problem(some);
  EXPECT_TRUE(some->is_ended);
  EXPECT_GE(some->items, 1000u);
  EXPECT_LT(items_in(*database_, "Things").size(), 5000u);
  options.is_ended = {};
  const Result<Loaded> rest = load(*database_, table, options);
  ASSERT_TRUE(rest.ok()) << problem(rest);
  EXPECT_TRUE(rest->is_resumed && !rest->is_ended);
  EXPECT_EQ(items_in(*database_, "Things").size(), 5000u);

  // Waits end, too, and what is left of a file is removed.
  StuckDatabase stuck(*database_);
  const std::string out = folder_.path("out.jsonl");
  const Result<Dumped> dumped =
      dump(stuck, table, {.out = out, .is_ended = [&] { return stuck.calls_ >= 10; }});
  ASSERT_TRUE(dumped.ok());
  EXPECT_TRUE(dumped->is_ended);
  EXPECT_FALSE(std::filesystem::exists(out) || std::filesystem::exists(out + ".part"));
  stuck.calls_ = 0;
  ASSERT_TRUE(dump(stuck, table,
                   {.format = Format::kExport, .out = out, .is_ended = [&] { return stuck.calls_ >= 10; }})
                  .ok());
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(LoadDump, ADumpThatIsWholeHasNothingToDo) {
  const TableDescription from = create("From");
  put_random(20);
  for (const Format format : {Format::kPlainJson, Format::kCsv, Format::kExport}) {
    const std::string out = folder_.path(std::string(name_of(format)));
    const DumpOptions options{.format = format, .out = out, .position_path = out + ".position"};
    ASSERT_TRUE(dump(*database_, from, options).ok());
    const Result<Dumped> again = dump(*database_, from, options);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_TRUE(again->was_whole);
    EXPECT_EQ(again->items, 20u);
  }
}

TEST_F(LoadDump, WhatCannotBeLookedAtIsAnError) {
  const TableDescription table = create("Things");
  const std::string loop = folder_.path("loop");
  std::filesystem::create_symlink(loop, loop);
  for (const std::string& path : {loop, folder_.path(std::string(300, 'x'))}) {
    const std::string file = write("items.jsonl", "{\"pk\":\"a\",\"sk\":1}\n");
    EXPECT_EQ(load(*database_, table, {.files = {file}, .position_path = path}).error().code, Code::kIo);
    EXPECT_EQ(dump(*database_, table, {.out = path}).error().code, Code::kIo);
    EXPECT_EQ(dump(*database_, table, {.out = folder_.path("x"), .position_path = path}).error().code,
              Code::kIo);
    EXPECT_FALSE(read_export_folder(path).ok());
  }
}

TEST_F(LoadDump, AnExportIsFoundFromTheFolderAboveIt) {
  const TableDescription from = create("From");
  put_random(3);
  std::filesystem::create_directories(folder_.path("bucket/AWSDynamoDB"));
  const std::string out = folder_.path("bucket/AWSDynamoDB/01-x");
  ASSERT_TRUE(dump(*database_, from, {.format = Format::kExport, .out = out}).ok());
  for (const char* path : {"bucket", "bucket/", "bucket/AWSDynamoDB", "bucket/AWSDynamoDB/"})
    EXPECT_TRUE(read_export_folder(folder_.path(path)).ok()) << path;
}

TEST_F(LoadDump, AnExportThatWasChangedIsRefused) {
  const TableDescription from = create("From");
  put_random(10);
  const std::string out = folder_.path("export");
  ASSERT_TRUE(dump(*database_, from, {.format = Format::kExport, .out = out, .segments = 1}).ok());
  const Result<ExportFolder> folder = read_export_folder(out);
  ASSERT_TRUE(folder.ok());
  { std::ofstream(folder->files[0].path, std::ios::app) << "x"; }
  EXPECT_EQ(read_export_folder(out).error().code, Code::kCorrupt);
  std::filesystem::remove(folder->files[0].path);
  EXPECT_EQ(read_export_folder(out).error().code, Code::kCorrupt);
  EXPECT_EQ(read_export_folder(folder_.path()).error().code, Code::kInvalid);
}

TEST(Export, ChecksumsAreThoseOfAwsDocumentation) {
  // Of the example in its page on the output of exports.
  std::string md5("\xb1\x03\x12\xa4\x42\x0b\x36\x0a\x10\x99\xaa\xef\x0c\x5a\x27\x19", 16);
  EXPECT_EQ(base64_of(md5), "sQMSpEILNgoQmarvDFonGQ==");
  EXPECT_EQ(etag_of(md5), "af83d6f217c19b8b0fff8023d8ca4716-1");
}

TEST(Positions, AreReadAsTheyAreWritten) {
  const LoadPosition load_position{.table = "T",
                                   .table_id = 7,
                                   .table_created_us = 1'700'000'000'000'000,
                                   .files = {"a", "b\n"},
                                   .file_bytes = {10, 20},
                                   .file = 1,
                                   .place = {.bytes = 10, .lines = 3},
                                   .items = 4,
                                   .there = 2,
                                   .bad = 1};
  EXPECT_EQ(*read_load_position(to_json(load_position)), load_position);
  DumpPosition position{
      .table = "T", .out = "x", .format = Format::kCsv, .id = "i", .begin_us = 5, .bytes = 7};
  position.columns = {{.name = "a,b", .type = {.kind = ColumnType::Kind::kAny}},
                      {.name = "n", .type = {.type = Type::kNumber}}};
  position.segments = {{.is_done = true, .items = 3},
                       {.last_key = Item{{"pk", "a"}}, .items = 1, .bytes = 2}};
  const Result<DumpPosition> read = read_dump_position(to_json(position));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(position));
  EXPECT_EQ(read->segments, position.segments);
  for (const char* wrong : {"", "{}", "[]", R"({"load":3})", R"({"load":"T","files":[],"file":1})"}) {
    EXPECT_FALSE(read_load_position(wrong).ok()) << wrong;
    EXPECT_FALSE(read_dump_position(wrong).ok()) << wrong;
  }
}

TEST(Declaration, IsReadAsItIsWritten) {
  CreateTable request = two_keys("Things");
  request.local_indexes = {{.name = "l",
                            .key = {.partition = {{.name = "pk"}}, .sort = {{.name = "d"}}},
                            .projection = ProjectionKind::kKeysOnly}};
  request.global_indexes = {{.name = "g",
                             .key = {.partition = {{.name = "x", .type = Type::kBinary}}},
                             .projection = ProjectionKind::kInclude,
                             .included = {"a", "b"},
                             .throughput = {.read_units = 3, .write_units = 4}}};
  request.billing = BillingMode::kProvisioned;
  request.throughput = {.read_units = 1, .write_units = 2};
  request.stream = StreamView::kNewImage;
  const Result<CreateTable> read = read_declaration(to_json(request));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(request));
  EXPECT_FALSE(read_declaration("{}").ok());
  EXPECT_EQ(*parse_key("PK:S,SK:N"),
            (KeySchema{.partition = {{.name = "PK"}}, .sort = {{.name = "SK", .type = Type::kNumber}}}));
  EXPECT_EQ(*parse_key("id"), (KeySchema{.partition = {{.name = "id"}}}));
  for (const char* wrong : {"", "a:X", ":S", "a:S,b:S,c:S", "a,,"})
    EXPECT_FALSE(parse_key(wrong).ok()) << wrong;
}

}  // namespace
}  // namespace sheaf::transfer
