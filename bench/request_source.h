// Workloads as HTTP requests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/load_generator.h"
#include "bench/workloads.h"
#include "http/credentials.h"

namespace sheaf::bench {

struct RequestOptions {
  std::string host;  // as in the Host header
  // The path. "/" for DynamoDB.
  std::string target = "/";
  // Signs with it. Without one, requests carry an invented signature, of the same size.
  const http::Credential* credential = nullptr;
};

// One request as a whole.
std::string request_text(const RequestOptions& options, std::string_view operation, std::string_view body);

// Requests of `workload`, written over in place. `next_number` is the number of the next one, where they
// count.
std::unique_ptr<Source> plain_source(const RequestOptions& options, const Workload& workload,
                                     uint64_t& next_number);

// Signed ones: so many are signed before a measurement, and then used in turn. 0: each when it is needed.
std::unique_ptr<Source> signed_source(const RequestOptions& options, const Workload& workload,
                                      uint64_t& next_number, size_t signed_ahead);

}  // namespace sheaf::bench
