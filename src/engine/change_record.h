// What the change log holds of one change of one item (doc/key-format.md, "Log").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sheaf/stream.h"
#include "sheaf/value.h"

#include "engine/table.h"

namespace sheaf::engine {

enum class ChangeCause : uint8_t { kRequest = 0, kExpiry = 1 };

// The log row of a change; at least one image is there.
std::string encode_change(const Table& table, StreamView view, std::optional<ItemView> before,
                          std::optional<ItemView> after, ChangeCause cause);

Result<ChangeEvent> decode_change(std::string_view row, StreamPosition sequence);

}  // namespace sheaf::engine
