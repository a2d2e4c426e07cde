// A database for item collections, in a directory or in memory, inside this process.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/heat.h"
#include "sheaf/request.h"
#include "sheaf/result.h"
#include "sheaf/statement.h"
#include "sheaf/stream.h"
#include "sheaf/table.h"

namespace sheaf {

struct OpenOptions {
  // An acknowledged write survives power loss. Without this it survives a crash of the process, but the last
  // moments may be lost when the machine goes down; what remains is consistent either way.
  bool durable = true;
  // For the block cache and the write buffers together.
  uint64_t memory_bytes = uint64_t{256} << 20;
  // Background work (filling indexes, expiring items, removing deleted tables) runs on a thread of the
  // database. Without it, call run_background_work yourself.
  bool background_thread = true;

  // Holds tables and global indexes to their throughput, as DynamoDB does: the units that are provisioned, or
  // the maxima of those on demand, with bursts of 300 seconds. Requests beyond it fail with
  // kThroughputExceeded or kThrottled; the second line of the message has the reason and the resource, whose
  // name begins with `resource_prefix`. Transactions are no errors then: they are not applied, and the
  // reasons of their actions say which of them were throttled, without that second line.
  bool throttle = false;
  // Holds each partition to DynamoDB's 3,000 reads and 1,000 writes a second, and splits those that stay hot.
  bool throttle_partitions = false;
  std::string resource_prefix = "arn:aws:dynamodb:us-east-1:000000000000:";

  // Counts which keys are read and written most, for heat().
  bool heat = false;

  // Reads that may be late, as on AWS. Of the tables in `index_lags`, reads of global indexes see a change
  // only some time after it was acknowledged; of those in `read_lags`, eventually consistent reads of the
  // table and of its local indexes do. All other reads see it at once. Every change has a time of its own,
  // drawn from `lag_seed`; changes of one item are seen in their order. A lag that is below zero, above
  // kLagMax or ends before it begins, or a table that is named twice: `open` returns kInvalid, and
  // `open_in_memory` must not be given one.
  std::vector<Lag> index_lags;
  std::vector<Lag> read_lags;
  uint64_t lag_seed = 1;

  // Item collections of tables with a local index may not grow past this. Where one grows past four fifths
  // of it, or one of any table past one of the two others, on_collection_warning is called, once for each,
  // from the thread that wrote. It must not call the database.
  int64_t collection_bytes_max = int64_t{10} << 30;
  int64_t collection_bytes_warning = int64_t{1} << 30;
  int64_t collection_items_warning = 10'000;
  std::function<void(const CollectionWarning&)> on_collection_warning;
};

// All members are thread-safe. Every call returns when its work is done; a write, when it is durable. Errors
// carry DynamoDB's messages; see Code for what to do about them.
class Database {
 public:
  // Opens the database in `directory`, or makes one there if it does not exist or is empty. One process at a
  // time: kBusy if it is open already. kNewerFormat if a newer version wrote it.
  static Result<std::unique_ptr<Database>> open(const std::string& directory,
                                                const OpenOptions& options = {});
  // A database that is gone when it is closed.
  static std::unique_ptr<Database> open_in_memory(const OpenOptions& options = {});

  // Finishes what was begun.
  virtual ~Database() = default;

  virtual Result<TableDescription> create_table(const CreateTable& request) = 0;
  virtual Result<TableDescription> describe_table(std::string_view table) = 0;
  // Names in order.
  virtual Result<std::vector<std::string>> list_tables() = 0;
  virtual Result<TableDescription> update_table(const UpdateTable& request) = 0;
  // The table can no longer be used; its items are removed in the background, and then its name is free. Not
  // while one of its indexes is being made or removed.
  virtual Result<TableDescription> delete_table(std::string_view table) = 0;
  // Deletes items whose number `attribute`, in seconds since 1970, lies in the past. Off: pass the same
  // attribute.
  virtual Result<void> update_time_to_live(std::string_view table, const std::string& attribute,
                                           bool enabled) = 0;
  virtual Result<void> tag_table(std::string_view table, const std::map<std::string, std::string>& tags) = 0;
  virtual Result<void> untag_table(std::string_view table, const std::vector<std::string>& keys) = 0;

  // Contributor Insights, which tables and global indexes have each for themselves, and lose when they are
  // deleted. To turn on what is on in that mode, or off what is off, changes nothing. What is being made or
  // deleted cannot be turned on: kInvalid.
  virtual Result<ContributorInsights> update_contributor_insights(
      const UpdateContributorInsights& request) = 0;
  virtual Result<ContributorInsights> describe_contributor_insights(
      const DescribeContributorInsights& request) = 0;
  // Those that are on, of one table or, if it is empty, of all: by table, its own before those of its
  // indexes, which go by name. Without their rules and times.
  virtual Result<std::vector<ContributorInsights>> list_contributor_insights(std::string_view table) = 0;

  virtual Result<Written> put_item(const PutItem& request) = 0;
  virtual Result<Written> update_item(const UpdateItem& request) = 0;
  virtual Result<Written> delete_item(const DeleteItem& request) = 0;
  virtual Result<Got> get_item(const GetItem& request) = 0;
  virtual Result<Page> query(const Query& request) = 0;
  virtual Result<Page> scan(const Scan& request) = 0;
  virtual Result<BatchGot> batch_get_items(const BatchGetItems& request) = 0;
  virtual Result<BatchWritten> batch_write_items(const BatchWriteItems& request) = 0;
  // Of a transaction that is not applied, because of a condition or of throttling, the answer tells why.
  virtual Result<TransactWritten> transact_write_items(const TransactWriteItems& request) = 0;
  virtual Result<TransactGot> transact_get_items(const TransactGetItems& request) = 0;

  // PartiQL.
  virtual Result<StatementDone> execute_statement(const ExecuteStatement& request) = 0;
  virtual Result<BatchStatementsDone> batch_execute_statement(const BatchExecuteStatement& request) = 0;
  virtual Result<TransactionDone> execute_transaction(const ExecuteTransaction& request) = 0;

  // Items and bytes of one item collection. For tables with a sort key.
  virtual Result<CollectionSize> collection_size(std::string_view table, const Item& partition_key) = 0;

  // Which keys of a table or index are read and written most, and what that says. kInvalid where it is not
  // counted (OpenOptions::heat), or not known, as of a database elsewhere.
  virtual Result<HeatReport> heat(const AskHeat& request);

  // Records of one shard of a stream. kTrimmed if the position lies more than 24 hours back.
  virtual Result<StreamRead> read_stream(const ReadStream& request) = 0;
  // Where records will appear that are written from now on.
  virtual StreamPosition newest_position() = 0;

  // One round of background work; true if there is more to do now.
  virtual Result<bool> run_background_work() = 0;
  // Writes a copy that can be opened as a database of its own into `directory`, which must not exist.
  virtual Result<void> checkpoint(const std::string& directory) = 0;
};

}  // namespace sheaf
