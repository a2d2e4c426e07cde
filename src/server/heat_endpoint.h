// GET /heat: which keys of which tables and indexes are read and written most (doc/heat.md).
#pragma once

#include "sheaf/database.h"

#include "http/exchange.h"
#include "server/gate.h"
#include "watch/key_names.h"

namespace sheaf::server {

// Whether a target belongs here.
bool is_heat(std::string_view target);

// Who may read items may see which are hot. Thread-safe; never waits on a loop.
class HeatEndpoint final : public http::Handler {
 public:
  // All must outlive it. Keys that `names` explains are told with what they stand for.
  HeatEndpoint(Database& database, const Gate& gate, watch::KeyNamesNow names)
      : database_(database), gate_(gate), names_(std::move(names)) {}

  void handle(const http::Request& request, Loop& loop, http::Respond respond) override;
  void handle_overloaded(const http::Request& request, Loop&, http::Respond respond) override {
    gate_.answer_overloaded(request, std::move(respond));
  }

 private:
  Database& database_;
  const Gate& gate_;
  const watch::KeyNamesNow names_;
};

}  // namespace sheaf::server
