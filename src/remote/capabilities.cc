#include "remote/capabilities.h"

#include <algorithm>

#include "base/try.h"
#include "remote/item_answers.h"
#include "remote/item_requests.h"
#include "remote/table_answers.h"
#include "remote/table_requests.h"

namespace sheaf::remote {
namespace {

// The endpoint does not know who asks: then it tells nothing about itself.
constexpr std::string_view kStrangers[] = {"UnrecognizedClientException",         "InvalidSignatureException",
                                           "MissingAuthenticationTokenException", "ExpiredTokenException",
                                           "IncompleteSignatureException",        "InvalidClientTokenId"};

// As Client::call; but who is not let in at all has an error.
Result<Answer> ask(Client& client, std::string_view operation, const std::string& body) {
  Answer answer = TRY(client.call(operation, body, Doing::kReading));
  if (answer.exception() && std::find(std::begin(kStrangers), std::end(kStrangers),
                                      answer.exception()->name) != std::end(kStrangers))
    return to_error(*answer.exception());
  return answer;
}

// Refused before anything was looked at.
bool is_about_permission(const Exception& exception) {
  return exception.name == "AccessDeniedException" || exception.name == "NotAuthorizedException";
}

// Whether there is the operation: asked for nothing, it refuses that, and one that there is not is unknown.
Result<bool> has_operation(Client& client, std::string_view operation) {
  const Answer answer = TRY(ask(client, operation, "{}"));
  return !answer.exception() || !is_unknown_operation(*answer.exception());
}

Result<bool> has_streams(Client& client) {
  const Answer answer =
      TRY(client.call_streams("ListStreams", object_json({{.name = "Limit", .number = 1}})));
  return !answer.exception() || !is_unknown_operation(*answer.exception());
}

// A name that no table has.
std::string nobodys_table() { return "sheaf-probe-" + random_uuid(); }

// To a table that is not there. An endpoint that cannot do it at all says so, rather than that there is no
// table.
Result<std::optional<bool>> can_add_indexes(Client& client) {
  const UpdateTable request{.table = nobodys_table(),
                            .add_index = IndexDeclaration{.name = "probe", .key = {.partition = {{"a"}}}}};
  const Answer answer = TRY(ask(client, "UpdateTable", to_json(request)));
  if (!answer.exception()) return std::optional<bool>();
  if (is_about_permission(*answer.exception())) return std::optional<bool>();
  return std::optional(to_error(*answer.exception()).code == Code::kNotFound);
}

// A table whose index has such a key, and which is refused for another reason, that is looked for behind the
// keys: a definition for which there is no key.
Result<std::optional<bool>> makes_multi_attribute_keys(Client& client) {
  const IndexDeclaration index{.name = "probe",
                               .key = {.partition = {{"a"}, {"b"}}, .sort = {{"c"}}},
                               .projection = ProjectionKind::kKeysOnly};
  const CreateTable request{
      .table = nobodys_table(), .key = {.partition = {{"pk"}}}, .global_indexes = {index}};
  std::string body = to_json(request);
  const std::string definitions = R"("AttributeDefinitions":[)";
  const size_t at = body.find(definitions);
  if (at == std::string::npos) return std::optional<bool>();
  body.insert(at + definitions.size(), R"({"AttributeName":"unused","AttributeType":"S"},)");
  const Answer answer = TRY(ask(client, "CreateTable", body));
  if (!answer.exception()) {
    // It was not looked for; so there is a table now that nobody wants.
    TRY(client.call("DeleteTable", object_json({{"TableName", request.table}}), Doing::kWriting));
    return std::optional(true);
  }
  if (is_about_permission(*answer.exception())) return std::optional<bool>();
  return std::optional(answer.exception()->message.find("AttributeDefinitions") != std::string::npos);
}

// There is no such table; but a condition that is too long is refused before it is looked for. Some endpoints
// take such keys, and then know no such conditions.
Result<std::optional<bool>> finds_multi_attribute_keys(Client& client) {
  const Query query{.table = nobodys_table(),
                    .index = "probe",
                    .key_condition = "a = :a AND b = :b AND c = :c",
                    .values = {{":a", "a"}, {":b", "b"}, {":c", "c"}}};
  const Answer answer = TRY(ask(client, "Query", to_json(query)));
  if (answer.exception() && is_about_permission(*answer.exception())) return std::optional<bool>();
  return std::optional(answer.exception() && to_error(*answer.exception()).code == Code::kNotFound);
}

Result<std::optional<bool>> has_multi_attribute_keys(Client& client) {
  const std::optional<bool> makes = TRY(makes_multi_attribute_keys(client));
  if (makes == false) return makes;
  const std::optional<bool> finds = TRY(finds_multi_attribute_keys(client));
  return finds == false ? finds : makes;
}

// A value that a key may have.
Value any_value(Type type) {
  if (type == Type::kNumber) return Value(0);
  return type == Type::kBinary ? Value::binary("probe") : Value("sheaf-probe");
}

// Reads an item that is hardly there, from whichever table comes first.
Result<std::optional<bool>> tells_what_it_consumes(Client& client) {
  const Answer listed = TRY(ask(client, "ListTables", object_json({{.name = "Limit", .number = 1}})));
  if (listed.exception()) return std::optional<bool>();
  const NamesPage names = TRY(read_table_names(listed.json()));
  if (names.names.empty()) return std::optional<bool>();
  const Answer described =
      TRY(ask(client, "DescribeTable", object_json({{"TableName", names.names.front()}})));
  if (described.exception()) return std::optional<bool>();
  const DescribedTable table = TRY(read_table(described.json(), "Table"));
  GetItem get{.table = names.names.front()};
  for (const KeyAttribute& attribute : table.table.key.partition)
    get.key.set(attribute.name, any_value(attribute.type));
  for (const KeyAttribute& attribute : table.table.key.sort)
    get.key.set(attribute.name, any_value(attribute.type));
  const Answer got = TRY(ask(client, "GetItem", to_json(get)));
  if (got.exception()) return std::optional<bool>();
  return std::optional(tells_capacity(got.json()));
}

}  // namespace

Result<Capabilities> probe_capabilities(Client& client, std::optional<bool> capacity_seen) {
  Capabilities found;
  found.transactions =
      TRY(has_operation(client, "TransactWriteItems")) && TRY(has_operation(client, "TransactGetItems"));
  found.time_to_live = TRY(has_operation(client, "UpdateTimeToLive"));
  found.streams = TRY(has_streams(client));
  found.indexes_added_later = TRY(can_add_indexes(client));
  found.multi_attribute_keys = TRY(has_multi_attribute_keys(client));
  found.capacity_figures = capacity_seen ? capacity_seen : TRY(tells_what_it_consumes(client));
  return found;
}

}  // namespace sheaf::remote
