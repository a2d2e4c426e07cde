// A database that is elsewhere: behind any endpoint that speaks DynamoDB's protocol, as a Sheaf server does,
// or AWS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sheaf/database.h"
#include "sheaf/result.h"

namespace sheaf {

// What requests are signed with.
struct AccessKey {
  std::string id;
  std::string secret;
  std::string session_token;  // empty: none

  bool operator==(const AccessKey&) const = default;
};

struct Endpoint {
  std::string url;  // "http://localhost:8000"; empty: AWS's own, of the region
  std::string region = "us-east-1";
  // An endpoint that takes any still wants one. Nothing: it is looked for as AWS's tools do it, in
  // AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, then in the profile AWS_PROFILE of
  // AWS_SHARED_CREDENTIALS_FILE or ~/.aws/credentials.
  std::optional<AccessKey> access_key;
  // Whose certificates to trust, in PEM form; empty: those that the system does.
  std::string authorities_path;

  int64_t connect_ms = 3'000;  // to be connected, encryption included
  int64_t answer_ms = 30'000;  // for one attempt
  size_t answer_bytes_max = size_t{128} << 20;
  size_t connections_max = 16;  // beyond them, callers wait for one
  // Some servers close a connection that was not used for five seconds; what was just sent on it is lost.
  int64_t idle_ms = 4'000;

  // How often a request is sent, the first time included, if it was throttled or got no answer.
  uint32_t attempts_max = 8;
  // Writes that could be done twice are sent again too when the answer was lost, as AWS's SDKs do: then an
  // ADD may count twice, and a condition may fail because of the first time. Otherwise they are kUnknown.
  bool repeat_lost_writes = false;
  // Creating a table, or changing its settings, is waited for this long.
  int64_t table_wait_ms = int64_t{10} * 60 * 1000;

  // The model that is used there; several with commas between them. While a model moves from one layout to
  // another, a Sheaf server can be told to let nobody else write its tables.
  std::string writer;
};

// All of Database, as far as DynamoDB has it: collection_size, run_background_work and checkpoint are
// kInvalid. What is different from a database in this process:
// - Whatever may help is asked again. A write of which the answer was lost is kUnknown, unless doing it twice
//   is the same as once. A transaction can always be asked for again: each goes out with a token. An endpoint
//   that throttles to the end is kLimitExceeded, one that is not reached kUnavailable. One that does not
//   trust our key, or that we do not trust, is kDenied, as is whatever else it refuses before it looks at a
//   request.
// - Capacities are zero where the endpoint does not tell them, as for a write whose condition failed.
//   Sizes of collections are rounded down to gigabytes.
// - create_table, and update_table unless it is about indexes, return when the endpoint says that the
//   table is ready.
// - describe_table asks three times and more. Tags, time to live and streams are left out where the
//   endpoint has none of these, or no permission for us. Counts are as old as the endpoint's.
// - Contributor Insights that are being turned on are on; those that could not be are off.
// - Ids of tables are made of what the endpoint has for it.
// - Streams can be read if the endpoint is Sheaf; newest_position is that of this machine's clock.
// Calls wait on the thread that makes them.
//
// kInvalid, with the reason, if the endpoint makes no sense; kNotFound if there is no access key. Nothing is
// sent yet: the first call connects.
Result<std::unique_ptr<Database>> connect(const Endpoint& endpoint);

// What an endpoint can do. Nothing: it could not be found out, for want of a permission or of a table to try
// it on.
struct Capabilities {
  std::optional<bool> transactions;          // TransactWriteItems and TransactGetItems
  std::optional<bool> multi_attribute_keys;  // of global indexes: up to four attributes of each kind
  std::optional<bool> capacity_figures;      // answers tell what they consumed
  std::optional<bool> indexes_added_later;   // to a table that is there
  std::optional<bool> streams;  // at this address; whether they can be read here, read_stream tells
  std::optional<bool> time_to_live;

  bool operator==(const Capabilities&) const = default;
};

// Found out by about ten calls that change nothing. An error if the endpoint does not answer.
Result<Capabilities> find_capabilities(const Endpoint& endpoint);

}  // namespace sheaf
