// The text that a signature is about: a request in AWS's canonical form, so that client and server sign the
// same bytes however the request travelled.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "http/exchange.h"

namespace sheaf::http {

inline constexpr std::string_view kSignatureAlgorithm = "AWS4-HMAC-SHA256";

// The names of headers, in lower case, each once, in the order of their bytes.
class SignedHeaders {
 public:
  // `list` as the Authorization header has it, "host;x-amz-date", in any case and order. Empty names between
  // semicolons are dropped. Borrows nothing.
  explicit SignedHeaders(std::string_view list);
  SignedHeaders(const SignedHeaders&) = delete;
  SignedHeaders& operator=(const SignedHeaders&) = delete;

  const std::vector<std::string_view>& names() const { return names_; }
  // The name is given in lower case.
  bool contains(std::string_view name) const;

 private:
  std::string list_;
  std::vector<std::string_view> names_;  // in list_
};

// Method, path, query, the signed headers with all of their values, their names, and the hash of the body,
// each on its line. A name without a header has an empty value.
// A signature in the query is not about itself.
enum class SignaturePlace : uint8_t { kHeader, kQuery };
std::string canonical_request(const Request& request, const SignedHeaders& headers,
                              std::string_view payload_hash, SignaturePlace place = SignaturePlace::kHeader);

// "AWS4-HMAC-SHA256", the date, "20150830/us-east-1/dynamodb/aws4_request" and the hash of the canonical
// request, each on its line.
std::string string_to_sign(std::string_view date, std::string_view scope, const Digest& canonical_hash);

// The path as it was sent: dot segments and empty ones removed, then encoded (again, if it already was).
void append_canonical_path(std::string& out, std::string_view path);
// The parameters decoded, encoded by one rule, and sorted by name and value; without one of them.
void append_canonical_query(std::string& out, std::string_view query, std::string_view left_out = {});
// A name or value of a query. What is no escape stays as it is.
std::string decode_query(std::string_view text);

}  // namespace sheaf::http
