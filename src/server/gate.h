// Who may come in where the paths are Sheaf's own, and how they are answered: /models, /heat, /collections.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "http/audit_log.h"
#include "http/credentials.h"
#include "http/exchange.h"
#include "http/origin_guard.h"
#include "http/sigv4.h"
#include "server/request_metrics.h"
#include "service/reply.h"

namespace sheaf::server {

// What it points to must outlive the gate.
struct GateParts {
  http::OriginGuard guard;
  const http::Credentials* credentials = nullptr;  // null: development mode, none are asked for
  http::SignatureRules signatures;
  http::AuditLog* audit = nullptr;  // may be null
  RequestMetrics& denials;
  const Clock& clock;
};

// Whether the request says that its body is JSON.
bool has_json(const http::Request& request);

// A request that is being answered in JSON, and what its answer needs.
class JsonExchange {
 public:
  // `cors`: header lines of the guard.
  JsonExchange(std::string_view cors, http::Respond respond);

  std::string_view request_id() const;
  uint64_t begun_us() const { return begun_us_; }
  void answer(service::Reply reply);

 private:
  std::string_view cors_;
  std::string headers_;
  uint64_t begun_us_;
  http::Respond respond_;
};

// Thread-safe.
class Gate {
 public:
  explicit Gate(GateParts parts) : parts_(std::move(parts)) {}

  // Takes requests that come from where none may come from, and preflights of browsers: nothing then.
  // `what` is how the audit log names the place.
  std::optional<JsonExchange> open(const http::Request& request, std::string_view what,
                                   http::Respond respond) const;
  // Who asks, if they may: what they must be allowed to do, in DynamoDB's word for it, and with what. In
  // development mode everybody may, and is who they say.
  http::Verdict admit(const http::Request& request, std::string_view action, std::string_view resource) const;
  // The same, for those who need not know who it is.
  std::optional<http::Denial> refused(const http::Request& request, std::string_view action,
                                      std::string_view resource) const;
  // Answers who was refused, and writes it down.
  void deny(const http::Request& request, const http::Denial& denial, std::string_view what,
            JsonExchange exchange) const;
  // 429
  void answer_overloaded(const http::Request& request, http::Respond respond) const;

 private:
  const GateParts parts_;
};

}  // namespace sheaf::server
