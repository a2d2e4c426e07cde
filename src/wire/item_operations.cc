#include "wire/item_operations.h"

#include "api/item_reads.h"
#include "api/item_writes.h"
#include "base/try.h"
#include "value/value_json.h"
#include "wire/consumed.h"
#include "wire/legacy.h"
#include "wire/members.h"
#include "wire/reading.h"

namespace sheaf::wire {
namespace {

constexpr Member kReturnValuesMember{"ReturnValues", &kString, {.values = kReturnValuesValues}};
constexpr Member kKeyMember{"Key", &kValueMap, {.required = true}};

// What the three writes have in common stands first, in the order in which AWS complains.
enum WriteMember : size_t {
  kReturnCapacity,
  kTable,
  kReturnMetrics,
  kReturnValues,
  kItem,  // the item to be put, or the key
  kExpected,
  kConditionalOperator,
  kCondition,
  kNames,
  kValues,
  kReturnOnFailure,
  kUpdate,
  kAttributeUpdates,
};

constexpr Member kExpectedMember{"Expected", &kExpectedMap};
const Member kConditionalOperatorMember{"ConditionalOperator", &kString, {.values = kConditionalOperators}};
constexpr Member kConditionMember{"ConditionExpression", &kString};

const Member kPutMembers[] = {kReturnCapacityMember,
                              kTableNameMember,
                              kReturnMetricsMember,
                              kReturnValuesMember,
                              {"Item", &kValueMap, {.required = true}},
                              kExpectedMember,
                              kConditionalOperatorMember,
                              kConditionMember,
                              kNamesMember,
                              kValuesMember,
                              kReturnOnFailureMember};
const Member kDeleteMembers[] = {kReturnCapacityMember,
                                 kTableNameMember,
                                 kReturnMetricsMember,
                                 kReturnValuesMember,
                                 kKeyMember,
                                 kExpectedMember,
                                 kConditionalOperatorMember,
                                 kConditionMember,
                                 kNamesMember,
                                 kValuesMember,
                                 kReturnOnFailureMember};
const Member kUpdateMembers[] = {kReturnCapacityMember,
                                 kTableNameMember,
                                 kReturnMetricsMember,
                                 kReturnValuesMember,
                                 kKeyMember,
                                 kExpectedMember,
                                 kConditionalOperatorMember,
                                 kConditionMember,
                                 kNamesMember,
                                 kValuesMember,
                                 kReturnOnFailureMember,
                                 {"UpdateExpression", &kString},
                                 {"AttributeUpdates", &kAttributeUpdateMap}};

enum GetMember : size_t {
  kGetReturnCapacity,
  kGetTable,
  kGetKey,
  kGetAttributes,
  kGetProjection,
  kGetNames,
  kGetConsistent
};

const Member kGetMembers[] = {kReturnCapacityMember,
                              kTableNameMember,
                              kKeyMember,
                              {"AttributesToGet", &kStringList, {.min = 1}},
                              {"ProjectionExpression", &kString},
                              kNamesMember,
                              {"ConsistentRead", &kBoolean}};

ReturnValues return_values(std::string_view text) {
  if (text == "ALL_OLD") return ReturnValues::kAllOld;
  if (text == "UPDATED_OLD") return ReturnValues::kUpdatedOld;
  if (text == "ALL_NEW") return ReturnValues::kAllNew;
  return text == "UPDATED_NEW" ? ReturnValues::kUpdatedNew : ReturnValues::kNone;
}

template <typename Request>
struct WriteInput {
  Request request;
  api::LegacyExpressions legacy;
};

Item& item_of(PutItem& request) { return request.item; }
Item& item_of(UpdateItem& request) { return request.key; }
Item& item_of(DeleteItem& request) { return request.key; }

template <typename Request>
Result<void> read_conditions(const Input& input, WriteInput<Request>& read) {
  if constexpr (std::is_same_v<Request, UpdateItem>) {
    read.legacy.update = TRY(read_attribute_updates(input, kAttributeUpdates));
    read.request.update = input.text(kUpdate);
  }
  read.legacy.condition = TRY(read_expected(input, kExpected, kConditionalOperator));
  read.request.condition = input.text(kCondition);
  read.request.names = TRY(input.names(kNames));
  read.request.values = TRY(input.values(kValues));
  return {};
}

template <typename Request>
Result<WriteInput<Request>> read_write(const Input& input) {
  // Only an update has the first of each.
  static constexpr size_t kLegacy[] = {kAttributeUpdates, kExpected, kConditionalOperator};
  static constexpr size_t kExpressions[] = {kUpdate, kCondition};
  constexpr bool is_update = std::is_same_v<Request, UpdateItem>;
  TRY(check_not_mixed(input, std::span(kLegacy).subspan(is_update ? 0 : 1),
                      std::span(kExpressions).subspan(is_update ? 0 : 1)));
  const bool given = input.has(kCondition) || (is_update && input.has(kUpdate));
  TRY(check_placeholders_wanted(
      input, {.names = kNames, .values = kValues}, {.any = given, .with_values = given},
      is_update ? "UpdateExpression and ConditionExpression are null" : "ConditionExpression is null"));
  WriteInput<Request> read;
  Request& request = read.request;
  request.table = input.table(kTable);
  item_of(request) = TRY(input.item(kItem));
  request.return_values = return_values(input.fields().text(kReturnValues));
  request.return_item_on_failure = input.fields().text(kReturnOnFailure) == "ALL_OLD";
  Result<void> conditions = read_conditions(input, read);
  if (conditions.ok()) return read;
  // Told before what is wrong with the conditions; if nothing is, there is time for it later.
  TRY(api::check_write(request));
  return std::move(conditions).error();
}

Answer written_answer(engine::Engine& engine, std::string table, ReturnCapacity capacity, bool return_metrics,
                      Written written) {
  Answer answer;
  if (!written.condition_met) {
    answer = condition_failed(written.attributes);
  } else {
    if (written.attributes) {
      answer.body += ",\"Attributes\":";
      append_json(answer.body, written.attributes->view());
    }
    append_capacity(answer.body, capacity, engine, table, written.capacity);
    if (return_metrics && written.collection) append_metrics(answer.body, *written.collection);
    answer.body = finish_object(std::move(answer.body));
  }
  answer.consumed.emplace_back(std::move(table), std::move(written.capacity));
  return answer;
}

template <typename Request>
void write(Call call, const Input& input,
           void (*start)(engine::Engine&, Request, api::LegacyExpressions, Loop&, api::WrittenDone)) {
  Result<WriteInput<Request>> read = read_write<Request>(input);
  if (!read.ok()) return call.done(error_answer(read.error()));
  engine::Engine& engine = call.database.engine();
  const ReturnCapacity capacity = return_capacity(input.fields().text(kReturnCapacity));
  const bool return_metrics = input.fields().text(kReturnMetrics) == "SIZE";
  std::string table = read->request.table;
  start(engine, std::move(read->request), std::move(read->legacy), call.loop,
        [&engine, table = std::move(table), capacity, return_metrics,
         done = std::move(call.done)](Result<Written> written) mutable {
          if (!written.ok()) return done(error_answer(written.error()));
          done(written_answer(engine, std::move(table), capacity, return_metrics, std::move(*written)));
        });
}

struct GetInput {
  GetItem request;
  api::LegacyExpressions legacy;
};

Result<GetInput> read_get(const Input& input) {
  static constexpr size_t kLegacy[] = {kGetAttributes};
  static constexpr size_t kExpressions[] = {kGetProjection};
  TRY(check_not_mixed(input, kLegacy, kExpressions));
  TRY(check_placeholders_wanted(input, {.names = kGetNames}, {.any = input.has(kGetProjection)},
                                "ProjectionExpression is null"));
  GetInput read;
  read.request.table = input.table(kGetTable);
  read.request.key = TRY(input.item(kGetKey));
  read.legacy.projection = TRY(read_attributes_to_get(input, kGetAttributes));
  read.request.projection = input.text(kGetProjection);
  read.request.names = TRY(input.names(kGetNames));
  read.request.consistent = input.flag(kGetConsistent);
  return read;
}

}  // namespace

const Shape kPutItemShape{.kind = Kind::kStructure, .class_name = "PutItemInput", .members = kPutMembers};
const Shape kUpdateItemShape{
    .kind = Kind::kStructure, .class_name = "UpdateItemInput", .members = kUpdateMembers};
const Shape kDeleteItemShape{
    .kind = Kind::kStructure, .class_name = "DeleteItemInput", .members = kDeleteMembers};
const Shape kGetItemShape{.kind = Kind::kStructure, .class_name = "GetItemInput", .members = kGetMembers};

Answer condition_failed(const std::optional<Item>& item) {
  std::string members;
  if (item) {
    members = ",\"Item\":";
    append_json(members, item->view());
  }
  return exception("ConditionalCheckFailedException", "The conditional request failed", members);
}

void put_item(Call call, const Input& input) { write<PutItem>(std::move(call), input, api::put_item); }
void update_item(Call call, const Input& input) {
  write<UpdateItem>(std::move(call), input, api::update_item);
}
void delete_item(Call call, const Input& input) {
  write<DeleteItem>(std::move(call), input, api::delete_item);
}

void get_item(Call call, const Input& input) {
  Result<GetInput> read = read_get(input);
  if (!read.ok()) return call.done(error_answer(read.error()));
  const ReturnCapacity capacity = return_capacity(input.fields().text(kGetReturnCapacity));
  read_where_possible(
      std::move(call), std::move(*read),
      [](engine::Engine& engine, const GetInput& get, const engine::ReadOptions& options) {
        return api::get_item(engine, get.request, get.legacy, options);
      },
      [capacity](engine::Engine& engine, GetInput& get, Got got) {
        Answer answer;
        if (got.item) {
          answer.body.reserve(got.item->encoded().size() * 5 / 4 + 64);
          answer.body += ",\"Item\":";
          append_json(answer.body, got.item->view());
        }
        append_capacity(answer.body, capacity, engine, get.request.table, got.capacity);
        answer.body = finish_object(std::move(answer.body));
        answer.consumed.emplace_back(std::move(get.request.table), std::move(got.capacity));
        return answer;
      });
}

}  // namespace sheaf::wire
