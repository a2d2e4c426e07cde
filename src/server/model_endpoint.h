// Models over HTTP: who asks, for what, and how the answer is sent. service/ says what the answer is.
#pragma once

#include <optional>
#include <string>

#include "http/exchange.h"
#include "server/gate.h"
#include "server/model_metrics.h"
#include "service/model_service.h"
#include "wire/operation.h"

namespace sheaf::server {

// What it points to must outlive the endpoint.
struct ModelEndpointParts {
  const service::ModelService& service;
  wire::Account account;
  const Gate& gate;
  ModelMetrics& metrics;
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
  std::optional<http::Denial> refused(const http::Request& request, const service::Route& route) const;
  void refuse_caller(const http::Request& request, std::optional<service::Route> route, Loop& loop,
                     JsonExchange exchange);
  void run(const http::Request& request, service::Route route, Loop& loop, JsonExchange exchange);
  void finish(const service::Route& route, const service::Reply& reply, uint64_t took_us);

  ModelEndpointParts parts_;
};

}  // namespace sheaf::server
