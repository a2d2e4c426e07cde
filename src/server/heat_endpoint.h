// GET /heat: which keys of which tables and indexes are read and written most (doc/heat.md).
#pragma once

#include "sheaf/database.h"

#include "server/get_endpoint.h"
#include "watch/key_names.h"

namespace sheaf::server {

// Whether a target belongs here.
bool is_heat(std::string_view target);

class HeatEndpoint final : public GetEndpoint {
 public:
  // All must outlive it. Keys that `names` explains are told with what they stand for.
  HeatEndpoint(Database& database, const Gate& gate, watch::KeyNamesNow names)
      : GetEndpoint(gate, "heat"), database_(database), names_(std::move(names)) {}

 private:
  service::Reply answer(std::string_view target) override;

  Database& database_;
  const watch::KeyNamesNow names_;
};

}  // namespace sheaf::server
