// Other servers of the DynamoDB API, as npm installs them.
#pragma once

#include <memory>
#include <string>

#include "sheaf/result.h"

#include "bench/servers.h"

namespace sheaf::bench {

// Installs those that are missing, by their names, into `directory`.
Result<void> install_peers(const std::string& directory);

// Each started, answering, with its table; `directory` is for its data and its log. kNotFound if it is not
// installed in `installed`.
Result<std::unique_ptr<Server>> start_dynoxide(const std::string& installed, const std::string& directory,
                                               bool on_disk);
Result<std::unique_ptr<Server>> start_dynalite(const std::string& installed, const std::string& directory);

// A server that somebody else started: "NAME=http://127.0.0.1:8000". Its table has a name that nobody else
// uses, and is deleted in the end.
Result<std::unique_ptr<Server>> join_endpoint(const std::string& name_and_url);

}  // namespace sheaf::bench
