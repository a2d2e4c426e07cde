// A Database that is elsewhere.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sheaf/database.h"
#include "sheaf/remote_database.h"

#include "remote/client.h"
#include "remote/stream_reader.h"
#include "remote/table_answers.h"

namespace sheaf::remote {

// What include/sheaf/remote_database.h promises of a remote database.
class RemoteDatabase final : public Database {
 public:
  // As sheaf::connect. Where there is something to wait for, `sleep` waits; empty: the calling thread sleeps.
  static Result<std::unique_ptr<RemoteDatabase>> connect(const Endpoint& endpoint, Sleep sleep = {});
  // Over another transport; `clock` must outlive the database.
  RemoteDatabase(std::unique_ptr<Transport> transport, ClientOptions options, const Clock* clock = nullptr);

  // About ten calls, none of which changes anything.
  Result<Capabilities> capabilities();

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
  Result<StreamRead> read_stream(const ReadStream& request) override;
  StreamPosition newest_position() override;

  Result<bool> run_background_work() override;
  Result<void> checkpoint(const std::string& directory) override;

 private:
  enum class Seen : uint8_t { kNothing, kCapacity, kNoCapacity };

  template <typename Request>
  Result<Written> write(std::string_view operation, const Request& request, Doing doing);
  template <typename Read>
  auto read_items(std::string_view operation, const std::string& body, Read read)
      -> decltype(read(std::declval<Json>()));
  void note_capacity(const Answer& answer);

  Result<DescribedTable> describe(std::string_view table);
  Result<TableDescription> describe_fully(DescribedTable described);
  Result<void> add_tags(const std::string& arn, TableDescription& table);
  // A new table with all of its indexes; or changed settings, but not indexes, which take their time.
  enum class Awaited : uint8_t { kTable, kSettings };
  Result<TableDescription> describe_when_ready(std::string_view table, Awaited awaited);
  Result<UpdateTable> with_all_units(const UpdateTable& request);

  const SystemClock system_clock_;
  const Clock& clock_;
  Client client_;
  StreamReader streams_;
  std::atomic<Seen> seen_ = Seen::kNothing;
};

}  // namespace sheaf::remote
