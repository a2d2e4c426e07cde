// The other port, for the operator: whether the server is well, and what it counts.
#pragma once

#include <functional>
#include <string>

#include "http/exchange.h"
#include "http/origin_guard.h"

namespace sheaf::server {

// GET /healthz and GET /metrics, for this machine alone: metrics name tables and models, and no page of a
// browser may read them under a name that was made to point here. Thread-safe if `append_metrics` is.
class Admin final : public http::Handler {
 public:
  explicit Admin(std::function<void(std::string&)> append_metrics)
      : guard_(*http::OriginGuard::create({.development = true, .allowed_origins = {}})),
        append_metrics_(std::move(append_metrics)) {}

  void handle(const http::Request& request, Loop& loop, http::Respond respond) override;

 private:
  const http::OriginGuard guard_;
  std::function<void(std::string&)> append_metrics_;
};

}  // namespace sheaf::server
