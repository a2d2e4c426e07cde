// Any body for any operation: it is answered exactly once, with JSON, and breaks nothing.
#include <cstdlib>
#include <string>

#include "store/memory_store.h"
#include "wire/operation.h"

namespace sheaf::wire {
namespace {

constexpr const char* kTargets[] = {"DynamoDB_20120810.PutItem",
                                    "DynamoDB_20120810.GetItem",
                                    "DynamoDB_20120810.UpdateItem",
                                    "DynamoDB_20120810.DeleteItem",
                                    "DynamoDB_20120810.Query",
                                    "DynamoDB_20120810.Scan",
                                    "DynamoDB_20120810.BatchGetItem",
                                    "DynamoDB_20120810.BatchWriteItem",
                                    "DynamoDB_20120810.TransactGetItems",
                                    "DynamoDB_20120810.TransactWriteItems",
                                    "DynamoDB_20120810.CreateTable",
                                    "DynamoDB_20120810.UpdateTable",
                                    "DynamoDB_20120810.DescribeTable",
                                    "DynamoDB_20120810.ListTables",
                                    "DynamoDB_20120810.TagResource",
                                    "DynamoDB_20120810.UpdateTimeToLive",
                                    "DynamoDB_20120810.UpdateContributorInsights",
                                    "DynamoDB_20120810.DescribeContributorInsights",
                                    "DynamoDB_20120810.ListContributorInsights",
                                    "DynamoDBStreams_20120810.DescribeStream",
                                    "DynamoDBStreams_20120810.GetShardIterator",
                                    "DynamoDBStreams_20120810.GetRecords",
                                    "DynamoDBStreams_20120810.ListStreams"};

// With one table, "abc", of the key (pk, sk).
class Target {
 public:
  Target() : database_(store::open_memory_store(clock_), clock_, OpenOptions{.background_thread = false}) {
    const CreateTable table{.table = "abc",
                            .key = {.partition = {{"pk", Type::kString}}, .sort = {{"sk", Type::kNumber}}},
                            .global_indexes = {{.name = "gsi", .key = {.partition = {{"g", Type::kString}}}}},
                            .stream = StreamView::kNewAndOldImages};
    if (!database_.create_table(table).ok()) std::abort();
  }

  void ask(const Operation& operation, std::string_view body) {
    std::string padded(body);
    padded.append(simdjson::SIMDJSON_PADDING, '\0');
    int answers = 0;
    BlockingLoop loop;
    run(operation, std::string_view(padded).substr(0, body.size()),
        {.database = database_, .account = account_, .loop = loop, .done = [&](Answer answer) {
           ++answers;
           simdjson::dom::parser parser;
           if (parser.parse(answer.body).error() != simdjson::SUCCESS) std::abort();
           if ((answer.status == 200) != answer.error.empty()) std::abort();
         }});
    loop.run_until([&] { return answers > 0; });
    if (answers != 1) std::abort();
  }

 private:
  ManualClock clock_{int64_t{1'800'000'000} * 1'000'000};
  const Account account_;
  api::LocalDatabase database_;
};

}  // namespace
}  // namespace sheaf::wire

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf::wire;
  if (size == 0) return 0;
  static size_t runs = 0;
  static std::unique_ptr<Target> target;
  // Made anew from time to time, so that what was written does not pile up.
  if (!target || ++runs % 1000 == 0) target = std::make_unique<Target>();
  const Operation* const operation = find_operation(kTargets[data[0] % std::size(kTargets)]);
  target->ask(*operation, {reinterpret_cast<const char*>(data + 1), size - 1});
  return 0;
}
