// What a request says about who sent it: the Authorization header of AWS's Signature Version 4.
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "http/denial.h"
#include "http/exchange.h"

namespace sheaf::http {

// Views into the request.
struct Authorization {
  std::string_view algorithm;       // begins with "AWS4-"
  std::string_view credential;      // not empty
  std::string_view signed_headers;  // may be empty
  std::string_view signature;       // not empty
  // X-Amz-Date or, without it, Date.
  std::string_view date;
};

// Key id and scope of "AKIDEXAMPLE/20150830/us-east-1/dynamodb/aws4_request".
struct CredentialScope {
  std::string_view access_key_id;
  std::string_view date;
  std::string_view region;
  std::string_view service;
  std::string_view terminator;
  std::string_view text;  // all behind the key id
};

// The parameters in any order, parted by commas, blanks or both; the last of two that have the same name
// counts, and unknown ones are ignored. Denied as AWS denies them: requests without the header or with one of
// another kind (MissingAuthenticationTokenException), with parameters that are missing or are none
// (IncompleteSignatureException), or that are signed in their query as well (InvalidSignatureException).
// Requests that are signed in their query alone count as not signed.
std::variant<Authorization, Denial> parse_authorization(const Request& request);

// Nothing if there are not exactly five elements. Slashes at the end do not count.
std::optional<CredentialScope> parse_scope(std::string_view credential);

// The key id that the request names, whoever sent it; empty if there is none.
std::string_view claimed_access_key_id(const Request& request);

}  // namespace sheaf::http
