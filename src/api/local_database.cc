#include "api/local_database.h"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "api/contributor_insights.h"
#include "api/heat_report.h"
#include "api/item_reads.h"
#include "api/item_writes.h"
#include "api/queries.h"
#include "api/selects.h"
#include "api/statements.h"
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
          .on_collection_warning = options.on_collection_warning,
          .throttle = {.throughput = options.throttle,
                       .partitions = options.throttle_partitions,
                       .resource_prefix = options.resource_prefix},
          .heat = options.heat,
          .index_lags = options.index_lags,
          .read_lags = options.read_lags,
          .lag_seed = options.lag_seed};
}

}  // namespace

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

LocalDatabase::LocalDatabase(std::unique_ptr<store::Store> store, const Clock& clock,
                             const OpenOptions& options)
    : store_(std::move(store)), engine_(*store_, clock, to_engine_options(options)) {
  if (options.background_thread) background_ = std::make_unique<BackgroundThread>(engine_);
}

LocalDatabase::~LocalDatabase() = default;

void LocalDatabase::wake() {
  if (background_) background_->wake();
}

// Called with `tagging_` held, so that what was learned last is what is so.
void LocalDatabase::learn_writer(std::string_view table) {
  const Result<engine::TableRef> found = engine_.catalog.find(table);
  if (found.ok()) {
    writers_.learn(table, (*found)->settings.tags);
  } else {
    writers_.forget(table);
  }
}

Result<void> LocalDatabase::read_writers() {
  const std::vector<std::string> tables = TRY(list_tables());
  std::lock_guard lock(tagging_);
  for (const std::string& table : tables) learn_writer(table);
  return {};
}

Result<TableDescription> LocalDatabase::create_table(const CreateTable& request) {
  if (!request.tags.contains(std::string(kWriterTag))) return api::create_table(engine_, request);
  std::lock_guard lock(tagging_);
  Result<TableDescription> created = api::create_table(engine_, request);
  learn_writer(request.table);
  return created;
}

Result<TableDescription> LocalDatabase::describe_table(std::string_view table) {
  return api::describe_table(engine_, table);
}

Result<std::vector<std::string>> LocalDatabase::list_tables() {
  return TRY(engine_.catalog.list("", UINT32_MAX)).names;
}

Result<TableDescription> LocalDatabase::update_table(const UpdateTable& request) {
  Result<TableDescription> updated = api::update_table(engine_, request);
  wake();
  return updated;
}

Result<TableDescription> LocalDatabase::delete_table(std::string_view table) {
  Result<TableDescription> deleted = api::delete_table(engine_, table);
  if (!writers_.empty()) {
    std::lock_guard lock(tagging_);
    learn_writer(table);
  }
  wake();
  return deleted;
}

Result<void> LocalDatabase::update_time_to_live(std::string_view table, const std::string& attribute,
                                                bool enabled) {
  TRY(check_ttl_attribute(attribute));
  TRY(engine::update_ttl(engine_, table, attribute, enabled));
  wake();
  return {};
}

Result<void> LocalDatabase::tag_table(std::string_view table,
                                      const std::map<std::string, std::string>& tags) {
  std::lock_guard lock(tagging_);
  TRY(engine::add_tags(engine_, table, tags));
  learn_writer(table);
  return {};
}

Result<void> LocalDatabase::untag_table(std::string_view table, const std::vector<std::string>& keys) {
  std::lock_guard lock(tagging_);
  TRY(engine::remove_tags(engine_, table, keys));
  learn_writer(table);
  return {};
}

Result<ContributorInsights> LocalDatabase::update_contributor_insights(
    const UpdateContributorInsights& request) {
  return TRY(api::update_contributor_insights(engine_, request)).now;
}

Result<ContributorInsights> LocalDatabase::describe_contributor_insights(
    const DescribeContributorInsights& request) {
  return api::describe_contributor_insights(engine_, request);
}

Result<std::vector<ContributorInsights>> LocalDatabase::list_contributor_insights(std::string_view table) {
  return TRY(api::list_contributor_insights(engine_, {.table = std::string(table)})).insights;
}

Result<Written> LocalDatabase::put_item(const PutItem& request) {
  return await<Result<Written>>(
      [&](Loop& loop, WrittenDone done) { api::put_item(engine_, request, {}, loop, std::move(done)); });
}

Result<Written> LocalDatabase::update_item(const UpdateItem& request) {
  return await<Result<Written>>(
      [&](Loop& loop, WrittenDone done) { api::update_item(engine_, request, {}, loop, std::move(done)); });
}

Result<Written> LocalDatabase::delete_item(const DeleteItem& request) {
  return await<Result<Written>>(
      [&](Loop& loop, WrittenDone done) { api::delete_item(engine_, request, {}, loop, std::move(done)); });
}

Result<Got> LocalDatabase::get_item(const GetItem& request) {
  return api::get_item(engine_, request, {}, {});
}

Result<Page> LocalDatabase::query(const Query& request) { return api::query(engine_, request, {}, {}); }

Result<Page> LocalDatabase::scan(const Scan& request) { return api::scan(engine_, request, {}, {}); }

Result<BatchGot> LocalDatabase::batch_get_items(const BatchGetItems& request) {
  return api::batch_get_items(engine_, request, {}, {});
}

Result<BatchWritten> LocalDatabase::batch_write_items(const BatchWriteItems& request) {
  return await<Result<BatchWritten>>([&](Loop& loop, BatchWrittenDone done) {
    api::batch_write_items(engine_, request, loop, std::move(done));
  });
}

Result<TransactWritten> LocalDatabase::transact_write_items(const TransactWriteItems& request) {
  return await<Result<TransactWritten>>([&](Loop& loop, TransactWrittenDone done) {
    api::transact_write_items(engine_, request, loop, std::move(done));
  });
}

Result<TransactGot> LocalDatabase::transact_get_items(const TransactGetItems& request) {
  return api::transact_get_items(engine_, request, {});
}

Result<StatementDone> LocalDatabase::execute_statement(const ExecuteStatement& request) {
  TRY(check_limits(request));
  BoundStatement statement = TRY(bind_single(engine_, request.statement));
  if (statement.is_read()) return api::select(engine_, statement, request, {});
  return await<Result<StatementDone>>([&](Loop& loop, StatementWritten done) {
    api::execute_write(engine_, std::move(statement), request.statement.return_item_on_failure, loop,
                       std::move(done));
  });
}

Result<BatchStatementsDone> LocalDatabase::batch_execute_statement(const BatchExecuteStatement& request) {
  TRY(check_limits(request));
  BoundBatch batch = TRY(bind_batch(engine_, {request.statements.begin(), request.statements.end()}));
  if (batch.is_read) return api::read_batch(engine_, batch, {});
  return await<Result<BatchStatementsDone>>([&](Loop& loop, BatchStatementsWritten done) {
    api::write_batch(engine_, std::move(batch), loop, std::move(done));
  });
}

Result<TransactionDone> LocalDatabase::execute_transaction(const ExecuteTransaction& request) {
  TRY(check_limits(request));
  BoundTransaction transaction = TRY(bind_transaction(engine_, request));
  if (transaction.is_read) return api::read_transaction(engine_, transaction, {});
  return await<Result<TransactionDone>>([&](Loop& loop, TransactionWritten done) {
    api::write_transaction(engine_, std::move(transaction), loop, std::move(done));
  });
}

Result<CollectionSize> LocalDatabase::collection_size(std::string_view table, const Item& partition_key) {
  return api::collection_size(engine_, table, partition_key);
}

Result<HeatReport> LocalDatabase::heat(const AskHeat& request) { return heat_report(engine_, request); }

Result<StreamRead> LocalDatabase::read_stream(const ReadStream& request) {
  return api::read_stream(engine_, request, {});
}

StreamPosition LocalDatabase::newest_position() { return engine::newest_position(engine_); }

Result<bool> LocalDatabase::run_background_work() { return engine::run_jobs(engine_, kJobOwner); }

Result<void> LocalDatabase::checkpoint(const std::string& directory) { return store_->checkpoint(directory); }

std::unique_ptr<Database> make_local_database(std::unique_ptr<store::Store> store, const Clock& clock,
                                              const OpenOptions& options) {
  return std::make_unique<LocalDatabase>(std::move(store), clock, options);
}

}  // namespace sheaf::api
