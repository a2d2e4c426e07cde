// Where a list goes on, as a text that programs hand back. It survives restarts; it is refused when the
// pattern, its keys or its parameters are others, and when somebody changed it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/value.h"

#include "plan/plan.h"
#include "run/record.h"
#include "run/requests.h"

namespace sheaf::run {

// Behind which document the next page begins.
struct Position {
  // Of a list that comes in the order of its keys: the last key, and whose list it was if there are several.
  std::optional<Item> key;
  Identity anchor;
  // Of a list that was sorted after it was read: the last document's order value, and its place among those
  // that have the same.
  std::optional<Value> order;
  Identity place;
};

// What a cursor belongs to. Two plans with the same read in the same way.
std::string plan_fingerprint(const model::Model& model, const model::Layout& layout, const plan::Plan& plan);

// `secret` is the model's own, kept in its system table.
std::string encode_cursor(std::string_view secret, std::string_view fingerprint,
                          const std::vector<Argument>& arguments, const Position& position);
// kInvalid, with the reason, if it is not one of these.
Result<Position> decode_cursor(std::string_view secret, std::string_view fingerprint,
                               const std::vector<Argument>& arguments, std::string_view cursor);

}  // namespace sheaf::run
