#include "wire/query_operations.h"

#include <algorithm>

#include "api/queries.h"
#include "base/try.h"
#include "value/value_json.h"
#include "wire/consumed.h"
#include "wire/legacy.h"
#include "wire/members.h"
#include "wire/reading.h"

namespace sheaf::wire {
namespace {

// What both have in common stands first.
enum ReadMember : size_t {
  kReturnCapacity,
  kTable,
  kIndex,
  kSelect,
  kLimit,
  kAttributes,
  kConsistent,
  kConditionalOperator,
  kStartKey,
  kProjection,
  kFilter,
  kNames,
  kValues,
  kLegacyFilter,
  // Query
  kKeyConditions,
  kForward,
  kKeyCondition,
  // Scan
  kTotalSegments = kKeyConditions,
  kSegment,
};

constexpr std::array<std::string_view, 4> kSelectValues = {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES",
                                                           "ALL_PROJECTED_ATTRIBUTES"};

constexpr Member kIndexMember{"IndexName", &kString, {.min = 3, .max = 255, .table_name = true}};
constexpr Member kSelectMember{"Select", &kString, {.values = kSelectValues}};
constexpr Member kAttributesMember{"AttributesToGet", &kStringList, {.min = 1}};
constexpr Member kConsistentMember{"ConsistentRead", &kBoolean};
constexpr Member kStartKeyMember{"ExclusiveStartKey", &kValueMap};
constexpr Member kProjectionMember{"ProjectionExpression", &kString};
constexpr Member kFilterMember{"FilterExpression", &kString};

const Member kQueryMembers[] = {kReturnCapacityMember,
                                kTableNameMember,
                                kIndexMember,
                                kSelectMember,
                                {"Limit", &kInteger},  // AWS has other words for it here
                                kAttributesMember,
                                kConsistentMember,
                                {"ConditionalOperator", &kString, {.values = kConditionalOperators}},
                                kStartKeyMember,
                                kProjectionMember,
                                kFilterMember,
                                kNamesMember,
                                kValuesMember,
                                {"QueryFilter", &kConditionMap},
                                {"KeyConditions", &kConditionMap},
                                {"ScanIndexForward", &kBoolean},
                                {"KeyConditionExpression", &kString}};
const Member kScanMembers[] = {kReturnCapacityMember,
                               kTableNameMember,
                               kIndexMember,
                               kSelectMember,
                               {"Limit", &kInteger, {.min = 1}},
                               kAttributesMember,
                               kConsistentMember,
                               {"ConditionalOperator", &kString, {.values = kConditionalOperators}},
                               kStartKeyMember,
                               kProjectionMember,
                               kFilterMember,
                               kNamesMember,
                               kValuesMember,
                               {"ScanFilter", &kConditionMap},
                               {"TotalSegments", &kInteger, {.min = 1, .max = 1'000'000}},
                               {"Segment", &kInteger, {.min = 0, .max = 999'999}}};

std::optional<Select> select_of(const Input& input) {
  const std::string_view text = input.fields().text(kSelect);
  if (text == "SPECIFIC_ATTRIBUTES") return Select::kSpecificAttributes;
  if (text == "COUNT") return Select::kCount;
  if (text == "ALL_ATTRIBUTES") return Select::kAllAttributes;
  if (text == "ALL_PROJECTED_ATTRIBUTES") return Select::kAllProjected;
  return std::nullopt;
}

std::optional<uint32_t> small_integer(const Input& input, size_t member) {
  if (!input.has(member)) return std::nullopt;
  return static_cast<uint32_t>(std::clamp<int64_t>(input.fields().integer(member), 0, UINT32_MAX));
}

// What is wrong with a value in a start key is said of the start key, unless it is a number or a set.
Result<std::optional<Item>> start_key(const Input& input) {
  if (!input.has(kStartKey)) return std::optional<Item>();
  Result<Item> key = input.item(kStartKey);
  if (key.ok()) return std::optional(std::move(*key));
  const std::string& text = key.error().message;
  const bool bare = key.error().code != Code::kInvalid || text.find("umber") != std::string::npos ||
                    text.find("numeric") != std::string::npos || text.find("duplicates") != std::string::npos;
  if (bare) return std::move(key).error();
  return Error{Code::kInvalid, "The provided starting key is invalid: " + text};
}

template <typename Request>
struct ReadInput {
  Request request;
  api::LegacyExpressions legacy;
};

template <typename Request>
void read_plain(const Input& input, Request& request) {
  request.table = input.table(kTable);
  request.index = input.text(kIndex);
  request.select = select_of(input);
  request.limit = small_integer(input, kLimit);
  request.consistent = input.flag(kConsistent);
  request.projection = input.text(kProjection);
  request.filter = input.text(kFilter);
}

// What can be wrong with these is told in this order, which the two do not share.
template <typename Request>
Result<void> read_legacy_and_start(const Input& input, ReadInput<Request>& read) {
  if constexpr (std::is_same_v<Request, Scan>)
    read.legacy.projection = TRY(read_attributes_to_get(input, kAttributes));
  read.legacy.condition = TRY(read_filter(input, kLegacyFilter, kConditionalOperator));
  if constexpr (std::is_same_v<Request, Query>)
    read.legacy.projection = TRY(read_attributes_to_get(input, kAttributes));
  read.request.start_key = TRY(start_key(input));
  return {};
}

template <typename Request>
Result<void> read_placeholders(const Input& input, Request& request) {
  request.names = TRY(input.names(kNames));
  request.values = TRY(input.values(kValues));
  return {};
}

Result<ReadInput<Query>> read_query(const Input& input) {
  static constexpr size_t kLegacy[] = {kAttributes, kLegacyFilter, kConditionalOperator, kKeyConditions};
  static constexpr size_t kExpressions[] = {kProjection, kFilter, kKeyCondition};
  ReadInput<Query> read;
  read_plain(input, read.request);
  const std::string_view projection = input.has(kProjection)   ? "ProjectionExpression"
                                      : input.has(kAttributes) ? "AttributesToGet"
                                                               : "";
  TRY(api::check_query(read.request, projection));
  TRY(check_not_mixed(input, kLegacy, kExpressions));
  const bool with_values = input.has(kFilter) || input.has(kKeyCondition);
  TRY(check_placeholders_wanted(input, {.names = kNames, .values = kValues},
                                {.any = with_values || input.has(kProjection), .with_values = with_values},
                                "FilterExpression and KeyConditionExpression are null"));
  TRY(read_legacy_and_start(input, read));
  if (!input.has(kKeyConditions) && !input.has(kKeyCondition)) {
    return Error{
        Code::kInvalid,
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."};
  }
  TRY(read_placeholders(input, read.request));
  read.request.descending = input.has(kForward) && !input.flag(kForward);
  read.request.key_condition = input.text(kKeyCondition).value_or("");
  read.legacy.key_condition = TRY(read_key_conditions(input, kKeyConditions));
  return read;
}

Result<ReadInput<Scan>> read_scan(const Input& input) {
  static constexpr size_t kLegacy[] = {kAttributes, kLegacyFilter, kConditionalOperator};
  static constexpr size_t kExpressions[] = {kProjection, kFilter};
  TRY(check_not_mixed(input, kLegacy, kExpressions));
  const bool with_values = input.has(kFilter);
  TRY(check_placeholders_wanted(input, {.names = kNames, .values = kValues},
                                {.any = with_values || input.has(kProjection), .with_values = with_values},
                                "FilterExpression is null"));
  ReadInput<Scan> read;
  read.request.segment = small_integer(input, kSegment);
  read.request.segment_count = small_integer(input, kTotalSegments);
  read_plain(input, read.request);
  TRY(read_legacy_and_start(input, read));
  TRY(read_placeholders(input, read.request));
  return read;
}

Answer page_answer(engine::Engine& engine, std::string table, bool count_only, ReturnCapacity capacity,
                   Page page) {
  Answer answer;
  std::string& body = answer.body;
  if (!count_only) {
    body += ",\"Items\":[";
    for (size_t i = 0; i < page.items.size(); ++i) {
      if (i > 0) body += ',';
      append_json(body, page.items[i]);
    }
    body += ']';
  }
  body +=
      ",\"Count\":" + std::to_string(page.count) + ",\"ScannedCount\":" + std::to_string(page.scanned_count);
  if (page.last_key) {
    body += ",\"LastEvaluatedKey\":";
    append_json(body, page.last_key->view());
  }
  append_capacity(body, capacity, engine, table, page.capacity);
  body = finish_object(std::move(body));
  answer.consumed.emplace_back(std::move(table), std::move(page.capacity));
  return answer;
}

template <typename Request, typename Read>
void run_read(Call call, const Input& input, Result<ReadInput<Request>> asked, Read read) {
  if (!asked.ok()) return call.done(error_answer(asked.error()));
  const ReturnCapacity capacity = return_capacity(input.fields().text(kReturnCapacity));
  read_where_possible(
      std::move(call), std::move(*asked),
      [read](engine::Engine& engine, const ReadInput<Request>& each, const engine::ReadOptions& options) {
        return read(engine, each.request, each.legacy, options);
      },
      [capacity](engine::Engine& engine, ReadInput<Request>& each, Page page) {
        return page_answer(engine, std::move(each.request.table), each.request.select == Select::kCount,
                           capacity, std::move(page));
      });
}

}  // namespace

const Shape kQueryShape{.kind = Kind::kStructure, .class_name = "QueryInput", .members = kQueryMembers};
const Shape kScanShape{.kind = Kind::kStructure, .class_name = "ScanInput", .members = kScanMembers};

void query(Call call, const Input& input) {
  run_read<Query>(std::move(call), input, read_query(input), api::query);
}

void scan(Call call, const Input& input) {
  run_read<Scan>(std::move(call), input, read_scan(input), api::scan);
}

}  // namespace sheaf::wire
