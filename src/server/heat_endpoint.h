// GET /heat: which keys of which tables and indexes are read and written most (doc/heat.md).
#pragma once

#include "sheaf/database.h"

#include "http/exchange.h"
#include "server/gate.h"

namespace sheaf::server {

// Whether a target belongs here.
bool is_heat(std::string_view target);

// Who may read items may see which are hot. Thread-safe; never waits on a loop.
class HeatEndpoint final : public http::Handler {
 public:
  // Both must outlive it.
  HeatEndpoint(Database& database, const Gate& gate) : database_(database), gate_(gate) {}

  void handle(const http::Request& request, Loop& loop, http::Respond respond) override;
  void handle_overloaded(const http::Request& request, Loop&, http::Respond respond) override {
    gate_.answer_overloaded(request, std::move(respond));
  }

 private:
  Database& database_;
  const Gate& gate_;
};

}  // namespace sheaf::server
