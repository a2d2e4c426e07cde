#include "api/local_database.h"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "api/item_reads.h"
#include "api/item_writes.h"
#include "api/queries.h"
#include "api/stream_requests.h"
#include "api/table_checks.h"
#include "api/table_requests.h"
#include "api/transactions.h"
#include "base/try.h"
#include "engine/collection_watch.h"
#include "engine/jobs.h"
#include "engine/streams.h"
#include "engine/tables.h"

namespace sheaf::api {
namespace {

constexpr std::string_view kJobOwner = "embedded";
constexpr std::chrono::milliseconds kJobPeriod{500};

engine::EngineOptions to_engine_options(const OpenOptions& options) {
  return {.collection_bytes_max = options.collection_bytes_max,
          .collection_bytes_warning = options.collection_bytes_warning,
          .collection_items_warning = options.collection_items_warning,
          .on_collection_warning = options.on_collection_warning};
}

// The thread that does background work: whenever it is woken, and from time to time.
class BackgroundThread {
 public:
  explicit BackgroundThread(engine::Engine& engine) : engine_(engine), thread_([this] { run(); }) {}
  ~BackgroundThread() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
      woken_.notify_all();
    }
    thread_.join();
  }
  BackgroundThread(const BackgroundThread&) = delete;
  BackgroundThread& operator=(const BackgroundThread&) = delete;

  void wake() {
    std::lock_guard lock(mutex_);
    awake_ = true;
    woken_.notify_all();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      awake_ = false;
      lock.unlock();
      // A failed round is tried again at the next: its jobs are rows of the store, and stay until they are
      // done.
      const Result<bool> more = engine::run_jobs(engine_, kJobOwner);
      lock.lock();
      if (more.ok() && *more) continue;
      woken_.wait_for(lock, kJobPeriod, [this] { return stopping_ || awake_; });
    }
  }

  engine::Engine& engine_;
  std::mutex mutex_;
  std::condition_variable woken_;
  bool awake_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

class LocalDatabase final : public Database {
 public:
  LocalDatabase(std::unique_ptr<store::Store> store, const Clock& clock, const OpenOptions& options)
      : store_(std::move(store)), engine_(*store_, clock, to_engine_options(options)) {
    if (options.background_thread) background_.emplace(engine_);
  }

  Result<TableDescription> create_table(const CreateTable& request) override {
    return api::create_table(engine_, request);
  }
  Result<TableDescription> describe_table(std::string_view table) override {
    return api::describe_table(engine_, table);
  }
  Result<std::vector<std::string>> list_tables() override {
    return TRY(engine_.catalog.list("", UINT32_MAX)).names;
  }
  Result<TableDescription> update_table(const UpdateTable& request) override {
    return waking(api::update_table(engine_, request));
  }
  Result<TableDescription> delete_table(std::string_view table) override {
    return waking(api::delete_table(engine_, table));
  }
  Result<void> update_time_to_live(std::string_view table, const std::string& attribute,
                                   bool enabled) override {
    TRY(check_ttl_attribute(attribute));
    TRY(waking(engine::update_ttl(engine_, table, attribute, enabled)));
    return {};
  }
  Result<void> tag_table(std::string_view table, const std::map<std::string, std::string>& tags) override {
    TRY(engine::add_tags(engine_, table, tags));
    return {};
  }
  Result<void> untag_table(std::string_view table, const std::vector<std::string>& keys) override {
    TRY(engine::remove_tags(engine_, table, keys));
    return {};
  }

  Result<Written> put_item(const PutItem& request) override { return api::put_item(engine_, request); }
  Result<Written> update_item(const UpdateItem& request) override {
    return api::update_item(engine_, request);
  }
  Result<Written> delete_item(const DeleteItem& request) override {
    return api::delete_item(engine_, request);
  }
  Result<Got> get_item(const GetItem& request) override { return api::get_item(engine_, request); }
  Result<Page> query(const Query& request) override { return api::query(engine_, request); }
  Result<Page> scan(const Scan& request) override { return api::scan(engine_, request); }
  Result<BatchGot> batch_get_items(const BatchGetItems& request) override {
    return api::batch_get_items(engine_, request);
  }
  Result<BatchWritten> batch_write_items(const BatchWriteItems& request) override {
    return api::batch_write_items(engine_, request);
  }
  Result<TransactWritten> transact_write_items(const TransactWriteItems& request) override {
    return api::transact_write_items(engine_, request);
  }
  Result<TransactGot> transact_get_items(const TransactGetItems& request) override {
    return api::transact_get_items(engine_, request);
  }
  Result<CollectionSize> collection_size(std::string_view table, const Item& partition_key) override {
    return api::collection_size(engine_, table, partition_key);
  }
  Result<StreamRead> read_stream(const ReadStream& request) override {
    return api::read_stream(engine_, request);
  }
  StreamPosition newest_position() override { return engine::newest_position(engine_); }

  Result<bool> run_background_work() override { return engine::run_jobs(engine_, kJobOwner); }
  Result<void> checkpoint(const std::string& directory) override { return store_->checkpoint(directory); }

 private:
  // The change left work behind.
  template <typename T>
  Result<T> waking(Result<T> result) {
    if (background_) background_->wake();
    return result;
  }

  const std::unique_ptr<store::Store> store_;
  engine::Engine engine_;
  std::optional<BackgroundThread> background_;  // last: it uses the others
};

}  // namespace

std::unique_ptr<Database> make_local_database(std::unique_ptr<store::Store> store, const Clock& clock,
                                              const OpenOptions& options) {
  return std::make_unique<LocalDatabase>(std::move(store), clock, options);
}

}  // namespace sheaf::api
