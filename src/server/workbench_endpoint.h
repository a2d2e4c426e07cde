// The workbench over HTTP: its page, for everybody, and what it asks for itself, for those who may.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include "http/credentials.h"
#include "http/exchange.h"
#include "http/worker_pool.h"
#include "server/gate.h"
#include "workbench/workbench.h"

namespace sheaf::server {

// Whether a request is for the page: what is below /workbench, and / if a browser wants to show it.
bool is_for_workbench(const http::Request& request);

// What it points to must outlive the endpoint.
struct WorkbenchEndpointParts {
  workbench::Workbench& workbench;
  const http::Credentials* credentials = nullptr;  // null: development mode
  http::OriginGuard guard;
  const Gate& gate;
  http::AuditLog* audit = nullptr;  // may be null
};

// Thread-safe; never waits on a loop. It has threads of its own: who waits for a command keeps nobody from
// the disk.
class WorkbenchEndpoint final : public http::Handler {
 public:
  explicit WorkbenchEndpoint(WorkbenchEndpointParts parts)
      : parts_(std::move(parts)), workers_({.threads = 6, .queue_max = SIZE_MAX}) {}

  // What was asked is answered, if only with 503; so is what comes later. Before the server stops: answers go
  // to its loops.
  void stop();

  void handle(const http::Request& request, Loop& loop, http::Respond respond) override;
  void handle_overloaded(const http::Request& request, Loop&, http::Respond respond) override {
    parts_.gate.answer_overloaded(request, std::move(respond));
  }

 private:
  void serve_page(const http::Request& request, http::Respond respond) const;
  workbench::Asker asker_of(const http::Caller& caller) const;
  // Models that come and go are written down, as tables are.
  void audit(const workbench::Workbench::Request& asked, const http::Caller& caller, std::string_view peer,
             const service::Reply& reply, std::string_view request_id) const;

  const WorkbenchEndpointParts parts_;
  std::atomic<bool> is_stopping_ = false;
  http::WorkerPool workers_;
};

}  // namespace sheaf::server
