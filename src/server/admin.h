// The other port, for the operator: whether the server is well, and what it counts.
#pragma once

#include <functional>
#include <string>

#include "http/exchange.h"

namespace sheaf::server {

// GET /healthz and GET /metrics. Thread-safe if `append_metrics` is.
class Admin final : public http::Handler {
 public:
  explicit Admin(std::function<void(std::string&)> append_metrics)
      : append_metrics_(std::move(append_metrics)) {}

  void handle(const http::Request& request, Loop& loop, http::Respond respond) override;

 private:
  std::function<void(std::string&)> append_metrics_;
};

}  // namespace sheaf::server
