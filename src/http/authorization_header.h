// What a request says about who sent it: AWS's Signature Version 4, in the Authorization header or in the
// query.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "http/denial.h"
#include "http/exchange.h"

namespace sheaf::http {

// Views into the request, or into `text`.
struct Authorization {
  std::string_view algorithm;       // begins with "AWS4-"
  std::string_view credential;      // not empty
  std::string_view signed_headers;  // may be empty
  std::string_view signature;       // not empty
  // X-Amz-Date or, without it, Date.
  std::string_view date;

  // Of a signature in the query:
  bool is_in_query = false;
  std::optional<int64_t> valid_seconds = std::nullopt;  // none: as long as one in a header
  std::string_view token = {};                          // X-Amz-Security-Token
  std::unique_ptr<const std::string> text = nullptr;
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
// Without the header, what the query says; see parse_query_signature.
std::variant<Authorization, Denial> parse_authorization(const Request& request);

// Nothing if there are not exactly five elements. Slashes at the end do not count.
std::optional<CredentialScope> parse_scope(std::string_view credential);

// The key id that the request names, whoever sent it; empty if there is none. A view into the request. For
// logs of who was refused: who was let in is told by verify_signature.
std::string_view claimed_access_key_id(const Request& request);

}  // namespace sheaf::http
