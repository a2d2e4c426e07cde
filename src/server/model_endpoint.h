// Models over HTTP: who asks, for what, and how the answer is sent. service/ says what the answer is.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "http/audit_log.h"
#include "http/credentials.h"
#include "http/exchange.h"
#include "http/origin_guard.h"
#include "http/sigv4.h"
#include "server/model_metrics.h"
#include "server/request_metrics.h"
#include "service/model_service.h"
#include "wire/operation.h"

namespace sheaf::server {

// What it points to must outlive the endpoint.
struct ModelEndpointParts {
  const service::ModelService& service;
  wire::Account account;
  http::OriginGuard guard;
  const http::Credentials* credentials = nullptr;  // null: development mode, none are asked for
  http::SignatureRules signatures;
  http::AuditLog* audit = nullptr;  // may be null
  RequestMetrics& denials;
  ModelMetrics& metrics;
  const Clock& clock;
};

// /models and what is below it. Signatures are those of DynamoDB's API. Who may read items may ask patterns;
// who may write them may carry out operations. Thread-safe; never waits on a loop.
class ModelEndpoint final : public http::Handler {
 public:
  explicit ModelEndpoint(ModelEndpointParts parts) : parts_(std::move(parts)) {}

  void handle(const http::Request& request, Loop& loop, http::Respond respond) override;
  // 429
  void handle_overloaded(const http::Request& request, Loop& loop, http::Respond respond) override;

 private:
  class Exchange;

  std::optional<http::Denial> refused(const http::Request& request, const service::Route& route) const;
  void deny(const http::Request& request, const http::Denial& denial, const std::string& what,
            Exchange exchange);
  void run(const http::Request& request, service::Route route, Loop& loop, Exchange exchange);
  void finish(const service::Route& route, const service::Reply& reply, uint64_t took_us);

  ModelEndpointParts parts_;
};

}  // namespace sheaf::server
