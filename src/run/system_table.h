// What a model remembers beside its items, in a table of its own, so that users' tables look as they are
// drawn: which layout is applied, the secret of its cursors, guards, jobs.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "sheaf/database.h"

#include "model/model.h"

namespace sheaf::run {

// How often a table is asked after until it is there.
inline constexpr std::chrono::milliseconds kPollEvery{50};
inline constexpr int kPollsMax = 6000;

std::string system_table_name(const model::Model& model);
CreateTable system_table_request(const model::Model& model);

// The key of one of its items.
Item system_key(std::string_view pk, std::string_view sk);

// Waits until a table that was just made can be used. Elsewhere than here that takes its time.
Result<void> wait_until_active(Database& database, const std::string& table);

// Makes it, with a secret, if it is not there.
Result<void> make_system_table(Database& database, const model::Model& model);

// kNotFound if the model was never applied here.
Result<std::string> read_secret(Database& database, const model::Model& model);

}  // namespace sheaf::run
