// The models that a database says itself are stored in it, each looked through.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/database.h"

namespace sheaf::cmd {

struct AuditedModel {
  std::string system_table;
  std::string layout;
  uint64_t items = 0;
  std::vector<std::string> problems;  // what `sheaf model audit` would tell
};

// Those with a record of their version in their system table. Others are stored as their files say, which
// nobody here knows.
Result<std::vector<AuditedModel>> audit_models(Database& database);

}  // namespace sheaf::cmd
