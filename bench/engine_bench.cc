// The embedded database against raw RocksDB on the same data, in one process and one run.
//   engine_bench [--json FILE] [--only get|put|durable|query|lag|options|growth] [--quick: a smaller
//   collection for growth]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

#include "sheaf/database.h"

#include "bench/expect.h"
#include "bench/figures.h"
#include "bench/raw_rocksdb.h"
#include "bench/raw_rows.h"

namespace sheaf::bench {
namespace {

constexpr uint64_t kMemoryBytes = 512u << 20;
constexpr int kRounds = 9;
constexpr std::string_view kTable = "bench";

// A folder that goes when the benchmark ends.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("sheaf-bench-" + std::to_string(::getpid()) + "-" + name)) {
    std::filesystem::remove_all(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::unique_ptr<Database> open(const Folder& folder, bool durable) {
  auto database = expect(Database::open(
      folder.path(), {.durable = durable, .memory_bytes = kMemoryBytes, .background_thread = false}));
  expect(database->create_table(
      {.table = std::string(kTable), .key = {.partition = {{"PK"}}, .sort = {{"SK"}}}}));
  return database;
}

void bench_get(Figures& figures) {
  constexpr int kItems = 50'000;
  constexpr int kReads = 50'000;
  const Folder ours("get"), theirs("get-raw");
  const auto database = open(ours, false);
  RawRocksdb raw(theirs.path(), kMemoryBytes);
  for (int i = 0; i < kItems; ++i) {
    const Item item = make_item("C#" + text_of(i, 8), "C#" + text_of(i, 8), 1024);
    expect(database->put_item({.table = std::string(kTable), .item = item}));
    rocksdb::WriteBatch batch;
    put_rows(raw, batch, rows_of(item));
    check(raw.db().Write({}, &batch));
  }
  std::mt19937_64 random(1);
  std::vector<int> order(kReads);
  for (int& each : order) each = static_cast<int>(random() % kItems);

  const auto get_items = [&] {
    for (const int i : order) {
      const std::string id = "C#" + text_of(i, 8);
      const Got got = expect(database->get_item({.table = std::string(kTable), .key = key_of(id, id)}));
      if (!got.item) std::exit(1);
    }
  };
  std::vector<std::string> keys;
  for (int i = 0; i < kItems; ++i)
    keys.push_back(rows_of(key_of("C#" + text_of(i, 8), "C#" + text_of(i, 8))).key);
  const auto raw_gets = [&] {
    for (const int i : order) {
      rocksdb::PinnableSlice value;
      check(raw.db().Get({}, raw.family(store::Space::kItems), keys[static_cast<size_t>(i)], &value));
    }
  };
  const auto result = rates({{"get", get_items}, {"raw", raw_gets}}, kReads, kRounds);
  figures.note("GetItem 1 KB, one thread", result[0], "1/s");
  figures.note("RocksDB Get 1 KB, one thread", result[1], "1/s");
  figures.at_least("GetItem / raw Get", result[0] / result[1], "ratio", 0.7);
}

void bench_relaxed_put(Figures& figures) {
  constexpr int kPuts = 20'000;
  const Folder ours("put"), theirs("put-raw"), bare("put-bare");
  const auto database = open(ours, false);
  RawRocksdb raw(theirs.path(), kMemoryBytes), raw_bare(bare.path(), kMemoryBytes);
  int next_ours = 0, next_raw = 0, next_bare = 0;
  const auto item_at = [](int i) { return make_item("C#" + text_of(i / 10, 8), "O#" + text_of(i, 8), 1024); };
  std::vector<Rows> prepared;
  for (int i = 0; i < kPuts * kRounds; ++i) prepared.push_back(rows_of(item_at(i)));
  std::vector<Item> items;
  for (int i = 0; i < kPuts * kRounds; ++i) items.push_back(item_at(i));

  const auto puts = [&] {
    for (int i = 0; i < kPuts; ++i) {
      expect(database->put_item(
          {.table = std::string(kTable), .item = items[static_cast<size_t>(next_ours++)]}));
    }
  };
  const auto raw_puts = [&] {
    for (int i = 0; i < kPuts; ++i) {
      const Rows& rows = prepared[static_cast<size_t>(next_raw++)];
      rocksdb::PinnableSlice before;
      if (raw.db().Get({}, raw.family(store::Space::kItems), rows.key, &before).ok()) std::exit(1);
      rocksdb::WriteBatch batch;
      put_rows(raw, batch, rows);
      check(raw.db().Write({}, &batch));
    }
  };
  const auto bare_puts = [&] {
    for (int i = 0; i < kPuts; ++i) {
      const Rows& rows = prepared[static_cast<size_t>(next_bare++)];
      check(raw_bare.db().Put({}, raw_bare.family(store::Space::kItems), rows.key, rows.record));
    }
  };
  const auto result = rates({{"put", puts}, {"raw", raw_puts}, {"bare", bare_puts}}, kPuts, kRounds);
  figures.note("PutItem 1 KB, relaxed, one thread", result[0], "1/s");
  figures.note("RocksDB Get + WriteBatch of the same rows", result[1], "1/s");
  figures.note("RocksDB Put 1 KB alone", result[2], "1/s");
  figures.at_least("relaxed PutItem / raw Get + WriteBatch", result[0] / result[1], "ratio", 0.8);
  figures.note("relaxed PutItem / bare Put", result[0] / result[2], "ratio");
}

// `work(thread, i)` from so many threads at once.
void from_threads(int threads, int each, const std::function<void(int, int)>& work) {
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) work(t, i);
    });
  }
  for (std::thread& thread : running) thread.join();
}

void bench_durable_put(Figures& figures) {
  constexpr int kThreads = 16;
  constexpr int kPutsEach = 400;
  const Folder ours("sync"), theirs("sync-raw");
  const auto database = open(ours, true);
  RawRocksdb raw(theirs.path(), kMemoryBytes);
  int round_ours = 0, round_raw = 0;
  const auto id_of = [](int round, int thread, int i) {
    return text_of(static_cast<uint64_t>(round * 1000 + thread), 6) + "#" +
           text_of(static_cast<uint64_t>(i), 6);
  };
  const auto puts = [&] {
    from_threads(kThreads, kPutsEach, [&](int thread, int i) {
      const std::string id = id_of(round_ours, thread, i);
      expect(
          database->put_item({.table = std::string(kTable), .item = make_item("C#" + id, "O#" + id, 1024)}));
    });
    ++round_ours;
  };
  const auto raw_puts = [&] {
    from_threads(kThreads, kPutsEach, [&](int thread, int i) {
      const std::string id = id_of(round_raw, thread, i);
      const Rows rows = rows_of(make_item("C#" + id, "O#" + id, 1024));
      rocksdb::WriteOptions options;
      options.sync = true;
      check(raw.db().Put(options, raw.family(store::Space::kItems), rows.key, rows.record));
    });
    ++round_raw;
  };
  const auto result = rates({{"put", puts}, {"raw", raw_puts}}, kThreads * kPutsEach, kRounds);
  figures.note("PutItem 1 KB, durable, 16 callers", result[0], "1/s");
  figures.note("RocksDB Put 1 KB, synced, 16 threads", result[1], "1/s");
  figures.at_least("durable PutItem / raw synced Put", result[0] / result[1], "ratio", 1.0);
}

void bench_query(Figures& figures) {
  constexpr int kCollections = 200;
  constexpr int kItemsEach = 100;
  constexpr int kQueries = 2000;
  const Folder ours("query"), theirs("query-raw");
  const auto database = open(ours, false);
  RawRocksdb raw(theirs.path(), kMemoryBytes);
  for (int c = 0; c < kCollections; ++c) {
    for (int i = 0; i < kItemsEach; ++i) {
      const Item item = make_item("C#" + text_of(c, 8), "O#" + text_of(i, 8), 200);
      expect(database->put_item({.table = std::string(kTable), .item = item}));
      rocksdb::WriteBatch batch;
      put_rows(raw, batch, rows_of(item));
      check(raw.db().Write({}, &batch));
    }
  }
  const auto queries = [&] {
    for (int i = 0; i < kQueries; ++i) {
      const Page page =
          expect(database->query({.table = std::string(kTable),
                                  .key_condition = "PK = :pk",
                                  .values = Item{{":pk", "C#" + text_of(i % kCollections, 8)}}}));
      if (page.count != kItemsEach) std::exit(1);
    }
  };
  std::vector<std::pair<std::string, std::string>> bounds;
  for (int c = 0; c < kCollections; ++c) bounds.push_back(collection_bounds("C#" + text_of(c, 8)));
  uint64_t bytes = 0;
  const auto iterations = [&] {
    for (int i = 0; i < kQueries; ++i) {
      const auto& [begin, end] = bounds[static_cast<size_t>(i % kCollections)];
      const rocksdb::Slice upper(end);
      rocksdb::ReadOptions options;
      options.iterate_upper_bound = &upper;
      const std::unique_ptr<rocksdb::Iterator> at(
          raw.db().NewIterator(options, raw.family(store::Space::kItems)));
      int count = 0;
      for (at->Seek(begin); at->Valid(); at->Next()) {
        bytes += at->value().size();
        ++count;
      }
      if (count != kItemsEach) std::exit(1);
    }
  };
  const auto result = rates({{"query", queries}, {"raw", iterations}}, kQueries, kRounds);
  figures.note("Query of 100 items of 200 B, one thread", result[0], "1/s");
  figures.note("RocksDB iteration over the same", result[1], "1/s");
  figures.at_least("Query of 100 / raw iteration", result[0] / result[1], "ratio", 0.6);
}

// What statements cost beside the calls that they stand for, and what writes cost with options on: a lag of
// the index, collections that are watched, tables that are held to their throughput. Off is twice there: what
// two equal databases differ by is noise.
void bench_options(Figures& figures) {
  constexpr int kOperations = 4000;
  constexpr int kItems = 1000;
  const std::string table(kTable);
  const auto sort_of = [](int i) { return "O#" + text_of(static_cast<uint64_t>(i), 8); };
  struct Variant {
    std::string name;
    OpenOptions options;
  };
  const OpenOptions off{.durable = false, .memory_bytes = kMemoryBytes, .background_thread = false};
  std::vector<Variant> variants(2, Variant{.name = "off", .options = off});
  variants.push_back({.name = "an index that lags", .options = off});
  variants.back().options.index_lags = {
      {.table = table, .min = std::chrono::seconds(1), .max = std::chrono::seconds(1)}};
  variants.push_back({.name = "collections watched", .options = off});
  variants.back().options.on_collection_warning = [](const CollectionWarning&) {};
  variants.push_back({.name = "throughput held", .options = off});
  variants.back().options.throttle = true;
  variants.push_back({.name = "heat", .options = off});
  variants.back().options.heat = true;

  std::vector<std::unique_ptr<Folder>> folders;
  std::vector<std::unique_ptr<Database>> databases;
  std::vector<Contender> puts;
  std::vector<int> next(variants.size(), 0);
  for (size_t i = 0; i < variants.size(); ++i) {
    folders.push_back(std::make_unique<Folder>("options-" + std::to_string(i)));
    databases.push_back(expect(Database::open(folders.back()->path(), variants[i].options)));
    expect(databases.back()->create_table(
        {.table = table,
         .key = {.partition = {{"PK"}}, .sort = {{"SK"}}},
         .global_indexes = {{.name = "by_sort", .key = {.partition = {{"SK"}}, .sort = {{"PK"}}}}}}));
    puts.push_back({variants[i].name, [&, i] {
                      for (int each = 0; each < kOperations; ++each, ++next[i])
                        expect(databases[i]->put_item(
                            {.table = table,
                             .item = make_item("C#" + text_of(next[i] / 50, 8), sort_of(next[i]), 200)}));
                    }});
  }
  const auto put = rates(puts, kOperations, kRounds);
  figures.note("PutItem 200 B, one index, nothing on", put[0], "1/s");
  for (size_t i = 1; i < variants.size(); ++i)
    figures.note("PutItem with " + (i == 1 ? "nothing on, again" : variants[i].name) + " / nothing on",
                 put[i] / put[0], "ratio");

  Database& database = *databases.front();
  for (int i = 0; i < kItems; ++i)
    expect(database.put_item({.table = table, .item = make_item("S", sort_of(i), 200)}));
  const auto each_item = [&](auto&& run) {
    return [=] {
      for (int i = 0; i < kOperations; ++i) run(sort_of(i % kItems));
    };
  };
  const auto get = [&](const std::string& sort) {
    if (!expect(database.get_item({.table = table, .key = key_of("S", sort)})).item) std::exit(1);
  };
  const auto select = [&](const std::string& sort) {
    const StatementDone done = expect(
        database.execute_statement({.statement = {.text = "SELECT * FROM bench WHERE PK = ? AND SK = ?",
                                                  .parameters = {Value("S"), Value(sort)}}}));
    if (done.items.size() != 1) std::exit(1);
  };
  const auto update = [&](const std::string& sort) {
    expect(database.update_item(
        {.table = table, .key = key_of("S", sort), .update = "SET n = :n", .values = {{":n", 1}}}));
  };
  const auto statement = [&](const std::string& sort) {
    expect(database.execute_statement({.statement = {.text = "UPDATE bench SET n = 1 WHERE PK = ? AND SK = ?",
                                                     .parameters = {Value("S"), Value(sort)}}}));
  };
  const auto read = rates({{"get", each_item(get)}, {"select", each_item(select)}}, kOperations, kRounds);
  const auto written =
      rates({{"update", each_item(update)}, {"statement", each_item(statement)}}, kOperations, kRounds);
  figures.note("SELECT of one item / GetItem", read[1] / read[0], "ratio");
  figures.note("UPDATE of one item / UpdateItem", written[1] / written[0], "ratio");
}

// What a lag costs who asks for it: with nothing that is held back, and with a fifth of the items changed
// lately.
void bench_lag(Figures& figures) {
  constexpr int kItems = 100;
  constexpr int kOperations = 5000;
  const auto sort_of = [](int i) { return "O#" + text_of(static_cast<uint64_t>(i), 8); };
  const auto put = [&](Database& database, int i, size_t bytes) {
    expect(database.put_item({.table = std::string(kTable), .item = make_item("C", sort_of(i), bytes)}));
  };
  const Folder folders[] = {Folder("prompt"), Folder("lag"), Folder("lagging")};
  std::vector<std::unique_ptr<Database>> databases;
  for (const Folder& folder : folders) {
    auto database = open(folder, false);
    for (int i = 0; i < kItems; ++i) put(*database, i, 200);
    database.reset();
    OpenOptions options{.durable = false, .memory_bytes = kMemoryBytes, .background_thread = false};
    if (!databases.empty())
      options.read_lags = {{.table = std::string(kTable), .min = kLagMax, .max = kLagMax}};
    databases.push_back(expect(Database::open(folder.path(), options)));
  }
  for (int i = 0; i < kItems; i += 5) put(*databases.back(), i, 300);

  std::vector<Contender> gets, queries;
  for (const std::unique_ptr<Database>& each : databases) {
    Database& database = *each;
    gets.push_back({"get", [&database, sort_of] {
                      for (int i = 0; i < kOperations; ++i) {
                        const Item key = key_of("C", sort_of(i % kItems));
                        const Got got = expect(database.get_item({.table = std::string(kTable), .key = key}));
                        if (!got.item) std::exit(1);
                      }
                    }});
    queries.push_back(
        {"query", [&database] {
           for (int i = 0; i < kOperations; ++i) {
             const Page page = expect(database.query(
                 {.table = std::string(kTable), .key_condition = "PK = :pk", .values = Item{{":pk", "C"}}}));
             if (page.count != kItems) std::exit(1);
           }
         }});
  }
  const auto get = rates(gets, kOperations, kRounds), query = rates(queries, kOperations, kRounds);
  figures.note("GetItem 200 B without a lag", get[0], "1/s");
  figures.note("GetItem with a lag / without", get[1] / get[0], "ratio");
  figures.note("GetItem with a fifth of the items changed lately / without a lag", get[2] / get[0], "ratio");
  figures.note("Query of 100 items of 200 B without a lag", query[0], "1/s");
  figures.note("Query of 100 with a lag / without", query[1] / query[0], "ratio");
  figures.note("Query of 100 with a fifth of the items changed lately / without a lag", query[2] / query[0],
               "ratio");
}

// Fills one collection; items of about 100 bytes whose sort keys have ten prefixes.
void fill_collection(Database& database, const std::string& partition, int items) {
  BatchWriteItems batch;
  std::vector<BatchWriteItems::Write>& writes = batch.tables[std::string(kTable)];
  for (int i = 0; i < items; ++i) {
    const std::string sort =
        "T" + text_of(static_cast<uint64_t>(i % 10), 1) + "#" + text_of(static_cast<uint64_t>(i / 10), 8);
    writes.push_back({.put = true, .item = make_item(partition, sort, 100)});
    if (writes.size() == 25 || i + 1 == items) {
      expect(database.batch_write_items(batch));
      writes.clear();
    }
    if (i % 1'000'000 == 999'999)
      std::fprintf(stderr, "  %s: %d of %d items\n", partition.c_str(), i + 1, items);
  }
}

// A hundred items of one prefix, from `places` different places of a collection.
void read_hundreds(Database& database, const std::string& partition, int items, int places, int queries) {
  std::mt19937_64 random(7);
  std::vector<uint64_t> starts(static_cast<size_t>(places));
  for (uint64_t& start : starts) start = random() % static_cast<uint64_t>(items / 10 - 99);
  for (int i = 0; i < queries; ++i) {
    const uint64_t from = starts[static_cast<size_t>(i % places)];
    const Page page = expect(database.query({.table = std::string(kTable),
                                             .key_condition = "PK = :pk AND SK BETWEEN :from AND :to",
                                             .values = Item{{":pk", partition},
                                                            {":from", "T3#" + text_of(from, 8)},
                                                            {":to", "T3#" + text_of(from + 99, 8)}}}));
    if (page.count != 100) std::exit(1);
  }
}

void bench_growth(Figures& figures, int large_items) {
  constexpr int kSmallItems = 1000;
  constexpr int kQueries = 2000;
  const Folder ours("growth");
  const auto database = open(ours, false);
  fill_collection(*database, "small", kSmallItems);
  fill_collection(*database, "large", large_items);
  const auto result =
      rates({{"small", [&] { read_hundreds(*database, "small", kSmallItems, 20, kQueries); }},
             {"large", [&] { read_hundreds(*database, "large", large_items, 20, kQueries); }},
             {"anywhere", [&] { read_hundreds(*database, "large", large_items, kQueries, kQueries); }}},
            kQueries, kRounds);
  const std::string large = std::to_string(large_items);
  figures.note("100 items by prefix from a collection of 1,000", result[0], "1/s");
  figures.note("... of " + large + ", from 20 places of it", result[1], "1/s");
  figures.note("... of " + large + ", from 2,000 places of it", result[2], "1/s");
  figures.at_most("cost in the large collection / in the small", result[0] / result[1], "ratio", 1.3);
}

}  // namespace
}  // namespace sheaf::bench

int main(int argc, char** argv) {
  using namespace sheaf::bench;
  bool quick = false;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    quick = quick || std::strcmp(argv[i], "--quick") == 0;
    if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) only = argv[i + 1];
  }
  const auto wanted = [&](const char* name) { return only.empty() || only == name; };
  Figures figures;
  if (wanted("get")) bench_get(figures);
  if (wanted("put")) bench_relaxed_put(figures);
  if (wanted("durable")) bench_durable_put(figures);
  if (wanted("query")) bench_query(figures);
  if (wanted("lag")) bench_lag(figures);
  if (wanted("options")) bench_options(figures);
  if (wanted("growth")) bench_growth(figures, quick ? 100'000 : 10'000'000);
  return figures.report(argc, argv);
}
