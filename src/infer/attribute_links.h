// Relations that attributes show: ids of others, lists of ids, maps and lists of maps.
#pragma once

#include <vector>

#include "infer/kind.h"
#include "infer/links.h"
#include "infer/naming.h"

namespace sheaf::infer {

// Adds to `found`:
//   - references: attributes END_ID that hold identities of another kind, in every item that has them; with
//   an
//     index that is partitioned by them, if there is one;
//   - ids: lists of identities; embedded entities: maps of maps, and lists of maps that have an id.
// Questions are about ids under names that the language has no reference for.
void find_attribute_links(const std::vector<Kind>& kinds, const Naming& naming, Found& found,
                          std::vector<Question>& questions);

}  // namespace sheaf::infer
