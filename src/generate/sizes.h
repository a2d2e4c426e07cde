// How many entities and links a model has: what somebody asked for, and for the rest what relations declare.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/result.h"

#include "model/model.h"

namespace sheaf::generate {

inline constexpr uint64_t kRootCount = 100;               // of entities that nobody says anything of
inline constexpr uint64_t kCountMax = uint64_t{1} << 40;  // of one entity, or of the links of one relation

struct Wishes {
  std::map<std::string, uint64_t> counts;  // by the names of entities
  double scale = 1;                        // of what is not among them
};

// What ids and unique fields allow for.
struct Capacities {
  std::vector<uint64_t> siblings;  // by entity: of one parent, if it is within one, or in all
  std::vector<uint64_t> entities;  // by entity: in all
  std::vector<uint64_t> parallel;  // by relation: edges between the same two; 1 if there is one at most
};

struct RelationSize {
  // Of a tree: the end whose holder has the other by it, one or many. None: many to many, or symmetric.
  std::optional<int> parent_side;
  uint64_t pairs = 0;         // of entities that are linked
  uint64_t max[2] = {0, 0};   // pairs that the holder of an end has
  uint64_t parallel_max = 1;  // pairs have 1, 2, .. so many edges in turn
};

struct Sizes {
  std::vector<uint64_t> entities;
  std::vector<RelationSize> relations;
};

// How many an end that leads to many is to lead to, on average: as declared, or a guess.
uint64_t average(const model::End& end);

// Counts that are not wished for follow from those of neighbours and declared averages, parents first; where
// there is none of them, from kRootCount. kInvalid if a wish cannot be kept, with what to wish for instead.
Result<Sizes> sizes_of(const model::Model& model, const Wishes& wishes, const Capacities& capacities);

}  // namespace sheaf::generate
