#include "programs/histories.h"

#include <barrier>
#include <cstdlib>

#include "store/faulty_store.h"
#include "store/memory_store.h"
#include "store/rocks_store.h"

namespace sheaf::programs {

namespace {

thread_local uint32_t thread_number = 0;

// Several databases cannot own one store, so each owns one of these.
class StoreRelay final : public store::Store {
 public:
  explicit StoreRelay(store::Store& inner) : inner_(inner) {}

  std::unique_ptr<store::View> view(const store::ViewOptions& options) override {
    return inner_.view(options);
  }
  void submit(store::Batch batch, Loop& loop, store::Done done) override {
    inner_.submit(std::move(batch), loop, std::move(done));
  }
  Result<void> drop(const store::Range& range) override { return inner_.drop(range); }
  Result<void> checkpoint(const std::string& directory) override { return inner_.checkpoint(directory); }
  store::Stamp last_stamp() const override { return inner_.last_stamp(); }

 private:
  store::Store& inner_;
};

std::unique_ptr<store::Store> delayed_store(const Clock& clock) {
  return std::make_unique<store::FaultyStore>(store::open_memory_store(clock),
                                              store::FaultyOptions{.guard_failed = 0.05,
                                                                   .submit_delayed = 0.3,
                                                                   .answer_delayed = 0.1,
                                                                   .delay_us_max = 300,
                                                                   .scan_short = 0.1,
                                                                   .scan_rest_empty = 0.1});
}

std::unique_ptr<store::Store> disk_store(const std::string& directory, const Clock& clock) {
  auto store = store::open_rocks_store({.directory = directory, .durable = false}, clock);
  if (!store.ok()) {
    ADD_FAILURE() << store.error().message;
    std::abort();
  }
  return std::move(*store);
}

}  // namespace

SharedDatabase::SharedDatabase(StoreKind kind, bool background_thread) {
  const OpenOptions options{.background_thread = background_thread};
  const auto open = [&](std::unique_ptr<store::Store> store, const OpenOptions& its_options) {
    databases_.push_back(api::make_local_database(std::move(store), clock_, its_options));
  };
  switch (kind) {
    case StoreKind::kMemory:
      open(store::open_memory_store(clock_), options);
      break;
    case StoreKind::kDelayed:
      open(delayed_store(clock_), options);
      break;
    case StoreKind::kTwoServers:
      store_ = delayed_store(clock_);
      open(std::make_unique<StoreRelay>(*store_), options);
      open(std::make_unique<StoreRelay>(*store_), {.background_thread = false});
      break;
    case StoreKind::kDisk:
      open(disk_store(directory_.path(), clock_), options);
      break;
  }
}

Database& SharedDatabase::operator*() { return *databases_[thread_number % databases_.size()]; }

void run_threads(uint32_t count, const std::function<void(uint32_t)>& work) {
  std::barrier start(static_cast<std::ptrdiff_t>(count));
  std::vector<std::thread> threads;
  for (uint32_t thread = 0; thread < count; ++thread) {
    threads.emplace_back([&, thread] {
      thread_number = thread;
      start.arrive_and_wait();
      work(thread);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

uint32_t scaled(uint32_t operations, StoreKind kind) {
  const char* text = std::getenv("SHEAF_TEST_ROUNDS");
  const uint32_t rounds = text == nullptr ? 1 : static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
  const bool slow = kind == StoreKind::kDelayed || kind == StoreKind::kTwoServers;
  return operations * std::max(1u, rounds) / (slow ? 5 : 1);
}

std::vector<Item> scan_all(Database& database, const std::string& table,
                           const std::optional<std::string>& index) {
  std::vector<Item> items;
  Scan scan{.table = table, .index = index};
  do {
    const Result<Page> page = database.scan(scan);
    if (!page.ok()) {
      ADD_FAILURE() << page.error().message;
      return items;
    }
    for (size_t i = 0; i < page->items.size(); ++i) items.emplace_back(page->items[i]);
    scan.start_key = page->last_key;
  } while (scan.start_key);
  return items;
}

}  // namespace sheaf::programs
