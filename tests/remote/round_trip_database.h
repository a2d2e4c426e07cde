// A database that is asked in DynamoDB's JSON for everything that DynamoDB has; the rest it is asked in
// process, and so are the figures that the protocol rounds or does not tell. Whatever was written to test a
// Database also tests the way there and back.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "sheaf/database.h"

#include "api/local_database.h"
#include "remote/round_trip_fixture.h"

namespace sheaf::remote {

class RoundTripDatabase final : public Database {
 public:
  explicit RoundTripDatabase(OpenOptions options) : trip_(std::move(options)) {}
  // With a clock that outlives it.
  RoundTripDatabase(OpenOptions options, ManualClock& clock) : trip_(std::move(options), clock) {}

  Result<TableDescription> create_table(const CreateTable& request) override {
    return as_declared(remote_->create_table(request));
  }
  Result<TableDescription> describe_table(std::string_view table) override {
    return as_declared(remote_->describe_table(table));
  }
  Result<std::vector<std::string>> list_tables() override { return remote_->list_tables(); }
  Result<TableDescription> update_table(const UpdateTable& request) override {
    return as_declared(remote_->update_table(request));
  }
  Result<TableDescription> delete_table(std::string_view table) override {
    // Of a table that goes little more is told than that it does.
    const Result<TableDescription> deleted = remote_->delete_table(table);
    if (!deleted.ok() || deleted->status != TableStatus::kDeleting) return deleted;
    return trip_.local.describe_table(table);
  }
  Result<void> update_time_to_live(std::string_view table, const std::string& attribute,
                                   bool enabled) override {
    return remote_->update_time_to_live(table, attribute, enabled);
  }
  Result<void> tag_table(std::string_view table, const std::map<std::string, std::string>& tags) override {
    return remote_->tag_table(table, tags);
  }
  Result<void> untag_table(std::string_view table, const std::vector<std::string>& keys) override {
    return remote_->untag_table(table, keys);
  }
  Result<ContributorInsights> update_contributor_insights(const UpdateContributorInsights& request) override {
    return remote_->update_contributor_insights(request);
  }
  Result<ContributorInsights> describe_contributor_insights(
      const DescribeContributorInsights& request) override {
    return remote_->describe_contributor_insights(request);
  }
  Result<std::vector<ContributorInsights>> list_contributor_insights(std::string_view table) override {
    return remote_->list_contributor_insights(table);
  }
  Result<Written> put_item(const PutItem& request) override {
    return with_figures(request.table, remote_->put_item(request));
  }
  Result<Written> update_item(const UpdateItem& request) override {
    return with_figures(request.table, remote_->update_item(request));
  }
  Result<Written> delete_item(const DeleteItem& request) override {
    return with_figures(request.table, remote_->delete_item(request));
  }
  Result<Got> get_item(const GetItem& request) override { return remote_->get_item(request); }
  Result<Page> query(const Query& request) override { return remote_->query(request); }
  Result<Page> scan(const Scan& request) override { return remote_->scan(request); }
  Result<BatchGot> batch_get_items(const BatchGetItems& request) override {
    return remote_->batch_get_items(request);
  }
  Result<BatchWritten> batch_write_items(const BatchWriteItems& request) override {
    return with_figures(remote_->batch_write_items(request));
  }
  Result<TransactWritten> transact_write_items(const TransactWriteItems& request) override {
    return with_figures(remote_->transact_write_items(request));
  }
  Result<TransactGot> transact_get_items(const TransactGetItems& request) override {
    Result<TransactGot> got = remote_->transact_get_items(request);
    if (!got.ok() || got->items.size() != request.gets.size()) return got;
    // An item of which nothing was asked for is told like one that is not there.
    for (size_t i = 0; i < request.gets.size(); ++i) {
      GetItem whole = request.gets[i];
      whole.projection.reset();
      whole.names.clear();
      const bool is_there = !got->items[i] && trip_.local.get_item(whole)->item;
      if (is_there) got->items[i] = Item();
    }
    return got;
  }
  Result<StatementDone> execute_statement(const ExecuteStatement& request) override {
    return remote_->execute_statement(request);
  }
  Result<BatchStatementsDone> batch_execute_statement(const BatchExecuteStatement& request) override {
    return remote_->batch_execute_statement(request);
  }
  Result<TransactionDone> execute_transaction(const ExecuteTransaction& request) override {
    return remote_->execute_transaction(request);
  }
  Result<StreamRead> read_stream(const ReadStream& request) override { return remote_->read_stream(request); }

  Result<CollectionSize> collection_size(std::string_view table, const Item& partition_key) override {
    return trip_.local.collection_size(table, partition_key);
  }
  StreamPosition newest_position() override { return trip_.local.newest_position(); }
  Result<bool> run_background_work() override { return trip_.local.run_background_work(); }
  Result<void> checkpoint(const std::string& directory) override { return trip_.local.checkpoint(directory); }

 private:
  // The attributes of an index come back sorted, and a table that goes is told without its indexes.
  Result<TableDescription> as_declared(Result<TableDescription> described) {
    if (!described.ok()) return described;
    const Result<TableDescription> here = trip_.local.describe_table(described->name);
    if (here.ok() && described->status == TableStatus::kDeleting) return here;
    if (!here.ok() || here->indexes.size() != described->indexes.size()) return described;
    for (size_t i = 0; i < here->indexes.size(); ++i) {
      std::vector<std::string> sorted = here->indexes[i].included;
      std::sort(sorted.begin(), sorted.end());
      if (sorted == described->indexes[i].included)
        described->indexes[i].included = here->indexes[i].included;
    }
    return described;
  }
  void measure(const std::string& table, CollectionMetrics& collection) {
    const Result<CollectionSize> size = trip_.local.collection_size(table, collection.partition_key);
    if (size.ok()) collection.size_bytes = size->size_bytes;
  }
  Result<Written> with_figures(const std::string& table, Result<Written> written) {
    if (!written.ok()) return written;
    if (!written->condition_met) written->capacity = trip_.consumed();
    if (written->collection) measure(table, *written->collection);
    return written;
  }
  template <typename Many>
  Result<Many> with_figures(Result<Many> written) {
    if (!written.ok()) return written;
    for (auto& [table, collections] : written->collections) {
      for (CollectionMetrics& collection : collections) measure(table, collection);
    }
    return written;
  }

  RoundTrip trip_;
  std::unique_ptr<RemoteDatabase> remote_ = trip_.remote();
};

}  // namespace sheaf::remote
