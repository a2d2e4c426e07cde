// Keeps web pages out that have no business here. A browser carries requests of any page it shows to any
// address it can reach, a developer's own machine included; what tells them apart are the headers that a page
// cannot choose: Host, which names what the page asked for (and not where that name was made to point to),
// and Origin, which names the page.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

#include "http/denial.h"
#include "http/exchange.h"

namespace sheaf::http {

struct OriginRules {
  // No credentials are asked for, so the headers are all there is: requests are refused whose Host is not
  // loopback, and those of a page that is neither allowed nor our own.
  bool development = false;
  // "https://console.example.com", "http://localhost:3000": their pages may read our answers, in both modes.
  // Only whole origins: no patterns and no "null".
  std::vector<std::string> allowed_origins;
};

// Never changes; thread-safe.
class OriginGuard {
 public:
  // Fails on an origin that is none.
  static Result<OriginGuard> create(const OriginRules& rules);

  // To be asked first, before anything is done for the request. 403 if it is refused.
  std::optional<Denial> check(const Request& request) const;

  // The answer to a browser that asks whether a page may send a request (an OPTIONS that names its page and
  // the method); nothing if this is no such question.
  std::optional<Response> answer_preflight(const Request& request) const;

  // The header lines that let the page which sent `request` read the answer; empty for pages not allowed and
  // for requests of no page. Valid as long as the guard.
  std::string_view headers_for(const Request& request) const;

 private:
  struct Allowed {
    std::string origin;
    std::string headers;
  };

  OriginGuard(bool development, std::vector<Allowed> allowed)
      : development_(development), allowed_(std::move(allowed)) {}
  const Allowed* find(std::string_view origin) const;

  bool development_;
  std::vector<Allowed> allowed_;
};

// Whether the value of a Host header, with or without a port, can only mean this machine: localhost and names
// below it, 127.0.0.0/8, [::1].
bool is_loopback_host(std::string_view host);

// The same for an address that is listened on: "127.0.0.1", "::1" (without brackets).
bool is_loopback_address(std::string_view address);

}  // namespace sheaf::http
