// Requests for tests, which own their text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/amz_date.h"
#include "http/credentials.h"
#include "http/exchange.h"
#include "http/sigv4_signer.h"

namespace sheaf::http {

struct OwnedRequest {
  std::string method = "POST";
  std::string target = "/";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  bool encrypted = false;

  Request view() const {
    Request request{
        .method = method, .target = target, .raw_body = body, .body = body, .encrypted = encrypted};
    for (const auto& [name, value] : headers) request.headers.push_back({name, value});
    return request;
  }

  // The first of this name, spelt the same; added if there is none.
  std::string& header(std::string_view name) {
    for (auto& [other, value] : headers)
      if (other == name) return value;
    return headers.emplace_back(name, "").second;
  }

  void remove(std::string_view name) {
    std::erase_if(headers, [&](const auto& header) { return header.first == name; });
  }

  // Lines as sign_request returns them.
  void add_lines(std::string_view lines) {
    while (!lines.empty()) {
      const size_t colon = lines.find(": ");
      const size_t end = lines.find("\r\n");
      headers.emplace_back(lines.substr(0, colon), lines.substr(colon + 2, end - colon - 2));
      lines.remove_prefix(end + 2);
    }
  }
};

inline constexpr std::string_view kTestKeyId = "AKIDEXAMPLE";
inline constexpr std::string_view kTestSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

inline CredentialSet test_credentials(std::string_view session_token = "") {
  std::vector<Credential> credentials;
  credentials.emplace_back(Credential::Parts{.name = "tester",
                                             .access_key_id = kTestKeyId,
                                             .secret_access_key = kTestSecret,
                                             .session_token = session_token});
  credentials.emplace_back(Credential::Parts{.name = "reader",
                                             .access_key_id = "AKIDREADER",
                                             .secret_access_key = "another secret of the reader",
                                             .role = Role::kReadonly});
  return CredentialSet(std::move(credentials));
}

inline int64_t us_of(std::string_view amz_date) { return *parse_amz_date(amz_date) * 1'000'000; }

}  // namespace sheaf::http
