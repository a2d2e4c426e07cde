// Where an endpoint is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sheaf/result.h"

namespace sheaf::remote {

struct EndpointUrl {
  bool encrypted = false;
  std::string host;  // a name or an address; of IPv6, without its brackets
  uint16_t port = 0;
  std::string path = "/";

  // As the Host header has it: with the port, unless it is the usual one.
  std::string host_header() const;

  bool operator==(const EndpointUrl&) const = default;
};

// "http://localhost:8000", "https://dynamodb.eu-west-1.amazonaws.com". kInvalid, with the reason, if it is
// not of this form, or has a user, a query or a fragment, for which there is no use.
Result<EndpointUrl> parse_endpoint_url(std::string_view text);

// DynamoDB's own endpoint of an AWS region.
std::string aws_endpoint(std::string_view region);

}  // namespace sheaf::remote
