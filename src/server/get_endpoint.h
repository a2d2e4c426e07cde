// A page of Sheaf's own that tells what the server counts: asked for with GET, answered in JSON.
#pragma once

#include <string_view>

#include "http/exchange.h"
#include "server/gate.h"

namespace sheaf::server {

// Who may read items may see what is counted of them. Thread-safe if `answer` is; never waits on a loop.
class GetEndpoint : public http::Handler {
 public:
  // `what` is how the audit log names it. Both must outlive the endpoint.
  GetEndpoint(const Gate& gate, std::string_view what) : gate_(gate), what_(what) {}

  void handle(const http::Request& request, Loop& loop, http::Respond respond) final;
  void handle_overloaded(const http::Request& request, Loop&, http::Respond respond) final {
    gate_.answer_overloaded(request, std::move(respond));
  }

 private:
  // On a thread that may wait. `target` is what was asked for, with its query.
  virtual service::Reply answer(std::string_view target) = 0;

  const Gate& gate_;
  const std::string_view what_;
};

}  // namespace sheaf::server
