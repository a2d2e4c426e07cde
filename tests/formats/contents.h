// What a data directory that is kept as a sample holds, and how it is told.
#pragma once

#include <memory>
#include <string>

#include "sheaf/database.h"

#include "base/clock.h"

namespace sheaf::formats {

// When the samples are written. They are read a minute later, so that nothing in them is too old.
inline constexpr int64_t kWrittenUs = int64_t{1'800'000'000} * 1'000'000;
inline constexpr int64_t kReadUs = kWrittenUs + int64_t{60} * 1'000'000;

Result<std::unique_ptr<Database>> open_sample(const std::string& directory, const Clock& clock);

// Writes two lots, the second of which belongs to a later opening: every type of value and key, every kind of
// index, every view type of a stream, expiring items, a used token, deleted tables, and work that was begun.
Result<void> write_first(Database& database);
Result<void> write_second(Database& database);

// The transaction of the second lot whose token was used.
TransactWriteItems transfer();

// Everything that can be read, as text.
Result<std::string> tell(Database& database);

}  // namespace sheaf::formats
