#include "wire/transact_operations.h"

#include "api/item_reads.h"
#include "api/transactions.h"
#include "base/try.h"
#include "value/value_json.h"
#include "wire/consumed.h"
#include "wire/members.h"
#include "wire/reading.h"

namespace sheaf::wire {
namespace {

// What all actions have in common stands first.
enum ActionMember : size_t { kTable, kItem, kCondition, kNames, kValues, kReturnOnFailure, kUpdate };

constexpr Member kKeyMember{"Key", &kValueMap, {.required = true}};
constexpr Member kConditionMember{"ConditionExpression", &kString};
constexpr Member kCheckMembers[] = {
    kTableNameMember, kKeyMember,    {"ConditionExpression", &kString, {.required = true}},
    kNamesMember,     kValuesMember, kReturnOnFailureMember};
constexpr Member kPutMembers[] = {kTableNameMember, {"Item", &kValueMap, {.required = true}},
                                  kConditionMember, kNamesMember,
                                  kValuesMember,    kReturnOnFailureMember};
constexpr Member kDeleteMembers[] = {kTableNameMember, kKeyMember,    kConditionMember,
                                     kNamesMember,     kValuesMember, kReturnOnFailureMember};
constexpr Member kUpdateMembers[] = {kTableNameMember,
                                     kKeyMember,
                                     kConditionMember,
                                     kNamesMember,
                                     kValuesMember,
                                     kReturnOnFailureMember,
                                     {"UpdateExpression", &kString, {.required = true}}};

constexpr Shape action(std::string_view class_name, std::span<const Member> members) {
  return {.kind = Kind::kStructure, .class_name = class_name, .members = members};
}
constexpr Shape kCheckShape = action("com.amazonaws.dynamodb.v20120810.ConditionCheck", kCheckMembers);
constexpr Shape kPutShape = action("com.amazonaws.dynamodb.v20120810.Put", kPutMembers);
constexpr Shape kDeleteShape = action("com.amazonaws.dynamodb.v20120810.Delete", kDeleteMembers);
constexpr Shape kUpdateShape = action("com.amazonaws.dynamodb.v20120810.Update", kUpdateMembers);

enum WriteMember : size_t { kCheck, kPut, kDelete, kUpdateAction, kActionKinds };
constexpr Member kWriteMembers[] = {{"ConditionCheck", &kCheckShape},
                                    {"Put", &kPutShape},
                                    {"Delete", &kDeleteShape},
                                    {"Update", &kUpdateShape}};
constexpr Shape kWriteItem = action("com.amazonaws.dynamodb.v20120810.TransactWriteItem", kWriteMembers);
constexpr Shape kWriteList{.kind = Kind::kList, .element = &kWriteItem};

enum TransactWriteMember : size_t { kToken, kReturnCapacity, kReturnMetrics, kWriteItems };
constexpr Member kTransactWriteMembers[] = {
    {"ClientRequestToken", &kString, {.min = 1, .max = 36}},
    kReturnCapacityMember,
    kReturnMetricsMember,
    {"TransactItems", &kWriteList, {.required = true, .min = 1, .max = 100}}};

enum GetMember : size_t { kGetTable, kGetKey, kGetProjection, kGetNames };
constexpr Member kGetMembers[] = {
    kTableNameMember, kKeyMember, {"ProjectionExpression", &kString}, kNamesMember};
constexpr Shape kGetShape = action("com.amazonaws.dynamodb.v20120810.Get", kGetMembers);
constexpr Member kGetItemMembers[] = {{"Get", &kGetShape, {.required = true}}};
constexpr Shape kGetItem = action("com.amazonaws.dynamodb.v20120810.TransactGetItem", kGetItemMembers);
constexpr Shape kGetList{.kind = Kind::kList, .element = &kGetItem};

enum TransactGetMember : size_t { kGetReturnCapacity, kGetItems };
constexpr Member kTransactGetMembers[] = {
    kReturnCapacityMember, {"TransactItems", &kGetList, {.required = true, .min = 1, .max = 100}}};

template <typename Action>
Result<TransactAction> read_action(const Input& input, Item Action::*item) {
  Action action;
  action.table = input.table(kTable);
  action.*item = TRY(input.item(kItem));
  action.condition = input.text(kCondition);
  if constexpr (std::is_same_v<Action, UpdateItem>) action.update = input.text(kUpdate);
  action.names = TRY(input.names(kNames));
  action.values = TRY(input.values(kValues));
  action.return_item_on_failure = input.fields().text(kReturnOnFailure) == "ALL_OLD";
  return TransactAction(std::move(action));
}

Result<TransactAction> read_action(const Input& input) {
  size_t given = 0, kind = 0;
  for (size_t i = 0; i < kActionKinds; ++i) {
    if (!input.has(i)) continue;
    ++given;
    kind = i;
  }
  if (given != 1)
    return Error{Code::kInvalid, "TransactItems can only contain one of Check, Put, Update or Delete"};
  const Input inner(input, input.fields().json(kind), *kWriteMembers[kind].shape);
  switch (kind) {
    case kCheck:
      return read_action<ConditionCheck>(inner, &ConditionCheck::key);
    case kPut:
      return read_action<PutItem>(inner, &PutItem::item);
    case kDelete:
      return read_action<DeleteItem>(inner, &DeleteItem::key);
    default:
      return read_action<UpdateItem>(inner, &UpdateItem::key);
  }
}

Result<TransactWriteItems> read_transaction(const Input& input) {
  TransactWriteItems request;
  request.token = input.text(kToken).value_or("");
  for (const Json element : input.fields().list(kWriteItems))
    request.actions.push_back(TRY(read_action(Input(input, element, kWriteItem))));
  return request;
}

std::string_view code_of(CancellationReason::Code code) {
  switch (code) {
    case CancellationReason::Code::kNone:
      break;
    case CancellationReason::Code::kConditionalCheckFailed:
      return "ConditionalCheckFailed";
    case CancellationReason::Code::kValidationError:
      return "ValidationError";
    case CancellationReason::Code::kCollectionTooLarge:
      return "ItemCollectionSizeLimitExceeded";
    case CancellationReason::Code::kConflict:
      return "TransactionConflict";
    case CancellationReason::Code::kThroughputExceeded:
      return "ProvisionedThroughputExceeded";
    case CancellationReason::Code::kThrottled:
      return "ThrottlingError";
    case CancellationReason::Code::kNotFound:
      return "ResourceNotFound";
    case CancellationReason::Code::kDuplicateItem:
      return "DuplicateItem";
  }
  return "None";
}

Result<TransactGetItems> read_gets(const Input& input) {
  TransactGetItems request;
  for (const Json element : input.fields().list(kGetItems)) {
    const Fields outer(element, kGetItem);
    if (!outer.has(0)) return Error{Code::kInvalid, "TransactItems can only contain a Get"};
    const Input get(input, outer.json(0), kGetShape);
    GetItem& item = request.gets.emplace_back();
    item.table = get.table(kGetTable);
    item.key = TRY(get.item(kGetKey));
    item.projection = get.text(kGetProjection);
    item.names = TRY(get.names(kGetNames));
  }
  return request;
}

Answer transact_got_answer(engine::Engine& engine, ReturnCapacity capacity, TransactGot got) {
  if (!got.applied) return cancelled(got.reasons);
  Answer answer;
  std::string& body = answer.body;
  body += ",\"Responses\":[";
  for (size_t i = 0; i < got.items.size(); ++i) {
    if (i > 0) body += ',';
    body += '{';
    if (got.items[i] && !got.items[i]->empty()) {
      body += "\"Item\":";
      append_json(body, got.items[i]->view());
    }
    body += '}';
  }
  body += ']';
  append_capacities(body, capacity, engine, got.capacity, Units::kRead);
  body = finish_object(std::move(body));
  add_consumed(answer, got.capacity);
  return answer;
}

}  // namespace

const Shape kTransactWriteItemsShape{
    .kind = Kind::kStructure, .class_name = "TransactWriteItemsInput", .members = kTransactWriteMembers};
const Shape kTransactGetItemsShape{
    .kind = Kind::kStructure, .class_name = "TransactGetItemsInput", .members = kTransactGetMembers};

Answer cancelled(const std::vector<CancellationReason>& reasons) {
  std::string codes, list;
  for (const CancellationReason& reason : reasons) {
    const std::string_view code = code_of(reason.code);
    if (!codes.empty()) codes += ", ";
    codes += code;
    list += list.empty() ? "{" : ",{";
    list += "\"Code\":\"";
    list += code;
    list += '"';
    if (!reason.message.empty()) {
      list += ",\"Message\":";
      append_json_string(list, reason.message);
    }
    if (reason.item) {
      list += ",\"Item\":";
      append_json(list, reason.item->view());
    }
    list += '}';
  }
  return exception(
      "TransactionCanceledException",
      "Transaction cancelled, please refer cancellation reasons for specific reasons [" + codes + "]",
      ",\"CancellationReasons\":[" + list + "]");
}

Answer conflict(size_t actions) {
  return cancelled(std::vector<CancellationReason>(
      actions,
      {.code = CancellationReason::Code::kConflict, .message = "Transaction is ongoing for the item"}));
}

void transact_write_items(Call call, const Input& input) {
  Result<TransactWriteItems> request = read_transaction(input);
  if (!request.ok()) return call.done(error_answer(request.error()));
  engine::Engine& engine = call.database.engine();
  const ReturnCapacity capacity = return_capacity(input.fields().text(kReturnCapacity));
  const bool return_metrics = input.fields().text(kReturnMetrics) == "SIZE";
  const size_t actions = request->actions.size();
  api::transact_write_items(engine, std::move(*request), call.loop,
                            [&engine, capacity, return_metrics, actions,
                             done = std::move(call.done)](Result<TransactWritten> written) mutable {
                              if (!written.ok() && written.error().code == Code::kConflict)
                                return done(conflict(actions));
                              if (!written.ok()) return done(error_answer(written.error()));
                              if (!written->applied) return done(cancelled(written->reasons));
                              Answer answer;
                              if (return_metrics) append_metrics(answer.body, written->collections);
                              append_capacities(answer.body, capacity, engine, written->capacity,
                                                written->replayed ? Units::kRead : Units::kWrite);
                              answer.body = finish_object(std::move(answer.body));
                              add_consumed(answer, written->capacity);
                              done(std::move(answer));
                            });
}

void transact_get_items(Call call, const Input& input) {
  Result<TransactGetItems> request = read_gets(input);
  if (!request.ok()) return call.done(error_answer(request.error()));
  const ReturnCapacity capacity = return_capacity(input.fields().text(kGetReturnCapacity));
  read_where_possible(
      std::move(call), std::move(*request),
      [](engine::Engine& engine, const TransactGetItems& asked, const engine::ReadOptions& options) {
        return api::transact_get_items(engine, asked, options);
      },
      [capacity](engine::Engine& engine, TransactGetItems&, TransactGot got) {
        return transact_got_answer(engine, capacity, std::move(got));
      });
}

}  // namespace sheaf::wire
