// What an endpoint tells beside DynamoDB's API: pages that are asked for with GET, such as a Sheaf server's
// heat and metrics.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/remote_database.h"
#include "sheaf/result.h"

#include "remote/transport.h"

namespace sheaf::remote {

// Asks once, on a connection of its own. `target` begins with a slash, and its query is escaped. Signed if
// the endpoint has a key. Whatever it says is an answer; kUnavailable, with the reason, if it says nothing;
// kInvalid if the endpoint makes no sense.
Result<Reply> http_get(const Endpoint& endpoint, std::string_view target);

// a=b&c -> a%3Db%26c: what a query may hold as the value of a parameter.
std::string escaped(std::string_view text);

}  // namespace sheaf::remote
