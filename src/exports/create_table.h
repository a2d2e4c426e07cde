// Requests to make the tables, as the AWS command line and SDKs take them:
//   { "CreateTable": [ .. ], "UpdateTimeToLive": [ .. ] }
// They make the same tables as `sheaf model apply`, without protection against deletion and without backups.
#pragma once

#include <string>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::exports {

std::string to_create_table(const model::Model& model, const model::Layout& layout);

}  // namespace sheaf::exports
