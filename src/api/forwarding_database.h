// A database that hands every call on; what derives from it looks at some of them.
#pragma once

#include "sheaf/database.h"

namespace sheaf {

class ForwardingDatabase : public Database {
 public:
  explicit ForwardingDatabase(Database& inner) : inner_(inner) {}

  Result<TableDescription> create_table(const CreateTable& request) override {
    return inner_.create_table(request);
  }
  Result<TableDescription> describe_table(std::string_view table) override {
    return inner_.describe_table(table);
  }
  Result<std::vector<std::string>> list_tables() override { return inner_.list_tables(); }
  Result<TableDescription> update_table(const UpdateTable& request) override {
    return inner_.update_table(request);
  }
  Result<TableDescription> delete_table(std::string_view table) override {
    return inner_.delete_table(table);
  }
  Result<void> update_time_to_live(std::string_view table, const std::string& attribute,
                                   bool enabled) override {
    return inner_.update_time_to_live(table, attribute, enabled);
  }
  Result<void> tag_table(std::string_view table, const std::map<std::string, std::string>& tags) override {
    return inner_.tag_table(table, tags);
  }
  Result<void> untag_table(std::string_view table, const std::vector<std::string>& keys) override {
    return inner_.untag_table(table, keys);
  }
  Result<ContributorInsights> update_contributor_insights(const UpdateContributorInsights& request) override {
    return inner_.update_contributor_insights(request);
  }
  Result<ContributorInsights> describe_contributor_insights(
      const DescribeContributorInsights& request) override {
    return inner_.describe_contributor_insights(request);
  }
  Result<std::vector<ContributorInsights>> list_contributor_insights(std::string_view table) override {
    return inner_.list_contributor_insights(table);
  }
  Result<Written> put_item(const PutItem& request) override { return inner_.put_item(request); }
  Result<Written> update_item(const UpdateItem& request) override { return inner_.update_item(request); }
  Result<Written> delete_item(const DeleteItem& request) override { return inner_.delete_item(request); }
  Result<Got> get_item(const GetItem& request) override { return inner_.get_item(request); }
  Result<Page> query(const Query& request) override { return inner_.query(request); }
  Result<Page> scan(const Scan& request) override { return inner_.scan(request); }
  Result<BatchGot> batch_get_items(const BatchGetItems& request) override {
    return inner_.batch_get_items(request);
  }
  Result<BatchWritten> batch_write_items(const BatchWriteItems& request) override {
    return inner_.batch_write_items(request);
  }
  Result<TransactWritten> transact_write_items(const TransactWriteItems& request) override {
    return inner_.transact_write_items(request);
  }
  Result<TransactGot> transact_get_items(const TransactGetItems& request) override {
    return inner_.transact_get_items(request);
  }
  Result<StatementDone> execute_statement(const ExecuteStatement& request) override {
    return inner_.execute_statement(request);
  }
  Result<BatchStatementsDone> batch_execute_statement(const BatchExecuteStatement& request) override {
    return inner_.batch_execute_statement(request);
  }
  Result<TransactionDone> execute_transaction(const ExecuteTransaction& request) override {
    return inner_.execute_transaction(request);
  }
  Result<CollectionSize> collection_size(std::string_view table, const Item& partition_key) override {
    return inner_.collection_size(table, partition_key);
  }
  Result<HeatReport> heat(const AskHeat& request) override { return inner_.heat(request); }
  Result<StreamRead> read_stream(const ReadStream& request) override { return inner_.read_stream(request); }
  StreamPosition newest_position() override { return inner_.newest_position(); }
  Result<bool> run_background_work() override { return inner_.run_background_work(); }
  Result<void> checkpoint(const std::string& directory) override { return inner_.checkpoint(directory); }

 protected:
  Database& inner_;
};

}  // namespace sheaf
