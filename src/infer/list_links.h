// Relations whose two sides have an entry on each other's items: maps under the ids of the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "infer/kind.h"
#include "infer/links.h"

namespace sheaf::infer {

// Whether the names in the maps of an attribute are all identities of `target`: what could be entries.
bool has_ids_as_names(const Kind& kind, const std::string& attribute, const Found& found, size_t target);

// The link, if every entry has its counterpart in `other_attribute` of the target, and both say the same but
// for copies of whom they lead to.
std::optional<Link> find_lists(const std::vector<Kind>& kinds, const Found& found, size_t kind,
                               const std::string& attribute, size_t target,
                               const std::string& other_attribute);

}  // namespace sheaf::infer
