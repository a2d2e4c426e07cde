// A client in TypeScript, for Node 18 and later and for browsers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "clients/model_shapes.h"

namespace sheaf::clients {

// Types that the client, or the language, has already.
std::vector<std::string> typescript_names();

// `client` is the name of its class.
std::string typescript_of(const ModelShapes& shapes, const std::string& client);

// What is the same for every model: requests, pages, errors and signatures.
extern const std::string_view kTypeScriptRuntime;

}  // namespace sheaf::clients
