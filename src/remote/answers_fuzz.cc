// Whatever an endpoint answers, no reader of answers crashes or reads beyond them: of HTTP, and of each
// operation's JSON.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

#include "remote/contributor_insights.h"
#include "remote/exceptions.h"
#include "remote/http_answer.h"
#include "remote/item_answers.h"
#include "remote/stream_answers.h"
#include "remote/table_answers.h"

namespace sheaf::remote {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// The same in one piece as in pieces.
void parse_http(std::string_view bytes, size_t piece_bytes) {
  constexpr size_t kBodyBytesMax = 4096;
  HttpAnswerParser whole(kBodyBytesMax), pieces(kBodyBytesMax);
  const size_t taken = whole.feed(bytes);
  size_t fed = 0;
  while (fed < bytes.size()) {
    const std::string_view piece = bytes.substr(fed, piece_bytes);
    const size_t count = pieces.feed(piece);
    fed += count;
    if (count < piece.size()) break;
  }
  whole.end();
  pieces.end();
  require(whole.state() == pieces.state());
  require(whole.problem() == pieces.problem());
  if (whole.state() != HttpAnswerParser::State::kDone) return;
  require(taken == fed);
  require(whole.status() == pieces.status());
  require(whole.body() == pieces.body());
  require(whole.keeps_alive() == pieces.keeps_alive());
  require(whole.body().size() <= kBodyBytesMax);
}

// Reads it as the answer of an operation, or of all of them.
void read_json(const Json& json) {
  const Exception exception = read_exception(400, &json);
  (void)to_error(exception);
  (void)remedy_for(exception, &json);
  (void)read_written(json);
  (void)read_condition_failed(json);
  (void)read_got(json);
  (void)read_page(json);
  (void)read_batch_got(json);
  (void)read_batch_written(json);
  (void)read_transact_written(json);
  (void)read_transact_got(json);
  (void)read_cancellation(json, exception.message);
  (void)tells_capacity(json);
  (void)read_table(json, "Table");
  (void)read_table(json, "TableDescription");
  (void)read_table_names(json);
  (void)read_tags(json);
  (void)read_time_to_live(json);
  (void)read_insights(json);
  (void)read_insights_page(json);
  (void)read_streams(json);
  (void)read_shards(json);
  (void)read_records(json);
  (void)read_iterator(json);
}

// --- Changes.

// What endpoints answer; the first byte is how it is cut into pieces.
constexpr std::string_view kSamples[] = {
    "a"
    R"({"Items":[{"a":{"N":"1"},"m":{"M":{"b":{"B":"AAE="}}},"s":{"SS":["x","y"]}}],"Count":1,"ScannedCount":2,)"
    R"("LastEvaluatedKey":{"pk":{"S":"p"}},"ConsumedCapacity":{"TableName":"t","CapacityUnits":1.5,"Table":)"
    R"({"CapacityUnits":0.5},"GlobalSecondaryIndexes":{"i":{"CapacityUnits":1.0}}}})",
    "b"
    R"({"Attributes":{"a":{"BOOL":true}},"ItemCollectionMetrics":{"ItemCollectionKey":{"pk":{"S":"p"}},)"
    R"("SizeEstimateRangeGB":[0.0,1.0]}})",
    "c"
    R"({"Responses":{"t":[{"a":{"NULL":true}}]},"UnprocessedKeys":{"t":{"Keys":[{"pk":{"S":"p"}}]}},)"
    R"("UnprocessedItems":{"t":[{"PutRequest":{"Item":{"pk":{"S":"p"}}}},{"DeleteRequest":{"Key":{}}}]}})",
    "d"
    R"({"__type":"x#TransactionCanceledException","Message":"why [None, TransactionConflict]",)"
    R"("CancellationReasons":[{"Code":"ConditionalCheckFailed","Message":"m","Item":{"pk":{"S":"p"}}},{"Code":"None"}]})",
    "e"
    R"({"Table":{"TableName":"t","TableStatus":"ACTIVE","TableArn":"arn:x","TableId":"u","CreationDateTime":1.8e9,)"
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk",)"
    R"("KeyType":"HASH"}],"GlobalSecondaryIndexes":[{"IndexName":"i","KeySchema":[],"Projection":{"ProjectionType":)"
    R"("INCLUDE","NonKeyAttributes":["v"]},"IndexStatus":"CREATING","Backfilling":true,"WarmThroughput":)"
    R"({"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":1}}],"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},)"
    R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},"LatestStreamArn":"arn:y"}})",
    "f"
    R"({"Streams":[{"StreamArn":"a"}],"StreamDescription":{"StreamArn":"a","StreamStatus":"ENABLED","Shards":)"
    R"([{"ShardId":"shardId-00000001800000000123-00000400","SequenceNumberRange":{"StartingSequenceNumber":)"
    R"("10180000000012345600000"}}]},"Tags":[{"Key":"k","Value":"v"}],"TableNames":["t"]})",
    "g"
    R"({"Records":[{"eventName":"REMOVE","dynamodb":{"Keys":{"pk":{"S":"p"}},"OldImage":{},"SequenceNumber":)"
    R"("10180000000012345600001"},"userIdentity":{"PrincipalId":"dynamodb.amazonaws.com"}}],"NextShardIterator":"i"})",
    "j"
    R"({"TableName":"t","IndexName":"i","ContributorInsightsStatus":"ENABLED","ContributorInsightsMode":"THROTTLED_KEYS",)"
    R"("LastUpdateDateTime":1.8e9,"ContributorInsightsRuleList":["r"],"ContributorInsightsSummaries":[{"TableName":"t",)"
    R"("ContributorInsightsStatus":"FAILED"}],"NextToken":"n"})",
    "hHTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
    "iHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 Bad\r\nTransfer-Encoding: "
    "chunked\r\n\r\n2;x\r\n{}\r\n0\r\nA: b\r\n\r\n"};

constexpr std::string_view kValues[] = {
    "{}",        "[]",   "null",          "true",          "-1",  "1e300",
    "\"\"",      "[{}]", "{\"S\":\"a\"}", "{\"N\":\"1\"}", "[5]", "99999999999999999999",
    "\"ACTIVE\""};

// Puts another value where one begins.
void replace_value(std::string& text, std::minstd_rand& chance) {
  const size_t colon = text.find(':', chance() % (text.size() + 1));
  if (colon == std::string::npos) return;
  const size_t end = std::min(text.find_first_of(",}]", colon), text.size());
  text.replace(colon + 1, end - colon - 1, kValues[chance() % std::size(kValues)]);
}

}  // namespace
}  // namespace sheaf::remote

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  using namespace sheaf::remote;
  std::minstd_rand chance(seed);
  std::string text(reinterpret_cast<const char*>(data), size);
  if (size < 2 || chance() % 16 == 0) text = kSamples[chance() % std::size(kSamples)];
  if (chance() % 2 == 0) replace_value(text, chance);
  const size_t kept = std::min(text.size(), max_size);
  std::copy_n(text.begin(), kept, data);
  return chance() % 2 == 0 ? kept : LLVMFuzzerMutate(data, kept, max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf::remote;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  parse_http(bytes, data[0] % 64 + 1);
  simdjson::dom::parser parser;
  Json json;
  if (parser.parse(bytes.data(), bytes.size()).get(json) == simdjson::SUCCESS) read_json(json);
  return 0;
}
