// What an endpoint can do, found out by calls that change nothing.
#pragma once

#include <optional>

#include "sheaf/remote_database.h"
#include "sheaf/result.h"

#include "remote/client.h"

namespace sheaf::remote {

// Asks the endpoint: about ten calls. An error if it does not answer. What there is to be found out about
// capacity by reading, `capacity_seen` may know already.
Result<Capabilities> probe_capabilities(Client& client, std::optional<bool> capacity_seen);

}  // namespace sheaf::remote
