// A client in Python, from 3.11 on, with nothing but its standard library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "clients/model_shapes.h"

namespace sheaf::clients {

// Types that the client, or the language, has already.
std::vector<std::string> python_names();

// `client` is the name of its class.
std::string python_of(const ModelShapes& shapes, const std::string& client);

// What is the same for every model: requests, pages, errors and signatures.
extern const std::string_view kPythonHead;
extern const std::string_view kPythonRuntime;

}  // namespace sheaf::clients
