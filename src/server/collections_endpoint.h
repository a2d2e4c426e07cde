// GET /collections: how large item collections are (doc/heat.md).
#pragma once

#include <cstddef>

#include "sheaf/database.h"

#include "server/get_endpoint.h"

namespace sheaf::server {

// Of so many partition keys at a time.
inline constexpr size_t kCollectionsAskedMax = 64;

// Whether a target belongs here.
bool is_collections(std::string_view target);

class CollectionsEndpoint final : public GetEndpoint {
 public:
  // Both must outlive it.
  CollectionsEndpoint(Database& database, const Gate& gate)
      : GetEndpoint(gate, "collections"), database_(database) {}

 private:
  service::Reply answer(std::string_view target) override;

  Database& database_;
};

}  // namespace sheaf::server
