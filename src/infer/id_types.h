// Ids that only keys hold have no type of their own there: who leads to them tells it.
#pragma once

#include <vector>

#include "infer/kind.h"

namespace sheaf::infer {

// An id is a whole number if others store it as one, and lie with it in an index behind the word of its own
// partitions (PERSON#<writer_number>, and PERSON#<number>), and if each is written as the language writes
// one.
void find_id_types(std::vector<Kind>& kinds);

}  // namespace sheaf::infer
