// Where HTTP meets the database: who asks, for which operation, and how the answer is sent.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/local_database.h"
#include "base/clock.h"
#include "http/audit_log.h"
#include "http/credentials.h"
#include "http/exchange.h"
#include "http/origin_guard.h"
#include "http/sigv4.h"
#include "server/request_metrics.h"
#include "wire/operation.h"

namespace sheaf::server {

// What it points to must outlive the endpoint.
struct EndpointParts {
  api::LocalDatabase& database;
  wire::Account account;
  http::OriginGuard guard;
  const http::Credentials* credentials = nullptr;  // null: development mode, any credentials will do
  http::SignatureRules signatures;
  http::AuditLog* audit = nullptr;  // may be null
  RequestMetrics& metrics;
  const Clock& clock;
};

// DynamoDB's HTTP interface. Thread-safe.
class Endpoint final : public http::Handler {
 public:
  explicit Endpoint(EndpointParts parts) : parts_(std::move(parts)) {}

  void handle(const http::Request& request, Loop& loop, http::Respond respond) override;
  void handle_overloaded(const http::Request& request, Loop& loop, http::Respond respond) override;
  http::Response refuse(http::Refusal reason) override;

 private:
  class Exchange;

  http::Response health() const;
  http::Verdict admit(const http::Request& request) const;
  void run(const wire::Operation& operation, const http::Caller& who, const http::Request& request,
           Loop& loop, Exchange exchange);
  // Of an action that only a statement's text tells.
  std::optional<wire::Answer> refusal(const http::Caller& who, std::string_view action,
                                      const http::Request& request) const;

  EndpointParts parts_;
};

}  // namespace sheaf::server
