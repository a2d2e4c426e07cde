// Items from files and into them, beside what the database takes without: BatchWriteItem of the same items
// from as many threads, and the reading of all segments.
//   transfer_bench [--json FILE] [--quick] [--endpoint URL]
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "sheaf/database.h"
#include "sheaf/remote_database.h"

#include "base/temp_directory.h"
#include "bench/expect.h"
#include "bench/figures.h"
#include "transfer/dump.h"
#include "transfer/json_items.h"
#include "transfer/load.h"
#include "transfer/plain_items.h"
#include "transfer/whole_file.h"

namespace sheaf::bench {
namespace {

constexpr size_t kBatch = 25;
constexpr size_t kThreads = 8;
constexpr int kRounds = 3;

std::vector<Item> make_items(size_t count) {
  std::vector<Item> items;
  for (size_t i = 0; i < count; ++i)
    items.push_back({{"pk", "user-" + std::to_string(i % 5003)},
                     {"sk", static_cast<int64_t>(i)},
                     {"name", "Name " + std::to_string(i)},
                     {"body", std::string(100, 'x')},
                     {"n", static_cast<int64_t>(i * 7919 % 1'000'003)}});
  return items;
}

TableDescription create(Database& database, const std::string& name) {
  return expect(database.create_table(
      {.table = name,
       .key = {.partition = {{.name = "pk"}}, .sort = {{.name = "sk", .type = Type::kNumber}}}}));
}

// The items alone, by the API.
void put_all(Database& database, const std::string& table, const std::vector<Item>& items) {
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      while (true) {
        const size_t from = next.fetch_add(kBatch);
        if (from >= items.size()) return;
        BatchWriteItems request;
        for (size_t j = from; j < std::min(from + kBatch, items.size()); ++j)
          request.tables[table].push_back({.put = true, .item = items[j]});
        while (!request.tables.empty())
          request.tables = expect(database.batch_write_items(request)).unprocessed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void scan_all(Database& database, const std::string& table, uint32_t segments) {
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < segments; ++i) {
    threads.emplace_back([&, i] {
      Scan request{.table = table, .segment = i, .segment_count = segments};
      do {
        request.start_key = expect(database.scan(request)).last_key;
      } while (request.start_key);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

int run(int argc, char** argv) {
  size_t count = 200'000;
  std::string url;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) count = 20'000;
    if (std::strcmp(argv[i], "--endpoint") == 0 && i + 1 < argc) url = argv[i + 1];
  }
  const TempDirectory folder;
  const std::vector<Item> items = make_items(count);
  std::string typed, plain;
  for (const Item& item : items) {
    transfer::append_export_line(typed, item);
    transfer::append_plain_line(plain, item);
  }
  expect(transfer::write_whole_file(folder.path("typed"), typed));
  expect(transfer::write_whole_file(folder.path("plain"), plain));
  const std::unique_ptr<Database> database =
      url.empty() ? expect(Database::open(folder.path("data")))
                  : expect(connect({.url = url, .access_key = AccessKey{.id = "sheaf", .secret = "sheaf"}}));

  int tables = 0;
  const auto name = [&] { return "bench-" + std::to_string(::getpid()) + "-" + std::to_string(++tables); };
  const auto load_file = [&](const std::string& path) {
    const TableDescription table = create(*database, name());
    const transfer::Loaded loaded =
        expect(transfer::load(*database, table, {.files = {path}, .threads = kThreads}));
    if (loaded.items != count) fail({Code::kInvalid, "not all was loaded"});
  };
  const auto puts = rates({{"BatchWriteItem",
                            [&] {
                              const std::string table = name();
                              create(*database, table);
                              put_all(*database, table, items);
                            }},
                           {"dynamodb", [&] { load_file(folder.path("typed")); }},
                           {"json", [&] { load_file(folder.path("plain")); }}},
                          static_cast<double>(count), kRounds);
  const double megabytes = static_cast<double>(typed.size()) / 1e6 / static_cast<double>(count);
  Figures figures;
  figures.note("BatchWriteItem of 25, 8 threads", puts[0], "items/s");
  figures.note("load of DynamoDB's JSON", puts[1], "items/s");
  figures.note("load of DynamoDB's JSON", puts[1] * megabytes, "MB/s");
  figures.note("load of DynamoDB's JSON / BatchWriteItem", puts[1] / puts[0], "ratio");
  figures.note("load of plain JSON / BatchWriteItem", puts[2] / puts[0], "ratio");

  const TableDescription table =
      expect(database->describe_table("bench-" + std::to_string(::getpid()) + "-1"));
  int files = 0;
  const auto dump_as = [&](transfer::Format format) {
    expect(transfer::dump(*database, table,
                          {.format = format, .out = folder.path("out" + std::to_string(++files))}));
  };
  const auto reads = rates({{"Scan", [&] { scan_all(*database, table.name, 4); }},
                            {"dynamodb", [&] { dump_as(transfer::Format::kDynamoJson); }},
                            {"export", [&] { dump_as(transfer::Format::kExport); }}},
                           static_cast<double>(count), kRounds);
  figures.note("Scan, 4 segments", reads[0], "items/s");
  figures.note("dump as DynamoDB's JSON", reads[1], "items/s");
  figures.note("dump as DynamoDB's JSON", reads[1] * megabytes, "MB/s");
  figures.note("dump as DynamoDB's JSON / Scan", reads[1] / reads[0], "ratio");
  figures.note("dump as an export / Scan", reads[2] / reads[0], "ratio");
  for (int i = 1; i <= tables; ++i)
    static_cast<void>(
        database->delete_table("bench-" + std::to_string(::getpid()) + "-" + std::to_string(i)));
  return figures.report(argc, argv);
}

}  // namespace
}  // namespace sheaf::bench

int main(int argc, char** argv) { return sheaf::bench::run(argc, argv); }
