// Data from a model: how fast it is written as lines, and loaded, beside what the database takes without it;
// all with four threads.
//   generate_bench [--json FILE] [--quick]
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "sheaf/database.h"

#include "base/temp_directory.h"
#include "bench/expect.h"
#include "bench/figures.h"
#include "generate/data_text.h"
#include "generate/load.h"
#include "generate/records.h"
#include "run/applied_layout.h"
#include "run/data_file.h"

namespace sheaf::bench {
namespace {

constexpr const char* kModel = R"(model shop {
  table shop { pk PK; sk SK; tag Type }
  entity Customer { id id; name; email; city; joined time; key "CUSTOMER#<id>" / "CUSTOMER#<id>" }
  entity Order within customer {
    number id int;
    status enum(NEW, PAID, SENT) default "NEW";
    total number;
    note;
    key "CUSTOMER#<customer.id>" / "ORDER#<number:00000000>";
  }
  rel Customer 1--* Order as orders / customer { via collection; size avg 19 max 5000; on delete cascade }
})";

constexpr size_t kBatch = 25;
constexpr size_t kThreads = 4;
constexpr uint64_t kPiece = 20'000;

// The parts of some work, side by side.
void side_by_side(const std::function<void(size_t part)>& work) {
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

std::unique_ptr<Database> opened(const std::string& directory) {
  if (directory.empty()) return Database::open_in_memory({.background_thread = false});
  return expect(Database::open(directory));
}

int run(int count, char** words) {
  bool is_quick = false;
  for (int i = 1; i < count; ++i) is_quick = is_quick || std::strcmp(words[i], "--quick") == 0;
  const model::CompiledModel compiled = model::compile("shop.sheaf", kModel);
  const model::Layout& layout = compiled.layouts.front();
  const auto generator = expect(generate::Generator::make(
      compiled, {.wishes = {.counts = {{"Customer", is_quick ? 1000u : 50'000u}}}}));
  const double items = is_quick ? 20'000 : 1'000'000;

  Figures figures;
  figures.note("items", items, "");
  uint64_t bytes = 0;
  const double written = seconds([&] {
    expect(generate::write_lines(*generator,
                                 [&](std::string_view text) -> Result<void> {
                                   bytes += text.size();
                                   return {};
                                 },
                                 {}));
  });
  figures.note("lines written", items / written, "a second");
  figures.note("bytes of a line", static_cast<double>(bytes) / items, "");

  for (const bool is_on_disk : {false, true}) {
    const std::string where = is_on_disk ? "on RocksDB" : "in memory";
    const TempDirectory directory;
    const auto path = [&](const char* name) {
      return is_on_disk ? directory.path() + "/" + name : std::string();
    };
    const auto database = opened(path("generated"));
    expect(run::apply_layout(*database, compiled.model, layout));
    const double loading =
        seconds([&] { expect(generate::load(*database, layout, *generator, {.threads = kThreads})); });

    // The same records, made before, by load_data; and their items, made before, as plain batches.
    double by_data = 0, by_puts = 0;
    const auto data_database = opened(path("data"));
    const auto puts_database = opened(path("puts"));
    expect(run::apply_layout(*data_database, compiled.model, layout));
    expect(run::apply_layout(*puts_database, compiled.model, layout));
    const generate::Records records(*generator, layout);
    const run::ItemCodec codec(compiled.model, layout);
    for (const model::EntityId entity : generator->order()) {
      for (uint64_t begin = 0; begin < generator->count(entity); begin += kPiece) {
        run::Data parts[kThreads];
        std::vector<BatchWriteItems> batches[kThreads];
        const uint64_t end = std::min(begin + kPiece, generator->count(entity));
        for (uint64_t i = begin; i < end; ++i) {
          const size_t part = i / 250 % kThreads;
          parts[part].records.push_back(records.record(entity, i));
          if (batches[part].empty() || batches[part].back().tables["shop"].size() == kBatch)
            batches[part].emplace_back();
          batches[part].back().tables["shop"].push_back(
              {.put = true, .item = expect(codec.encode(parts[part].records.back()))});
        }
        by_data += seconds([&] {
          side_by_side(
              [&](size_t i) { expect(run::load_data(*data_database, compiled.model, layout, parts[i])); });
        });
        by_puts += seconds([&] {
          side_by_side([&](size_t i) {
            for (const BatchWriteItems& batch : batches[i]) expect(puts_database->batch_write_items(batch));
          });
        });
      }
    }
    figures.note("generated and loaded " + where, items / loading, "items a second");
    figures.note("load_data of the same " + where, items / by_data, "items a second");
    figures.note("batches of the same items " + where, items / by_puts, "items a second");
    figures.note("generated beside load_data " + where, loading / by_data, "times as long");
    figures.note("generated beside batches " + where, loading / by_puts, "times as long");
  }
  return figures.report(count, words);
}

}  // namespace
}  // namespace sheaf::bench

int main(int argc, char** argv) { return sheaf::bench::run(argc, argv); }
