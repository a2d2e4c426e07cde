// Whether the events of a stream tell the whole story of every item, in order.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/stream.h"

namespace sheaf::programs {

// For streams with both images: for every item, each event's old image is the new image of the one before
// it, and the last new image is what is there now. `now`: the items by their keys' encoded form.
std::optional<std::string> find_break(const std::vector<ChangeEvent>& events,
                                      const std::map<std::string, Item>& now);

}  // namespace sheaf::programs
