#include "wire/operation.h"

#include <algorithm>
#include <memory>

#include "wire/absent_operations.h"
#include "wire/account_operations.h"
#include "wire/batch_operations.h"
#include "wire/contributor_insights.h"
#include "wire/create_table.h"
#include "wire/item_operations.h"
#include "wire/locked_tables.h"
#include "wire/query_operations.h"
#include "wire/statement_operations.h"
#include "wire/stream_operations.h"
#include "wire/table_operations.h"
#include "wire/table_shapes.h"
#include "wire/tags.h"
#include "wire/time_to_live.h"
#include "wire/transact_operations.h"
#include "wire/update_table.h"

namespace sheaf::wire {
namespace {

constexpr std::string_view kDynamoDb = "DynamoDB_20120810.";
constexpr std::string_view kStreams = "DynamoDBStreams_20120810.";

// A body is not read deeper than this: far beyond what an item may nest, far below what a stack can take.
constexpr size_t kJsonDepthMax = 512;
// Memory for larger bodies is given back.
constexpr size_t kParserBytesKept = 1 << 20;

const Operation kOperations[] = {
    {"BatchExecuteStatement", false, Effect::kWrite, kBatchExecuteStatementShape, batch_execute_statement},
    {"BatchGetItem", false, Effect::kRead, kBatchGetItemShape, batch_get_item},
    {"BatchWriteItem", false, Effect::kWrite, kBatchWriteItemShape, batch_write_item},
    {"CreateGlobalTable", false, Effect::kControl, kReplicationGroupShape, change_global_table},
    {"CreateTable", false, Effect::kControl, kCreateTableShape, create_table},
    {"DeleteBackup", false, Effect::kControl, kBackupShape, find_backup},
    {"DeleteItem", false, Effect::kWrite, kDeleteItemShape, delete_item},
    {"DeleteResourcePolicy", false, Effect::kControl, kGetPolicyShape, delete_resource_policy},
    {"DeleteTable", false, Effect::kControl, kDeleteTableShape, delete_table},
    {"DescribeBackup", false, Effect::kDescribe, kBackupShape, find_backup},
    {"DescribeContinuousBackups", false, Effect::kDescribe, kDescribeContinuousBackupsShape,
     describe_continuous_backups},
    {"DescribeContributorInsights", false, Effect::kDescribe, kDescribeContributorInsightsShape,
     describe_contributor_insights},
    {"DescribeEndpoints", false, Effect::kDescribe, kDescribeEndpointsShape, describe_endpoints},
    {"DescribeExport", false, Effect::kDescribe, kExportShape, find_export},
    {"DescribeGlobalTable", false, Effect::kDescribe, kGlobalTableShape, describe_global_table},
    {"DescribeGlobalTableSettings", false, Effect::kDescribe, kGlobalTableShape, global_table_settings},
    {"DescribeImport", false, Effect::kDescribe, kImportShape, find_import},
    {"DescribeKinesisStreamingDestination", false, Effect::kDescribe, kDescribeKinesisShape,
     describe_kinesis_destination},
    {"DescribeLimits", false, Effect::kDescribe, kDescribeLimitsShape, describe_limits},
    {"DescribeTable", false, Effect::kDescribe, kDescribeTableShape, describe_table},
    {"DescribeTableReplicaAutoScaling", false, Effect::kDescribe, kReplicaAutoScalingShape,
     replica_auto_scaling},
    {"DescribeTimeToLive", false, Effect::kDescribe, kDescribeTimeToLiveShape, describe_time_to_live},
    {"DisableKinesisStreamingDestination", false, Effect::kControl, kChangeKinesisShape,
     disable_kinesis_destination},
    {"EnableKinesisStreamingDestination", false, Effect::kControl, kChangeKinesisShape,
     enable_kinesis_destination},
    {"ExecuteStatement", false, Effect::kWrite, kExecuteStatementShape, execute_statement},
    {"ExecuteTransaction", false, Effect::kWrite, kExecuteTransactionShape, execute_transaction},
    {"GetItem", false, Effect::kRead, kGetItemShape, get_item},
    {"GetResourcePolicy", false, Effect::kDescribe, kGetPolicyShape, get_resource_policy},
    {"ListBackups", false, Effect::kDescribe, kListBackupsShape, list_backups},
    {"ListContributorInsights", false, Effect::kDescribe, kListContributorInsightsShape,
     list_contributor_insights},
    {"ListExports", false, Effect::kDescribe, kListExportsShape, list_exports},
    {"ListGlobalTables", false, Effect::kDescribe, kListGlobalTablesShape, list_global_tables},
    {"ListImports", false, Effect::kDescribe, kListImportsShape, list_imports},
    {"ListTables", false, Effect::kDescribe, kListTablesShape, list_tables},
    {"ListTagsOfResource", false, Effect::kDescribe, kListTagsOfResourceShape, list_tags_of_resource},
    {"PutItem", false, Effect::kWrite, kPutItemShape, put_item},
    {"PutResourcePolicy", false, Effect::kControl, kPutPolicyShape, put_resource_policy},
    {"Query", false, Effect::kRead, kQueryShape, query},
    {"Scan", false, Effect::kRead, kScanShape, scan},
    {"TagResource", false, Effect::kControl, kTagResourceShape, tag_resource},
    {"TransactGetItems", false, Effect::kRead, kTransactGetItemsShape, transact_get_items},
    {"TransactWriteItems", false, Effect::kWrite, kTransactWriteItemsShape, transact_write_items},
    {"UntagResource", false, Effect::kControl, kUntagResourceShape, untag_resource},
    {"UpdateContributorInsights", false, Effect::kControl, kUpdateContributorInsightsShape,
     update_contributor_insights},
    {"UpdateGlobalTable", false, Effect::kControl, kReplicaUpdatesShape, change_global_table},
    {"UpdateGlobalTableSettings", false, Effect::kControl, kGlobalTableShape, global_table_settings},
    {"UpdateItem", false, Effect::kWrite, kUpdateItemShape, update_item},
    {"UpdateKinesisStreamingDestination", false, Effect::kControl, kChangeKinesisShape,
     update_kinesis_destination},
    {"UpdateTable", false, Effect::kControl, kUpdateTableShape, update_table},
    {"UpdateTableReplicaAutoScaling", false, Effect::kControl, kReplicaAutoScalingShape,
     replica_auto_scaling},
    {"UpdateTimeToLive", false, Effect::kControl, kUpdateTimeToLiveShape, update_time_to_live},
    {"DescribeStream", true, Effect::kDescribe, kDescribeStreamShape, describe_stream},
    {"GetRecords", true, Effect::kRead, kGetRecordsShape, get_records},
    {"GetShardIterator", true, Effect::kDescribe, kGetShardIteratorShape, get_shard_iterator},
    {"ListStreams", true, Effect::kDescribe, kListStreamsShape, list_streams},
};

// What reading a request needs, kept from one to the next.
struct Scratch {
  simdjson::dom::parser parser;
  ItemReader reader;
};

Answer malformed(std::string_view text) { return exception("SerializationException", text); }

// What a control operation was about is told with its answer.
AnswerDone naming_table(AnswerDone done, Json json) {
  std::string_view name;
  if (json["TableName"].get(name) != simdjson::SUCCESS && json["ResourceArn"].get(name) != simdjson::SUCCESS)
    return done;
  return [done = std::move(done), table = std::string(table_of(name))](Answer answer) mutable {
    answer.table = std::move(table);
    done(std::move(answer));
  };
}

void answer_body(const Operation& operation, std::string_view body, Scratch& scratch, Call& call) {
  if (body.size() > scratch.parser.capacity() &&
      scratch.parser.allocate(std::max<size_t>(body.size(), 4096), kJsonDepthMax) != simdjson::SUCCESS)
    return call.done(malformed("the body is too large"));
  simdjson::dom::element json;
  if (scratch.parser.parse(body.data(), body.size(), false).get(json) != simdjson::SUCCESS)
    return call.done(malformed("Could not parse request body into json"));
  if (operation.effect == Effect::kControl) call.done = naming_table(std::move(call.done), json);
  const Result<void> checked = check_shape(json, operation.shape);
  if (!checked.ok()) return call.done(error_answer(checked.error()));
  if (std::optional<Answer> refused = refuse_locked(call, operation, json))
    return call.done(std::move(*refused));
  operation.run(std::move(call), Input(json, operation.shape, scratch.reader));
}

}  // namespace

const Operation* find_operation(std::string_view target) {
  const bool streams = target.starts_with(kStreams);
  if (!streams && !target.starts_with(kDynamoDb)) return nullptr;
  target.remove_prefix(streams ? kStreams.size() : kDynamoDb.size());
  const auto found = std::find_if(std::begin(kOperations), std::end(kOperations), [&](const Operation& each) {
    return each.name == target && each.streams == streams;
  });
  return found == std::end(kOperations) ? nullptr : &*found;
}

void run(const Operation& operation, std::string_view body, Call call) {
  static thread_local std::unique_ptr<Scratch> scratch;
  if (!scratch) scratch = std::make_unique<Scratch>();
  answer_body(operation, body, *scratch, call);
  if (scratch && body.size() > kParserBytesKept) scratch.reset();
}

}  // namespace sheaf::wire
