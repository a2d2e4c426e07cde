// A Database over any store and any clock: what Database::open makes, what the server serves, and what tests
// open over stores of their own.
#pragma once

#include <memory>
#include <mutex>

#include "sheaf/database.h"

#include "api/table_writers.h"
#include "base/clock.h"
#include "engine/engine.h"
#include "store/store.h"

namespace sheaf::api {

class BackgroundThread;

class LocalDatabase final : public Database {
 public:
  // `clock` must outlive the database.
  LocalDatabase(std::unique_ptr<store::Store> store, const Clock& clock, const OpenOptions& options);
  ~LocalDatabase() override;

  // For what the public interface has no room for: answers on a loop.
  engine::Engine& engine() { return engine_; }
  // There is background work to do.
  void wake();
  // Tables that only one may write, which whoever lets others in must ask. Empty until they were read once;
  // from then on as the tags are.
  const TableWriters& writers() const { return writers_; }
  Result<void> read_writers();

  Result<TableDescription> create_table(const CreateTable& request) override;
  Result<TableDescription> describe_table(std::string_view table) override;
  Result<std::vector<std::string>> list_tables() override;
  Result<TableDescription> update_table(const UpdateTable& request) override;
  Result<TableDescription> delete_table(std::string_view table) override;
  Result<void> update_time_to_live(std::string_view table, const std::string& attribute,
                                   bool enabled) override;
  Result<void> tag_table(std::string_view table, const std::map<std::string, std::string>& tags) override;
  Result<void> untag_table(std::string_view table, const std::vector<std::string>& keys) override;
  Result<ContributorInsights> update_contributor_insights(const UpdateContributorInsights& request) override;
  Result<ContributorInsights> describe_contributor_insights(
      const DescribeContributorInsights& request) override;
  Result<std::vector<ContributorInsights>> list_contributor_insights(std::string_view table) override;

  Result<Written> put_item(const PutItem& request) override;
  Result<Written> update_item(const UpdateItem& request) override;
  Result<Written> delete_item(const DeleteItem& request) override;
  Result<Got> get_item(const GetItem& request) override;
  Result<Page> query(const Query& request) override;
  Result<Page> scan(const Scan& request) override;
  Result<BatchGot> batch_get_items(const BatchGetItems& request) override;
  Result<BatchWritten> batch_write_items(const BatchWriteItems& request) override;
  Result<TransactWritten> transact_write_items(const TransactWriteItems& request) override;
  Result<TransactGot> transact_get_items(const TransactGetItems& request) override;

  Result<StatementDone> execute_statement(const ExecuteStatement& request) override;
  Result<BatchStatementsDone> batch_execute_statement(const BatchExecuteStatement& request) override;
  Result<TransactionDone> execute_transaction(const ExecuteTransaction& request) override;

  Result<CollectionSize> collection_size(std::string_view table, const Item& partition_key) override;
  Result<HeatReport> heat(const AskHeat& request) override;
  Result<StreamRead> read_stream(const ReadStream& request) override;
  StreamPosition newest_position() override;

  Result<bool> run_background_work() override;
  Result<void> checkpoint(const std::string& directory) override;

 private:
  void learn_writer(std::string_view table);

  const std::unique_ptr<store::Store> store_;
  engine::Engine engine_;
  std::mutex tagging_;
  TableWriters writers_;
  std::unique_ptr<BackgroundThread> background_;  // last: it uses the others
};

// `clock` must outlive the database.
std::unique_ptr<Database> make_local_database(std::unique_ptr<store::Store> store, const Clock& clock,
                                              const OpenOptions& options);

}  // namespace sheaf::api
